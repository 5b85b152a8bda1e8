//! How feet and a pelvis are set.

use serde::{Deserialize, Serialize};

use crate::math::oscillator::{Oscillator, settle};
use crate::math::settings::{plain_settings, settings};

settings! {
    /// Settings of the pelvis. Lengths are those of the skeleton.
    PelvisSettings {
        /// How far it goes down at most.
        max_drop: f32 = 40.0;
        /// How far it goes up at most.
        max_rise: f32 = 0.0;
        /// Of its spring, in Hz; 0: it follows at once.
        frequency: f32 = 3.0;
    }
}

impl PelvisSettings {
    /// What is left of a distance to its goal and of its rate after `delta` seconds; nothing at all when
    /// it is less than `least`.
    pub(super) fn come_after(self, away: f32, rate: f32, least: f32, delta: f32) -> (f32, f32) {
        if self.frequency > 0.0 {
            let omega = std::f64::consts::TAU * f64::from(self.frequency);
            settle(
                &Oscillator::new(omega, 1.0, delta.into()),
                away,
                rate,
                least,
            )
        } else {
            (0.0, 0.0)
        }
    }
}

/// In which order legs step.
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
        /// Who steps next.
        order: GaitOrder = GaitOrder::default();
        /// A foot that is farther from its home asks for a step.
        step_distance: f32 = 30.0;
        /// How high a foot is lifted.
        step_height: f32 = 12.0;
        /// How long a step takes, in seconds; 0: strides are those of an animal of this size and speed, and `step_distance`
        /// and `overshoot` do not count, unless each leg steps for itself.
        step_duration: f32 = 0.0;
        /// How far ahead of its home a foot lands, in seconds of the present motion.
        overshoot: f32 = 0.1;
        /// How many legs step at once at most; 0: half of them.
        max_lifted: u32 = 0;
        /// How high the pelvis is over the feet; 0: as in the rest pose, or less if the legs are straight there.
        body_height: f32 = 0.0;
        /// How much of the tilt of the feet the body takes, 0 to 1.
        body_tilt: f32 = 0.5;
        /// How much the body moves with its steps, 0 to 1.
        body_motion: f32 = 0.0;
        /// How long the body has to stand until all feet go home, in seconds.
        settle_time: f32 = 0.3;
    }
}

/// How long a step takes for what needs a time before there is a stride, in seconds.
const USUAL: f32 = 0.2;

impl GaitSettings {
    /// Whether strides are those of an animal of this size and speed.
    pub(crate) fn is_natural(&self) -> bool {
        self.step_duration <= 0.0 && self.order != GaitOrder::Free
    }

    /// How long a step takes: never nothing.
    pub(super) fn duration(&self) -> f32 {
        match self.step_duration > 0.0 {
            true => self.step_duration.max(0.02),
            false => USUAL,
        }
    }

    /// For how many steps of others a foot waits.
    pub(super) fn others(&self, legs: usize) -> f32 {
        let turns = legs as f32 / self.most(legs).min(legs).max(1) as f32;
        // In a wave, who has just missed its turn waits for a whole one.
        let others = match self.order {
            GaitOrder::Wave => turns,
            GaitOrder::Alternate | GaitOrder::Free => turns - 1.0,
        };
        others.max(0.0)
    }

    /// How many of so many legs may be lifted.
    pub(super) fn most(&self, legs: usize) -> usize {
        match self.max_lifted {
            // Of an odd number, one of the two groups has one more.
            0 if self.order == GaitOrder::Alternate => legs.div_ceil(2),
            0 => (legs / 2).max(1),
            most => most as usize,
        }
    }
}
