//! Iterative solving: the one constrained step, where it starts, and how a pose follows from the
//! last one.
//!
//! A chain without memory is solved by `memoryless`. With memory, a free chain is solved by
//! `free_chain` and any other by `follow`, which falls back on `memoryless` where a branch ends.
//! All but `free_chain` take the steps of `step`. From the target to the pose:
//!
//! | file or folder | what is in it |
//! |---|---|
//! | [`memory`] | the state that a modifier keeps from one pass to the next |
//! | [`out_of_reach`] | targets out of reach, in closed form |
//! | [`lone_joint`] | chains that limits keep from their target, in closed form |
//! | [`free_chain`] | chains without limits and obstacles, in O(joints) |
//! | [`follow`] | the pose that goes on from that of the pass before, without leaps |
//! | [`transition`] | the way to a pose on another branch, at a bounded speed |
//! | [`memoryless`] | the pose without memory, and the nearest one to the base pose |
//! | [`reaching`] | bringing tips to their targets, from any pose |
//! | [`obstacle_avoidance`] | keeping out of obstacles on the way there |
//! | [`deadlock`] | bending a chain that lies on one line with its target |
//! | [`restarts`] | the poses that are tried when a descent does not arrive |
//! | [`step`] | the one constrained step |

pub(crate) mod deadlock;
pub(crate) mod follow;
pub(crate) mod free_chain;
mod lone_joint;
pub(crate) mod memory;
pub(crate) mod memoryless;
pub(crate) mod obstacle_avoidance;
pub(crate) mod out_of_reach;
pub(crate) mod reaching;
mod restarts;
mod speeds;
pub(crate) mod step;
pub(crate) mod transition;

pub use memory::{Memory, Order};
pub use speeds::TransitionSpeeds;
pub(crate) use step::SolveSpace;
