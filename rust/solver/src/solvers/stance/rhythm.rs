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

/// Slow strides are no slower than this part of a pendulum's, and those of who stands or brakes.
const SLOWEST: f32 = 0.22;
const SETTLING: f32 = 0.3;
const SETTLING_OF_MANY: f32 = 0.43;

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
    pub(super) gallop: f32,
    /// How much higher the body is in the middle of a stance than between two, at a walk; lower, at a run.
    pub(super) bob: f32,
    /// The speed as a part of that of a pendulum.
    pub(super) pace: f32,
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
    pub(super) fn lag(&self, order: GaitOrder, legs: usize, rank: usize, is_second: bool) -> f32 {
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
