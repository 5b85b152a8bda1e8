//! What can be set of a spring.

use std::f64::consts::TAU;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::solvers::spring::blows::Blows;

/// Settings of a spring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpringSettings {
    /// Oscillations per second, without damping.
    #[serde(with = "crate::math::number")]
    pub frequency: f32,
    /// How fast the oscillation ends: 0 never, 1 without passing the goal.
    #[serde(with = "crate::math::number")]
    pub damping_ratio: f32,
    /// What pulls at the bones, in global units per second squared.
    #[serde(with = "crate::math::number")]
    pub gravity: Vec2,
    /// How much of the goal's own motion the bones feel, 0 to 1.
    #[serde(with = "crate::math::number")]
    pub inertia: f32,
    /// How far a joint bends from its goal at most, in radians; 0 is off.
    #[serde(with = "crate::math::number")]
    pub max_angle: f32,
    /// How far bones stay away from obstacles, in skeleton units.
    #[serde(with = "crate::math::number")]
    pub radius: f32,
    /// The sum of all impulses so far, in global units per second. What is new in it acts on the
    /// chain. See [`crate::with_impulse`].
    #[serde(with = "crate::math::number")]
    pub pushed: Vec2,
    /// The same at places of the chain.
    #[serde(skip_serializing_if = "Blows::is_none")]
    pub blows: Blows,
    /// How often the spring was reset. It starts at rest each time.
    pub resets: u32,
}

impl Default for SpringSettings {
    fn default() -> Self {
        Self {
            frequency: 3.0,
            damping_ratio: 0.4,
            gravity: Vec2::ZERO,
            inertia: 1.0,
            max_angle: 0.0,
            radius: 0.0,
            pushed: Vec2::ZERO,
            blows: Blows::default(),
            resets: 0,
        }
    }
}

/// The least frequency, in Hertz. A chain without springs would never return.
const LEAST_FREQUENCY: f64 = 0.01;

impl SpringSettings {
    /// Whether all numbers are finite.
    pub(crate) fn is_sound(&self) -> bool {
        let sum = self.frequency + self.damping_ratio + self.inertia + self.max_angle;
        let vectors = self.gravity.is_finite() && self.pushed.is_finite() && self.blows.is_finite();
        (sum + self.radius).is_finite() && vectors
    }

    /// Radians per second of the undamped oscillation.
    pub(super) fn omega(&self) -> f64 {
        TAU * f64::from(self.frequency).max(LEAST_FREQUENCY)
    }
}
