//! The base pose: what animation, scripts or the user last gave a bone, in contrast to what the rig
//! wrote into it.
//!
//! | file | what is in it |
//! |---|---|
//! | [`tracked_bones`] | all bones of a rig: read, write, restore and claim, for passes, undo and saving |
//! | [`tracked_bone`] | one bone: its node, its base, what was written and what was last seen |
//! | [`written_pose`] | what the rig wrote into a bone, as distinguished from its base pose |
//! | [`bone_pose`] | rotation, position and scale of a bone |
//! | [`undo_history`] | base poses by version of the edited scene |
//! | [`copies`] | base poses for copies of a rig and of single bones, and for reloading |

pub(crate) mod bone_pose;
pub(crate) mod copies;
pub(crate) mod tracked_bone;
pub(crate) mod tracked_bones;
pub(crate) mod undo_history;
mod written_pose;
