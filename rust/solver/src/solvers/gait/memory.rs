//! What is kept of a gait from pass to pass, and what a tick goes by.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::clone_in_place::clone_in_place;
use crate::skeleton::extent::{Extent, Keepable, is_of_all};
use crate::solvers::gait::input::{Probe, Tick};
use crate::solvers::gait::leg::{Frame, Stride, Walk};
use crate::solvers::gait::posture::Posture;
use crate::solvers::gait::stance::Stance;
use crate::solvers::ground::Support;

/// What is kept of a gait.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitMemory {
    /// Of each foot.
    pub feet: Vec<GaitFoot>,
    pub(super) posture: Posture,
    /// How fast the body goes along the ground, against it, in pixels per second.
    #[serde(with = "crate::math::number")]
    pub(super) velocity: Vec2,
    /// How long it has stood, in seconds.
    #[serde(with = "crate::math::number")]
    pub(super) standing: f32,
    /// How many times faster than usual the legs step.
    #[serde(with = "crate::math::number")]
    pub(super) pace: f32,
    /// In a wave: who is next, and the time since a foot was lifted.
    pub(super) next: usize,
    #[serde(with = "crate::math::number")]
    pub(super) since_lift: f32,
    /// The last tick that was taken, and the time since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seen: Option<Tick>,
    #[serde(with = "crate::math::number")]
    pub(super) elapsed: f32,
}

clone_in_place!(GaitMemory: feet);

impl Keepable for GaitMemory {
    fn fits(&self, extent: Extent) -> bool {
        is_of_all(&self.feet, extent.feet) && self.next < extent.feet.max(1)
    }
}

/// What is kept of a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitFoot {
    pub(super) stance: Stance,
    /// How long it has asked for a step, in seconds.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    pub(super) waiting: Option<f32>,
    /// Whether it has gone home since the body stands.
    pub(super) has_settled: bool,
}

/// A tick, as the law sees it.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) frame: Frame,
    pub(super) stride: Stride,
    pub(super) probes: &'a [Probe],
    pub(super) delta: f32,
}

impl GaitFoot {
    /// Where it is planted: on which body. `None` while it steps or hangs.
    pub fn body(&self) -> Option<u32> {
        match &self.stance {
            Stance::Planted { contact, .. } => Some(contact.body),
            _ => None,
        }
    }

    /// Where it is planted, in global space.
    pub fn standing(&self) -> Option<Vec2> {
        match &self.stance {
            Stance::Planted { contact, frame } => Some(contact.place(*frame)),
            _ => None,
        }
    }

    /// The ground that it stands on, or is about to.
    pub fn support(&self) -> Option<Support> {
        match &self.stance {
            Stance::Planted { contact, frame } => Some(contact.support(*frame)),
            Stance::Stepping(step) => step.landing.map(|ground| ground.support()),
            _ => None,
        }
    }

    /// Whether it is in the middle of a step.
    pub fn is_stepping(&self) -> bool {
        matches!(self.stance, Stance::Stepping(_))
    }

    /// Where the step ends that it is in, in global space.
    pub fn landing(&self) -> Option<Vec2> {
        match &self.stance {
            Stance::Stepping(step) => step.landing.map(|ground| ground.position),
            _ => None,
        }
    }

    /// How long it has asked for a step, in seconds.
    pub fn waiting(&self) -> f32 {
        self.waiting.unwrap_or(0.0)
    }
}

impl GaitMemory {
    /// The number of the last tick that was taken.
    pub fn last_tick(&self) -> Option<u32> {
        self.seen.map(|seen| seen.number)
    }

    /// How long a step takes from `phase` on, in seconds.
    pub(super) fn time_left(&self, phase: f32, moment: Moment) -> f32 {
        (1.0 - phase) * moment.walk.settings.duration() / self.pace.max(1.0)
    }
}
