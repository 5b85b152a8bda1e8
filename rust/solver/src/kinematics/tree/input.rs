//! Joints and effectors as a tree is given them.

use glam::{Mat2, Vec2};

use crate::kinematics::limit_enforcement::Bound;
use crate::math::rotation::Rotation;

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
    /// How far the joint may turn, and how willingly it does; `None` for a free one.
    pub bound: Option<Bound>,
    /// What a turn of this joint costs, relative to that of other joints; 1 is usual.
    pub cost: f32,
}

/// A point of the tree that has a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EffectorInput {
    /// Index of the joint that carries the point.
    pub joint: usize,
    /// Where the point is, seen from that joint before it turns.
    pub position: Vec2,
    /// Whether the last piece, which ends there, can be lengthened.
    pub is_elastic: bool,
    /// What it reaches for, in chain space.
    pub target: Vec2,
    /// How much its distance counts beside that of the other effectors: the sum of
    /// `weight · distance²` is minimised. 0 does not count.
    pub weight: f32,
}
