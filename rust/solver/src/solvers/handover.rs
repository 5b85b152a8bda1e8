//! Handover: how the goal of a modifier goes over from one target to another, without a jump in place or
//! in velocity.
//!
//! When the target is exchanged, the difference between the goal that was shown and the new one is kept,
//! with its velocity, and both decay (inertialization). With the difference `x0`, that of the velocities
//! `v0`, and the curve `E` of a `Tween`, the goal is off the new one by
//!
//! ```text
//! offset(t) = x0 (1 − E(t / T)) + k t (1 − t / T)²,   k = v0 + x0 E'(0) / T
//! ```
//!
//! In the pass of the exchange the goal goes on as it moved. The velocity of the new one is known in the
//! next pass, so `k` is found then. Velocities are those of the last two passes. A step more than twice as
//! fast as the one before it is a teleport, and no velocity.
//!
//! A modifier that is switched on or off keeps its goal: how much of its turns there is, is a coordinate of the goal and
//! goes over like the others.
//!
//! The angle that a look-at adds goes over like a heading. It is keyed as well as set, and nothing tells which: a step of
//! it that is more than twice as fast as the one before, and faster than [`TURNING`], is an exchange. A limb that bends to
//! the other side has its two joints for coordinates, so it goes over whatever had it bend, and the tip leaves its goal.
//!
//! Source: D. Bollo, *Inertialization: High-Performance Animation Transitions in Gears of War* (2018), for
//! the idea; the law is Tendon's.

use glam::{Vec2, Vec4, Vec4Swizzles};
use serde::{Deserialize, Serialize};

use crate::math::angle::shortest_way;
use crate::math::clone_in_place::clone_in_place;
use crate::math::easing::{Clock, Ease, Easing, Transition};
use crate::math::interval::clamp01;
use crate::math::number;
use crate::math::settings::settings;
use crate::math::trigonometry::unit_vector_f32;
use crate::skeleton::bone::{Direction, Point};

settings! {
    /// Settings of the handover of a modifier from one target to another.
    HandoverSettings {
        /// The duration in seconds; 0: at once.
        duration: f32 = 0.0;
        /// The curve.
        transition: Transition = Transition::default();
        /// The end at which the curve is slow.
        ease: Ease = Ease::default();
        /// The highest speed at which a joint turns, in radians per second; 0: any speed.
        max_turn_speed: f32 = 0.0;
    }
}

impl HandoverSettings {
    /// Returns `true` if nothing is kept back. NaN counts as 0.
    pub fn is_off(&self) -> bool {
        !self.hands_over() && !self.limits_turns()
    }

    pub(crate) fn hands_over(&self) -> bool {
        self.duration > 0.0
    }

    pub(crate) fn limits_turns(&self) -> bool {
        self.max_turn_speed > 0.0
    }

    pub(crate) fn easing(&self) -> Easing {
        Easing {
            transition: self.transition,
            ease: self.ease,
        }
    }
}

/// The goal of a modifier: its target, the pose or a bend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HandoverGoal {
    /// Its target.
    Target,
    /// The pose that it is given: it is switched off.
    Pose,
    /// One of the two ways in which a limb bends.
    Bent(bool),
}

/// The meaning of the coordinates of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// A place, and the angle of a heading.
    Straight,
    /// The logarithm of a distance, an angle, and an angle that is set beside it.
    Polar,
    /// The turns of two joints, and whether they may go either way around.
    Turns([bool; 2]),
}

impl Coordinates {
    /// Returns for each coordinate of a place `true` if it is an angle that may go either way around.
    fn are_angles(self) -> [bool; 2] {
        match self {
            Self::Straight => [false, false],
            Self::Polar => [false, true],
            Self::Turns(are_free) => are_free,
        }
    }
}

/// The speed up to which an angle that is set counts as keyed in any case, in radians per second.
const TURNING: f32 = 2.0;

/// The same of a weight, per second.
pub(super) const WEIGHING: f32 = 12.0;

/// A drift is farthest from the goal after a third of the time, at this part of what it would come to.
const FARTHEST: f32 = 4.0 / 27.0;

/// A goal as numbers that go over all alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct GoalNumbers(
    /// Two coordinates of the place, the angle of the heading, and how much of the modifier's turns there
    /// is, 0 to 1.
    #[serde(with = "number")]
    Vec4,
);

impl GoalNumbers {
    pub(crate) fn new(place: Vec2, heading: f32, side: HandoverGoal) -> Self {
        let presence = match side {
            HandoverGoal::Target | HandoverGoal::Bent(_) => 1.0,
            HandoverGoal::Pose => 0.0,
        };
        Self(place.extend(heading).extend(presence))
    }

    pub(crate) fn place(self) -> Vec2 {
        self.0.xy()
    }

    /// The same with so much of it.
    pub(crate) fn weighing(self, part: f32) -> Self {
        Self(self.0.with_w(part))
    }

    /// The same at another `place`.
    pub(crate) fn at(self, place: Vec2) -> Self {
        Self(place.extend(self.0.z).extend(self.0.w))
    }

    pub(crate) fn heading(self) -> f32 {
        self.0.z
    }

    /// Returns the place and the direction of the heading, if they are those of skeleton space.
    pub(crate) fn shown(self) -> (Point, Direction) {
        let point = Point {
            bone: None,
            position: self.place(),
        };
        let direction = Direction {
            bone: None,
            vector: unit_vector_f32(self.heading()),
        };
        (point, direction)
    }

    /// The part of the modifier's turns that is shown.
    pub(crate) fn part(self) -> f32 {
        clamp01(self.0.w)
    }

    /// The same goal of a modifier none of whose turns are shown.
    fn unseen(self) -> Self {
        self.weighing(0.0)
    }

    /// The way from here to `other`.
    fn way_to(self, other: Self, coordinates: Coordinates) -> Vec4 {
        let [x, y] = coordinates.are_angles();
        let mut way = other.0 - self.0;
        for (axis, is_angle) in [x, y, true].into_iter().enumerate() {
            if is_angle {
                way[axis] = shortest_way(self.0[axis], other.0[axis]);
            }
        }
        way
    }
}

/// A pass, as far as the goal is concerned.
pub(crate) struct Moment<'a> {
    pub(crate) settings: &'a HandoverSettings,
    pub(crate) side: HandoverGoal,
    /// The goal on this side.
    pub(crate) wanted: GoalNumbers,
    pub(crate) coordinates: Coordinates,
    pub(crate) delta: f32,
}

/// The state of a goal that is kept from pass to pass.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Passing {
    /// The side that it went to in the last pass; `None` before the first.
    side: Option<HandoverGoal>,
    /// `true` if the target is another one than in the last pass.
    pub(crate) is_exchanged: bool,
    /// Seconds since the exchange; `None` if the goal has gone over.
    #[serde(with = "elapsed")]
    elapsed: Option<f32>,
    /// The duration of this handover in seconds, if it is not that of the settings.
    #[serde(skip_serializing_if = "Option::is_none", with = "number")]
    pub(crate) seconds: Option<f32>,
    /// The place of the goal before this handover, in skeleton space, if nothing else is known of that.
    #[serde(skip_serializing_if = "Option::is_none", with = "number")]
    pub(crate) from: Option<Vec2>,
    /// The goal of the last pass, and where it was shown.
    wanted: GoalNumbers,
    shown: GoalNumbers,
    /// The way in the last pass, by seconds, and the velocity of what is shown.
    stride: GoalNumbers,
    velocity: GoalNumbers,
    /// `x0` and `k`, which is `v0` until the velocity of the new goal is known.
    off: GoalNumbers,
    drift: GoalNumbers,
    /// The rate at which an angle or a weight that is set has changed in the last pass, per second.
    #[serde(skip_serializing_if = "number::is_usual", with = "number")]
    rate: f32,
    /// The rotations that the joints were shown with, if their speed is limited.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "number")]
    pub(crate) turned: Vec<f32>,
    /// What goes over besides the goal: the turns of a limb that may bend either way, or the pose of a tree and the goals of
    /// its effectors. Captures call it `bend`. A list keeps its memory where it has none.
    #[serde(rename = "bend", skip_serializing_if = "Vec::is_empty")]
    pub(crate) further: Vec<Self>,
}

/// Applies `choose` to the place, the heading and the presence of two ways.
fn parts(one: Vec4, other: Vec4, choose: impl Fn(Vec2, Vec2) -> Vec2) -> [Vec2; 3] {
    let split = |way: Vec4| [way.xy(), Vec2::new(way.z, 0.0), Vec2::new(way.w, 0.0)];
    let ([a, b, c], [d, e, f]) = (split(one), split(other));
    [choose(a, d), choose(b, e), choose(c, f)]
}

/// Returns `true` if a number that is keyed as well as set has changed by so much since it was set, as it changed at `rate`
/// before. Up to the rate `keyed` it counts as keyed in any case.
pub(super) fn is_set(change: f32, rate: f32, keyed: f32, delta: f32) -> bool {
    change.abs() > delta * (2.0 * rate.abs() + keyed)
}

/// A time that may be missing, as a list of none or one.
mod elapsed {
    use serde::{Deserializer, Serializer};

    use crate::math::number;

    pub(super) fn serialize<S: Serializer>(value: &Option<f32>, to: S) -> Result<S::Ok, S::Error> {
        number::serialize(&Vec::from_iter(*value), to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f32>, D::Error> {
        Ok(number::deserialize::<Vec<f32>, D>(from)?.first().copied())
    }
}

clone_in_place!(
    Passing: turned, further;
    side, is_exchanged, elapsed, seconds, from, wanted, shown, stride, velocity, off, drift, rate
);

impl Passing {
    /// Returns `true` if the goal is going over.
    pub(crate) fn is_going(&self) -> bool {
        self.elapsed.is_some()
    }

    /// Returns `true` if it is going over, or will in the next pass.
    pub(crate) fn is_due(&self) -> bool {
        self.is_going() || self.is_exchanged
    }

    /// Returns `true` if it goes over in the next pass, and no pass before is known.
    pub(crate) fn begins(&self) -> bool {
        self.is_new() && self.is_exchanged
    }

    /// The effectors of a tree are others: `before` says of each which of those of the last pass it was, and whether its
    /// target is still the same.
    pub(crate) fn exchange_further(&mut self, before: impl Iterator<Item = Option<(usize, bool)>>) {
        let mut old = std::mem::take(&mut self.further);
        let mut exchange = |index: Option<usize>, is_same: bool| {
            let old = index.and_then(|index| old.get_mut(index));
            let mut passing = old.map(std::mem::take).unwrap_or_default();
            passing.is_exchanged |= !is_same;
            passing
        };
        self.further.push(exchange(Some(0), false));
        self.further.extend(before.map(|before| {
            let (index, is_same) = before.unzip();
            exchange(index.map(|index: usize| index + 1), is_same == Some(true))
        }));
    }

    /// The effector has this `weight`. Returns `true` if that was set, rather than keyed, in the last `delta` seconds, or if
    /// it counts now and did not before, or the other way around. One that counts again is as a new one, and one that
    /// counts no more has nothing left to go.
    pub(crate) fn weigh(&mut self, weight: f32, delta: f32) -> bool {
        let before = self.wanted.part();
        let counts_anew = (before == 0.0) != (weight == 0.0);
        let is_set = is_set(weight - before, self.rate, WEIGHING, delta) || counts_anew;
        let is_set = !self.is_new() && is_set;
        if is_set && counts_anew {
            *self = Self::default();
        }
        if delta > 0.0 {
            self.rate = (weight - before) / delta;
        }
        self.is_exchanged |= is_set && weight > 0.0;
        is_set
    }

    /// Returns `true` if the pose is left alone.
    pub(crate) fn is_idle(&self) -> bool {
        self.side == Some(HandoverGoal::Pose) && !self.is_going()
    }

    /// Returns `true` if the limb bent to the other side in the last pass.
    pub(crate) fn was_bent_otherwise(&self, side: bool) -> bool {
        self.side == Some(HandoverGoal::Bent(!side))
    }

    /// The goal of a modifier that is switched off: that of before, while its turns vanish.
    pub(crate) fn left(&self) -> GoalNumbers {
        self.wanted.unseen()
    }

    /// Goes over from `goal`, of which no pass is known; from the pose that is given if there was none.
    pub(crate) fn begin_from(&mut self, goal: Option<GoalNumbers>) {
        self.side = Some(goal.map_or(HandoverGoal::Pose, |_| HandoverGoal::Target));
        self.wanted = goal.unwrap_or_default();
        self.shown = self.wanted;
    }

    /// Goes over from the goal `now`, which was at `before` so many seconds ago.
    pub(crate) fn go_on_from(&mut self, [before, now]: [GoalNumbers; 2], delta: f32) {
        self.begin_from(Some(now));
        if delta > 0.0 {
            self.velocity = GoalNumbers(before.way_to(now, Coordinates::Straight) / delta);
            self.stride = self.velocity;
        }
    }

    /// Returns `true` if no pass is known.
    pub(crate) fn is_new(&self) -> bool {
        self.side.is_none()
    }

    /// Returns the duration of a handover, in seconds.
    fn duration(&self, settings: &HandoverSettings) -> f32 {
        self.seconds.unwrap_or(settings.duration)
    }

    /// Ends the transition.
    pub(crate) fn end(&mut self) {
        (self.elapsed, self.seconds) = (None, None);
        self.further.clear();
    }

    /// Returns `true` if the next pass would find another velocity, or another goal, if nothing but time changed.
    pub(crate) fn is_moving(&self) -> bool {
        self.is_going() || self.stride.0 != Vec4::ZERO
    }

    /// Advances by a pass, and returns the goal that is shown.
    pub(crate) fn advance(&mut self, now: &Moment<'_>) -> GoalNumbers {
        let is_first = self.is_new();
        let is_set = now.coordinates == Coordinates::Polar && self.is_set_anew(now);
        let is_switched = !is_first && self.side != Some(now.side);
        let is_exchange =
            is_switched || (self.is_exchanged || is_set) && now.side == HandoverGoal::Target;
        if is_exchange && !self.is_exchanged {
            self.seconds = None;
        }
        let shown = match is_exchange && !is_first && self.duration(now.settings) > 0.0 {
            true => self.exchange(now),
            false => self.go_on(now),
        };
        if is_first {
            self.shown = shown;
        }
        self.measure(shown, now);
        self.side = Some(now.side);
        (self.is_exchanged, self.from) = (false, None);
        (self.wanted, self.shown) = (now.wanted, shown);
        shown
    }

    /// Returns `true` if an angle that is set is another one, and not because it is keyed.
    fn is_set_anew(&mut self, now: &Moment<'_>) -> bool {
        let turn = shortest_way(self.wanted.heading(), now.wanted.heading()).abs();
        let is_anew = is_set(turn, self.rate, TURNING, now.delta);
        if now.delta > 0.0 {
            self.rate = turn / now.delta;
        }
        is_anew
    }

    /// The goal goes over from here on. It goes on as it moved, or comes up where it is.
    fn exchange(&mut self, now: &Moment<'_>) -> GoalNumbers {
        let duration = self.duration(now.settings);
        let shown = match self.is_idle() {
            true => now.wanted.unseen(),
            false => GoalNumbers(self.shown.0 + self.velocity.0 * now.delta.min(duration)),
        };
        self.off = GoalNumbers(now.wanted.way_to(shown, now.coordinates));
        self.drift = self.velocity;
        let can_go = self.off.0.is_finite() && self.drift.0.is_finite();
        self.elapsed = can_go.then_some(0.0);
        if can_go { shown } else { now.wanted }
    }

    fn go_on(&mut self, now: &Moment<'_>) -> GoalNumbers {
        let duration = self.duration(now.settings);
        let Some(before) = self.elapsed else {
            return now.wanted;
        };
        if before == 0.0 && now.delta > 0.0 {
            self.find_drift(now);
        }
        let elapsed = before + now.delta;
        // Any duration may be set meanwhile, also none.
        let is_on_the_way = elapsed < duration;
        if !is_on_the_way {
            (self.elapsed, self.seconds) = (None, None);
            return now.wanted;
        }
        self.elapsed = Some(elapsed);
        let Clock { left, late, .. } = self.clock(now.settings);
        GoalNumbers(now.wanted.0 + self.off.0 * left + self.drift.0 * late)
    }

    /// How far it has come.
    pub(crate) fn clock(&self, settings: &HandoverSettings) -> Clock {
        self.clock_before(settings, 0.0)
    }

    /// How far it had come so many seconds ago.
    pub(crate) fn clock_before(&self, settings: &HandoverSettings, ago: f32) -> Clock {
        let Some(elapsed) = self.elapsed else {
            return Clock::default();
        };
        let duration = self.duration(settings);
        let before = (elapsed - ago).max(0.0);
        let part = before / duration;
        Clock {
            begins: elapsed == 0.0,
            is_exchange: false,
            left: 1.0 - settings.easing().at(part),
            late: before * (1.0 - part) * (1.0 - part),
            slope: settings.easing().slope() / duration,
            most: [2.0 / (FARTHEST * duration), 2.0],
        }
    }

    /// `k`, now that the velocity of the new goal is known.
    fn find_drift(&mut self, now: &Moment<'_>) {
        let duration = self.duration(now.settings);
        let velocity = self.wanted.way_to(now.wanted, now.coordinates) / now.delta;
        let place = |way: Vec4| way.xy().length();
        // A goal that would swing out farther than it is off teleports, and has no velocity, unless the old
        // one is as fast.
        let most = place(self.drift.0).max(place(self.off.0) / (FARTHEST * duration));
        if velocity.is_finite() && place(velocity) <= 2.0 * most {
            self.drift.0 -= velocity;
        }
        let slope = now.settings.easing().slope();
        self.drift.0 += self.off.0 * slope / duration;
    }

    /// Measures how fast the goal moves.
    fn measure(&mut self, shown: GoalNumbers, now: &Moment<'_>) {
        if now.delta > 0.0 {
            let before = self.stride.0;
            let stride = self.shown.way_to(shown, now.coordinates) / now.delta;
            let stride = if stride.is_finite() {
                stride
            } else {
                Vec4::ZERO
            };
            let steady = |now: Vec2, before: Vec2| match now.length() <= 2.0 * before.length() {
                true => now,
                false => before,
            };
            let [place, heading, presence] = parts(stride, before, steady);
            self.velocity = GoalNumbers(place.extend(heading.x).extend(presence.x));
            self.stride = GoalNumbers(stride);
        }
    }
}
