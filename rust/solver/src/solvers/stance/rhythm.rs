//! The rhythm of legs that step as animals of their size do: how often, for how long a foot stands, and which one is
//! when to step.
//!
//! Animals of any size move alike at the same Froude number, the square of their speed over that of a pendulum which
//! is as long as the hips are high. Length of strides: Alexander and Jayes, *A dynamic similarity hypothesis for the
//! gaits of quadrupedal mammals* (1983); the order of eight legs: Barth, *A Spider's World* (2002). The parts of a
//! stride in which feet stand are fits of Tendon's.

use std::f32::consts::TAU;

use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::scene::{Law, Scene, smoothstep};
use crate::solvers::stance::settings::GaitOrder;
use crate::solvers::stance::step::{March, Pace};

/// In units of the skeleton per second squared: a pixel is a centimetre.
const GRAVITY: f32 = 980.0;

/// A foot stands for such a part of a stride.
const DUTY: [f32; 2] = [0.22, 0.78];
const WALK: f32 = 0.56;
const SHORTEST_DUTY: f32 = 0.2;

/// Slow strides are no slower than this part of a pendulum's, and those of who stands or brakes.
const SLOWEST: f32 = 0.22;
const SETTLING: f32 = 0.3;
const SETTLING_OF_MANY: f32 = 0.43;

/// Feet that are apart by less than this part of a leg are at one place.
const NEAR: f32 = 0.02;

/// How fast a foot comes to its place in the rhythm, and by what part of the rhythm at most.
const SYNCHRONISING: f32 = 3.0;
const FASTER: f32 = 0.35;

/// A body on two legs leans so far, and so much more at a run, and on any legs with its acceleration: in radians, at most so many.
const LEAN: [f32; 2] = [0.02, 0.09];
const INERTIA: f32 = 0.35;
const MOST_LEAN: f32 = 0.3;

/// A stride.
#[derive(Clone, Copy)]
pub(super) struct Rhythm {
    /// How many there are in a second.
    pub(super) frequency: f32,
    /// For what part of it a foot stands.
    pub(super) duty: f32,
    /// How far a foot goes back under its body in that time.
    pub(super) contact: f32,
    /// How much of a run it is, and of a gallop, from 0 to 1.
    run: f32,
    gallop: f32,
    /// How much higher the body is in the middle of a stance than between two, at a walk; lower, at a run.
    bob: f32,
    /// The speed as a part of that of a pendulum.
    pace: f32,
}

impl Rhythm {
    /// That of so many legs with their hips at a `height` and so much `room` for a foot before and behind its home.
    pub(super) fn of(legs: usize, height: f32, room: f32, speed: f32, settles: bool) -> Self {
        let height = height.max(1.0);
        let natural = (GRAVITY / height).sqrt();
        let pace = speed / (GRAVITY * height).sqrt();
        let froude = (pace * pace).max(1e-6);
        let power = |base: f32, exponent: f32| base * libm::powf(froude, exponent);
        let is_many = legs > 4;
        let run = if is_many {
            0.0
        } else {
            smoothstep(0.66, 0.78, pace)
        };
        let gallop = if matches!(legs, 3 | 4) {
            smoothstep(1.5, 1.8, pace)
        } else {
            0.0
        };
        let (stride, walking, running, fastest) = match legs {
            0..=2 => (
                power(2.4, 0.34),
                power(0.52, -0.1),
                power(0.36, -0.22),
                1.28,
            ),
            3 | 4 => (
                power(2.4, 0.34),
                power(0.52, -0.1),
                power(0.44, -0.22),
                1.71,
            ),
            _ => (power(1.7, 0.3), power(0.53, -0.1), 0.0, 2.51),
        };
        let [least, most] = DUTY;
        let mut duty = (walking + (running - walking) * run).clamp(least, most);
        let mut frequency = (speed / (stride * height)).min(fastest * natural.sqrt());
        frequency = frequency.max(SLOWEST * natural);
        if settles {
            let settling = if is_many { SETTLING_OF_MANY } else { SETTLING };
            frequency = frequency.max(settling * natural);
            duty = duty.min(0.66);
        }
        let mut contact = duty * speed / frequency;
        let room = 2.0 * room.max(0.01 * height);
        if contact > room {
            // A run flies first, and then it makes more strides, as a walk does.
            let least = WALK + (SHORTEST_DUTY - WALK) * run;
            duty = (room * frequency / speed).max(least.min(duty));
            contact = (duty * speed / frequency).min(room);
            frequency = speed * duty / contact;
        }
        let [stands, flies] = [duty / frequency, (0.5 - duty).max(0.0) / frequency];
        let half = 0.5 * speed / frequency;
        let walking = 0.075 * half * half / height;
        let running = GRAVITY
            * (stands * stands * ((1.0 + flies / stands) / TAU - 0.125) + flies * flies / 8.0);
        let part = if is_many { 0.3 } else { 1.0 };
        let most = 0.11 * height;
        let bob = part * (walking.min(most) * (1.0 - run) - running.clamp(0.0, most) * run);
        Self {
            frequency,
            duty,
            contact,
            run,
            gallop,
            bob,
            pace,
        }
    }

    /// Whether there are times at which no foot stands.
    pub(super) fn flies(&self) -> bool {
        self.duty < 0.5
    }

    /// How long a step takes, in seconds.
    pub(super) fn span(&self) -> f32 {
        (1.0 - self.duty) / self.frequency
    }

    /// By what part of a stride a leg is behind the first one. Of `legs`, it is number `rank` from behind, and the
    /// second of a pair or not.
    fn lag(&self, order: GaitOrder, legs: usize, rank: usize, is_second: bool) -> f32 {
        let (pair, second) = ((rank / 2) as f32, f32::from(u8::from(is_second)));
        match (order, legs) {
            (GaitOrder::Wave, _) => rank as f32 / legs as f32,
            (_, 0..=2) => 0.5 * second,
            // The fore legs are a quarter of a stride behind at a walk, and across at a trot.
            (_, 3 | 4) => {
                let fore = 0.22 + 0.28 * self.run;
                let trot = fore * pair + 0.5 * second;
                let gallop = 0.5 * pair + 0.12 * second;
                trot + (gallop - trot) * self.gallop
            }
            // Two groups, in each of which those in front are later.
            _ => {
                0.5 * ((pair + second) % 2.0)
                    + pair * (0.07 - 0.04 * smoothstep(0.2, 1.2, self.pace))
            }
        }
    }
}

/// The way from one phase to another, from -0.5 to 0.5.
fn apart(phase: f32) -> f32 {
    phase - libm::rintf(phase)
}

impl March<'_> {
    /// How far a leg is behind the first one, in strides.
    fn lag(&self, rhythm: &Rhythm, index: usize) -> f32 {
        let place = |leg: usize| {
            let home = self.law.legs[leg].as_ref()?.home;
            Some((home - self.law.pivot).dot(self.pace.way))
        };
        let Some(own) = place(index) else { return 0.0 };
        let near = NEAR * self.law.reach();
        // Those at one place are in the order of their feet.
        let is_behind =
            |leg: usize, place: f32, other: usize, own: f32| match (place - own).abs() < near {
                true => leg < other,
                false => place < own,
            };
        let places = (0..self.law.legs.len()).filter_map(|leg| Some((leg, place(leg)?)));
        let behind = places
            .clone()
            .filter(|&(leg, place)| is_behind(leg, place, index, own));
        let (count, rank) = (places.clone().count(), behind.count());
        // Its partner is the next one before or behind it.
        let is_first_of_pair = rank % 2 == 0;
        let others = places.filter(|&(leg, place)| {
            leg != index && is_behind(leg, place, index, own) != is_first_of_pair
        });
        let partner = others.reduce(|one, other| {
            let is_nearer = is_behind(other.0, other.1, one.0, one.1) == is_first_of_pair;
            if is_nearer { other } else { one }
        });
        let is_second = partner.is_some_and(|(partner, _)| partner < index);
        rhythm.lag(self.gait.order, count, rank, is_second)
    }
}

impl StanceMemory {
    /// Goes on in the rhythm for a tick. Who begins to walk begins with the foot that is farthest behind.
    pub(super) fn keep_time(&mut self, march: March<'_>, scene: &Scene<'_>) {
        let Some(rhythm) = march.rhythm else { return };
        if march.rests() {
            self.turns.walks = false;
            return;
        }
        let part = rhythm.frequency * scene.delta;
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
                let phase = (self.turns.phase - march.lag(&rhythm, index)).rem_euclid(1.0);
                let swings = phase > rhythm.duty + 0.12 && phase < 0.97;
                // One that would be in the air stands until its next turn.
                self.feet[index].phase = if swings { phase - 1.0 } else { phase };
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

    /// How far the body is moved up by the rhythm of its steps, and how far it leans to the right. Who lands goes down.
    pub(super) fn liven(&mut self, law: &Law<'_>) -> [f32; 2] {
        let gait = law.gait.filter(|gait| gait.body_motion > 0.0);
        let pace = Pace::of(self.riding.velocity, law.up);
        let found = gait.and_then(|gait| Some((gait.body_motion, self.rhythm(law, gait, pace)?)));
        let Some((amount, rhythm)) = found else {
            return [0.0, 0.0];
        };
        self.pelvis.rate -= amount * self.riding.landing() * law.reach();
        let legs = self.feet.iter().filter(|foot| foot.posed.is_some());
        let middle = |foot: &FootMemory| {
            let phase = foot.phase - 0.5 * rhythm.duty;
            let (twice, once) = (libm::cosf(2.0 * TAU * phase), libm::cosf(TAU * phase));
            twice + (once - twice) * rhythm.gallop
        };
        let count = legs.clone().count().max(1) as f32;
        let bob = 0.5 * rhythm.bob * legs.map(middle).sum::<f32>() / count;
        let moves = if self.turns.walks { 1.0 } else { 0.0 };
        let right = law.up.perp();
        let is_pair = law.legs.iter().flatten().count() <= 2;
        let speed = self.riding.velocity.dot(right);
        let run = if is_pair {
            LEAN[0] + LEAN[1] * smoothstep(0.0, 2.0, rhythm.pace)
        } else {
            0.0
        };
        let inertia = libm::atanf(self.riding.acceleration().dot(right) / GRAVITY);
        let inertia = inertia * INERTIA * if is_pair { 1.0 } else { 0.4 };
        let lean = (run.copysign(speed) * moves + inertia).clamp(-MOST_LEAN, MOST_LEAN);
        [amount * bob * moves, amount * lean]
    }
}
