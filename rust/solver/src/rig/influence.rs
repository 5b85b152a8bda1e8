//! How much of a modifier's result the pose takes: its influence.
//!
//! Every kind of modifier turns, moves and scales bones through these functions.

use glam::Vec2;

use crate::math::angle::{shortest_way, wrapped};
use crate::math::interval::clamp01;
use crate::math::rotation::Rotation;
use crate::rig::pose::Pose;

/// The part of a modifier's result that the pose takes: all of it from 1 on, nothing up to 0.
#[derive(Clone, Copy)]
pub(super) struct Influence(pub(super) f32);

impl Influence {
    /// The part of the result that the pose takes, 0 to 1.
    pub(super) fn part(self) -> f32 {
        clamp01(self.0)
    }

    /// Turns `bone` by as much of `swing` radians as the influence says. At full influence that is
    /// to `rotation`.
    pub(super) fn turn(self, pose: &mut Pose, bone: usize, swing: f32, rotation: Rotation) {
        if swing == 0.0 {
            return;
        }
        let before = pose.bone(bone).rotation;
        if self.0 < 1.0 {
            let part = self.part() * swing;
            pose.turn(bone, before + part, Rotation::from_angle(before + part));
        } else {
            pose.turn(bone, rotation.angle_near(before, swing), rotation);
        }
    }

    /// The same for a bone that is not wound by whole turns.
    pub(super) fn turn_unwound(self, pose: &mut Pose, bone: usize, swing: f64, rotation: Rotation) {
        let before = f64::from(pose.bone(bone).rotation);
        let part = f64::from(self.part());
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
    pub(super) fn turn_shorter_way(
        self,
        pose: &mut Pose,
        bone: usize,
        angle: f32,
        rotation: Rotation,
    ) {
        let before = pose.bone(bone).rotation;
        let (mut angle, mut rotation) = (angle, rotation);
        let part = self.part();
        if part < 1.0 {
            angle = before + part * shortest_way(before, angle);
            rotation = Rotation::from_angle(angle);
        }
        if angle.to_bits() != before.to_bits() {
            pose.turn(bone, angle, rotation);
        }
    }

    /// Moves `bone` towards `position`, in its parent's frame, as far as the influence says.
    pub(super) fn shift(self, pose: &mut Pose, bone: usize, position: Vec2) {
        let before = pose.bone(bone).position;
        pose.shift(bone, before.lerp(position, self.part()));
    }

    /// Scales `bone` towards `scale`, as far as the influence says.
    pub(super) fn resize(self, pose: &mut Pose, bone: usize, scale: Vec2) {
        let before = pose.bone(bone).scale();
        pose.resize(bone, before.lerp(scale, self.part()));
    }

    /// Moves the bone `end` away from `joint`, which carries it, so that the segment between them
    /// is `factor` times as long where the influence is full.
    pub(super) fn lengthen(self, pose: &mut Pose, end: usize, joint: usize, factor: f32) {
        let growth = self.part() * (factor - 1.0);
        let carried = pose.bone(end).origin();
        let (segment, frame) = pose.climb(carried, Some(joint));
        let moved = carried.position + frame.inverse() * (growth * segment);
        // Lengths near the end of the numbers overflow.
        if moved.is_finite() {
            pose.shift(end, moved);
        }
    }
}
