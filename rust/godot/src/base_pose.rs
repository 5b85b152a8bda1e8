//! What animation gave a bone, as against what the rig wrote.
//!
//! | file | what is in it |
//! |---|---|
//! | [`memory`] | what is remembered of one bone |
//! | [`covered`] | base poses under solved ones, for saving, undoing and copying |
//! | [`past`] | what the editor's undo brings back |

pub(crate) mod covered;
pub(crate) mod memory;
pub(crate) mod past;
