//! What can be set of a spring.

use std::f64::consts::TAU;

use glam::Vec2;

use crate::math::settings::settings;
use crate::solvers::spring::impulses::Impulses;

settings! {
    /// Settings of a spring.
    SpringSettings {
        /// Oscillations per second, without damping.
        frequency: f32 = 3.0;
        /// The damping ratio, by which the oscillation ends: 0 never, 1 without passing the goal.
        damping_ratio: f32 = 0.4;
        /// The acceleration that pulls at the bones, in global units per second squared.
        gravity: Vec2 = Vec2::ZERO;
        /// The part of the goal's own motion that the bones feel, 0 to 1.
        inertia: f32 = 1.0;
        /// The largest angle by which a joint bends from its goal, in radians; 0 is off.
        max_angle: f32 = 0.0;
        /// The distance that bones keep from obstacles, in skeleton units.
        radius: f32 = 0.0;
        /// The sum of all impulses so far, in global units per second. What is new in it acts on the
        /// chain. See [`crate::with_impulse`].
        pushed: Vec2 = Vec2::ZERO;
        /// The same at places of the chain.
        #[serde(skip_serializing_if = "Impulses::is_none")]
        impulses: Impulses = Impulses::default();
        /// The number of times that the spring was reset. It starts at rest each time.
        resets: u32 = 0;
    }
}

/// The least frequency, in Hertz. A chain without springs would never return.
const LEAST_FREQUENCY: f64 = 0.01;

impl SpringSettings {
    /// Radians per second of the undamped oscillation.
    pub(super) fn omega(&self) -> f64 {
        TAU * f64::from(self.frequency).max(LEAST_FREQUENCY)
    }
}
