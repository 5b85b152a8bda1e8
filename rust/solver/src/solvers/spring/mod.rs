//! Spring: bones that lag behind their goal and swing around it, without a target.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | the settings, and how a frame is solved |
//! | [`motion`] | what is carried from one pass to the next |
//! | [`balance`] | gravity |
//! | [`workspace`] | memory for a solve |
//!
//! The goal is the pose that animation and the modifiers above give. The state is, for each bone,
//! the angle ψ in global space by which the bone is off its goal, and its speed. Angles in global
//! space make mirrored, skewed and scaled ancestors need no special case: a mirrored chain has the
//! negative angles, and a scaled one the same.
//!
//! **Within a frame** the goal is taken to move linearly: the root joint along a line, and each
//! bone at an even rate. Seen from such a goal nothing but the springs acts, so each of the
//! [shapes](crate::solvers::modes) in which the chain swings is a damped oscillator of its own,
//!
//! ```text
//! q″ + 2 ζ ω q′ + ω² q = 0
//! ```
//!
//! which has a closed form, under, at and over critical damping. A frame that is cut into parts
//! ends in the same state, at any stiffness, and no energy is gained.
//!
//! **Between frames** the goal changes its velocity. The bones do not: relative to the goal, their
//! speeds change by as much the other way. What the root joint's velocity *v* changes by turns a
//! bone of direction *d* at the rate `−(d × Δv) / L`, *L* being the chain's length, as if the tip
//! were a mass that stays where it is. Large changes are bounded, by `ω atan(rate / ω)`: no dash
//! throws a bone farther than a right angle. A change of what the goal's bones turn at counts in
//! full.
//!
//! **Gravity** moves the goal: the chain swings around the pose in which gravity and springs are
//! in balance. For each bone at the angle *u* from gravity, `−cos u` has the sharpest quadratic
//! bound with the curvature `sin u / u`. Its least value is that of a tridiagonal system, which is
//! repeated until nothing changes, and never overshoots. In balance gravity also holds the bones:
//! that is added to each ω². A chain begins in the balance, or at the goal if there are obstacles.
//!
//! A jump of more than three lengths of the chain in a frame, faster than anything moves, is a
//! teleport, which the bones do not feel. Nor do they feel that an ancestor is mirrored: the state
//! is mirrored with it.
//!
//! Source: the closed form of the damped spring as in R. Juckett, *Damped Springs* (2012). The
//! quadratic bound as in J. de Leeuw and K. Lange, *Sharp quadratic majorization in one dimension*
//! (2009). The rest is Tendon's.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::angle::wrapped;
use crate::math::trigonometry::{arc_tangent_of_small, near_unit_vector};
use crate::solvers::modes::{Modes, Setting};

mod balance;
mod motion;
mod workspace;

use crate::solvers::spring::motion::Swing;
pub(crate) use crate::solvers::spring::motion::{Goal, Motion};
pub(crate) use crate::solvers::spring::workspace::{Scratch, Workspace};

/// Settings of a spring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spring {
    /// How many times per second the chain swings back and forth, without damping.
    #[serde(with = "crate::math::number")]
    pub frequency: f32,
    /// How fast swinging ends: 0 never, 1 without swinging over.
    #[serde(with = "crate::math::number")]
    pub damping_ratio: f32,
    /// What pulls at the bones, in global units per second squared.
    #[serde(with = "crate::math::number")]
    pub gravity: Vec2,
    /// How much of the goal's own motion the bones feel, 0 to 1.
    #[serde(with = "crate::math::number")]
    pub inertia: f32,
    /// How far a joint bends from its goal at most, in radians; 0 is off.
    #[serde(with = "crate::math::number")]
    pub max_angle: f32,
    /// How far bones stay away from obstacles, in skeleton units.
    #[serde(with = "crate::math::number")]
    pub radius: f32,
    /// The sum of all impulses so far, in global units per second. Those that are new act on the
    /// chain. It may be wound by [`WINDING`] in each coordinate.
    #[serde(with = "crate::math::number")]
    pub pushed: Vec2,
    /// How often the spring was reset. It starts at rest each time.
    pub resets: u32,
}

impl Default for Spring {
    fn default() -> Self {
        Self {
            frequency: 3.0,
            damping_ratio: 0.4,
            gravity: Vec2::ZERO,
            inertia: 1.0,
            max_angle: 0.0,
            radius: 0.0,
            pushed: Vec2::ZERO,
            resets: 0,
        }
    }
}

/// By how much [`Spring::pushed`] may be wound: the sum must not grow until fine impulses are lost.
pub const WINDING: f32 = 65_536.0;

/// A jump of this many lengths of the chain in a frame,
const TELEPORT: f64 = 3.0;

/// at this many lengths per second, is a teleport.
const TELEPORT_SPEED: f64 = 90.0;

/// Hertz. A chain without springs would never return.
const LEAST_FREQUENCY: f64 = 0.01;

impl Spring {
    /// Whether all numbers are finite.
    pub(crate) fn is_sound(&self) -> bool {
        let sum = self.frequency + self.damping_ratio + self.inertia + self.max_angle;
        let vectors = self.gravity.is_finite() && self.pushed.is_finite();
        (sum + self.radius).is_finite() && vectors
    }

    /// Moves the chain on by `delta` seconds, to `goal`. The angles by which the bones are to be
    /// off it are then in `scratch`. Returns whether a joint is bent as far as it may.
    pub(crate) fn advance(
        &self,
        motion: &mut Motion,
        goal: &Goal<'_>,
        modes: &mut Modes,
        scratch: &mut Scratch,
        delta: f64,
    ) -> bool {
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
        let mut is_stopped = false;
        if is_new {
            scratch.begin(motion, goal.is_obstructed);
        } else if delta > 0.0 {
            // How a goal moves that was flipped is not known before the next frame.
            if !is_flipped {
                self.kick(motion, goal, scratch, delta);
            }
            self.swing(modes, scratch, hold, delta);
            is_stopped = self.stop(scratch);
            scratch.store(motion, goal);
        }
        scratch.deflect();
        is_stopped
    }

    fn omega(&self) -> f64 {
        TAU * f64::from(self.frequency).max(LEAST_FREQUENCY)
    }

    /// Starts at rest at the goal, however that moves.
    fn begin(&self, motion: &mut Motion, goal: &Goal<'_>) {
        motion.bones.clear();
        let bones = goal.angles.iter().map(|&angle| Swing {
            goal: angle as f32,
            ..Swing::default()
        });
        motion.bones.extend(bones);
        motion.place = goal.place.as_vec2();
        motion.velocity = Vec2::ZERO;
        motion.is_moving_along = false;
        motion.is_mirrored = goal.is_mirrored;
        motion.pushed = self.pushed;
        motion.resets = self.resets;
        motion.held = 0.0;
    }

    /// Lets the bones feel how the goal's motion has changed, and new impulses.
    fn kick(&self, motion: &mut Motion, goal: &Goal<'_>, scratch: &mut Scratch, delta: f64) {
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
        let push = push / (goal.length * omega);
        let per_second = delta.recip();
        let bones = motion.bones.iter_mut().zip(goal.angles);
        for ((bone, angle), (sag, speed)) in bones.zip(scratch.sags.iter().zip(&mut scratch.speeds))
        {
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
        motion.pushed = self.pushed;
    }

    /// Swings for `delta` seconds around the balance.
    fn swing(&self, modes: &mut Modes, scratch: &mut Scratch, hold: f64, delta: f64) {
        let omega = self.omega();
        let Scratch {
            offsets,
            speeds,
            places,
            rates,
            ..
        } = scratch;
        modes.parts.combine([offsets, speeds], [places, rates]);
        let setting = Setting {
            omega,
            damping_ratio: self.damping_ratio.max(0.0).into(),
            hold,
            delta,
        };
        let oscillators = modes.oscillators(setting);
        for (oscillator, (place, rate)) in
            oscillators.iter().zip(places.iter_mut().zip(&mut *rates))
        {
            (*place, *rate) = oscillator.advance(*place, *rate);
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

/// The difference of two sums of impulses that may have been wound.
fn unwound(difference: Vec2) -> Vec2 {
    let turns = (difference / WINDING).round();
    difference - WINDING * turns
}
