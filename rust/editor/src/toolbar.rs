//! What plugins have in the 2D toolbar.

mod row;
mod switch;

pub(crate) use row::{
    add, add_button, contains, has_shortcut, has_skeleton, is_open, remove, shortcut, show,
};
pub(crate) use switch::{TendonSwitch, add_switch};
