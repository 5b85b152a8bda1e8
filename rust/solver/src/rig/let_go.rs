//! Bones that a modifier no longer turns, since its chain begins or ends elsewhere: they go back to the base pose.

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
    /// How it goes back.
    pub settings: HandoverSettings,
    /// Seconds since then.
    #[serde(default, with = "crate::math::number")]
    pub elapsed: f32,
}

impl LetGo {
    /// A `bone` that is shown `off` its base pose, in radians.
    pub fn new(bone: usize, off: f32, settings: HandoverSettings) -> Self {
        Self {
            bone,
            off,
            settings,
            elapsed: 0.0,
        }
    }

    /// What part of the time is over. More than 1 when it is back.
    fn done(&self) -> f32 {
        self.elapsed / self.settings.duration
    }

    /// Turns the bone in a pose that is the base pose.
    pub(super) fn apply(&self, pose: &mut Pose) {
        let left = self.off * (1.0 - self.settings.easing().at(self.done().min(1.0)));
        if left.is_finite() {
            let turned = pose.bone(self.bone).rotation + left;
            pose.turn(self.bone, turned, Rotation::from_angle(turned));
        }
    }

    /// Goes on by `delta` seconds. Returns whether it is still on its way.
    pub(super) fn go_on(&mut self, delta: f32) -> bool {
        self.elapsed += delta;
        self.done() < 1.0
    }
}
