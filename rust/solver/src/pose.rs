//! Bones as Godot has them, and the pose that the modifiers of one pass work on.
//!
//! **Skeleton space** is the local frame of the `Skeleton2D`. A bone's transform in its
//! parent is `T(position) R(rotation) M`, where `M` is the bone's own skew and scale, with
//! the columns `(scale.x, 0)` and `(−sin(skew) scale.y, cos(skew) scale.y)`.

use glam::{Affine2, Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::limit::Limit;
use crate::number::bits_apart;
use crate::turn::Turn;

/// A bone's local transform, as a `Bone2D` holds it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bone {
    /// Index of the parent bone, which must be smaller than the bone's own; `None` for a
    /// bone that hangs on the skeleton itself.
    #[serde(default)]
    pub parent: Option<usize>,
    /// Position in the parent's frame.
    #[serde(with = "crate::number")]
    pub position: Vec2,
    /// Rotation in the parent's frame, radians.
    #[serde(default, with = "crate::number")]
    pub rotation: f32,
    /// Scale of the bone's own axes.
    #[serde(default = "one", with = "crate::number")]
    pub scale: Vec2,
    /// Skew of the bone's own Y axis, radians.
    #[serde(default, with = "crate::number")]
    pub skew: f32,
    /// How far the bone may turn.
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

    /// Whether every bit is the same. Zeros of either sign are equal, but a turn that is computed
    /// from one may differ: what a pass gives must not depend on the one before.
    fn is_same(&self, other: &Self) -> bool {
        let numbers = |bone: &Self| {
            let Self {
                position, scale, ..
            } = *bone;
            [
                position.x,
                position.y,
                bone.rotation,
                scale.x,
                scale.y,
                bone.skew,
            ]
        };
        let is_same_limit = match (&self.limit, &other.limit) {
            (Some(own), Some(other)) => own.is_same(other),
            (own, other) => own.is_none() && other.is_none(),
        };
        let apart = bits_apart(numbers(self), numbers(other));
        apart == 0 && self.parent == other.parent && is_same_limit
    }

    /// `M`: what the bone's own skew and scale do before it turns.
    pub fn shape(&self) -> Mat2 {
        let lean = if self.skew == 0.0 {
            Vec2::Y
        } else {
            Vec2::new(-self.skew.sin(), self.skew.cos())
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
    #[serde(with = "crate::number")]
    pub position: Vec2,
}

impl Point {
    /// The origin of a bone's frame, or of skeleton space.
    pub(crate) fn origin_of(bone: Option<usize>) -> Self {
        Self {
            bone,
            position: Vec2::ZERO,
        }
    }
}

/// One bone of the working pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed {
    /// What the pose was loaded from.
    base: Bone,
    /// The turn of the base rotation.
    base_turn: Turn,
    pub(crate) parent: Option<usize>,
    pub(crate) position: Vec2,
    pub(crate) shape: Mat2,
    pub(crate) rotation: f32,
    pub(crate) turn: Turn,
}

impl Posed {
    fn new(bone: &Bone) -> Self {
        let turn = Turn::from_angle(bone.rotation);
        Self {
            base: *bone,
            base_turn: turn,
            parent: bone.parent,
            position: bone.position,
            shape: bone.shape(),
            rotation: bone.rotation,
            turn,
        }
    }

    pub(crate) fn limit(&self) -> Option<&Limit> {
        self.base.limit.as_ref()
    }

    /// The linear part of the bone's local transform.
    pub(crate) fn linear(&self) -> Mat2 {
        self.turn.apply_to(self.shape)
    }
}

/// The pose that one pass changes, modifier by modifier.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pose {
    bones: Vec<Posed>,
}

impl Pose {
    /// Starts from `bones`. Allocates only when there are more than ever before, and computes
    /// anew only what has changed since the last time.
    pub(crate) fn load(&mut self, bones: &[Bone]) {
        self.bones.truncate(bones.len());
        for (posed, bone) in self.bones.iter_mut().zip(bones) {
            if posed.base.is_same(bone) {
                posed.position = bone.position;
                posed.rotation = bone.rotation;
                posed.turn = posed.base_turn;
            } else {
                *posed = Posed::new(bone);
            }
        }
        let missing = &bones[self.bones.len()..];
        self.bones.extend(missing.iter().map(Posed::new));
    }

    pub(crate) fn bone(&self, index: usize) -> &Posed {
        &self.bones[index]
    }

    /// Turns a bone to `rotation` radians, which is `turn`.
    pub(crate) fn turn(&mut self, index: usize, rotation: f32, turn: Turn) {
        let bone = &mut self.bones[index];
        bone.rotation = rotation;
        bone.turn = turn;
    }

    /// Moves a bone to `position` in its parent's frame.
    pub(crate) fn shift(&mut self, index: usize, position: Vec2) {
        self.bones[index].position = position;
    }

    /// The frame of `bone` in skeleton space; skeleton space itself for `None`.
    pub(crate) fn frame(&self, bone: Option<usize>) -> Affine2 {
        let mut frame = Affine2::IDENTITY;
        let mut next = bone;
        while let Some(index) = next {
            let bone = &self.bones[index];
            frame = Affine2::from_mat2_translation(bone.linear(), bone.position) * frame;
            next = bone.parent;
        }
        frame
    }

    /// Where `point` is in skeleton space.
    pub(crate) fn locate(&self, point: Point) -> Vec2 {
        self.climb(point, None).0
    }

    /// `point` and the frame that carries it, seen from the frame of `above`, which must be
    /// the point's bone, a bone above it, or `None` for skeleton space.
    pub(crate) fn climb(&self, point: Point, above: Option<usize>) -> (Vec2, Mat2) {
        let mut position = point.position;
        let mut linear = Mat2::IDENTITY;
        let mut next = point.bone;
        while next != above {
            let Some(index) = next else { break };
            let bone = &self.bones[index];
            let own = bone.linear();
            position = bone.position + own * position;
            linear = own * linear;
            next = bone.parent;
        }
        (position, linear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_does_not_remember_the_sign_of_a_zero() {
        let mut pose = Pose::default();
        for rotation in [0.0, -0.0, 0.0] {
            pose.load(&[Bone {
                rotation,
                ..Bone::below(None)
            }]);
            let sine = pose.bone(0).turn.direction().y;
            assert_eq!(sine.to_bits(), rotation.to_bits());
        }
    }
}
