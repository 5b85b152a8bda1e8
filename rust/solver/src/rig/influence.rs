//! How much of a modifier's result the pose takes: its influence.
//!
//! Every kind of modifier turns, moves and scales bones through these functions.

use glam::Vec2;

use crate::math::angle::{shortest_way, wrapped};
use crate::math::interval::clamp01;
use crate::math::rotation::Rotation;
use crate::rig::modifier::Modifier;
use crate::rig::pose::Pose;

impl Modifier {
    /// The part of the result that the pose takes, 0 to 1.
    pub(super) fn applied_part(&self) -> f32 {
        clamp01(self.influence)
    }

    /// Turns `bone` by as much of `swing` radians as the influence says. At full influence that is
    /// to `rotation`.
    pub(super) fn blend_rotation(
        &self,
        pose: &mut Pose,
        bone: usize,
        swing: f32,
        rotation: Rotation,
    ) {
        if swing == 0.0 {
            return;
        }
        let before = pose.bone(bone).rotation;
        if self.influence < 1.0 {
            let part = self.applied_part() * swing;
            pose.turn(bone, before + part, Rotation::from_angle(before + part));
        } else {
            pose.turn(bone, rotation.angle_near(before, swing), rotation);
        }
    }

    /// The same for a bone that is not wound by whole turns.
    pub(super) fn blend_unwound_rotation(
        &self,
        pose: &mut Pose,
        bone: usize,
        swing: f64,
        rotation: Rotation,
    ) {
        let before = f64::from(pose.bone(bone).rotation);
        let part = f64::from(self.applied_part());
        let angle = before + part * swing;
        let angle = match angle.abs() <= std::f64::consts::TAU {
            true => angle,
            false => wrapped(angle),
        } as f32;
        let rotation = match part < 1.0 {
            true => Rotation::from_angle(angle),
            false => rotation,
        };
        pose.turn(bone, angle, rotation);
    }

    /// Turns `bone` by the shorter way towards `angle`, in radians, as far as the influence says.
    /// At full influence that is to `rotation`.
    pub(super) fn blend_shorter_way(
        &self,
        pose: &mut Pose,
        bone: usize,
        angle: f32,
        rotation: Rotation,
    ) {
        let before = pose.bone(bone).rotation;
        let (mut angle, mut rotation) = (angle, rotation);
        let part = self.applied_part();
        if part < 1.0 {
            angle = before + part * shortest_way(before, angle);
            rotation = Rotation::from_angle(angle);
        }
        if angle.to_bits() != before.to_bits() {
            pose.turn(bone, angle, rotation);
        }
    }

    /// Moves `bone` towards `position`, in its parent's frame, as far as the influence says.
    pub(super) fn blend_position(&self, pose: &mut Pose, bone: usize, position: Vec2) {
        let before = pose.bone(bone).position;
        pose.shift(bone, before.lerp(position, self.applied_part()));
    }

    /// Scales `bone` towards `scale`, as far as the influence says.
    pub(super) fn blend_scale(&self, pose: &mut Pose, bone: usize, scale: Vec2) {
        let before = pose.bone(bone).scale();
        pose.resize(bone, before.lerp(scale, self.applied_part()));
    }

    /// Moves the bone `end` away from `joint`, which carries it, so that the segment between them
    /// is `factor` times as long where the influence is full.
    pub(super) fn blend_length(&self, pose: &mut Pose, end: usize, joint: usize, factor: f32) {
        let growth = self.applied_part() * (factor - 1.0);
        let carried = pose.bone(end).origin();
        let (segment, frame) = pose.climb(carried, Some(joint));
        pose.shift(end, carried.position + frame.inverse() * (growth * segment));
    }
}
