//! What a gait is told: its settings, and what each tick of the physics has found.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::solvers::gait::ridge::Ridge;
use crate::solvers::ground::Ground;

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

/// Settings of a gait. Lengths are those of the skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitSettings {
    /// Who steps next.
    pub order: GaitOrder,
    /// A foot that is farther from its home asks for a step.
    #[serde(with = "crate::math::number")]
    pub step_distance: f32,
    /// How high a foot is lifted.
    #[serde(with = "crate::math::number")]
    pub step_height: f32,
    /// How long a step takes, in seconds.
    #[serde(with = "crate::math::number")]
    pub step_duration: f32,
    /// How far ahead of its home a foot lands, in seconds of the present motion.
    #[serde(with = "crate::math::number")]
    pub overshoot: f32,
    /// How many legs step at once at most; 0: half of them.
    pub max_lifted: u32,
    /// How high the pelvis is over the feet; 0: as in the rest pose, or less if the legs are straight there.
    #[serde(with = "crate::math::number")]
    pub body_height: f32,
    /// How much of the tilt of the feet the body takes, 0 to 1.
    #[serde(with = "crate::math::number")]
    pub body_tilt: f32,
    /// How long the body has to stand until all feet go home, in seconds.
    #[serde(with = "crate::math::number")]
    pub settle_time: f32,
}

impl Default for GaitSettings {
    fn default() -> Self {
        Self {
            order: GaitOrder::default(),
            step_distance: 30.0,
            step_height: 12.0,
            step_duration: 0.2,
            overshoot: 0.1,
            max_lifted: 0,
            body_height: 0.0,
            body_tilt: 0.5,
            settle_time: 0.5,
        }
    }
}

/// A tick of the physics.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tick {
    /// Counts all ticks.
    pub number: u32,
    /// Its length in seconds.
    #[serde(with = "crate::math::number")]
    pub delta: f32,
    /// The skeleton's global transform.
    #[serde(with = "crate::math::number")]
    pub to_global: Affine2,
}

/// What was found for one foot in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Probe {
    /// Where the foot could stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<Ground>,
    /// The body that the foot stands on, or is about to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<Held>,
    /// What lies on the way of a foot that steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ridge: Option<Ridge>,
}

/// A body that a foot stands on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// Which.
    pub body: u32,
    /// Where it is. `None` if it is gone.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    pub frame: Option<Affine2>,
}

/// Where to look for the ground of one foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The ends of a ray. In skeleton space if the foot does not step, and else in global space.
    pub ray: [Vec2; 2],
    /// Whether the foot steps.
    pub is_global: bool,
    /// What the ray is moved by as a whole to come below the hip.
    pub inward: Vec2,
    /// The way that is left of a step, in global space: what lies on it has to be known.
    pub way: Option<[Vec2; 2]>,
    /// The body whose place has to be known.
    pub held: Option<u32>,
}

impl Probe {
    /// The ground, if it is somewhere.
    pub(super) fn landing(&self) -> Option<Ground> {
        self.ground.filter(Ground::is_finite)
    }
}

impl GaitSettings {
    /// How long a step takes: never nothing.
    pub(super) fn duration(&self) -> f32 {
        self.step_duration.max(0.02)
    }
}
