//! The ground of a foot, before it is there: where to look for it, and steps that the foot has to come over.
//!
//! A ray through the foot finds the ground below it, and one ahead of it whether that goes on. What is higher
//! ahead is a *step*. A foot that comes to one is raised over it in time. A third ray, along the ground, finds the
//! side of the step: before it the foot waits until it is high enough.
//!
//! Rays are cast in the next tick of the physics. Until then the skeleton has moved, and the animation has gone
//! on: so a foot that is not planted is looked for in skeleton space, where it will be.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::solvers::feet::memory::{
    Animated, FULL, FootMemory, FootSettings, NOTHING, STEADY, Sighting, Step,
};
use crate::solvers::ground::{Ground, STEEPEST};
use crate::solvers::pelvis::{Level, Stand};

/// The ground is known as far ahead as the foot comes in this time, in seconds.
const LOOK_AHEAD: f32 = 0.2;

/// A foot that is no farther beyond an edge stands on it, in pixels: it often comes back by as much when it
/// lands.
const OVERHANG: f32 = 2.0;

/// What was found for one foot in the last tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Found {
    /// The ground below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<Ground>,
    /// The step that it is about to come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Step>,
    /// The frame of the body that it is planted on. `None` if that is gone.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    pub held: Option<Affine2>,
}

/// Where to look for the ground of one foot: in global space where it is planted, or else in skeleton space,
/// until it is [placed](Self::placed).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootLook {
    is_global: bool,
    /// The ends of a ray through the foot.
    pub here: [Vec2; 2],
    /// Those of a ray through the place that it is about to come to. `None` if it stays.
    pub ahead: Option<[Vec2; 2]>,
    /// The side of a step that the foot waits before, and the way to it, in global space.
    side: Option<[Vec2; 2]>,
    /// Lower steps do not count.
    least: f32,
}

impl FootLook {
    /// In global space, with the skeleton at `to_global`.
    pub fn placed(self, to_global: Affine2) -> Self {
        let look = match self.is_global {
            true => self,
            false => self.map(|end| to_global.transform_point2(end)),
        };
        let back = look.side.map_or(Vec2::ZERO, |[side, ahead]| {
            ahead * -(look.here[0] - side).dot(ahead).max(0.0)
        });
        look.map(|end| end + back)
    }

    fn map(self, place: impl Fn(Vec2) -> Vec2) -> Self {
        Self {
            here: self.here.map(&place),
            ahead: self.ahead.map(|ends| ends.map(&place)),
            ..self
        }
    }

    /// The step to `ahead`, if there is one, and the ends of the ray that finds its side.
    pub fn step(&self, here: &Ground, ahead: &Ground) -> Option<(Step, [Vec2; 2])> {
        let up = (self.here[0] - self.here[1]).normalize_or_zero();
        let top = ahead.position;
        let below = here.below(top, up);
        let height = here.rise_to(top, up);
        let is_step = height > self.least && ahead.normal.dot(up) >= STEEPEST;
        let middle = up * (0.5 * height);
        is_step.then_some((
            Step { top, side: None },
            [here.position + middle, below + middle],
        ))
    }
}

/// How a query looks for the ground of feet.
#[derive(Clone, Copy)]
pub(crate) struct Sight {
    pub(crate) level: Level,
    pub(crate) to_global: Affine2,
    /// How far above and below the level, in pixels; the second is negative.
    pub(crate) search: [f32; 2],
    /// Whether it does so at once, not in the next tick.
    pub(crate) now: bool,
}

impl FootMemory {
    /// Where to look for its ground, `search` pixels above and below the level. The animation has it at `local`,
    /// in skeleton space. Unless it is looked for `now`, the foot goes on until then as it did in the last
    /// pass. `held` is the frame of the body that it is planted on.
    pub(crate) fn look(
        &self,
        local: Vec2,
        held: Option<Affine2>,
        sight: Sight,
    ) -> Option<FootLook> {
        let Sight { level, now, .. } = sight;
        let up = level.up;
        let last = self.local.filter(|_| !now).unwrap_or(local);
        let sole = sight.to_global.transform_point2(local + (local - last));
        let flat = level.flat(sole);
        let held = held.filter(Affine2::is_finite);
        let place = self.standing(flat, up, held);
        let place = flat.place + (place - flat.place).reject_from_normalized(up);
        let here = sight.search.map(|way| place + up * way);
        let moves = self.way.length() > level.unit;
        let look = FootLook {
            is_global: self.plant.is_some(),
            here,
            ahead: moves.then(|| here.map(|end| end + self.way)),
            side: self.side(flat.lift, level),
            least: FULL * level.unit,
        };
        let from_global = sight.to_global.inverse();
        let look = match look.is_global {
            true => look,
            false => look.map(|end| from_global.transform_point2(end)),
        };
        let is_finite = |ends: [Vec2; 2]| ends.iter().all(|end| end.is_finite());
        (is_finite(look.here) && look.ahead.is_none_or(is_finite)).then_some(look)
    }

    /// What is below a foot at `place`, for which `found` was found. As long as it is near to the ground that
    /// it had, or between both, it keeps that if it is higher: there may be an edge.
    pub(super) fn ground_at(
        &self,
        place: Vec2,
        found: Option<Ground>,
        level: Level,
    ) -> Option<Ground> {
        let (Some(had), Some(found)) = (self.ground, found) else {
            return found;
        };
        let away = |it: Ground| (place - it.position).reject_from_normalized(level.up);
        let (old, new) = (away(had), away(found));
        let is_near = old.length() < new.length() + OVERHANG * level.unit || old.dot(new) < 0.0;
        let is_higher =
            (had.below(place, level.up) - found.below(place, level.up)).dot(level.up) > 0.0;
        Some(if is_near && is_higher { had } else { found })
    }

    /// Notes how far the foot is about to go: as far as now in the same time, or less if it slows down. One that
    /// stands is about to follow its hip. A tick without time tells nothing new.
    pub(super) fn measure(&mut self, settings: FootSettings, foot: Animated, stand: Stand) {
        let (Some(seen), Some(time)) = (self.seen, stand.tick) else {
            return;
        };
        let along = |motion: Vec2| motion.reject_from_normalized(stand.level.up) / time;
        let motion = Sighting {
            sole: along(foot.sole - seen.sole),
            hip: along(foot.hip - seen.hip),
        };
        let before = self.motion.replace(motion).unwrap_or(motion);
        let own = 0.5 * (before.sole + motion.sole);
        let body = 0.5 * (before.hip + motion.hip);
        let speed = own.length();
        let before = self.velocity.replace(own).unwrap_or(own);
        let slowing = (before.length() - speed) / time;
        self.stands = speed < STEADY * settings.plant_speed * stand.level.unit;
        self.way = match self.stands {
            true => body * LOOK_AHEAD,
            false if slowing > 0.0 => own * (0.5 * speed / slowing).min(LOOK_AHEAD),
            false => own * LOOK_AHEAD,
        };
    }

    /// How much higher a step is than if the ground here went on.
    pub(super) fn height_of(&self, step: Option<Step>, up: Vec2) -> f32 {
        let (Some(here), Some(step)) = (self.ground, step) else {
            return 0.0;
        };
        here.rise_to(step.top, up).max(0.0)
    }

    /// Takes over the step that was found ahead of the foot, which is at `place`. One that was seen before
    /// counts until the foot is over it.
    pub(super) fn look_ahead(&mut self, found: Option<Step>, place: Vec2, up: Vec2) {
        let is_ahead = |step: &Step| step.top.is_finite() && (step.top - place).dot(self.way) > 0.0;
        let (before, found) = (self.step.filter(is_ahead), found.filter(is_ahead));
        let is_higher = self.height_of(before, up) > self.height_of(found, up);
        self.step = if is_higher { before } else { found };
    }

    /// The side of a step that the foot waits before, until it is high enough, and the way to it.
    pub(super) fn side(&self, lift: f32, level: Level) -> Option<[Vec2; 2]> {
        let height = self.height_of(self.step, level.up);
        let is_high = lift + self.residual.dot(level.up) >= height - FULL * level.unit;
        let ahead = self.way.normalize_or_zero();
        let side = self.step.filter(|_| !is_high)?.side?;
        Some([side - ahead * (NOTHING * level.unit), ahead])
    }
}
