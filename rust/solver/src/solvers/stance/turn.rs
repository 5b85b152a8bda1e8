//! How a foot is turned: to the slope of the ground, and besides, where its rotation is locked, to keep its
//! direction. When it is let go, it turns back as a critically damped spring, in closed form.

use std::f64::consts::TAU;

use glam::Vec2;

use crate::math::interval::clamp;
use crate::math::oscillator::{Oscillator, settle};
use crate::math::trigonometry::{angle_of_f32, unit_vector_f32};
use crate::solvers::stance::foot::{FootMemory, Plant, Support};
use crate::solvers::stance::leg::{Leg, Lock};
use crate::solvers::stance::probe::Walker;
use crate::solvers::stance::scene::{Law, Stage, slope_of};
use crate::solvers::stance::world::PosedFoot;

/// The frequencies at which a foot turns to the slope, and back to the animation if it has kept its direction, in Hz.
const SETTLING: f64 = 6.0;
const TURNING: f64 = 4.0;

/// A foot that keeps its direction is let go when the animation has turned it by more, in radians.
const FARTHEST: f32 = std::f32::consts::FRAC_PI_4;

/// The greatest bend of toes by the ground, in radians.
const BENT: f32 = 0.5;

/// A foot is planted again when no more than this part of that is left.
const REPLANT: f32 = 0.35;

/// Less is not made, in radians.
const NOTHING: f32 = 1e-3;

/// Returns the springs of feet for a tick of `delta` seconds: of what the ground turns, and of the rest.
pub(super) fn springs(delta: f32) -> [Oscillator; 2] {
    [SETTLING, TURNING].map(|frequency| Oscillator::new(TAU * frequency, 1.0, delta.into()))
}

impl FootMemory {
    /// Goes on for a tick.
    pub(super) fn turn(&mut self, walker: &Walker, scene: &Stage<'_>) {
        let Walker { leg, posed, .. } = walker;
        let slope = |ground: Support| slope_of(ground.normal, leg.settings.max_slope, scene.up);
        let goal = self.ground.map_or(0.0, slope);
        let [settling, turning] = &scene.springs;
        let spring = |spring, away, rate| settle(spring, away, rate, 1e-4);
        let left = spring(settling, self.slope - goal, self.slope_rate);
        (self.slope, self.slope_rate) = (goal + left.0, left.1);
        let toe_slope = self.toe_slope.take();
        let bend = toe_slope.map_or(0.0, |slope| slope - goal);
        let bend = clamp(bend, -BENT, BENT);
        let left = spring(settling, self.bend - bend, self.bend_rate);
        (self.bend, self.bend_rate) = (bend + left.0, left.1);
        match self.locked() {
            Some(plant) => {
                self.heading = scene.inverse.transform_vector2(plant.direction());
                self.hold = self.held_turn(posed);
            }
            None => self.twist += std::mem::take(&mut self.hold),
        }
        (self.twist, self.twist_rate) = spring(turning, self.twist, self.twist_rate);
    }

    /// Returns `true` if a foot that was turned to keep its direction has come back.
    pub(super) fn is_untwisted(&self) -> bool {
        self.twist.abs() <= REPLANT * FARTHEST
    }

    fn locked(&self) -> Option<&Plant> {
        let is_locked = |plant: &&Plant| plant.lock == Lock::PositionAndRotation;
        self.plant.as_ref().filter(is_locked)
    }

    /// From the sole to the tip of the limb, when the foot is turned to the slope.
    pub(super) fn above(&self, posed: &PosedFoot) -> Vec2 {
        posed.above + posed.turned_about_sole(self.slope)
    }

    /// A direction of the foot, turned to the slope.
    fn turned_to_slope(&self, direction: Vec2) -> Vec2 {
        unit_vector_f32(self.slope).rotate(direction)
    }

    /// Returns the turn of the foot, besides that to the slope, that keeps its direction: in radians, or, where the
    /// animated direction is not known, as a part of the way.
    fn held_turn(&self, posed: &PosedFoot) -> f32 {
        let Some(animated) = posed.direction else {
            return 1.0;
        };
        let animated = self.turned_to_slope(animated);
        angle_of_f32(Vec2::new(
            animated.dot(self.heading),
            animated.perp_dot(self.heading),
        ))
    }

    /// Returns `true` if the animation has turned a foot too far that keeps its direction.
    pub(super) fn is_turned_away(&self, posed: &PosedFoot, scene: &Stage<'_>) -> bool {
        self.locked().is_some_and(|plant| {
            let mut held = *self;
            held.heading = scene.inverse.transform_vector2(plant.direction());
            posed.direction.is_some() && held.held_turn(posed).abs() > FARTHEST
        })
    }

    /// Returns the bend of its toes, and its turn to the slope, in radians: what is not worth to be made is none.
    pub(super) fn shown_bend_and_slope(&self) -> [f32; 2] {
        [self.bend, self.slope].map(|turn| if turn.abs() > NOTHING { turn } else { 0.0 })
    }

    /// Returns the turn of the foot, which is moved by `shift`, in a pass, in radians. If its animated direction is not
    /// known, also the direction for its bone, and the part of the way there.
    pub(super) fn turned(
        &self,
        law: &Law<'_>,
        leg: &Leg,
        posed: &PosedFoot,
        shift: Vec2,
    ) -> (f32, Option<(Vec2, f32)>) {
        let [_, slope] = self.shown_bend_and_slope();
        let held = self.locked().map_or(0.0, |_| self.held_turn(posed)) + self.twist;
        if posed.direction.is_none() || held == 0.0 {
            return (slope, (held != 0.0).then_some((self.heading, held)));
        }
        let held = match posed.is_on_ball {
            true => posed.heel_down(law.longest(leg, posed), shift, slope, held),
            false => held,
        };
        (slope + held, None)
    }
}

impl PosedFoot {
    /// Returns the way of the tip if the foot is turned about its sole by `turn` radians.
    pub(super) fn turned_about_sole(&self, turn: f32) -> Vec2 {
        match turn == 0.0 {
            true => Vec2::ZERO,
            false => unit_vector_f32(turn).rotate(self.above) - self.above,
        }
    }

    /// A foot on its ball, moved by `shift` and turned to a slope, is turned by `held` besides to keep its heel
    /// down. Returns how much of that it is turned: the heel rises before the leg is too long.
    fn heel_down(&self, longest: f32, shift: Vec2, slope: f32, held: f32) -> f32 {
        let above = unit_vector_f32(slope + held).rotate(self.above);
        let to_hip = self.hip - (self.sole + shift);
        let sides = above.length_squared() + to_hip.length_squared();
        let product = 2.0 * above.length() * to_hip.length();
        // By the law of cosines.
        let cosine = (sides - longest * longest) / product.max(f32::MIN_POSITIVE);
        let cosine = cosine.clamp(-1.0, 1.0);
        let most = angle_of_f32(Vec2::new(cosine, (1.0 - cosine * cosine).sqrt()));
        let apart = angle_of_f32(Vec2::new(above.dot(to_hip), above.perp_dot(to_hip)));
        let rise = (apart.abs() - most).max(0.0).copysign(apart);
        clamp(held + rise, held.min(0.0), held.max(0.0))
    }
}
