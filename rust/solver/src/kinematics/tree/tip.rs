//! The tips of a tree, and the straight pieces between its joints and tips.

use glam::DVec2;

/// An effector and its present place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tip {
    pub(crate) joint: usize,
    pub(super) position: DVec2,
    /// `true` if it is a bone, which can be moved to lengthen the piece that ends there.
    pub(super) is_elastic: bool,
    /// The target that was asked for.
    pub(crate) wanted: DVec2,
    /// The place that the tip reaches for in the end: the target, or a place within soft reach.
    pub(crate) goal: DVec2,
    /// The place that the tip reaches for at present: `goal`, or a place on the way there.
    pub(crate) target: DVec2,
    /// Relative to the heaviest effector.
    pub(crate) weight: f64,
    pub(crate) point: DVec2,
    /// Upper bound of the distance from the root, in any pose. Exact where no bone inside the
    /// tree is stretched or skewed.
    pub(crate) far: f64,
}

impl Tip {
    /// From the target to the tip.
    pub(crate) fn miss(&self) -> DVec2 {
        self.point - self.target
    }
}

/// A straight piece of the tree: from a joint to a joint or a tip that it carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreePiece {
    pub(crate) joint: usize,
    /// The position of the end, seen from the joint before it turns.
    pub(crate) offset: DVec2,
    pub(in crate::kinematics) end: LinkEnd,
    /// `true` if another link is the same piece.
    pub(in crate::kinematics) double: bool,
}

/// The joint or tip that a [`TreePiece`] leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::kinematics) enum LinkEnd {
    Joint(usize),
    Tip(usize),
}
