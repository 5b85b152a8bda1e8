//! How a foot is turned: to the slope of the ground, and besides, where its rotation is locked, to keep its
//! direction. When it is let go, it turns back as a critically damped spring, in closed form.

use std::f64::consts::TAU;

use glam::{Affine2, Vec2};

use crate::math::trigonometry::{angle_of_f32, unit_vector_f32};
use crate::solvers::feet::memory::{Animated, FootMemory, FootSettings, Lock, SETTLING};
use crate::solvers::ground::slope_of;
use crate::solvers::oscillator::{Oscillator, settle};
use crate::solvers::pelvis::Stand;

/// How fast a foot turns back that has kept its direction, in Hz. It has far to go, and its shin with it.
const TURNING: f64 = 4.0;

/// How a foot is turned.
pub(super) struct Turned {
    /// In radians.
    pub(super) turn: f32,
    /// How much of that is about its sole.
    pub(super) about_sole: f32,
    /// If its limb has a target: which way its bone is to point, and the part of the way there.
    pub(super) direction: Option<(Vec2, f32)>,
}

impl FootMemory {
    /// Turns the foot, which is moved by `shift`, for a pass. `held` is the frame of the body that it is planted on.
    pub(super) fn turn(
        &mut self,
        settings: FootSettings,
        foot: Animated,
        shift: Vec2,
        held: Option<Affine2>,
        stand: Stand,
    ) -> Turned {
        let normal = match self.plant.zip(held) {
            Some((plant, frame)) => Some(plant.contact.normal(frame)),
            None => self.ground.map(|ground| ground.normal),
        };
        let goal = |normal| slope_of(normal, settings.max_slope, stand.level.up);
        let goal = normal.map_or(0.0, goal);
        let [slope, twist] =
            [SETTLING, TURNING].map(|it| Oscillator::new(TAU * it, 1.0, stand.delta));
        let turned = settle(&slope, self.slope - goal, self.slope_rate, 1e-4);
        (self.slope, self.slope_rate) = (goal + turned.0, turned.1);
        (self.twist, self.twist_rate) = settle(&twist, self.twist, self.twist_rate, 1e-4);
        let slope = match self.slope.abs() > 1e-3 {
            true => self.slope,
            false => 0.0,
        };
        let held = self.held_turn(foot, held) + self.twist;
        if foot.direction.is_none() {
            return Turned {
                turn: slope,
                about_sole: slope,
                direction: Some((self.heading, held)).filter(|_| held != 0.0),
            };
        }
        let held = match foot.is_on_ball {
            true => foot.heel_down(shift, slope, held),
            false => held,
        };
        let turn = slope + held;
        Turned {
            turn,
            about_sole: if foot.is_on_ball { turn } else { slope },
            direction: None,
        }
    }

    /// How far a planted foot on a body at `held` is turned, besides to the slope, to keep its direction: in
    /// radians, or where the animated direction is not known, as a part of the way.
    pub(super) fn held_turn(&self, foot: Animated, held: Option<Affine2>) -> f32 {
        let locked = { self.plant }.filter(|plant| plant.lock == Lock::PositionAndRotation);
        let Some((plant, frame)) = locked.zip(held) else {
            return 0.0;
        };
        let Some(animated) = foot.direction else {
            return 1.0;
        };
        let animated = unit_vector_f32(self.slope).rotate(animated);
        let heading = frame.transform_vector2(plant.direction);
        angle_of_f32(Vec2::new(animated.dot(heading), animated.perp_dot(heading)))
    }
}

impl Animated {
    /// How far the tip goes if the foot is turned about its sole by so many radians.
    pub(super) fn turned_about_sole(&self, turn: f32) -> Vec2 {
        let above = self.tip - self.sole;
        unit_vector_f32(turn).rotate(above) - above
    }

    /// A foot on its ball, moved by `shift` and turned to a slope, is turned by `held` besides to keep its heel
    /// down. Returns how much of that it is turned: the heel rises before the leg is too long.
    fn heel_down(&self, shift: Vec2, slope: f32, held: f32) -> f32 {
        let above = unit_vector_f32(slope + held).rotate(self.tip - self.sole);
        let to_hip = self.hip - (self.sole + shift);
        let sides = above.length_squared() + to_hip.length_squared();
        let product = 2.0 * above.length() * to_hip.length();
        // By the law of cosines.
        let longest = self.longest();
        let cosine =
            ((sides - longest * longest) / product.max(f32::MIN_POSITIVE)).clamp(-1.0, 1.0);
        let most = angle_of_f32(Vec2::new(cosine, (1.0 - cosine * cosine).sqrt()));
        let apart = angle_of_f32(Vec2::new(above.dot(to_hip), above.perp_dot(to_hip)));
        let rise = (apart.abs() - most).max(0.0).copysign(apart);
        (held + rise).clamp(held.min(0.0), held.max(0.0))
    }
}
