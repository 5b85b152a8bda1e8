//! The working pose: what the modifiers of one pass read and change.

use glam::{Affine2, Mat2, Vec2};

use crate::math::rotation::Rotation;
use crate::skeleton::bone::{Bone, Direction, Point};
use crate::skeleton::limit::Limit;

/// One bone of the working pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed {
    /// What the pose was loaded from.
    base: Bone,
    /// The turn of the base rotation.
    base_turn: Rotation,
    pub(crate) parent: Option<usize>,
    pub(crate) position: Vec2,
    pub(crate) scale: Vec2,
    pub(crate) shape: Mat2,
    pub(crate) rotation: f32,
    pub(crate) turn: Rotation,
}

impl Posed {
    fn new(bone: &Bone) -> Self {
        let turn = Rotation::from_angle(bone.rotation);
        Self {
            base: *bone,
            base_turn: turn,
            parent: bone.parent,
            position: bone.position,
            scale: bone.scale,
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
                if posed.scale != bone.scale {
                    posed.scale = bone.scale;
                    posed.shape = bone.shape();
                }
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
    pub(crate) fn turn(&mut self, index: usize, rotation: f32, turn: Rotation) {
        let bone = &mut self.bones[index];
        bone.rotation = rotation;
        bone.turn = turn;
    }

    /// Moves a bone to `position` in its parent's frame.
    pub(crate) fn shift(&mut self, index: usize, position: Vec2) {
        self.bones[index].position = position;
    }

    /// Gives a bone's own axes another scale.
    pub(crate) fn resize(&mut self, index: usize, scale: Vec2) {
        let bone = &mut self.bones[index];
        bone.scale = scale;
        bone.shape = Bone { scale, ..bone.base }.shape();
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

    /// Where `point` is, seen from `frame`; `None` if that is not finite.
    pub(crate) fn seen_point(&self, point: Point, frame: Affine2) -> Option<Vec2> {
        let seen = frame.inverse().transform_point2(self.locate(point));
        seen.is_finite().then_some(seen)
    }

    /// A direction, seen from the frame `frame`.
    pub(crate) fn seen_direction(&self, direction: Direction, frame: Mat2) -> Vec2 {
        let carrier = self.climb(Point::origin_of(direction.bone), None).1;
        frame.inverse() * (carrier * direction.vector)
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
