//! The rhythm of legs that step as animals of their size do: how often, for how long a foot stands, and which one is
//! when to step.
//!
//! Animals of any size move alike at the same Froude number, the square of their speed over that of a pendulum which
//! is as long as the hips are high. Length of strides: Alexander and Jayes, *A dynamic similarity hypothesis for the
//! gaits of quadrupedal mammals* (1983); the order of eight legs: Barth, *A Spider's World* (2002). The parts of a
//! stride in which feet stand are fits of Tendon's.

use std::f32::consts::TAU;

use crate::solvers::stance::scene::smoothstep;
use crate::solvers::stance::settings::GaitOrder;

/// In units of the skeleton per second squared: a pixel is a centimetre.
pub(super) const GRAVITY: f32 = 980.0;

/// A foot stands for such a part of a stride.
const DUTY: [f32; 2] = [0.22, 0.78];
const WALK: f32 = 0.56;
const SHORTEST_DUTY: f32 = 0.2;

/// The greatest part of a stride for which the feet of a character stand that stands or brakes.
const SETTLING_DUTY: f32 = 0.66;

/// The strides of bodies with so many legs. Lengths are in heights of the hip, and powers those of the Froude number.
struct Strides {
    /// The length of a stride, by factor and power.
    stride: [f32; 2],
    /// The part of it in which a foot stands, at a walk and at a run.
    walk: [f32; 2],
    run: [f32; 2],
    /// Strides in a second at most, and at least; also of those who stand or brake: in those of a pendulum.
    fastest: f32,
    settling: f32,
    /// The speeds between which a run sets in, and a gallop, in those of a pendulum.
    runs: [f32; 2],
    gallops: [f32; 2],
    /// The part of its bob that a body shows.
    bob: f32,
}

/// Slow strides are no slower than this part of a pendulum's.
const SLOWEST: f32 = 0.22;

const NEVER: [f32; 2] = [f32::MAX, f32::INFINITY];

const BIPED: Strides = Strides {
    stride: [2.4, 0.34],
    walk: [0.52, -0.1],
    run: [0.36, -0.22],
    fastest: 1.28,
    settling: 0.36,
    runs: [0.66, 0.78],
    gallops: NEVER,
    bob: 1.0,
};
const QUADRUPED: Strides = Strides {
    run: [0.44, -0.22],
    fastest: 1.71,
    gallops: [1.5, 1.8],
    ..BIPED
};
const MANY_LEGS: Strides = Strides {
    stride: [1.7, 0.3],
    walk: [0.53, -0.1],
    fastest: 2.51,
    settling: 0.43,
    runs: NEVER,
    bob: 0.3,
    ..BIPED
};

impl Strides {
    fn of(legs: usize) -> &'static Self {
        match legs {
            0..=2 => &BIPED,
            3 | 4 => &QUADRUPED,
            _ => &MANY_LEGS,
        }
    }
}

/// A stride.
#[derive(Clone, Copy)]
pub(super) struct Rhythm {
    /// The number of strides in a second.
    pub(super) frequency: f32,
    /// The part of it for which a foot stands.
    pub(super) duty: f32,
    /// The way of a foot back under its body in that time.
    pub(super) contact: f32,
    /// The part of a run in it, and of a gallop, from 0 to 1.
    run: f32,
    pub(super) gallop: f32,
    /// The height of the body in the middle of a stance over that between two: positive at a walk, negative at a run.
    pub(super) bob: f32,
    /// The speed as a part of that of a pendulum.
    pub(super) pace: f32,
}

impl Rhythm {
    /// That of so many legs with their hips at a `height` and so much `room` for a foot before and behind its home.
    pub(super) fn of(legs: usize, height: f32, room: f32, speed: f32, settles: bool) -> Self {
        let kind = Strides::of(legs);
        let height = height.max(1.0);
        let natural = (GRAVITY / height).sqrt();
        let pace = speed / (GRAVITY * height).sqrt();
        let froude = (pace * pace).max(1e-6);
        let power = |[factor, exponent]: [f32; 2]| factor * libm::powf(froude, exponent);
        let part = |[from, to]: [f32; 2]| smoothstep(from, to, pace);
        let (run, gallop) = (part(kind.runs), part(kind.gallops));
        let (walks, runs) = (power(kind.walk), power(kind.run));
        let [least, most] = DUTY;
        let mut duty = (walks + (runs - walks) * run).clamp(least, most);
        let stride = power(kind.stride) * height;
        let mut frequency = (speed / stride).min(kind.fastest * natural.sqrt());
        frequency = frequency.max(SLOWEST * natural);
        if settles {
            frequency = frequency.max(kind.settling * natural);
            duty = duty.min(SETTLING_DUTY);
        }
        let mut rhythm = Self {
            frequency,
            duty,
            contact: duty * speed / frequency,
            run,
            gallop,
            bob: 0.0,
            pace,
        };
        rhythm.keep_within(2.0 * room.max(0.01 * height), speed);
        rhythm.bob = kind.bob * rhythm.bob_at(height, speed);
        rhythm
    }

    /// Legs that are too short for it: a run flies first, and then it makes more strides, as a walk does.
    fn keep_within(&mut self, room: f32, speed: f32) {
        if self.contact > room {
            let least = WALK + (SHORTEST_DUTY - WALK) * self.run;
            self.duty = (room * self.frequency / speed).max(least.min(self.duty));
            self.contact = (self.duty * speed / self.frequency).min(room);
            self.frequency = speed * self.duty / self.contact;
        }
    }

    /// Returns the height of hips in the middle of a stance over that between two, if they are at this `height`.
    fn bob_at(&self, height: f32, speed: f32) -> f32 {
        let stands = self.duty / self.frequency;
        let flies = (0.5 - self.duty).max(0.0) / self.frequency;
        let half = 0.5 * speed / self.frequency;
        let walking = 0.075 * half * half / height;
        let running = GRAVITY
            * (stands * stands * ((1.0 + flies / stands) / TAU - 0.125) + flies * flies / 8.0);
        let most = 0.11 * height;
        walking.min(most) * (1.0 - self.run) - running.clamp(0.0, most) * self.run
    }

    /// Returns `true` if there are times at which no foot stands.
    pub(super) fn flies(&self) -> bool {
        self.duty < 0.5
    }

    /// Returns the duration of a step, in seconds.
    pub(super) fn span(&self) -> f32 {
        (1.0 - self.duty) / self.frequency
    }

    /// Returns the part of a stride by which a leg is behind the first one. Of `legs`, it is number `rank` from behind,
    /// and the second of a pair or not. Of a body that is long beside its legs or not.
    pub(super) fn lag(
        &self,
        order: GaitOrder,
        legs: usize,
        rank: usize,
        [is_second, is_long]: [bool; 2],
    ) -> f32 {
        let (pair, second) = ((rank / 2) as f32, f32::from(u8::from(is_second)));
        match (order, legs) {
            (GaitOrder::Wave, _) => rank as f32 / legs as f32,
            (_, 0..=2) => 0.5 * second,
            // The fore legs are a quarter of a stride behind at a walk, and across at a trot. Who has long legs paces: there
            // those of one side go together.
            (_, 3 | 4) => {
                let fore = 0.22 + (if is_long { 0.28 } else { -0.22 }) * self.run;
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
