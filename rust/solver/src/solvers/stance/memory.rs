//! What is kept from tick to tick.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::clone_in_place::clone_in_place;
use crate::math::number::kept;
use crate::solvers::stance::foot::FootMemory;

/// The state that is kept from tick to tick.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StanceMemory {
    /// Of each foot.
    pub feet: Vec<FootMemory>,
    /// The number of ticks so far.
    pub(super) count: u32,
    pub(crate) riding: Riding,
    pub(crate) pelvis: PelvisMemory,
    pub(super) turns: Turns,
}

clone_in_place!(StanceMemory: feet; count, riding, pelvis, turns);

impl StanceMemory {
    /// Returns `true` if there was no tick yet.
    pub(crate) fn is_new(&self) -> bool {
        self.count == 0
    }
}

kept! {
    default
    /// The state that is kept of the pelvis: its shift along `up` and its turn, in radians, each with its rate.
    pub(crate) struct PelvisMemory {
        pub(crate) shift: f32,
        pub(super) rate: f32,
        pub(crate) turn: f32,
        pub(super) turn_rate: f32,
        /// The slope of the ground of its feet: the rise to the right.
        pub(super) slope: f32,
        /// The part of `shift` that is the rhythm of its steps.
        pub(super) bob: f32,
        /// The lowest and the highest that the feet which stand leave it.
        pub(super) lowest: f32,
        pub(super) highest: f32,
    }
}

impl PelvisMemory {
    pub(crate) fn is_moved(&self) -> bool {
        self.shift != 0.0 || self.turn != 0.0
    }
}

kept! {
    default
    /// The state of the order in which legs step.
    pub(super) struct Turns {
        /// The leg that stepped last.
        pub(super) last: usize,
        /// The time since then, in seconds.
        pub(super) since: f32,
        /// `true` if it goes in a rhythm, and the phase of that, from 0 to 1.
        pub(super) walks: bool,
        pub(super) phase: f32,
        /// The time for which the character stands, in seconds.
        pub(super) still: f32,
    }
}

kept! {
    default
    /// The motion of the character against what carries it.
    pub(crate) struct Riding {
        /// The skeleton's frame at the last tick.
        pub(super) frame: Option<Affine2>,
        /// The length of that tick, in seconds, and the way of the character in it.
        pub(crate) tick: f32,
        pub(super) way: Vec2,
        /// The way by which its hips were carried in the skeleton, and the rate of that, per second.
        pub(super) carried: Vec2,
        pub(super) carrying: Vec2,
        /// The rise of the skeleton against the character's body.
        pub(crate) raised: f32,
        /// The surface that carries it.
        pub(super) carrier: Option<Carrier>,
        /// Its velocity, per second, and the same smoothed. In skeleton space.
        pub(super) speed: Vec2,
        pub(super) velocity: Vec2,
        /// Its speeds downwards in the last two ticks, in legs per second.
        pub(super) falls: Vec2,
        /// Its rise in the last tick.
        pub(super) rise: f32,
        /// `true` if it was on a floor once, and the time for which it is on none, in seconds.
        pub(super) has_stood: bool,
        pub(super) air: f32,
    }
}

kept! {
    /// The surface that carries the character, and where it was at the last tick.
    pub(super) struct Carrier {
        pub(super) surface: u32,
        pub(super) frame: Affine2,
    }
}
