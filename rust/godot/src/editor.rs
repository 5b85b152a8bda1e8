//! What the extension adds to Godot's editor.
//!
//! | file | what is in it |
//! |---|---|
//! | [`inspector`] | what a modifier does now, in the inspector |
//! | [`status_row`] | the row that says so |
//! | [`keeper`] | keeps base poses through saving, undoing and copying |

mod inspector;
mod keeper;
mod status_row;
