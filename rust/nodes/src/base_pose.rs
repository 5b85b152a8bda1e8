//! The base pose: what animation, scripts or the user last gave a bone, in contrast to what the rig
//! wrote into it. The base pose is what is saved: before saving, `editor/saving.rs` has each rig
//! restore it ([`tracked_bones`], `restore_last_bits`).
//!
//! | file | what is in it |
//! |---|---|
//! | [`tracked_bones`] | all bones of a rig: read, restore and claim, for passes, undo and saving |
//! | [`tracked_bone`] | one bone: reads and writes its node, and restores its base pose |
//! | [`written_pose`] | decides whether the rig has moved a bone, or something else, which is the new base pose |
//! | [`bone_pose`] | rotation, position and scale of a bone |
//! | [`undo_history`] | base poses by version of the edited scene |
//! | [`copies`] | base poses for copies of a rig and of single bones, and for reloading |

pub mod bone_pose;
pub(crate) mod copies;
pub(crate) mod tracked_bone;
pub(crate) mod tracked_bones;
pub(crate) mod undo_history;
mod written_pose;
