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
//! | [`input`] | settings, and what each tick has found |
//! | [`leg`] | what a leg is, and how far it can go |
//! | [`memory`] | what is kept from pass to pass |
//! | [`stance`] | what a single foot does |
//! | [`ridge`] | its way over what lies between |
//! | [`step`] | how it goes on from tick to tick |
//! | [`order`] | who steps next |
//! | [`posture`] | how the body stands |
//! | [`body`] | how it keeps its height and tilts |

mod body;
pub(crate) mod input;
pub(crate) mod leg;
pub(crate) mod memory;
mod order;
mod posture;
pub(crate) mod ridge;
mod stance;
mod step;

use glam::Vec2;

use crate::solvers::gait::input::{Probe, Tick};
use crate::solvers::gait::leg::{Frame, Stride, Walk};
use crate::solvers::gait::memory::{GaitFoot, GaitMemory, Moment};
use crate::solvers::gait::stance::{Hang, Stance};

/// The body goes this part of its shortest leg in a tick, and it has leapt: feet come along with it.
const LEAP: f32 = 0.5;

/// How quickly the measured speed follows, in seconds.
const SMOOTHING: f32 = 0.05;

/// The body stands when it is slower, in units of the skeleton per second.
const STILL: f32 = 2.0;

/// How much faster than usual the legs step at most.
const FASTEST: f32 = 3.0;

impl GaitMemory {
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
        let (frame, stride, delta) = (moment.frame, moment.stride, moment.delta);
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
}
