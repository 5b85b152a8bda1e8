//! The nodes that users add to a scene, one file each, and what they share.
//!
//! | file | what is in it |
//! |---|---|
//! | [`rig`] | `TendonRig2D`, the node that runs the pass |
//! | [`look_at`], [`two_bone`], [`ccd`], [`fabrik`] | the modifier nodes |
//! | [`modifier`], [`chain`] | what the modifier nodes share |
//! | [`effector`] | `TendonEffector2D`, a further tip of a FABRIK |
//! | [`joint_limit`] | the node that says how far a bone may turn |
//! | [`class_enum`] | enums that scripts know by name |

#[cfg(feature = "bench")]
mod bench_floor;
pub(crate) mod ccd;
pub(crate) mod chain;
pub(crate) mod class_enum;
pub(crate) mod effector;
pub(crate) mod fabrik;
pub(crate) mod joint_limit;
pub(crate) mod look_at;
pub(crate) mod modifier;
pub(crate) mod rig;
pub(crate) mod two_bone;
