//! Joints and effectors as a tree is given them.

use glam::{Mat2, Vec2};

use crate::kinematics::limit_enforcement::DirectionArc;
use crate::math::rotation::Rotation;

/// One joint of a [`Tree`](crate::kinematics::tree::Tree), as it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointInput {
    /// Index of the joint that carries this one. `None` for the root alone, whose `offset` and
    /// `carry` are not used.
    pub parent: Option<usize>,
    /// The position of the joint, seen from its parent before that turns.
    pub offset: Vec2,
    /// The linear part of the joint's frame, seen from its parent before that turns.
    pub carry: Mat2,
    /// The joint's rotation in its frame in the base pose.
    pub base: Rotation,
    /// The bounds of the joint and its willingness to turn; `None` for a free one.
    pub bound: Option<DirectionArc>,
    /// The cost of a turn of this joint, relative to that of other joints; 1 is usual.
    pub cost: f32,
}

/// A point of the tree that has a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EffectorInput {
    /// Index of the joint that carries the point.
    pub joint: usize,
    /// The position of the point, seen from that joint before it turns.
    pub position: Vec2,
    /// `true` if the last piece, which ends there, can be lengthened.
    pub is_elastic: bool,
    /// The place that it reaches for, in chain space.
    pub target: Vec2,
    /// The weight of its distance beside that of the other effectors: the sum of `weight · distance²` is minimised. 0
    /// does not count.
    pub weight: f32,
}
