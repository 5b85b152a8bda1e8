//! The gizmos: what is drawn of each kind of thing, with which handles.
//!
//! | file | what is in it |
//! |---|---|
//! | [`geometry`] | what a modifier works on, from the last pass |
//! | [`chain`], [`reach`] | the bones of a modifier, and how far they reach |
//! | [`limit`], [`obstacle`], [`path`] | joint limits, shapes to stay out of, the path of a spline |
//! | [`footholds`], [`body`] | feet on ground, and the limbs of a ragdoll |

pub(super) mod body;
pub(super) mod chain;
pub(super) mod footholds;
pub(super) mod geometry;
pub(super) mod limit;
pub(super) mod obstacle;
pub(super) mod path;
pub(super) mod reach;
