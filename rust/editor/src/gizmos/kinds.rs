//! The gizmos: what is drawn of each kind of thing, with which handles.
//!
//! | file | what is in it |
//! |---|---|
//! | [`geometry`] | the joints, tips and targets of a modifier, from the last pass |
//! | [`chain`], [`reach`] | the bones of a modifier, and how far they reach |
//! | [`limit`], [`path`] | joint limits, the path of a spline |
//! | [`shapes`], [`footholds`] | shapes to stay out of and limbs of a ragdoll, and feet on ground |

pub(super) mod chain;
pub(super) mod footholds;
pub(super) mod geometry;
pub(super) mod limit;
pub(super) mod path;
pub(super) mod reach;
pub(super) mod shapes;
