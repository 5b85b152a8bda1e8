//! Joints and effectors as a tree is given them.

use glam::{Mat2, Vec2};

use crate::kinematics::limit_enforcement::{Bound, Measure};
use crate::math::rotation::Rotation;

/// How far a joint of a [`Tree`](crate::kinematics::tree::Tree) may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bounds {
    /// Without bounds.
    Free,
    /// Between a least and a greatest swing, in radians.
    Swing([f32; 2]),
    /// The joint's X axis, before its bone's own scale, stays in an arc of directions that is
    /// fixed in chain space.
    Heading {
        /// The middle of the arc.
        middle: Rotation,
        /// Radians from the middle to either end.
        half: f32,
    },
}

/// One joint of a [`Tree`](crate::kinematics::tree::Tree), as it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointInput {
    /// Index of the joint that carries this one. `None` for the root alone, whose `offset` and
    /// `carry` are not used.
    pub parent: Option<usize>,
    /// Where the joint is, seen from its parent before that turns.
    pub offset: Vec2,
    /// What the joint's frame is, seen from its parent before that turns.
    pub carry: Mat2,
    /// The joint's rotation in its frame in the base pose.
    pub base: Rotation,
    /// How far the joint may turn.
    pub bounds: Bounds,
    /// How much less than other joints it turns: 0 as they do, 1 not at all.
    pub stiffness: f32,
    /// What a turn of this joint costs, relative to that of other joints; 1 is usual.
    pub cost: f32,
}

impl JointInput {
    /// A joint without bounds or stiffness.
    pub(crate) fn free(parent: Option<usize>, offset: Vec2, carry: Mat2, base: Rotation) -> Self {
        Self {
            parent,
            offset,
            carry,
            base,
            bounds: Bounds::Free,
            stiffness: 0.0,
            cost: 1.0,
        }
    }

    /// Gives the joint the bounds and the stiffness of `bound`.
    pub(crate) fn set_bound(&mut self, bound: &Bound) {
        self.stiffness = 1.0 - bound.weight;
        if bound.has_ends() {
            self.bounds = match bound.measure {
                Measure::Rotation => Bounds::Swing(bound.room(self.base)),
                Measure::Heading => Bounds::Heading {
                    middle: bound.direction_at(0.5),
                    half: 0.5 * bound.extent(),
                },
            };
        }
    }
}

/// A point of the tree that has a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EffectorInput {
    /// Index of the joint that carries the point.
    pub joint: usize,
    /// Where the point is, seen from that joint before it turns.
    pub position: Vec2,
    /// What it reaches for, in chain space.
    pub target: Vec2,
    /// How much its distance counts beside that of the other effectors: the sum of
    /// `weight · distance²` is minimised. 0 does not count.
    pub weight: f32,
}
