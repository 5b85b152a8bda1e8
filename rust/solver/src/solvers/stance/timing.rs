//! Legs that come into a rhythm and keep it, and how the body moves with them.

use std::f32::consts::TAU;

use glam::Vec2;

use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::rhythm::{GRAVITY, Rhythm};
use crate::solvers::stance::scene::{Law, smoothstep};
use crate::solvers::stance::step::{CharacterVelocity, March};
use crate::solvers::stance::tilt::{Lie, fitted};

/// Feet that are apart by less than this part of a leg are at one place.
const NEAR: f32 = 0.02;

/// The excess speed of a foot for each stride by which it is off the rhythm, and the greatest one, as parts of the
/// rhythm's.
const SYNCHRONISING: f32 = 3.0;
const FASTER: f32 = 0.35;

/// A body on two legs leans so far, and so much more at a run, and on any legs with its acceleration: in radians, at most so many.
const LEAN: [f32; 2] = [0.02, 0.09];
const INERTIA: f32 = 0.35;
/// The distance of feet beyond which a body trots, as a part of a leg; others pace.
const LONG: f32 = 0.8;
/// The sway of a pair of legs, in radians; and the distance of legs below which they have one girdle, as a part of
/// their reach.
const SWAY: f32 = 0.03;
const GIRDLE: f32 = 0.25;
const MOST_LEAN: f32 = 0.3;

/// The way from one phase to another, from -0.5 to 0.5.
fn apart(phase: f32) -> f32 {
    phase - libm::rintf(phase)
}

impl March<'_> {
    /// Returns the lag of a leg behind the first one, in strides.
    fn lag(&self, rhythm: &Rhythm, index: usize) -> f32 {
        let (rank, is_second) = self.seat(index, self.pace.way);
        let count = self.law.legs.iter().flatten().count();
        let is_long = self.law.spread() > LONG * self.law.reach();
        rhythm.lag(self.gait.gait, count, rank, [is_second, is_long])
    }

    /// Returns how many legs are behind a leg on a `way`, and if it is the second of its pair.
    pub(super) fn seat(&self, index: usize, way: Vec2) -> (usize, bool) {
        let place = |leg: usize| Some((self.law.legs[leg]?.home - self.law.pivot).dot(way));
        let Some(own) = place(index) else {
            return (0, false);
        };
        let near = NEAR * self.law.reach();
        // Those at one place are in the order of their feet.
        let is_behind =
            |leg: usize, place: f32, other: usize, own: f32| match (place - own).abs() < near {
                true => leg < other,
                false => place < own,
            };
        let places = (0..self.law.legs.len()).filter_map(|leg| Some((leg, place(leg)?)));
        let behind = places.clone();
        let rank = behind.filter(|&(leg, place)| is_behind(leg, place, index, own));
        let rank = rank.count();
        // Its partner is the next one before or behind it.
        let is_first_of_pair = rank % 2 == 0;
        let others = places.filter(|&(leg, place)| {
            leg != index && is_behind(leg, place, index, own) != is_first_of_pair
        });
        let partner = others.reduce(|one, other| {
            let is_nearer = is_behind(other.0, other.1, one.0, one.1) == is_first_of_pair;
            if is_nearer { other } else { one }
        });
        (rank, partner.is_some_and(|(partner, _)| partner < index))
    }
}

impl StanceMemory {
    /// Goes on in the rhythm for a tick. Who begins to walk begins with the foot that is farthest behind.
    pub(super) fn keep_time(&mut self, march: March<'_>, delta: f32) {
        let Some(rhythm) = march.rhythm else { return };
        if march.rests() {
            let pace = CharacterVelocity::of(self.riding.velocity, march.law.up);
            self.turns.walks &= pace.way != Vec2::ZERO;
            self.feet.iter_mut().for_each(|foot| foot.hurry = 0.0);
            return;
        }
        let part = rhythm.frequency * delta;
        if !std::mem::replace(&mut self.turns.walks, true) {
            let behind = |index: &usize| {
                let leg = march.law.legs[*index].as_ref();
                leg.map_or(f32::INFINITY, |leg| {
                    (self.feet[*index].place - leg.home).dot(march.pace.way)
                })
            };
            let last = (0..self.feet.len()).min_by(|a, b| behind(a).total_cmp(&behind(b)));
            let near = -NEAR * march.law.reach();
            let last = last.filter(|last| behind(last) < near);
            let lag = last.map_or(0.0, |last| march.lag(&rhythm, last));
            self.turns.phase = rhythm.duty + lag;
            for index in 0..self.feet.len() {
                let phase = self.turns.phase - march.lag(&rhythm, index);
                self.feet[index].phase = phase.rem_euclid(1.0);
            }
        }
        self.turns.phase = (self.turns.phase + part).fract();
        for index in 0..self.feet.len() {
            let lag = march.lag(&rhythm, index);
            let foot = &mut self.feet[index];
            if let Some(swing) = &foot.swing {
                foot.phase = rhythm.duty + (1.0 - rhythm.duty) * swing.part.min(1.0);
            }
            let off = apart(self.turns.phase - lag - foot.phase);
            foot.hurry = (SYNCHRONISING * off).clamp(-FASTER, FASTER);
            if foot.swing.is_none() {
                foot.phase = (foot.phase + part * (1.0 + foot.hurry)).min(0.99);
            }
        }
    }

    /// Returns the turn of a body by the rhythm of its steps, in radians: a pair of legs sways from one to the other,
    /// and what is below several girdles, each of which bobs by itself, pitches.
    fn rock(&self, law: &Law<'_>, rhythm: &Rhythm, bob: impl Fn(&FootMemory) -> f32) -> f32 {
        let right = law.up.perp();
        let feet = self.feet.iter().zip(law.legs);
        let places = feet.filter_map(|(foot, leg)| {
            let place = leg.as_ref()?.home.dot(right);
            Some([place, place, bob(foot)])
        });
        let pitch =
            fitted(places, GIRDLE * law.reach()).map_or(0.0, |[.., rise]| libm::atanf(rise));
        let sway = match self.feet.first().filter(|_| self.feet.len() == 2) {
            Some(foot) => SWAY * libm::sinf(TAU * (foot.phase - 0.5 * rhythm.duty)),
            None => 0.0,
        };
        sway - pitch
    }

    /// Returns the rise of the body by the rhythm of its steps, and its lean to the right, in radians. A landing moves
    /// it down.
    pub(super) fn liven(&mut self, law: &Law<'_>) -> [f32; 2] {
        let gait = law.gait.filter(|gait| gait.body_motion > 0.0);
        let (pace, level) = (
            CharacterVelocity::of(self.riding.velocity, law.up),
            Lie::of(law, 0.0, 0.0),
        );
        let rhythm = gait.and_then(|gait| self.rhythm(law, gait, pace, level));
        let (Some(gait), Some(rhythm)) = (gait, rhythm) else {
            return [0.0, 0.0];
        };
        let amount = gait.body_motion;
        self.pelvis.rate -= amount * self.riding.landing() * law.reach();
        let legs = self.feet.iter().filter(|foot| foot.posed.is_some());
        let middle = |foot: &FootMemory| {
            let phase = foot.phase - 0.5 * rhythm.duty;
            let (twice, once) = (libm::cosf(2.0 * TAU * phase), libm::cosf(TAU * phase));
            twice + (once - twice) * rhythm.gallop
        };
        let count = legs.clone().count().max(1) as f32;
        let bob = 0.5 * rhythm.bob * legs.map(middle).sum::<f32>() / count;
        let rock = self.rock(law, &rhythm, |foot| 0.5 * rhythm.bob * middle(foot));
        let moves = if self.turns.walks { 1.0 } else { 0.0 };
        let right = law.up.perp();
        let is_pair = law.legs.iter().flatten().count() <= 2;
        let speed = self.riding.velocity.dot(right);
        let run = LEAN[0] + LEAN[1] * smoothstep(0.0, 2.0, rhythm.pace);
        let [run, inertia] = if is_pair { [run, 1.0] } else { [0.0, 0.4] };
        let inertia =
            inertia * INERTIA * libm::atanf(self.riding.acceleration().dot(right) / GRAVITY);
        let lean =
            (run.copysign(speed) * moves + rock * moves + inertia).clamp(-MOST_LEAN, MOST_LEAN);
        [amount * bob * moves, amount * lean]
    }
}
