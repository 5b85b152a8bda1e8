//! What is kept from tick to tick.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::clone_in_place::clone_in_place;
use crate::math::number::kept;
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

kept! {
    default
    /// What is kept of the pelvis: how far it is moved along `up` and turned, and how fast.
    pub(crate) struct PelvisMemory {
        pub(crate) shift: f32,
        pub(super) rate: f32,
        pub(crate) turn: f32,
        pub(super) turn_rate: f32,
        /// What of `shift` is the rhythm of its steps.
        pub(super) bob: f32,
        /// The lowest that the feet which stand leave it.
        pub(super) lowest: f32,
    }
}

impl PelvisMemory {
    pub(crate) fn is_moved(&self) -> bool {
        self.shift != 0.0 || self.turn != 0.0
    }
}

kept! {
    default
    /// Whose turn it is.
    pub(super) struct Turns {
        /// Who stepped last.
        pub(super) last: usize,
        /// How long ago, in seconds.
        pub(super) since: f32,
        /// Whether it goes in a rhythm, and where it is in that, from 0 to 1.
        pub(super) walks: bool,
        pub(super) phase: f32,
        /// How long the character stands, in seconds.
        pub(super) still: f32,
    }
}

kept! {
    default
    /// How the character moves against what carries it.
    pub(super) struct Riding {
        /// The skeleton's frame at the last tick.
        pub(super) frame: Option<Affine2>,
        /// How long that was, in seconds, and how far the character went in it.
        pub(super) tick: f32,
        pub(super) way: Vec2,
        /// How far its hips were carried in the skeleton, and how fast that goes, per second.
        pub(super) carried: Vec2,
        pub(super) carrying: Vec2,
        /// How far the skeleton was moved up against the character's body.
        pub(super) raised: f32,
        /// What carries it.
        pub(super) carrier: Option<Carrier>,
        /// How fast it moves, per second, and smoothed. In skeleton space.
        pub(super) speed: Vec2,
        pub(super) velocity: Vec2,
        /// How fast it went down in the last ticks, in legs per second.
        pub(super) falls: Vec2,
        /// How far it rose in the last tick.
        pub(super) rise: f32,
        /// Whether it was on a floor once, and how long it is not.
        pub(super) has_stood: bool,
        pub(super) air: f32,
    }
}

kept! {
    /// The surface that carries the character, and where it was at the last tick.
    pub(super) struct Carrier {
        pub(super) surface: u32,
        pub(super) body: u32,
        pub(super) frame: Affine2,
    }
}
