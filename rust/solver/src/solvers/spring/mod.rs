//! Spring: bones that lag behind their goal and oscillate around it, without a target.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | the settings |
//! | [`integration`] | how a frame is solved: the bones move on in time |
//! | [`motion`] | what is carried from one pass to the next |
//! | [`balance`] | gravity |
//! | [`hanging`] | a chain that is held at both ends |
//! | [`workspace`] | memory for a solve |
//!
//! The goal is the pose that animation and the modifiers above give. The state is, for each bone,
//! the angle ψ in global space by which the bone is off its goal, and its speed. Angles in global
//! space make mirrored, skewed and scaled ancestors need no special case: a mirrored chain has the
//! negative angles, and a scaled one the same.
//!
//! **Within a frame** the goal is taken to move linearly: the root joint along a line, and each
//! bone at an even rate. Seen from such a goal nothing but the springs acts, so each of the
//! [shapes](crate::solvers::modes) in which the chain oscillates is a damped oscillator of its own,
//!
//! ```text
//! q″ + 2 ζ ω q′ + ω² q = 0
//! ```
//!
//! which has a closed form, under, at and over critical damping. A frame that is cut into parts
//! ends in the same state, at any stiffness, and no energy is gained.
//!
//! **Between frames** the goal changes its velocity, and the bones keep theirs. So relative to the
//! goal, the bones' speeds change by the opposite. A change Δv of the root joint's velocity turns a
//! bone of direction *d* at the rate `−(d × Δv) / L`, as if the tip were a mass that stays where it
//! is; *L* is the chain's length. Large rates are bounded by `ω atan(rate / ω)`, so that no sudden
//! motion throws a bone farther than a right angle. A change of the rate at which the goal's bones
//! turn is not bounded.
//!
//! **Gravity** moves the goal: the chain oscillates around the pose in which gravity and springs
//! are in balance. For each bone at the angle *u* from gravity, `−cos u` has the sharpest quadratic
//! bound with the curvature `sin u / u`. Its least value is that of a tridiagonal system, which is
//! repeated until nothing changes, and never overshoots. In balance gravity also holds the bones:
//! that is added to each ω². A chain begins in the balance, or at the goal if there are obstacles.
//!
//! A jump of more than three lengths of the chain in a frame, at more than 90 lengths per second,
//! is a teleport, which the bones do not feel. Nor do they feel that an ancestor is mirrored: the
//! state is mirrored with it.
//!
//! Source: the closed form of the damped spring as in R. Juckett, *Damped Springs* (2012). The
//! quadratic bound as in J. de Leeuw and K. Lange, *Sharp quadratic majorization in one dimension*
//! (2009). The rest is Tendon's.

use std::f64::consts::TAU;

use glam::Vec2;
use serde::{Deserialize, Serialize};

mod balance;
pub(crate) mod hanging;
mod held;
mod integration;
mod motion;
mod workspace;

pub use crate::solvers::spring::held::{Hanging, HangingPoint};
pub(crate) use crate::solvers::spring::motion::Goal;
pub use crate::solvers::spring::motion::{BoneMotion, Motion, WINDING};
pub(crate) use crate::solvers::spring::workspace::Workspace;

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
    /// chain. Each coordinate may be reduced by multiples of [`WINDING`].
    #[serde(with = "crate::math::number")]
    pub pushed: Vec2,
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
        let vectors = self.gravity.is_finite() && self.pushed.is_finite();
        (sum + self.radius).is_finite() && vectors
    }

    /// Radians per second of the undamped oscillation.
    fn omega(&self) -> f64 {
        TAU * f64::from(self.frequency).max(LEAST_FREQUENCY)
    }
}
