//! 2D inverse kinematics on plain data.
//!
//! The solvers of Tendon, without Godot: they read a chain of joints, turn them so that
//! the chain's tip meets a target, and report how that went. A newcomer reads the data's
//! path forwards:
//!
//! | file | what is in it |
//! |---|---|
//! | [`pose`] | bones as Godot has them; the pose that a pass works on |
//! | [`rig`] | bones and modifiers together, and the pass over them |
//! | [`modifier`] | which solver runs on which bones, and how the pose takes its result |
//! | [`defect`] | what can be wrong with a rig's indices |
//! | [`chain`] | the joints that one modifier turns, in the space it solves in |
//! | [`look_at`], [`two_bone`] | closed forms for one and two bones |
//! | [`ccd`], [`fabrik`] | sweeps for chains of any length |
//! | [`approach`] | when to sweep, stop, and hand over |
//! | [`reach`], [`deadlock`], [`finisher`] | out of reach, stuck on a line, and the last bit of the way |
//! | [`tree`], [`branches`] | joints that branch to several tips, and FABRIK on them |
//! | [`obstacle`], [`penetration`], [`contact`] | shapes, how deep a bone is in one, and where a tree touches them |
//! | [`tree_modifier`] | modifiers with several effectors or obstacles |
//! | [`least_squares`], [`multistart`], [`detour`] | the finisher of trees and around obstacles |
//! | [`limit`], [`bound`] | joint limits as data, and as what they leave a joint of a chain |
//! | [`pursuit`], [`active_set`], [`bounded_limb`] | chains and the two-bone solver within limits |
//! | [`stretch`], [`heading`] | soft reach and stretch; which way the end of a chain points |
//! | [`turn`] | rotations as unit vectors |
//! | [`capture`], [`number`] | a pass as JSON, solved again elsewhere; numbers that survive it |
//! | [`keys`] | which samples of a recorded motion an animation needs |
//!
//! Angles are radians. Godot's Y axis points down the screen, so a positive angle turns
//! clockwise to the eye; nothing here depends on that. No function allocates once its
//! buffers have grown to the rig's size, and none panics on numbers: what is not finite
//! comes back as [`Status::Invalid`].

#![forbid(unsafe_code)]

mod active_set;
pub mod approach;
mod bound;
mod bounded_limb;
pub mod branches;
pub mod capture;
pub mod ccd;
pub mod chain;
mod cholesky;
mod contact;
mod deadlock;
pub mod defect;
mod detour;
pub mod fabrik;
mod finisher;
pub mod heading;
pub mod keys;
mod least_squares;
pub mod limit;
pub mod look_at;
pub mod modifier;
pub mod multistart;
mod number;
pub mod obstacle;
mod penetration;
pub mod pose;
mod pursuit;
mod reach;
pub mod report;
pub mod rig;
mod stretch;
pub mod tree;
pub mod tree_modifier;
pub mod turn;
pub mod two_bone;

pub use glam;

pub use capture::Capture;
pub use chain::Chain;
pub use defect::Defect;
pub use heading::{Direction, Heading};
pub use limit::{Limit, LimitSpace};
pub use modifier::{Modifier, Solver};
pub use obstacle::{Obstacle, Shape};
pub use pose::{Bone, Point};
pub use report::{Report, Status};
pub use rig::Rig;
pub use stretch::share;
pub use tree::Tree;
pub use tree_modifier::Effector;
