//! Bones and points as Godot has them.
//!
//! **Skeleton space** is the local frame of the `Skeleton2D`. A bone's transform in its parent is
//! `T(position) R(rotation) M`, where `M` is the bone's own skew and scale, with the columns
//! `(scale.x, 0)` and `(−sin(skew) scale.y, cos(skew) scale.y)`.

use glam::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::trigonometry::unit_vector_f32;
use crate::skeleton::limit::Limit;

/// A bone's local transform, as a `Bone2D` holds it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bone {
    /// Index of the parent bone, which must be smaller than the bone's own; `None` for a
    /// bone that hangs on the skeleton itself.
    #[serde(default)]
    pub parent: Option<usize>,
    /// Position in the parent's frame.
    #[serde(with = "crate::math::number")]
    pub position: Vec2,
    /// Rotation in the parent's frame, radians.
    #[serde(default, with = "crate::math::number")]
    pub rotation: f32,
    /// Scale of the bone's own axes.
    #[serde(default = "one", with = "crate::math::number")]
    pub scale: Vec2,
    /// Skew of the bone's own Y axis, radians.
    #[serde(default, with = "crate::math::number")]
    pub skew: f32,
    /// The joint limit: the interval within which the bone may turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

fn one() -> Vec2 {
    Vec2::ONE
}

impl Bone {
    /// A bone at its parent's origin, neither turned nor scaled.
    pub fn below(parent: Option<usize>) -> Self {
        Self {
            parent,
            position: Vec2::ZERO,
            rotation: 0.0,
            scale: Vec2::ONE,
            skew: 0.0,
            limit: None,
        }
    }

    /// `M`: what the bone's own skew and scale do before it turns.
    pub fn shape(&self) -> Mat2 {
        let lean = if self.skew == 0.0 {
            Vec2::Y
        } else {
            unit_vector_f32(self.skew).perp()
        };
        Mat2::from_cols(Vec2::new(self.scale.x, 0.0), lean * self.scale.y)
    }
}

/// A point that a bone carries, or one fixed in skeleton space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Index of the bone that carries the point; `None` for a point fixed in skeleton space.
    #[serde(default)]
    pub bone: Option<usize>,
    /// Position in that bone's frame, or in skeleton space.
    #[serde(with = "crate::math::number")]
    pub position: Vec2,
}

impl Point {
    /// The origin of a bone's frame, or of skeleton space.
    pub fn origin_of(bone: Option<usize>) -> Self {
        Self {
            bone,
            position: Vec2::ZERO,
        }
    }
}

/// A direction that a bone carries, or one fixed in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Direction {
    /// Index of the bone that carries the direction; `None` for skeleton space.
    #[serde(default)]
    pub bone: Option<usize>,
    /// The direction in that bone's frame, or in skeleton space; of any length but zero.
    #[serde(with = "crate::math::number")]
    pub vector: Vec2,
}
