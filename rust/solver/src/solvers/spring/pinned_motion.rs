//! The state of a chain that is held at both ends, from one pass to the next.
//!
//! Its motion in time is in [`crate::solvers::spring::pinned`].

use glam::{Affine2, DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::clone_in_place::clone_in_place;
use crate::math::number;

/// The state of a chain that is held at both ends. Empty while it hangs freely.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PinnedMotion {
    /// The joints and the end, root first.
    pub points: Vec<PinnedPoint>,
    /// The place at which the end was held in the last pass.
    #[serde(with = "number")]
    pub pin: DVec2,
    /// To which side the goal is bent; zero before the first step.
    #[serde(with = "number")]
    pub bulge: DVec2,
    /// The straightest bend of the goal, and how far from there it is bent: the search for the next begins there.
    #[serde(skip_serializing_if = "number::is_usual", with = "number")]
    pub bend: Vec2,
    /// Seconds since the last whole step.
    pub since: f64,
    /// From the space of the points to global space, in the last pass.
    #[serde(with = "number")]
    pub mount: Affine2,
    /// For how many seconds it has hardly moved.
    #[serde(with = "number")]
    pub still: f32,
}

/// A joint, or the end, of a chain that is held at both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedPoint {
    /// Its place after the last whole step.
    #[serde(with = "number")]
    pub place: DVec2,
    /// Its velocity then.
    #[serde(with = "number")]
    pub velocity: DVec2,
    /// Its place in the pose of the last pass.
    #[serde(with = "number")]
    pub posed: DVec2,
    /// Its place in the goal of the last pass.
    #[serde(with = "number")]
    pub goal: DVec2,
}

clone_in_place!(PinnedMotion: points; pin, bulge, bend, since, mount, still);

impl PinnedMotion {
    /// Returns `true` if the chain hangs freely.
    pub(crate) fn is_off(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns `true` if all points are numbers: what overflows is not kept.
    pub(crate) fn is_finite(&self) -> bool {
        let is_finite =
            |it: &PinnedPoint| (it.place + it.velocity + it.posed + it.goal).is_finite();
        self.bend.is_finite()
            && (self.pin + self.bulge).is_finite()
            && self.points.iter().all(is_finite)
    }
}
