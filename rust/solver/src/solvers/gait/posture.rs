//! How the body stands.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::trigonometry::unit_vector_f32;
use crate::solvers::gait::leg::{Frame, Walk};
use crate::solvers::pelvis::{PelvisMemory, PelvisSettings, Stand};

/// How the body stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Posture {
    pub(super) pelvis: PelvisMemory,
    /// How far it is turned, in radians, and how fast.
    #[serde(with = "crate::math::number")]
    pub(super) turn: f32,
    #[serde(with = "crate::math::number")]
    turn_rate: f32,
    /// What it goes to.
    #[serde(with = "crate::math::number")]
    pub(super) need: f32,
    #[serde(with = "crate::math::number")]
    pub(super) goal: f32,
    /// The ground under the feet: how much higher than the homes, and how much it rises to the right.
    #[serde(with = "crate::math::number")]
    pub(super) rise: f32,
    #[serde(with = "crate::math::number")]
    pub(super) slope: f32,
}

impl Posture {
    /// Where `place`, of skeleton space, is when the body stands so.
    pub(super) fn carry(&self, place: Vec2, walk: Walk, frame: Frame) -> Vec2 {
        let pivot = frame.point(walk.pivot);
        let arm = unit_vector_f32(self.turn).rotate(frame.point(place) - pivot);
        pivot + arm + frame.up * self.pelvis.shift
    }

    /// The place above or below `place` on the plane of the feet.
    pub(super) fn plane(&self, place: Vec2, centre: Vec2, frame: Frame) -> Vec2 {
        let aside = (place - centre).dot(frame.right);
        centre + frame.right * aside + frame.up * (self.rise + self.slope * aside)
    }

    /// Goes on towards what it should be.
    pub(super) fn advance(&mut self, settings: PelvisSettings, stand: Stand) {
        self.pelvis.go_on(settings, self.need, stand);
        let away = self.turn - self.goal;
        let left = settings.come_after(away, self.turn_rate, 1e-4, stand.delta);
        (self.turn, self.turn_rate) = (self.goal + left.0, left.1);
    }
}
