//! Spring: bones that lag behind their goal and swing around it, without a target.
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
use crate::math::trigonometry::{angle_of, arc_tangent_of_small, near_unit_vector};
use crate::solvers::modes::{Library, Modes, Setting, Tuning};

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

/// What a spring carries on from one pass to the next.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// The bones, root first.
    pub bones: Vec<Swing>,
    /// Where the root joint was, in global space.
    #[serde(with = "crate::math::number")]
    pub place: Vec2,
    /// The velocity of the root joint that the bones feel.
    #[serde(with = "crate::math::number")]
    pub velocity: Vec2,
    /// Whether the velocity and the rates are known. If not, the next ones are taken as they are.
    pub is_moving_along: bool,
    /// Whether the chain was mirrored by its ancestors.
    pub is_mirrored: bool,
    /// The impulses that have acted.
    #[serde(with = "crate::math::number")]
    pub pushed: Vec2,
    /// The reset that it started from.
    pub resets: u32,
    /// For how many seconds the chain has hardly moved while something held it.
    #[serde(with = "crate::math::number")]
    pub held: f32,
}

/// The motion of one bone. All angles are those of global space, in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swing {
    /// How far the bone is off the balance.
    #[serde(with = "crate::math::number")]
    pub offset: f32,
    /// Radians per second, seen from the goal.
    #[serde(with = "crate::math::number")]
    pub speed: f32,
    /// How far the balance with gravity is off the goal.
    #[serde(with = "crate::math::number")]
    pub sag: f32,
    /// The direction of the goal.
    #[serde(with = "crate::math::number")]
    pub goal: f32,
    /// The rate at which the goal turned, as far as the bone feels it: radians per second.
    #[serde(with = "crate::math::number")]
    pub rate: f32,
}

impl Clone for Motion {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Without allocating, where there is room already.
    fn clone_from(&mut self, other: &Self) {
        self.bones.clone_from(&other.bones);
        self.place = other.place;
        self.velocity = other.velocity;
        self.is_moving_along = other.is_moving_along;
        self.is_mirrored = other.is_mirrored;
        self.pushed = other.pushed;
        self.resets = other.resets;
        self.held = other.held;
    }
}

impl Motion {
    /// Forgets everything, and keeps the memory for it.
    pub(crate) fn clear(&mut self) {
        self.clone_from(&Self::default());
    }

    fn holds(&self, bones: usize) -> bool {
        let is_finite = |bone: &Swing| {
            let sum = bone.offset + bone.speed + bone.sag + bone.goal + bone.rate;
            sum.is_finite()
        };
        let is_placed = self.place.is_finite() && self.velocity.is_finite();
        self.bones.len() == bones && is_placed && self.bones.iter().all(is_finite)
    }

    /// Whether a goal that stands still from now on would leave something to do.
    fn is_swinging(&self) -> bool {
        let swings = |bone: &Swing| bone.offset != 0.0 || bone.speed != 0.0 || bone.rate != 0.0;
        self.velocity != Vec2::ZERO || self.bones.iter().any(swings)
    }
}

/// Where the goal has the chain, in global space.
pub(crate) struct Goal<'a> {
    /// The root joint.
    pub(crate) place: DVec2,
    /// The directions of the bones, in radians.
    pub(crate) angles: &'a [f64],
    /// The length of the chain.
    pub(crate) length: f64,
    pub(crate) is_mirrored: bool,
    /// Whether something may keep the chain from its balance with gravity.
    pub(crate) is_obstructed: bool,
}

/// What a solve needs besides: memory that grows to the longest chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Space {
    /// How far each bone is to be off its goal.
    pub(crate) deflections: Vec<f64>,
    offsets: Vec<f64>,
    speeds: Vec<f64>,
    sags: Vec<f64>,
    /// How far the chain is in each shape, and how fast.
    places: Vec<f64>,
    rates: Vec<f64>,
    /// What gravity does to each bone.
    pulls: Vec<Pull>,
    /// The gravity that was last asked for, and its angle.
    gravity: Vec2,
    down: f64,
}

/// What gravity does to a bone, and the bone's line of the tridiagonal system of the balance.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    /// The angle from the bone to gravity.
    away: f64,
    sine: f64,
    /// The inverse of the pivot, and the right side.
    pivot: f64,
    right: f64,
}

/// What springs need besides the rig.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) library: Library,
    pub(crate) space: Space,
    /// The directions of the goal's bones in global space.
    pub(crate) angles: Vec<f64>,
    /// The same on the way there.
    pub(crate) on_the_way: Vec<f64>,
    /// How far each joint is turned from its base rotation.
    pub(crate) swings: Vec<f32>,
    /// The tuning of a chain that has stiff joints.
    pub(crate) stiffened: Tuning,
}

/// A jump of this many lengths of the chain in a frame,
const TELEPORT: f64 = 3.0;

/// at this many lengths per second, is a teleport.
const TELEPORT_SPEED: f64 = 90.0;

/// Hertz. A chain without springs would never return.
const LEAST_FREQUENCY: f64 = 0.01;

/// A chain whose bones are all off by less than this, in radians,
const STILL: f64 = 1e-5;

/// and slower than this, in radians per second, is at rest.
const SLOW: f64 = 1e-4;

/// A chain that something holds is at rest when its bones have been slower than this, in radians
/// per second,
const HELD_SLOW: f32 = 0.05;

/// for this long, in seconds. Bones that lie on a shape bounce a little, for ever.
const HELD_LONG: f32 = 0.25;

/// Steps to the balance with gravity at most.
const MOST_STEPS: u32 = 64;

/// A step to the balance that is smaller than this, in radians, leads nowhere.
const BALANCED: f64 = 1e-6;

impl Spring {
    /// Whether all numbers are finite.
    pub(crate) fn is_sound(&self) -> bool {
        let sum = self.frequency + self.damping_ratio + self.inertia + self.max_angle;
        let vectors = self.gravity.is_finite() && self.pushed.is_finite();
        (sum + self.radius).is_finite() && vectors
    }

    /// Moves the chain on by `delta` seconds, to `goal`. The angles by which the bones are to be
    /// off it are then in `space`. Returns whether a joint is bent as far as it may.
    pub(crate) fn advance(
        &self,
        motion: &mut Motion,
        goal: &Goal<'_>,
        modes: &mut Modes,
        space: &mut Space,
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
        space.load(motion);
        let hold = self.balance(goal, modes, space);
        let mut is_stopped = false;
        if is_new {
            space.begin(motion, goal.is_obstructed);
        } else if delta > 0.0 {
            // How a goal moves that was flipped is not known before the next frame.
            if !is_flipped {
                self.kick(motion, goal, space, delta);
            }
            self.swing(modes, space, hold, delta);
            is_stopped = self.stop(space);
            space.store(motion, goal);
        }
        space.deflect();
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

    /// Finds the balance with gravity. Returns the stiffness that gravity adds, in radians per
    /// second squared per radian.
    fn balance(&self, goal: &Goal<'_>, modes: &Modes, space: &mut Space) -> f64 {
        let gravity = self.gravity.as_dvec2();
        let pull = gravity.length() / goal.length;
        if !(pull > 0.0 && pull.is_finite()) {
            space.sags.fill(0.0);
            return 0.0;
        }
        let omega = self.omega();
        let part = pull / (omega * omega);
        let down = space.downwards(self.gravity);
        let enough = BALANCED * modes.least_square;
        let mut held = 0.0;
        for _ in 0..MOST_STEPS {
            let left;
            (left, held) = space.weigh(goal.angles, modes, part, down);
            // No step is longer than that.
            if left <= enough * enough || space.step_to_balance(modes, part) <= BALANCED {
                break;
            }
        }
        for sag in &mut space.sags {
            // As it is remembered.
            *sag = f64::from(*sag as f32);
        }
        pull * held / goal.angles.len() as f64
    }

    /// Lets the bones feel how the goal's motion has changed, and new impulses.
    fn kick(&self, motion: &mut Motion, goal: &Goal<'_>, space: &mut Space, delta: f64) {
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
        for ((bone, angle), (sag, speed)) in bones.zip(space.sags.iter().zip(&mut space.speeds)) {
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
    fn swing(&self, modes: &mut Modes, space: &mut Space, hold: f64, delta: f64) {
        let omega = self.omega();
        let Space {
            offsets,
            speeds,
            places,
            rates,
            ..
        } = space;
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
    fn stop(&self, space: &mut Space) -> bool {
        let mut is_stopped = false;
        let most = match f64::from(self.max_angle) {
            most if most > 0.0 => most.min(PI),
            _ => PI,
        };
        let (mut above, mut speed_above) = (0.0, 0.0);
        for index in 0..space.offsets.len() {
            let bend = space.sags[index] + space.offsets[index] - above;
            if bend.abs() > most {
                space.hold(index, above + most.copysign(bend), speed_above);
                is_stopped = true;
            }
            above = space.sags[index] + space.offsets[index];
            speed_above = space.speeds[index];
        }
        is_stopped
    }
}

impl Motion {
    /// Takes over that something holds the bones up: bone `index` at `deflection` from its goal.
    pub(crate) fn hold_up(&mut self, index: usize, deflection: f64) {
        let above = index.checked_sub(1);
        let above = above.map_or(0.0, |above| self.bones[above].speed);
        let bone = &mut self.bones[index];
        let offset = deflection - f64::from(bone.sag);
        let pushed = offset - f64::from(bone.offset);
        bone.offset = offset as f32;
        // What moves on against what holds it is stopped.
        if f64::from(bone.speed - above) * pushed < 0.0 {
            bone.speed = above;
        }
    }

    /// Comes to rest where only rounding is left of the motion. `is_held` says whether something
    /// holds bones up, which then are at rest off their balance. Returns whether the next pass
    /// would move something.
    pub(crate) fn settle(&mut self, delta: f64, is_held: bool) -> bool {
        // A goal that has only been seen once may have a velocity.
        if delta <= 0.0 || !self.is_moving_along {
            return self.is_swinging() || !self.is_moving_along;
        }
        let is_still = |bone: &Swing| {
            f64::from(bone.offset.abs()) < STILL && f64::from(bone.speed.abs()) < SLOW
        };
        let is_driven =
            self.velocity != Vec2::ZERO || self.bones.iter().any(|bone| bone.rate != 0.0);
        if !is_driven && self.bones.iter().all(is_still) {
            // The next pass shows it.
            let moves = self.is_swinging();
            for bone in &mut self.bones {
                (bone.offset, bone.speed) = (0.0, 0.0);
            }
            return moves;
        }
        let is_slow = self.bones.iter().all(|bone| bone.speed.abs() < HELD_SLOW);
        self.held = match is_held && is_slow && !is_driven {
            true => self.held + delta as f32,
            false => 0.0,
        };
        self.is_swinging() && self.held < HELD_LONG
    }

    /// Fills `angles` with the directions of the goal when `part` of the way is done to one whose
    /// bones point along `to`. Returns where its root joint is, on the way to `place`.
    pub(crate) fn on_the_way_to(
        &self,
        place: DVec2,
        to: &[f64],
        part: f64,
        angles: &mut Vec<f64>,
    ) -> DVec2 {
        angles.clear();
        if part >= 1.0 || self.bones.len() != to.len() {
            angles.extend(to);
            return place;
        }
        let pairs = self.bones.iter().zip(to);
        angles.extend(pairs.map(|(bone, &to)| {
            let from = f64::from(bone.goal);
            from + part * wrapped(to - from)
        }));
        self.place.as_dvec2().lerp(place, part)
    }

    /// Mirrors the state, and takes the goal as it is now.
    fn mirror(&mut self, goal: &Goal<'_>) {
        for (bone, &angle) in self.bones.iter_mut().zip(goal.angles) {
            *bone = Swing {
                offset: -bone.offset,
                speed: -bone.speed,
                sag: -bone.sag,
                goal: angle as f32,
                rate: 0.0,
            };
        }
        self.place = goal.place.as_vec2();
        self.velocity = Vec2::ZERO;
        self.is_moving_along = false;
        self.is_mirrored = goal.is_mirrored;
    }
}

impl Space {
    /// The angle of `gravity`, which is seldom another one than in the solve before.
    fn downwards(&mut self, gravity: Vec2) -> f64 {
        if self.gravity != gravity {
            self.gravity = gravity;
            self.down = angle_of(gravity.as_dvec2());
        }
        self.down
    }

    fn load(&mut self, motion: &Motion) {
        let Self {
            offsets,
            speeds,
            sags,
            ..
        } = self;
        offsets.clear();
        speeds.clear();
        sags.clear();
        offsets.extend(motion.bones.iter().map(|bone| f64::from(bone.offset)));
        speeds.extend(motion.bones.iter().map(|bone| f64::from(bone.speed)));
        sags.extend(motion.bones.iter().map(|bone| f64::from(bone.sag)));
    }

    /// Starts in the balance, or at the goal where the way from there may be `obstructed`.
    fn begin(&mut self, motion: &mut Motion, obstructed: bool) {
        for (index, bone) in motion.bones.iter_mut().enumerate() {
            bone.sag = self.sags[index] as f32;
            if obstructed {
                bone.offset = -bone.sag;
                self.offsets[index] = bone.offset.into();
            }
        }
    }

    fn store(&self, motion: &mut Motion, goal: &Goal<'_>) {
        let states = self.offsets.iter().zip(&self.speeds);
        let goals = self.sags.iter().zip(goal.angles);
        for (bone, (state, goal)) in motion.bones.iter_mut().zip(states.zip(goals)) {
            let ((&offset, &speed), (&sag, &goal)) = (state, goal);
            bone.offset = offset as f32;
            bone.speed = speed as f32;
            bone.sag = sag as f32;
            bone.goal = goal as f32;
        }
        motion.place = goal.place.as_vec2();
    }

    fn deflect(&mut self) {
        self.deflections.clear();
        let pairs = self.sags.iter().zip(&self.offsets);
        self.deflections
            .extend(pairs.map(|(sag, offset)| sag + offset));
    }

    /// Stops a bone at `deflection` from its goal, if it moves on: then it moves with the bone
    /// above.
    fn hold(&mut self, index: usize, deflection: f64, speed_above: f64) {
        let offset = deflection - self.sags[index];
        let back = offset - self.offsets[index];
        self.offsets[index] = offset;
        if (self.speeds[index] - speed_above) * back < 0.0 {
            self.speeds[index] = speed_above;
        }
    }

    /// Weighs springs against a pull that is `part` as strong, towards the angle `down`. Returns the
    /// square of what is left between them, and the sum of what gravity holds of each bone.
    fn weigh(&mut self, angles: &[f64], modes: &Modes, part: f64, down: f64) -> (f64, f64) {
        let (mut left, mut held) = (0.0, 0.0);
        // So that nothing is left above the first bone.
        let mut tension = modes.stiffness[0] * self.sags[0];
        let (mut above, mut pull_above) = (0.0, 0.0);
        self.pulls.clear();
        let bones = angles.iter().zip(&self.sags).zip(&modes.stiffness);
        self.pulls.extend(bones.map(|((&angle, &sag), &stiffness)| {
            let away = wrapped(down - angle - sag);
            let direction = near_unit_vector(away);
            held += direction.x.max(0.0);
            // What is left of the bone above is known once the tension below it is.
            let below = stiffness * (sag - above);
            let rest = pull_above - tension + below;
            left += rest * rest;
            (above, tension) = (sag, below);
            pull_above = part * direction.y;
            Pull {
                away,
                sine: direction.y,
                ..Pull::default()
            }
        }));
        let last = pull_above - tension;
        (left + last * last, held)
    }

    /// One step to the balance of springs and the pull that was weighed. Returns by how much a bone
    /// has turned at most.
    fn step_to_balance(&mut self, modes: &Modes, part: f64) -> f64 {
        let stiffness = &modes.stiffness;
        let next = |index: usize| stiffness.get(index + 1).copied().unwrap_or(0.0);
        let (mut carried, mut taken) = (0.0, 0.0);
        for (index, (pull, &sag)) in self.pulls.iter_mut().zip(&self.sags).enumerate() {
            let curvature = part * pull.sine_over_angle();
            let tie = next(index);
            pull.pivot = 1.0 / (stiffness[index] + tie + curvature - taken);
            pull.right = curvature * (sag + pull.away) + carried;
            let factor = tie * pull.pivot;
            (carried, taken) = (factor * pull.right, factor * tie);
        }
        let (mut most, mut below) = (0.0_f64, 0.0);
        let bones = self.pulls.iter_mut().zip(&self.sags).enumerate();
        for (index, (pull, &sag)) in bones.rev() {
            below = (pull.right + next(index) * below) * pull.pivot;
            pull.right = below;
            most = most.max((below - sag).abs());
        }
        // A balance that only rounding would change stays as it is, to the last bit.
        if most > BALANCED {
            for (sag, pull) in self.sags.iter_mut().zip(&self.pulls) {
                *sag = pull.right;
            }
        }
        most
    }
}

impl Pull {
    /// `sin a / a` of the angle to gravity.
    fn sine_over_angle(&self) -> f64 {
        if self.away.abs() < 1e-4 {
            1.0 - self.away * self.away / 6.0
        } else {
            self.sine / self.away
        }
    }
}

/// The difference of two sums of impulses that may have been wound.
fn unwound(difference: Vec2) -> Vec2 {
    let turns = (difference / WINDING).round();
    difference - WINDING * turns
}
