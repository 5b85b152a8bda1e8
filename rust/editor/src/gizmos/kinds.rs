//! The gizmos: what is drawn of each kind of thing, with which handles.
//!
//! | file | what is in it |
//! |---|---|
//! | [`geometry`] | what a modifier works on, from the last pass |
//! | [`chain`], [`reach`] | the bones of a modifier, and how far they reach |
//! | [`limit`], [`obstacle`], [`path`] | joint limits, shapes to stay out of, the path of a spline |
//! | [`spring`], [`turning`], [`mapping`], [`scrub`], [`footholds`], [`body`] | what single classes have |
//! | [`fan`] | how far a joint turns to either side |

pub(super) mod body;
pub(super) mod chain;
mod fan;
pub(super) mod footholds;
pub(super) mod geometry;
pub(super) mod limit;
pub(super) mod mapping;
pub(super) mod obstacle;
pub(super) mod path;
pub(super) mod reach;
pub(super) mod scrub;
pub(super) mod spring;
pub(super) mod turning;
