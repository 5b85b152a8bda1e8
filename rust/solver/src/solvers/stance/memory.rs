//! What is kept from tick to tick.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::clone_in_place::clone_in_place;
use crate::math::number;
use crate::solvers::stance::foot::FootMemory;

/// What is kept from tick to tick.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StanceMemory {
    /// Of each foot.
    pub feet: Vec<FootMemory>,
    /// How many ticks there were.
    pub(super) count: u32,
    pub(super) riding: Riding,
    pub(super) pelvis: PelvisMemory,
    pub(super) turns: Turns,
}

clone_in_place!(StanceMemory: feet; count, riding, pelvis, turns);

impl StanceMemory {
    /// Whether there was no tick yet.
    pub(crate) fn is_new(&self) -> bool {
        self.count == 0
    }

    /// How long the last tick was, in seconds.
    pub(crate) fn tick_length(&self) -> f32 {
        self.riding.tick
    }

    /// How far the skeleton was moved up against its body in the last tick.
    pub(crate) fn raised(&self) -> f32 {
        self.riding.raised
    }

    /// Where the pelvis is shown.
    pub(crate) fn pelvis(&self) -> PelvisMemory {
        self.pelvis
    }
}

/// What is kept of the pelvis: how far it is moved along `up` and turned, and how fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PelvisMemory {
    #[serde(with = "number")]
    pub(crate) shift: f32,
    #[serde(with = "number")]
    pub(super) rate: f32,
    #[serde(with = "number")]
    pub(crate) turn: f32,
    #[serde(with = "number")]
    pub(super) turn_rate: f32,
    /// What of `shift` is the rhythm of its steps.
    #[serde(with = "number", skip_serializing_if = "number::is_usual")]
    pub(super) bob: f32,
    /// The lowest that the feet which stand leave it.
    #[serde(with = "number")]
    pub(super) lowest: f32,
}

impl PelvisMemory {
    pub(crate) fn is_moved(&self) -> bool {
        self.shift != 0.0 || self.turn != 0.0
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Turns {
    /// Who stepped last.
    pub(super) last: usize,
    /// How long ago, in seconds.
    #[serde(with = "number")]
    pub(super) since: f32,
    /// Whether it goes in a rhythm, and where it is in that, from 0 to 1.
    pub(super) walks: bool,
    #[serde(with = "number")]
    pub(super) phase: f32,
    /// How long the character stands, in seconds.
    #[serde(with = "number")]
    pub(super) still: f32,
}

/// How the character moves against what carries it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Riding {
    /// The skeleton's frame at the last tick.
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    pub(super) frame: Option<Affine2>,
    /// How long that was, in seconds, and how far the character went in it.
    #[serde(with = "number")]
    pub(super) tick: f32,
    #[serde(with = "number")]
    pub(super) way: Vec2,
    /// How far its hips were carried in the skeleton, and how fast that goes, per second.
    #[serde(with = "number", skip_serializing_if = "number::is_usual")]
    pub(super) carried: Vec2,
    #[serde(with = "number", skip_serializing_if = "number::is_usual")]
    pub(super) carrying: Vec2,
    /// How far the skeleton was moved up against the character's body.
    #[serde(with = "number")]
    pub(super) raised: f32,
    /// What carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) carrier: Option<Carrier>,
    /// How fast it moves, per second, and smoothed. In skeleton space.
    #[serde(with = "number")]
    pub(super) speed: Vec2,
    #[serde(with = "number")]
    pub(super) velocity: Vec2,
    /// How fast it went down in the last ticks, in legs per second.
    #[serde(with = "number")]
    pub(super) falls: Vec2,
    /// How far it rose in the last tick.
    #[serde(with = "number")]
    pub(super) rise: f32,
    /// Whether it was on a floor once, and how long it is not.
    pub(super) has_stood: bool,
    #[serde(with = "number")]
    pub(super) air: f32,
}

/// The surface that carries the character, and where it was at the last tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Carrier {
    pub(super) surface: u32,
    pub(super) body: u32,
    #[serde(with = "number")]
    pub(super) frame: Affine2,
}
