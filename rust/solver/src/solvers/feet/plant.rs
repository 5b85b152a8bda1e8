//! When a foot is planted, and when it is let go.

use glam::{Affine2, Vec2};

use crate::math::trigonometry::unit_vector_f32;
use crate::solvers::feet::memory::{Animated, Flat, FootMemory, FootSettings, Lock, Plant, STEADY};
use crate::solvers::ground::{STEEPEST, slope_of};
use crate::solvers::pelvis::Stand;

/// A foot that is nearer to the ground is on it, in pixels.
const TOUCH: f32 = 0.75;

/// A foot is planted where its residual is less than this part of the distance that lets it go.
const REPLANT: f32 = 0.35;

/// A planted foot that keeps its direction is let go when the animation has turned it by more, in radians.
const UNPLANT_ANGLE: f32 = std::f32::consts::FRAC_PI_4;

/// A foot is let go at this many times the speed at which it is planted.
const LET_GO: f32 = 1.5;

impl FootMemory {
    /// Whether a planted foot is let go.
    pub(super) fn lets_go(
        &self,
        settings: FootSettings,
        foot: Animated,
        flat: Flat,
        held: Option<Affine2>,
        stand: Stand,
    ) -> bool {
        let (Some(plant), Some(frame)) = (self.plant, held) else {
            return true;
        };
        let farthest = stand.level.unit * settings.unplant_distance;
        let away = plant.contact.place(frame) - flat.place;
        let aside = away.reject_from_normalized(stand.level.up);
        let unit = stand.level.unit;
        let is_fast = stand.is_tick && !self.is_slow(LET_GO * settings.plant_speed * unit);
        let most = LET_GO * STEADY * settings.plant_speed * unit * stand.delta as f32;
        let is_lifted = self.climb(flat) > most;
        let turn = self.held_turn(foot, Some(frame));
        let is_turned = foot.direction.is_some() && turn.abs() > UNPLANT_ANGLE;
        let is_out_of_reach = (foot.tip + away).distance(foot.hip) > foot.reach;
        settings.lock != plant.lock
            || is_fast
            || is_lifted
            || is_turned
            || flat.lift > 0.5 * farthest
            || plant.contact.normal(frame).dot(stand.level.up) < STEEPEST
            || plant.lock != Lock::None && (aside.length() > farthest || is_out_of_reach)
    }

    /// Whether the animation moves the foot more slowly than `speed`, per second.
    pub(super) fn is_slow(&self, speed: f32) -> bool {
        let is_planted = self.plant.is_some();
        self.velocity
            .map_or(is_planted, |velocity| velocity.length() < speed)
    }

    /// Plants the foot, which would be at `place` on the level, where it is, if it is near to ground that holds it. Returns the body's frame.
    pub(super) fn plant(
        &mut self,
        settings: FootSettings,
        foot: Animated,
        flat: Flat,
        place: Vec2,
        stand: Stand,
    ) -> Option<Affine2> {
        let ground = self.ground?;
        let farthest = stand.level.unit * settings.unplant_distance;
        let aside = self.residual.reject_from_normalized(stand.level.up);
        let contact = ground.below(flat.place + aside, stand.level.up);
        let height = (place - contact).dot(stand.level.up);
        let is_near = flat.lift < 0.25 * farthest
            && height.abs() <= TOUCH * stand.level.unit
            && aside.length() <= REPLANT * farthest
            && self.twist.abs() <= REPLANT * UNPLANT_ANGLE;
        let leg = foot.tip + contact - flat.place - foot.hip;
        let is_in_reach = leg.length() <= foot.longest();
        let inverse = ground.frame.inverse();
        let holds = ground.normal.dot(stand.level.up) >= STEEPEST && inverse.is_finite();
        if !(is_near && is_in_reach && holds) {
            return None;
        }
        let angle = slope_of(ground.normal, settings.max_slope, stand.level.up);
        let direction = foot.direction.unwrap_or(foot.rest);
        self.plant = Some(Plant {
            lock: settings.lock,
            contact: ground.contact(contact),
            direction: inverse.transform_vector2(unit_vector_f32(angle).rotate(direction)),
            lift: flat.lift,
        });
        // It stays where it is, also in the middle of coming after.
        self.rate = stand.level.up * self.rate.dot(stand.level.up);
        Some(ground.frame)
    }
}
