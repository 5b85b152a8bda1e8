//! Oscillation: how the bones of a spring move on in time, and why they overshoot.
//!
//! [`SpringSettings::advance`] solves a frame. First the bones feel how the motion of the goal has changed
//! (`kick`). Then they oscillate around the balance in closed form (`oscillate`), and joints that
//! would bend too far are stopped (`stop`). A kick gives a bone a speed, and with a damping
//! ratio below 1 that carries it past the balance.

use std::f64::consts::PI;

use glam::{DVec2, Vec2};

use crate::math::angle::wrapped;
use crate::math::trigonometry::{arc_tangent_of_small, near_unit_vector};
use crate::solvers::modes::{Modes, Setting};
use crate::solvers::spring::impulses::unwound;
use crate::solvers::spring::motion::{BoneMotion, Motion, SpringGoal, TELEPORT, TELEPORT_SPEED};
use crate::solvers::spring::settings::SpringSettings;
use crate::solvers::spring::workspace::Scratch;

impl SpringSettings {
    /// Moves the chain on by `delta` seconds, in which the goal moves to `goal`. Leaves in
    /// `scratch.deflections` how far each bone is from the goal. Returns whether a joint is bent as
    /// far as it may.
    pub(crate) fn advance(
        &self,
        motion: &mut Motion,
        goal: &SpringGoal<'_>,
        modes: &mut Modes,
        scratch: &mut Scratch,
        delta: f64,
    ) -> bool {
        let is_let_go = motion.let_go(goal.angles);
        let is_new = !motion.holds(goal.angles.len()) || motion.resets != self.resets;
        if is_new {
            self.begin(motion, goal);
        }
        let is_flipped = motion.is_mirrored != goal.is_mirrored;
        if is_flipped {
            motion.mirror(goal);
        }
        scratch.load(motion);
        let hold = self.balance(goal, modes, scratch);
        if is_let_go {
            scratch.let_go(motion);
        }
        let mut is_stopped = false;
        if is_new {
            scratch.begin(motion, goal.is_obstructed);
        } else if delta > 0.0 {
            // After a flip, or where the end was held, the velocity of the goal is known only in the next frame.
            if !(is_flipped || is_let_go) {
                self.kick(motion, goal, scratch, delta);
            }
            self.oscillate(modes, scratch, hold, delta);
            is_stopped = self.stop(scratch);
            scratch.store(motion, goal);
        }
        scratch.deflect();
        is_stopped
    }

    /// Starts at rest at the goal, even if the goal moves.
    fn begin(&self, motion: &mut Motion, goal: &SpringGoal<'_>) {
        motion.bones.clear();
        let bones = goal.angles.iter().map(|&angle| BoneMotion {
            goal: angle as f32,
            ..BoneMotion::default()
        });
        motion.bones.extend(bones);
        motion.place = goal.place.as_vec2();
        motion.velocity = Vec2::ZERO;
        motion.is_moving_along = false;
        motion.is_mirrored = goal.is_mirrored;
        (motion.pushed, motion.impulses) = (self.pushed, self.impulses);
        motion.resets = self.resets;
        motion.held = 0.0;
    }

    /// Lets the bones feel how the goal's motion has changed, and new impulses.
    fn kick(&self, motion: &mut Motion, goal: &SpringGoal<'_>, scratch: &mut Scratch, delta: f64) {
        let inertia = f64::from(self.inertia.clamp(0.0, 1.0));
        let way = goal.place - motion.place.as_dvec2();
        let speed = way.length() / delta;
        let is_teleport =
            way.length() > TELEPORT * goal.length && speed > TELEPORT_SPEED * goal.length;
        let felt = motion.velocity.as_dvec2();
        let velocity = if is_teleport {
            felt
        } else {
            inertia * way / delta
        };
        let mut push = unwound(self.pushed - motion.pushed).as_dvec2();
        if motion.is_moving_along {
            push += felt - velocity;
        }
        let omega = self.omega();
        let impulses = self.impulses.since(&motion.impulses);
        let (is_hit, count) = (!impulses.is_none(), goal.angles.len());
        let (scale, per_second) = ((goal.length * omega).recip(), delta.recip());
        let everywhere = push * scale;
        let bones = motion.bones.iter_mut().zip(goal.angles).enumerate();
        let sags = scratch.sags.iter().zip(&mut scratch.speeds);
        for ((index, (bone, angle)), (sag, speed)) in bones.zip(sags) {
            let mut push = everywhere;
            if is_hit {
                let [start, end] =
                    [index, index + 1].map(|joint| impulses.velocity_of(joint, count, false));
                push += (end - start) * (count as f64 * scale);
            }
            let before = f64::from(bone.goal);
            let sag_before = f64::from(bone.sag);
            let turned = wrapped(angle - before);
            let rate = (inertia * turned + sag - sag_before) * per_second;
            if push != DVec2::ZERO {
                let direction = near_unit_vector(before + sag_before + f64::from(bone.offset));
                *speed += omega * arc_tangent_of_small(direction.perp_dot(push));
            }
            if motion.is_moving_along {
                *speed += f64::from(bone.rate) - rate;
            }
            bone.rate = rate as f32;
        }
        motion.velocity = velocity.as_vec2();
        motion.is_moving_along = true;
        (motion.pushed, motion.impulses) = (self.pushed, self.impulses);
    }

    /// Oscillates for `delta` seconds around the balance.
    fn oscillate(&self, modes: &mut Modes, scratch: &mut Scratch, hold: f64, delta: f64) {
        let omega = self.omega();
        let Scratch {
            offsets,
            speeds,
            places,
            rates,
            ..
        } = scratch;
        places.clear();
        rates.clear();
        modes.parts.combine([offsets, speeds], [places, rates]);
        let setting = Setting {
            omega,
            damping_ratio: self.damping_ratio.max(0.0).into(),
            hold,
            delta,
        };
        modes.set(setting);
        let rest = modes.rest();
        // Of what all bones do, the shapes do otherwise.
        let start = |offset, speed| rest.map_or((0.0, 0.0), |rest| rest.advance(offset, speed));
        let shapes = places.iter_mut().zip(&mut *rates);
        for (oscillator, (place, rate)) in modes.oscillators.iter().zip(shapes) {
            let (with_rest, rate_with_rest) = start(*place, *rate);
            let (alone, rate_alone) = oscillator.advance(*place, *rate);
            (*place, *rate) = (alone - with_rest, rate_alone - rate_with_rest);
        }
        for (offset, speed) in offsets.iter_mut().zip(&mut *speeds) {
            (*offset, *speed) = start(*offset, *speed);
        }
        modes.shapes.combine([places, rates], [offsets, speeds]);
    }

    /// Keeps the joints from bending farther than they may. Returns whether one would.
    fn stop(&self, scratch: &mut Scratch) -> bool {
        let mut is_stopped = false;
        let most = match f64::from(self.max_angle) {
            most if most > 0.0 => most.min(PI),
            _ => PI,
        };
        let (mut above, mut speed_above) = (0.0, 0.0);
        for index in 0..scratch.offsets.len() {
            let bend = scratch.sags[index] + scratch.offsets[index] - above;
            if bend.abs() > most {
                scratch.hold(index, above + most.copysign(bend), speed_above);
                is_stopped = true;
            }
            above = scratch.sags[index] + scratch.offsets[index];
            speed_above = scratch.speeds[index];
        }
        is_stopped
    }
}
