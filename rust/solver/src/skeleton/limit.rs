//! Joint limits, as a rig's data names them.
//!
//! A limit is anatomy: it belongs to the bone, and every solver obeys it. Angles are
//! radians around a rest angle, so that −45° to 45° means just that; nothing is swapped and
//! nothing wraps. Rotations are compared as angles: a bone wound by whole turns is where
//! it looks to be. An interval of a whole turn or more is no limit.
//!
//! Where a limit is enforced: [`crate::kinematics::limit_enforcement`].

use serde::{Deserialize, Serialize};

/// The reference that a [`Limit`]'s angles are measured against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitSpace {
    /// The bone's rotation in its parent's frame. It mirrors with the character.
    #[default]
    Parent,
    /// The direction of the bone's own X axis, before its own scale, in skeleton space.
    Skeleton,
}

/// The interval within which a bone may turn, and its stiffness.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The angle in radians that `min` and `max` are counted from: the rest rotation in the
    /// parent's frame, or the rest direction in skeleton space.
    #[serde(default, with = "crate::math::number")]
    pub rest: f32,
    /// The least angle from `rest`, radians.
    #[serde(with = "crate::math::number")]
    pub min: f32,
    /// The greatest angle from `rest`, radians.
    #[serde(with = "crate::math::number")]
    pub max: f32,
    /// The reference that the angles are measured against.
    #[serde(default)]
    pub space: LimitSpace,
    /// The stiffness of the joint: from 0, none, to 1, at which it does not turn. With 1 the joint keeps its base
    /// rotation, or the nearest one within the limit. A chain still reaches its target if other joints can make up for
    /// it. Look-at turns by 1 − `stiffness` of the angle. Two bones cannot reach otherwise, so they ignore every value
    /// below 1. The joint of a spring bends by 1 − `stiffness` of what it would bend under the same load.
    #[serde(default, with = "crate::math::number")]
    pub stiffness: f32,
}

impl Limit {
    /// A limit without stiffness on the rotation in the parent's frame.
    pub fn around(rest: f32, min: f32, max: f32) -> Self {
        Self {
            rest,
            min,
            max,
            space: LimitSpace::Parent,
            stiffness: 0.0,
        }
    }

    /// Returns `true` if the numbers are finite and `min` is not above `max`. A solve treats any other limit as absent.
    pub fn is_sound(&self) -> bool {
        let sum = self.rest + self.max - self.min + self.stiffness;
        sum.is_finite() && self.min <= self.max
    }
}
