//! The pelvis above feet on the ground: it goes by what the feet need, on a spring of its own. When the
//! body itself is moved up a stair, the pelvis stays where it was, and comes after.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::solvers::oscillator::{Oscillator, settle};

/// The plane that the animation stands on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    /// Away from it, of length 1.
    pub(crate) up: Vec2,
    /// How high it is along `up`.
    pub(crate) height: f32,
    /// The length of a unit of the skeleton.
    pub(crate) unit: f32,
}

/// What all feet of a pass share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    pub(crate) level: Level,
    /// The time since the last tick, if there was one just now and one before.
    pub(crate) tick: Option<f32>,
    pub(crate) is_tick: bool,
    pub(crate) delta: f64,
}

/// Settings of the pelvis. Lengths are those of the skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PelvisSettings {
    /// How far it goes down at most.
    #[serde(with = "crate::math::number")]
    pub max_drop: f32,
    /// How far it goes up at most.
    #[serde(with = "crate::math::number")]
    pub max_rise: f32,
    /// Of its spring, in Hz; 0: it follows at once.
    #[serde(with = "crate::math::number")]
    pub frequency: f32,
}

impl Default for PelvisSettings {
    fn default() -> Self {
        Self {
            max_drop: 40.0,
            max_rise: 0.0,
            frequency: 3.0,
        }
    }
}

impl PelvisSettings {
    /// What is left of a distance to its goal and of its rate after `delta` seconds; nothing at all when
    /// it is less than `least`.
    pub(super) fn come_after(self, away: f32, rate: f32, least: f32, delta: f64) -> (f32, f32) {
        if self.frequency > 0.0 {
            let omega = std::f64::consts::TAU * f64::from(self.frequency);
            settle(&Oscillator::new(omega, 1.0, delta), away, rate, least)
        } else {
            (0.0, 0.0)
        }
    }
}

/// What is kept of the pelvis: how far it is moved, and how fast, in pixels along `up`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PelvisMemory {
    #[serde(with = "crate::math::number")]
    pub(crate) shift: f32,
    #[serde(with = "crate::math::number")]
    rate: f32,
    /// How high the body was at the last tick, and how fast it rose.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    height: Option<f32>,
    #[serde(with = "crate::math::number")]
    climb: f32,
    /// Whether it jumped then.
    has_jumped: bool,
}

/// Jumps of the body along `up` that are none, in units of the skeleton.
const JUMP: f32 = 2.0;

impl PelvisMemory {
    /// The body is at `height` now. What it jumped in one tick, the pelvis does not, if the body
    /// `stands`. What goes on in the next tick is no stair.
    pub(crate) fn follow_body(
        &mut self,
        settings: PelvisSettings,
        height: f32,
        stands: bool,
        stand: Stand,
    ) {
        if !stand.is_tick {
            return;
        }
        let before = self.height.replace(height);
        let Some((before, time)) = before.zip(stand.tick) else {
            return;
        };
        let motion = height - before;
        let jump = motion - self.climb * time;
        let least = JUMP * stand.level.unit;
        let most = stand.level.unit * settings.max_drop.max(settings.max_rise);
        let is_jump = jump.abs() > least && jump.abs() <= most && motion * jump > 0.0;
        self.has_jumped = is_jump && stands && !self.has_jumped;
        if self.has_jumped {
            // Up and down as far, for a moment.
            self.shift = (self.shift - jump).min(most).max(-most);
        } else {
            self.climb = motion / time;
        }
    }

    /// Goes on towards `need`, by which the lowest foot is lower than the level.
    pub(crate) fn go_on(&mut self, settings: PelvisSettings, need: f32, stand: Stand) {
        let (low, high) = (-settings.max_drop.max(0.0), settings.max_rise.max(0.0));
        let goal = need
            .min(high * stand.level.unit)
            .max(low * stand.level.unit);
        let left = settings.come_after(self.shift - goal, self.rate, 1e-2, stand.delta);
        (self.shift, self.rate) = (goal + left.0, left.1);
    }

    /// Goes no higher than `most`: the legs do not reach further.
    pub(crate) fn hold(&mut self, settings: PelvisSettings, most: f32, stand: Stand) {
        let most = most.max(-settings.max_drop.max(0.0) * stand.level.unit);
        if self.shift > most {
            (self.shift, self.rate) = (most, self.rate.min(0.0));
        }
    }
}
