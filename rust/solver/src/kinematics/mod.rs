//! Joints, chains and trees: where they are, how far they may turn, and where they touch shapes.
//!
//! | file | what is in it |
//! |---|---|
//! | [`joint`] | one joint, for solvers in closed form |
//! | [`limb`] | one or two joints, for solvers in closed form |
//! | [`tree`] | a chain or tree of joints, for solvers that iterate: a folder |
//! | [`limit_enforcement`] | the bound that a limit sets to a joint, and keeping the joint within it |
//! | [`contact`] | the contacts of the bones of a tree with obstacles |
//! | [`pointing`] | turns the joints of a tree towards given places |

pub(crate) mod contact;
pub(crate) mod joint;
pub(crate) mod limb;
pub(crate) mod limit_enforcement;
pub(crate) mod pointing;
pub(crate) mod tree;

/// A tip is at its target in the base pose if it is nearer than this part of the chain's length: what is lost on the way
/// from the coordinates of a scene, where `f32` leaves no more.
pub(crate) const AT_TARGET: f64 = 1e-5;
