//! What a single foot does: it stands, steps or hangs.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::easing::smoothstep;
use crate::math::interval::clamp01;
use crate::solvers::gait::input::{Held, Probe};
use crate::solvers::gait::leg::{Frame, Leg, Walk};
use crate::solvers::gait::ridge::{Ridge, along};
use crate::solvers::ground::{Contact, Ground, slope_of};
use crate::solvers::oscillator::Oscillator;

/// What a foot does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Stance {
    /// Nothing yet.
    #[default]
    New,
    /// It stands on a body, which is at `frame`.
    Planted {
        contact: Contact,
        #[serde(with = "crate::math::number")]
        frame: Affine2,
    },
    Stepping(Step),
    /// It has no ground.
    Hanging(Hang),
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    #[serde(with = "crate::math::number")]
    pub(super) start: Vec2,
    /// How the foot was turned there, in radians.
    #[serde(with = "crate::math::number")]
    pub(super) slope: f32,
    /// How much of it is over, 0 to 1.
    #[serde(with = "crate::math::number")]
    pub(super) phase: f32,
    /// Where it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) landing: Option<Ground>,
    /// Where the foot is on its way, if it were not lifted.
    #[serde(with = "crate::math::number")]
    pub(super) way: Vec2,
    /// What lies between that and the landing. Until that is known it goes nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ridge: Option<Ridge>,
    /// How high the foot is lifted, in pixels.
    #[serde(with = "crate::math::number")]
    pub(super) height: f32,
}

/// A foot without ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hang {
    /// From its home, and how fast that changes.
    #[serde(with = "crate::math::number")]
    pub(super) away: Vec2,
    #[serde(with = "crate::math::number")]
    pub(super) rate: Vec2,
}

/// How fast a hanging foot swings back, in Hz.
const HANGING: f64 = 3.0;

impl Stance {
    /// On `ground`, at its place.
    pub(super) fn on(ground: Ground) -> Self {
        Self::Planted {
            contact: ground.contact(ground.position),
            frame: ground.frame,
        }
    }

    /// The body that it stands on, or is about to.
    pub(super) fn body(&self) -> Option<u32> {
        match self {
            Self::Planted { contact, .. } => Some(contact.body),
            Self::Stepping(step) => step.landing.map(|ground| ground.body),
            _ => None,
        }
    }

    /// Goes along with that body. Returns how far that went, if it stands.
    pub(super) fn follow_ground(&mut self, probe: Probe) -> Option<Vec2> {
        let Held { body, frame: new } = probe.held?;
        if self.body() != Some(body) {
            return None;
        }
        match self {
            Self::Planted { contact, frame } => {
                let new = new.filter(Affine2::is_finite)?;
                let before = contact.place(std::mem::replace(frame, new));
                Some(contact.place(new) - before)
            }
            Self::Stepping(step) => {
                let carried = new.and_then(|new| step.landing.map(|it| it.carried_to(new)));
                step.landing = carried.filter(Ground::is_finite);
                None
            }
            _ => None,
        }
    }

    /// Where the sole is, `elapsed` seconds after the last tick.
    pub(super) fn place(
        &self,
        frame: Frame,
        leg: &Leg,
        pace: f32,
        elapsed: f32,
        walk: Walk,
    ) -> Vec2 {
        let home = frame.point(leg.home);
        match self {
            Self::New => home,
            Self::Planted { contact, frame } => contact.place(*frame),
            Self::Stepping(step) => {
                let phase = step.phase + elapsed * pace.max(1.0) / walk.settings.duration();
                step.place(phase, home, frame.up)
            }
            Self::Hanging(hang) => home + hang.after(elapsed).away,
        }
    }

    /// Where it stands, or is on the straight way from where it stood to where it will.
    pub(super) fn base(&self, home: Vec2) -> Option<Vec2> {
        match self {
            Self::Planted { contact, frame } => Some(contact.place(*frame)),
            Self::Stepping(step) if step.landing.is_some() => {
                Some(step.start.lerp(step.end(home), eased(step.phase)))
            }
            _ => None,
        }
    }

    /// How far the foot is turned.
    pub(super) fn turn(&self, most: f32, up: Vec2) -> f32 {
        match self {
            Self::Planted { contact, frame } => slope_of(contact.normal(*frame), most, up),
            Self::Stepping(step) => {
                let goal = step.landing.map_or(0.0, |it| slope_of(it.normal, most, up));
                step.slope + (goal - step.slope) * eased(step.phase)
            }
            _ => 0.0,
        }
    }
}

/// The part of the way after a part of the time.
fn eased(phase: f32) -> f32 {
    smoothstep(clamp01(phase))
}

impl Step {
    /// A step from `start`, of a foot that is turned by `slope` there.
    pub(super) fn new(start: Vec2, slope: f32, landing: Ground, height: f32) -> Self {
        Self {
            start,
            slope,
            phase: 0.0,
            landing: Some(landing),
            way: start,
            ridge: None,
            height,
        }
    }

    /// Where it ends.
    pub(super) fn end(&self, home: Vec2) -> Vec2 {
        self.landing.map_or(home, |ground| ground.position)
    }

    /// Where the foot is on its way, at a later `phase`.
    pub(super) fn way_at(&self, phase: f32, home: Vec2, up: Vec2) -> Vec2 {
        let Some(ridge) = &self.ridge else {
            return self.way;
        };
        let left = (1.0 - eased(phase)) / (1.0 - eased(self.phase)).max(f32::MIN_POSITIVE);
        along([self.way, self.end(home)], ridge, 1.0 - left, up)
    }

    /// The same, with its lift.
    pub(super) fn place(&self, phase: f32, home: Vec2, up: Vec2) -> Vec2 {
        let p = clamp01(phase);
        let lift = 4.0 * p * (1.0 - p);
        self.way_at(phase, home, up) + up * (self.height * lift * lift)
    }
}

impl Hang {
    pub(super) fn away(away: Vec2) -> Self {
        Self {
            away,
            rate: Vec2::ZERO,
        }
    }

    pub(super) fn after(self, time: f32) -> Self {
        let spring = Oscillator::new(std::f64::consts::TAU * HANGING, 1.0, time.into());
        let [x, y] =
            [0, 1].map(|axis| spring.advance(self.away[axis].into(), self.rate[axis].into()));
        Self {
            away: Vec2::new(x.0 as f32, y.0 as f32),
            rate: Vec2::new(x.1 as f32, y.1 as f32),
        }
    }
}
