//! A tree of joints with one or several tips, in chain space.
//!
//! | file | what is in it |
//! |---|---|
//! | [`input`] | joints and effectors as a tree is given them |
//! | [`build`] | building a tree of them |
//! | [`node`] | one joint: its swing and its place |
//! | [`limit_enforcement`] | keeping a joint within its limit |
//! | [`tip`] | tips, and the pieces between joints |
//! | [`prepare`] | measurements before a solve |
//! | [`place`] | forward kinematics |
//! | [`reach_bound`] | a lower bound of the distance from the tip of a chain with limits to its target |
//! | this one | the functions of a tree for solvers
//!
//! **Chain space** is the frame of the root joint's parent, moved to the root joint: the root is
//! at the origin and does not move. Mirrored, stretched or skewed ancestors of the character are
//! thereby taken out of the targets, and no solver needs the sign of a scale.
//!
//! A chain is a tree with one branch. Joint *i* turns by `Rᵢ` in the frame `Bᵢ` that its parent
//! *h* gives it:
//!
//! ```text
//! pᵢ = pₕ + Bₕ Rₕ offsetᵢ     Bᵢ = Bₕ Rₕ carryᵢ     tip = pᵢ + Bᵢ Rᵢ position
//! ```
//!
//! [`offset`](JointInput::offset) and [`carry`](JointInput::carry) belong to the child, because a
//! joint may have several. Frames are followed through the whole tree, so bones that are mirrored,
//! stretched or skewed inside it are exact.
//!
//! The state of a joint is its **swing**: the angle in radians that it has turned away from the
//! base pose. Bounds are intervals of the swing, so they hold exactly, and a joint that does not
//! swing keeps its rotation to the last bit. All arithmetic is in `f64`: the normal equations of
//! several tips and contacts square the condition of the problem, which `f32` cannot hold.

use glam::DVec2;

use crate::collision::convex::Shapes;
use crate::kinematics::tree::tip::TreePiece;
use crate::math::rotation::Rotation;

mod build;
mod input;
mod limit_enforcement;
mod node;
mod place;
mod prepare;
mod reach_bound;
mod tip;

pub(crate) use crate::kinematics::tree::input::{EffectorInput, JointInput};
pub(crate) use crate::kinematics::tree::node::Node;
pub(super) use crate::kinematics::tree::tip::LinkEnd;
pub(crate) use crate::kinematics::tree::tip::Tip;

/// The least length that a joint counts as carrying, as a part of the span.
const SHORT: f64 = 1e-3;

/// Why a tree cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a joint or a target is not finite, or a bone is scaled to nothing")]
pub(crate) struct Unsolvable;

/// Joints that branch from a fixed root at the origin. See the module's page.
///
/// A tree keeps its memory between solves: after the largest one, building another allocates
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) tips: Vec<Tip>,
    /// Sorted by joint.
    pub(crate) links: Vec<TreePiece>,
    /// The obstacles that the bones of the tree stay out of, in chain space.
    pub(crate) obstacles: Shapes,
    pub(crate) span: f64,
    /// `true` if no joint has bounds or a heading.
    pub(crate) is_unbounded: bool,
    /// `true` if a joint has bounds besides a heading.
    pub(crate) has_limits: bool,
    /// `true` if the lengths of all pieces are the same in every pose.
    pub(crate) is_rigid: bool,
    /// `true` if the target of a free chain is beyond its reach, so that it has to be straight.
    pub(crate) is_overstretched: bool,
}

impl Tree {
    /// Returns the number of joints.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the angle of a joint from the base pose, in radians.
    pub(crate) fn swing(&self, joint: usize) -> f32 {
        self.nodes[joint].swing as f32
    }

    /// The present swings.
    pub(crate) fn swings(&self) -> impl Iterator<Item = f64> {
        self.nodes.iter().map(|node| node.swing)
    }

    /// Returns the rotation of a joint in its frame.
    pub(crate) fn rotation(&self, joint: usize) -> Rotation {
        let node = &self.nodes[joint];
        if node.swing == 0.0 {
            return node.base;
        }
        Rotation::towards(node.direction.as_vec2()).unwrap_or(node.base)
    }

    /// The places of all joints and tips.
    pub(crate) fn points(&self) -> impl Iterator<Item = DVec2> {
        let joints = self.nodes.iter().map(|node| node.point);
        joints.chain(self.tips.iter().map(|tip| tip.point))
    }

    /// From a joint up to the root.
    pub(crate) fn path(&self, joint: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(joint), |&index| self.nodes[index].parent)
    }

    /// The two ends of a link.
    pub(crate) fn ends(&self, link: &TreePiece) -> [DVec2; 2] {
        let node = &self.nodes[link.joint];
        [node.point, node.point + node.frame * link.offset]
    }

    /// Returns the length of a link in the present pose, in chain units.
    pub(crate) fn length_of(&self, link: &TreePiece) -> f64 {
        let [from, to] = self.ends(link);
        from.distance(to)
    }

    /// Returns the sense in which the present pose bends: 1 for positive angles from piece to piece, or none at all,
    /// and −1 for negative ones.
    pub(crate) fn sense(&self) -> f64 {
        let mut bend = 0.0;
        for link in &self.links {
            let Some(above) = self.nodes[link.joint].parent else {
                continue;
            };
            let [joint, end] = self.ends(link);
            bend += (joint - self.nodes[above].point).perp_dot(end - joint);
        }
        if bend < 0.0 { -1.0 } else { 1.0 }
    }

    /// The length of the longest branch, from the root to a tip, in chain units: no tip can be
    /// farther from the root. An upper bound where bones inside the tree are stretched or skewed.
    pub(crate) fn span(&self) -> f32 {
        self.span as f32
    }

    /// Returns about the largest distance from a joint to a point that it carries, in chain units: the rest of the
    /// longest branch.
    pub(crate) fn length_beyond(&self, joint: usize) -> f64 {
        (self.span - self.nodes[joint].length).max(SHORT * self.span)
    }

    /// Returns the length of the line of bones from the root to a tip in the base pose, up to the part that a heading
    /// fixes, and the part of it that can be lengthened, in chain units.
    pub(crate) fn lengths_to(&self, tip: &Tip) -> [f64; 2] {
        let node = &self.nodes[tip.joint];
        if node.is_headed() {
            return [node.length; 2];
        }
        let last = (node.frame * tip.position).length();
        let elastic = if tip.is_elastic { last } else { 0.0 };
        [node.length + last, node.length + elastic]
    }

    /// The part of the way to a tip that a heading fixes: from its joint on, if that is headed.
    /// The other joints reach for the rest of the way.
    pub(crate) fn settled_of(&self, tip: &Tip) -> DVec2 {
        let node = &self.nodes[tip.joint];
        if node.is_headed() {
            tip.point - node.point
        } else {
            DVec2::ZERO
        }
    }

    /// The largest distance between an effector that counts and its target, in chain units.
    pub(crate) fn distance(&self) -> f32 {
        let counting = self.tips.iter().filter(|tip| tip.weight > 0.0);
        let distances = counting.map(|tip| tip.point.distance(tip.wanted));
        distances.fold(0.0, f64::max) as f32
    }

    /// Returns `true` if some target that counts is farther away than its tip can be.
    pub(crate) fn is_out_of_reach(&self) -> bool {
        let counting = |tip: &&Tip| tip.weight > 0.0;
        let far = |tip: &Tip| {
            let node = &self.nodes[tip.joint];
            let far = if node.is_headed() { node.far } else { tip.far };
            (tip.target - self.settled_of(tip)).length() > far * (1.0 + 1e-5)
        };
        self.tips.iter().filter(counting).any(far)
    }

    /// The largest distance between an effector that counts and the place that it reaches for at
    /// present, in chain units.
    pub(crate) fn error(&self) -> f64 {
        let counting = self.tips.iter().filter(|tip| tip.weight > 0.0);
        counting.map(|tip| tip.miss().length()).fold(0.0, f64::max)
    }

    /// The sum of weight times squared distance.
    pub(crate) fn weighted_error(&self) -> f64 {
        let terms = self
            .tips
            .iter()
            .map(|tip| tip.weight * tip.miss().length_squared());
        terms.sum()
    }
}
