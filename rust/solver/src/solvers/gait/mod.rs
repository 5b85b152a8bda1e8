//! Legs that step by themselves: the law of a gait, in global space.
//!
//! Each leg has a *home*: where its sole is in the rest pose. Once for each tick of the physics, a foot
//! that stands too far from its home, or at the end of its leg, asks for a step. Who has waited longest
//! goes first, never more than so many at once ([`order`]). A step ends ahead of the home, by the way
//! that the body goes while it lasts and some more. Where it ends is looked for anew at each tick
//! ([`step`]). The body keeps its height over the feet, and tilts as they do ([`body`]).
//!
//! Everything happens in ticks, so that the same feet fall at the same time at any frame rate. A pass
//! takes all ticks since the one before, and shows the steps that are going on by the time that has
//! passed since the last one.
//!
//! | file | what is in it |
//! |---|---|
//! | [`leg`] | what a leg is, and how far it can go |
//! | [`step`] | what a single foot does |
//! | [`order`] | who steps next |
//! | [`body`] | how high the body is, and how it tilts |

mod body;
pub(crate) mod leg;
mod order;
mod step;

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::solvers::gait::body::Posture;
use crate::solvers::gait::leg::{Frame, Leg, Stride};
use crate::solvers::gait::step::{Hang, Stance};
use crate::solvers::ground::Ground;
use crate::solvers::pelvis::PelvisSettings;

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
    /// How far something reaches above the line from the beginning of a step to its end.
    #[serde(with = "crate::math::number")]
    pub obstacle: f32,
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
    /// The beginning and the end of a step, in global space.
    pub way: Option<[Vec2; 2]>,
    /// The body whose place has to be known.
    pub held: Option<u32>,
}

/// What is kept of a gait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitMemory {
    /// Of each foot.
    pub feet: Vec<GaitFoot>,
    posture: Posture,
    /// How fast the body goes along the ground, against it, in pixels per second.
    #[serde(with = "crate::math::number")]
    velocity: Vec2,
    /// How long it has stood, in seconds.
    #[serde(with = "crate::math::number")]
    standing: f32,
    /// How many times faster than usual the legs step.
    #[serde(with = "crate::math::number")]
    pace: f32,
    /// In a wave: who is next, and the time since a foot was lifted.
    next: usize,
    #[serde(with = "crate::math::number")]
    since_lift: f32,
    /// The last tick that was taken, and the time since.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<Tick>,
    #[serde(with = "crate::math::number")]
    elapsed: f32,
}

/// What is kept of a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitFoot {
    stance: Stance,
    /// How long it has asked for a step, in seconds.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    waiting: Option<f32>,
    /// Whether it has gone home since the body stands.
    has_settled: bool,
}

/// What stays the same within a pass.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    pub(crate) settings: GaitSettings,
    pub(crate) pelvis: PelvisSettings,
    /// Of length 1.
    pub(crate) up: Vec2,
    /// The pelvis in the rest pose, in skeleton space.
    pub(crate) pivot: Vec2,
    pub(crate) legs: &'a [Option<Leg>],
}

/// A tick, as the law sees it.
#[derive(Clone, Copy)]
struct Moment<'a> {
    walk: Walk<'a>,
    frame: Frame,
    stride: Stride,
    probes: &'a [Probe],
    delta: f32,
}

/// The body goes this part of its shortest leg in a tick, and it has leapt: feet come along with it.
const LEAP: f32 = 0.5;

/// How quickly the measured speed follows, in seconds.
const SMOOTHING: f32 = 0.05;

/// The body stands when it is slower, in units of the skeleton per second.
const STILL: f32 = 2.0;

/// How much faster than usual the legs step at most.
const FASTEST: f32 = 3.0;

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

    /// The direction away from the ground that it stands on, or is about to.
    pub fn normal(&self) -> Option<Vec2> {
        match &self.stance {
            Stance::Planted { contact, frame } => Some(contact.normal(*frame)),
            Stance::Stepping(step) => step.landing.map(|ground| ground.normal),
            _ => None,
        }
    }

    /// The body that it is about to stand on.
    pub fn next_body(&self) -> Option<u32> {
        match &self.stance {
            Stance::Stepping(step) => step.landing.map(|ground| ground.body),
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

    pub(crate) fn clear(&mut self) {
        let mut feet = std::mem::take(&mut self.feet);
        feet.clear();
        *self = Self {
            feet,
            ..Self::default()
        };
    }

    /// Takes the ticks that were not taken yet. `probes` has what was found for each foot in each.
    pub(crate) fn take(&mut self, walk: Walk, ticks: &[Tick], probes: &[Probe], delta: f64) {
        self.elapsed += delta as f32;
        self.feet.resize(walk.legs.len(), GaitFoot::default());
        let probes = probes.chunks_exact(walk.legs.len().max(1));
        for (&tick, probes) in ticks.iter().zip(probes) {
            let is_new = self
                .seen
                .is_none_or(|seen| tick.number.wrapping_sub(seen.number) as i32 > 0);
            if is_new && let Some(frame) = Frame::of(tick.to_global, walk.up) {
                self.elapsed = 0.0;
                self.go_through(walk, frame, tick, probes);
            }
        }
    }

    fn go_through(&mut self, walk: Walk, frame: Frame, tick: Tick, probes: &[Probe]) {
        let before = self.seen.replace(tick);
        let ground_motion = self.follow_ground(probes);
        let stride = Stride::of(walk, frame);
        let mut moment = Moment {
            walk,
            frame,
            stride,
            probes,
            delta: tick.delta.max(0.0),
        };
        if let Some(before) = before.and_then(|it| Frame::of(it.to_global, walk.up)) {
            let motion = stride.centre - Stride::of(walk, before).centre;
            if before.is_mirrored != frame.is_mirrored || motion.length() > LEAP * stride.reach {
                self.come_along(before, moment);
                return;
            }
            self.measure(motion - ground_motion, moment);
        }
        if moment.delta == 0.0 {
            return;
        }
        let speed = self.velocity.length();
        moment.stride = stride.at_speed(speed, self.pace.max(1.0));
        let is_first = before.is_none();
        for index in 0..walk.legs.len() {
            self.advance_foot(index, ground_motion, moment, is_first);
        }
        self.choose(moment);
        self.settle_body(moment, is_first);
        self.let_go(moment);
    }

    /// How fast the body goes, and what follows from that.
    fn measure(&mut self, motion: Vec2, moment: Moment) {
        let Moment {
            frame,
            stride,
            delta,
            ..
        } = moment;
        if delta == 0.0 {
            return;
        }
        let along = frame.right * motion.dot(frame.right) / delta;
        let part = delta / (delta + SMOOTHING);
        self.velocity += (along - self.velocity) * part;
        let is_still = along.length() < STILL * frame.unit;
        self.standing = if is_still { self.standing + delta } else { 0.0 };
        if is_still && self.velocity.length() < STILL * frame.unit {
            self.velocity = Vec2::ZERO;
        }
        if !is_still {
            self.feet
                .iter_mut()
                .for_each(|foot| foot.has_settled = false);
        }
        self.pace = (self.velocity.length() / stride.speed).clamp(1.0, FASTEST);
    }

    /// The ground goes along with its bodies. Returns how far it went, on the average.
    fn follow_ground(&mut self, probes: &[Probe]) -> Vec2 {
        let (mut sum, mut count) = (Vec2::ZERO, 0.0_f32);
        for (foot, probe) in self.feet.iter_mut().zip(probes) {
            if let Some(motion) = foot.stance.follow_ground(*probe) {
                sum += motion;
                count += 1.0;
            }
        }
        sum / count.max(1.0)
    }

    /// The body has leapt: all feet stay where they are in the skeleton, and hang there.
    fn come_along(&mut self, before: Frame, moment: Moment) {
        let motion = moment.frame.to_global * before.to_global.inverse();
        for (foot, leg) in self.feet.iter_mut().zip(moment.walk.legs) {
            let Some(leg) = leg else { continue };
            let place = foot.stance.place(before, leg, self.pace, 0.0, moment.walk);
            let away = motion.transform_point2(place) - moment.frame.point(leg.home);
            *foot = GaitFoot {
                stance: Stance::Hanging(Hang::away(away)),
                ..GaitFoot::default()
            };
        }
    }

    /// How long a step takes from `phase` on, in seconds.
    fn time_left(&self, phase: f32, moment: Moment) -> f32 {
        (1.0 - phase) * moment.walk.settings.duration() / self.pace.max(1.0)
    }
}

impl GaitSettings {
    /// How long a step takes: never nothing.
    fn duration(&self) -> f32 {
        self.step_duration.max(0.02)
    }
}
