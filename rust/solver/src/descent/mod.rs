//! Iterative solving: the one constrained step, where it starts, and how a pose follows from the
//! last one.
//!
//! A chain without memory goes through `home`; one with memory through `line`, if it is free, or else
//! through `follow`, which goes back to `home` where it finds no way. All but `line` take the steps of
//! `step`. From the target to the pose:
//!
//! | file or folder | what is in it |
//! |---|---|
//! | [`memory`] | what a modifier carries from one pass to the next |
//! | [`reach`] | targets out of reach, in closed form |
//! | [`line`](mod@line) | free chains, in a time that grows with their joints only |
//! | [`follow`] | the pose that goes on from that of the pass before, without leaps |
//! | [`transition`] | the way to a pose on another branch, at a bounded speed |
//! | [`home`] | the pose without memory, and the nearest one to the base pose |
//! | [`reaching`] | bringing tips to their targets, from any pose |
//! | [`obstacle_avoidance`] | keeping out of obstacles on the way there |
//! | [`deadlock`] | bending a chain that lies on one line with its target |
//! | [`restarts`] | the poses that are tried when a descent does not arrive |
//! | [`step`] | the one constrained step |

pub(crate) mod deadlock;
pub(crate) mod follow;
pub(crate) mod home;
pub(crate) mod line;
pub(crate) mod memory;
pub(crate) mod obstacle_avoidance;
pub(crate) mod reach;
pub(crate) mod reaching;
mod restarts;
pub(crate) mod step;
pub(crate) mod transition;

pub use memory::{Memory, Order};
pub(crate) use step::Workspace;
