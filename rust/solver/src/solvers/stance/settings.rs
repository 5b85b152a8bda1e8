//! How feet and a pelvis are set.

use serde::{Deserialize, Serialize};

use crate::math::oscillator::{Oscillator, settle};
use crate::math::settings::{plain_settings, settings};

settings! {
    /// Settings of the pelvis. Lengths are those of the skeleton.
    PelvisSettings {
        /// The greatest descent.
        max_pelvis_drop: f32 = 40.0;
        /// The greatest rise.
        max_pelvis_rise: f32 = 0.0;
        /// Of its spring, in Hz; 0: it follows at once.
        pelvis_frequency: f32 = 3.0;
    }
}

impl PelvisSettings {
    /// Returns the rest of a distance to its goal and of its rate after `delta` seconds; zero if it is less than
    /// `least`.
    pub(super) fn come_after(self, away: f32, rate: f32, least: f32, delta: f32) -> (f32, f32) {
        if self.pelvis_frequency <= 0.0 {
            return (0.0, 0.0);
        }
        let omega = std::f64::consts::TAU * f64::from(self.pelvis_frequency);
        let oscillator = Oscillator::new(omega, 1.0, delta.into());
        settle(&oscillator, away, rate, least)
    }
}

/// The order in which legs step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GaitOrder {
    /// Every second leg, and then the others.
    #[default]
    Alternate,
    /// One after another, from the last to the first.
    Wave,
    /// Each for itself.
    Free,
}

plain_settings!(GaitOrder);

settings! {
    /// Settings of a gait. Lengths are those of the skeleton.
    GaitSettings {
        /// The order of the legs.
        gait: GaitOrder = GaitOrder::default();
        /// A foot that is farther from its home asks for a step.
        step_distance: f32 = 30.0;
        /// The height by which a foot is lifted.
        step_height: f32 = 12.0;
        /// The duration of a step, in seconds; 0: strides are those of an animal of this size and speed, and
        /// `step_distance` and `overshoot` do not count, unless each leg steps for itself.
        step_duration: f32 = 0.0;
        /// The lead of the landing before the foot's home, in seconds of the present motion.
        overshoot: f32 = 0.1;
        /// The greatest number of legs that step at once; 0: half of them.
        max_lifted: u32 = 0;
        /// The height of the pelvis over the feet; 0: as in the rest pose, or less if the legs are straight there.
        body_height: f32 = 0.0;
        /// The part of the tilt of the feet that the body takes, 0 to 1.
        body_tilt: f32 = 0.5;
        /// The strength of the body's motion with its steps, 0 to 1.
        body_motion: f32 = 0.0;
        /// The time that the body has to stand until all feet go home, in seconds.
        settle_time: f32 = 0.3;
    }
}

/// The duration of a step for what needs a time before there is a stride, in seconds.
const USUAL: f32 = 0.2;

impl GaitSettings {
    /// Returns `true` if strides are those of an animal of this size and speed.
    pub(crate) fn is_natural(&self) -> bool {
        self.step_duration <= 0.0 && self.gait != GaitOrder::Free
    }

    /// Returns the duration of a step, in seconds: never zero.
    pub(super) fn duration(&self) -> f32 {
        match self.step_duration > 0.0 {
            true => self.step_duration.max(0.02),
            false => USUAL,
        }
    }

    /// Returns the number of steps of others for which a foot waits.
    pub(super) fn others(&self, legs: usize) -> f32 {
        let turns = legs as f32 / self.most(legs).min(legs).max(1) as f32;
        // In a wave, who has just missed its turn waits for a whole one.
        let others = match self.gait {
            GaitOrder::Wave => turns,
            GaitOrder::Alternate | GaitOrder::Free => turns - 1.0,
        };
        others.max(0.0)
    }

    /// Returns the greatest number of so many legs that may be lifted.
    pub(super) fn most(&self, legs: usize) -> usize {
        match self.max_lifted {
            // Of an odd number, one of the two groups has one more.
            0 if self.gait == GaitOrder::Alternate => legs.div_ceil(2),
            0 => (legs / 2).max(1),
            most => most as usize,
        }
    }
}
