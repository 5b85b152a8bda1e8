//! Bones that a modifier no longer turns, since its chain begins or ends elsewhere or nothing is left to reach for: they go
//! back to the base pose.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::rotation::Rotation;
use crate::rig::pose::Pose;
use crate::solvers::handover::HandoverSettings;

/// A bone that a modifier has let go of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetGo {
    /// The bone.
    pub bone: usize,
    /// By what angle it was shown off its base pose, in radians.
    #[serde(with = "crate::math::number")]
    pub off: f32,
    /// How far it was shown off its base place, in its parent's frame.
    #[serde(
        default,
        skip_serializing_if = "crate::math::number::is_usual",
        with = "crate::math::number"
    )]
    pub shift: Vec2,
    /// The settings by which it goes back.
    pub settings: HandoverSettings,
    /// Seconds since then, before the last pass.
    #[serde(default, with = "crate::math::number")]
    pub elapsed: f32,
    /// The same after it.
    #[serde(skip)]
    pub after: f32,
}

impl LetGo {
    /// A `bone` that is shown `off` its base pose, in radians, and moved from its place there by `shift`.
    pub fn new(bone: usize, (off, shift): (f32, Vec2), settings: HandoverSettings) -> Self {
        Self {
            bone,
            off,
            shift,
            settings,
            elapsed: 0.0,
            after: 0.0,
        }
    }

    /// Returns the part of the time that is over: 1 or more when the bone is back.
    fn done(&self) -> f32 {
        self.after / self.settings.duration
    }

    /// Turns the bone in a pose that is the base pose, `delta` seconds after the last pass.
    pub(super) fn apply(&mut self, pose: &mut Pose, delta: f32) {
        self.after = self.elapsed + delta;
        let left = 1.0 - self.settings.easing().at(self.done().min(1.0));
        let bone = pose.bone(self.bone);
        let (turned, moved) = (
            bone.rotation + left * self.off,
            bone.position + left * self.shift,
        );
        if turned.is_finite() && moved.is_finite() {
            pose.turn(self.bone, turned, Rotation::from_angle(turned));
            pose.shift(self.bone, moved);
        }
    }

    /// Makes the last pass the one that the next goes on from. Returns whether it is still on its way.
    pub(super) fn go_on(&mut self) -> bool {
        self.elapsed = self.after;
        self.done() < 1.0
    }

    /// As the last pass has left it.
    pub(super) fn last(&self) -> Self {
        Self {
            elapsed: self.after,
            ..self.clone()
        }
    }

    /// Makes what is saved the last pass.
    pub(super) fn restore(mut self) -> Self {
        self.after = self.elapsed;
        self
    }
}
