//! The working pose: what the modifiers of one pass read and change.

use glam::{Affine2, Mat2, Vec2};

use crate::math::number::bits_apart;
use crate::math::rotation::Rotation;
use crate::skeleton::bone::{Bone, Direction, Point};
use crate::skeleton::limit::Limit;

/// One bone of the working pose: a line of the processor's cache, as a pass goes over all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posed {
    /// The parent's index; [`NONE`] for a bone that hangs on the skeleton itself.
    parent: u32,
    /// Index of its limit in the pose, or [`NONE`].
    limit: u32,
    pub(super) position: Vec2,
    pub(super) shape: Mat2,
    pub(super) rotation: f32,
    pub(super) turn: Rotation,
    /// The base rotation, and its turn.
    base: f32,
    base_turn: Rotation,
    /// The numbers that the shape was made of, besides the scale along X, which is in it.
    skew: f32,
    scale_y: f32,
}

/// No index.
const NONE: u32 = u32::MAX;

impl Posed {
    /// A bone with everything yet to be [loaded](Self::load).
    fn new(bone: &Bone) -> Self {
        let turn = Rotation::from_angle(bone.rotation);
        Self {
            parent: NONE,
            limit: NONE,
            position: bone.position,
            shape: bone.shape(),
            rotation: bone.rotation,
            turn,
            base: bone.rotation,
            base_turn: turn,
            skew: bone.skew,
            scale_y: bone.scale.y,
        }
    }

    /// Takes the base pose. Computes only what has changed: compared by bits, since a turn that is
    /// computed from a zero depends on its sign, and what a pass gives must not depend on the one
    /// before.
    fn load(&mut self, bone: &Bone) {
        let (own, given) = (self.scale(), bone.scale);
        if bits_apart([self.skew, own.x, own.y], [bone.skew, given.x, given.y]) != 0 {
            self.take_shape(given, bone.skew);
        }
        if self.base.to_bits() != bone.rotation.to_bits() {
            self.base = bone.rotation;
            self.base_turn = Rotation::from_angle(bone.rotation);
        }
        self.parent = bone.parent.map_or(NONE, |parent| parent as u32);
        self.position = bone.position;
        self.rotation = bone.rotation;
        self.turn = self.base_turn;
    }

    fn take_shape(&mut self, scale: Vec2, skew: f32) {
        (self.skew, self.scale_y) = (skew, scale.y);
        let bone = Bone {
            scale,
            skew,
            ..Bone::below(None)
        };
        self.shape = bone.shape();
    }

    /// The scale of the bone's own axes.
    pub(super) fn scale(&self) -> Vec2 {
        Vec2::new(self.shape.x_axis.x, self.scale_y)
    }

    /// Index of the parent bone; `None` for a bone that hangs on the skeleton itself.
    pub(super) fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }

    /// Returns the origin of the bone, as a point of its parent.
    pub(super) fn origin(&self) -> Point {
        Point {
            bone: self.parent(),
            position: self.position,
        }
    }

    /// The linear part of the bone's local transform.
    pub(super) fn linear(&self) -> Mat2 {
        self.turn.apply_to(self.shape)
    }
}

/// The pose that one pass changes, modifier by modifier.
#[derive(Clone, Debug, Default)]
pub(super) struct Pose {
    bones: Vec<Posed>,
    limits: Vec<Limit>,
}

impl Pose {
    /// Starts from `bones`. Allocates only when there are more than ever before, and computes
    /// anew only what has changed since the last time.
    pub(super) fn load(&mut self, bones: &[Bone]) {
        self.bones.truncate(bones.len());
        let missing = &bones[self.bones.len()..];
        self.bones.reserve_exact(missing.len());
        self.bones.extend(missing.iter().map(Posed::new));
        self.limits.clear();
        for (posed, bone) in self.bones.iter_mut().zip(bones) {
            posed.load(bone);
            posed.limit = match bone.limit {
                Some(limit) => {
                    self.limits.push(limit);
                    self.limits.len() as u32 - 1
                }
                None => NONE,
            };
        }
    }

    /// Returns the joint limit of a bone.
    pub(super) fn limit(&self, bone: usize) -> Option<&Limit> {
        self.limits.get(self.bones[bone].limit as usize)
    }

    /// The end of the segment that begins at joint `index` of `joints`: the next joint, or `tip`
    /// after the last one.
    pub(super) fn end_of_joint(&self, joints: &[usize], index: usize, tip: Point) -> Point {
        let next = joints.get(index + 1);
        next.map_or(tip, |&next| self.bones[next].origin())
    }

    pub(super) fn bone(&self, index: usize) -> &Posed {
        &self.bones[index]
    }

    /// Turns a bone to `rotation` radians, which is `turn`.
    pub(super) fn turn(&mut self, index: usize, rotation: f32, turn: Rotation) {
        let bone = &mut self.bones[index];
        bone.rotation = rotation;
        bone.turn = turn;
    }

    /// Moves a bone to `position` in its parent's frame.
    pub(super) fn shift(&mut self, index: usize, position: Vec2) {
        self.bones[index].position = position;
    }

    /// Gives a bone's own axes another scale.
    pub(super) fn resize(&mut self, index: usize, scale: Vec2) {
        let bone = &mut self.bones[index];
        bone.take_shape(scale, bone.skew);
    }

    /// The frame of `bone` in skeleton space; skeleton space itself for `None`.
    pub(super) fn frame(&self, bone: Option<usize>) -> Affine2 {
        let mut frame = Affine2::IDENTITY;
        let mut next = bone;
        while let Some(index) = next {
            let bone = &self.bones[index];
            frame = Affine2::from_mat2_translation(bone.linear(), bone.position) * frame;
            next = bone.parent();
        }
        frame
    }

    /// Returns the position of `point` in skeleton space.
    pub(super) fn locate(&self, point: Point) -> Vec2 {
        self.climb(point, None).0
    }

    /// The distance between a tip and its target, in skeleton units.
    pub(super) fn gap(&self, tip: Point, target: Point) -> f32 {
        self.locate(tip).distance(self.locate(target))
    }

    /// A direction, seen from the frame `frame`.
    pub(super) fn seen_direction(&self, direction: Direction, frame: Mat2) -> Vec2 {
        let carrier = self.climb(Point::origin_of(direction.bone), None).1;
        frame.inverse() * (carrier * direction.vector)
    }

    /// `point` and the frame that carries it, seen from the frame of `above`, which must be
    /// the point's bone, a bone above it, or `None` for skeleton space.
    pub(super) fn climb(&self, point: Point, above: Option<usize>) -> (Vec2, Mat2) {
        let mut position = point.position;
        let mut linear = Mat2::IDENTITY;
        let mut next = point.bone;
        while next != above {
            let Some(index) = next else { break };
            let bone = &self.bones[index];
            let own = bone.linear();
            position = bone.position + own * position;
            linear = own * linear;
            next = bone.parent();
        }
        (position, linear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_posed_bone_fills_one_line_of_the_cache() {
        assert_eq!(size_of::<Posed>(), 64);
    }

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
