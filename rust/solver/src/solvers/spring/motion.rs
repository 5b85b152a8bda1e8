//! What a spring carries from one pass to the next, and the goal that it follows.
//!
//! How it moves on in time: [`crate::solvers::spring::oscillation`].

use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::angle::wrapped;
use crate::math::clone_in_place::clone_in_place;
use crate::math::trigonometry::angle_of;
use crate::solvers::spring::impulses::Impulses;
use crate::solvers::spring::pinned_motion::PinnedMotion;

/// The largest distance of a bone from its goal at which it may be at rest, in radians.
const REST_OFFSET: f64 = 1e-5;

/// The largest speed of a bone at which it may be at rest, in radians per second.
const REST_SPEED: f64 = 1e-4;

/// The same for the bones of a chain that a limit or a shape holds, after [`HELD_REST_TIME`]. Bones
/// that lie on a shape never stop bouncing a little.
const HELD_REST_SPEED: f32 = 0.05;

/// For how many seconds the bones of a held chain must have been slower than [`HELD_REST_SPEED`] to
/// be at rest.
const HELD_REST_TIME: f32 = 0.25;

/// A teleport is a jump of the root joint by more than this many lengths of the chain, at more than
/// [`TELEPORT_SPEED`].
pub(super) const TELEPORT: f64 = 3.0;

/// The speed of a [`TELEPORT`], in lengths of the chain per second.
pub(super) const TELEPORT_SPEED: f64 = 90.0;

/// The state that a spring keeps from one pass to the next.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// The bones, root first.
    pub bones: Vec<BoneMotion>,
    /// The position of the root joint, in global space.
    #[serde(with = "crate::math::number")]
    pub place: Vec2,
    /// The velocity of the root joint that the bones feel.
    #[serde(with = "crate::math::number")]
    pub velocity: Vec2,
    /// `true` if the velocity and the rates are known. Otherwise the next ones are taken as they are.
    pub is_moving_along: bool,
    /// `true` if the chain was mirrored by its ancestors.
    pub is_mirrored: bool,
    /// The impulses that have acted.
    #[serde(with = "crate::math::number")]
    pub pushed: Vec2,
    /// Those at places of the chain.
    #[serde(default, skip_serializing_if = "Impulses::is_none")]
    pub impulses: Impulses,
    /// The reset that it started from.
    pub resets: u32,
    /// For how many seconds the chain has hardly moved while something held it.
    #[serde(with = "crate::math::number")]
    pub held: f32,
    /// The state of the joints while the chain is held at both ends.
    #[serde(default, skip_serializing_if = "PinnedMotion::is_off")]
    pub pinned: PinnedMotion,
}

/// The motion of one bone. All angles are those of global space, in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoneMotion {
    /// The angle of the bone from the balance.
    #[serde(with = "crate::math::number")]
    pub offset: f32,
    /// Radians per second, seen from the goal.
    #[serde(with = "crate::math::number")]
    pub speed: f32,
    /// The angle of the balance with gravity from the goal.
    #[serde(with = "crate::math::number")]
    pub sag: f32,
    /// The direction of the goal.
    #[serde(with = "crate::math::number")]
    pub goal: f32,
    /// The rate at which the goal turned, as far as the bone feels it: radians per second.
    #[serde(with = "crate::math::number")]
    pub rate: f32,
}

clone_in_place!(
    Motion: bones, pinned;
    place, velocity, is_moving_along, is_mirrored, pushed, impulses, resets, held
);

/// The goal: where animation and the modifiers above put the chain, in global space.
pub(crate) struct SpringGoal<'a> {
    /// The root joint.
    pub(crate) place: DVec2,
    /// The directions of the bones, in radians.
    pub(crate) angles: &'a [f64],
    /// The length of the chain.
    pub(crate) length: f64,
    pub(crate) is_mirrored: bool,
    /// `true` if something may keep the chain from its balance with gravity.
    pub(crate) is_obstructed: bool,
}

impl Motion {
    pub(super) fn holds(&self, bones: usize) -> bool {
        let is_finite = |bone: &BoneMotion| {
            let sum = bone.offset + bone.speed + bone.sag + bone.goal + bone.rate;
            sum.is_finite()
        };
        let is_placed = self.place.is_finite() && self.velocity.is_finite();
        self.bones.len() == bones && is_placed && self.bones.iter().all(is_finite)
    }

    /// Returns `true` if a goal that stands still from now on would leave something to do.
    fn is_oscillating(&self) -> bool {
        let swings =
            |bone: &BoneMotion| bone.offset != 0.0 || bone.speed != 0.0 || bone.rate != 0.0;
        self.velocity != Vec2::ZERO || self.bones.iter().any(swings)
    }

    /// Puts bone `index` where something holds it: at `deflection` from its goal.
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

    /// Comes to rest if only rounding is left of the motion. `is_held` says whether something holds
    /// bones, which may then be at rest away from their balance. Returns whether the next pass would
    /// move something.
    pub(crate) fn settle(&mut self, delta: f64, is_held: bool) -> bool {
        // A goal that has only been seen once may have a velocity.
        if delta <= 0.0 || !self.is_moving_along {
            return self.is_oscillating() || !self.is_moving_along;
        }
        let is_still = |bone: &BoneMotion| {
            f64::from(bone.offset.abs()) < REST_OFFSET && f64::from(bone.speed.abs()) < REST_SPEED
        };
        let is_driven =
            self.velocity != Vec2::ZERO || self.bones.iter().any(|bone| bone.rate != 0.0);
        if !is_driven && self.bones.iter().all(is_still) {
            // The next pass shows it.
            let moves = self.is_oscillating();
            for bone in &mut self.bones {
                (bone.offset, bone.speed) = (0.0, 0.0);
            }
            return moves;
        }
        let is_slow = self
            .bones
            .iter()
            .all(|bone| bone.speed.abs() < HELD_REST_SPEED);
        self.held = match is_held && is_slow && !is_driven {
            true => self.held + delta as f32,
            false => 0.0,
        };
        self.is_oscillating() && self.held < HELD_REST_TIME
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

    /// Lets go of the end, where it was held: bones whose goal points along `angles` go on as they moved. Returns
    /// whether it was.
    pub(super) fn let_go(&mut self, angles: &[f64]) -> bool {
        if self.pinned.is_off() {
            return false;
        }
        let state = std::mem::take(&mut self.pinned);
        let to_global = state.mount.matrix2.as_dmat2();
        let (since, points) = (state.since, state.points.windows(2));
        // Of the angles that point the same way, the one at which the joint above bends least.
        let mut above = 0.0;
        self.bones.clear();
        self.bones.extend(points.zip(angles).map(|(ends, &goal)| {
            let [near, far] = [ends[0], ends[1]];
            let speed = far.velocity - near.velocity;
            let way = to_global * (far.place - near.place + since * speed);
            above += wrapped(angle_of(way) - goal - above);
            let spin =
                way.perp_dot(to_global * speed) / way.length_squared().max(f64::MIN_POSITIVE);
            BoneMotion {
                offset: above as f32,
                speed: spin as f32,
                goal: goal as f32,
                ..BoneMotion::default()
            }
        }));
        self.place = state.mount.translation;
        self.velocity = Vec2::ZERO;
        self.is_moving_along = false;
        self.is_mirrored = state.mount.matrix2.determinant() < 0.0;
        self.held = 0.0;
        true
    }

    /// Mirrors the state, and takes the goal as it is now.
    pub(super) fn mirror(&mut self, goal: &SpringGoal<'_>) {
        for (bone, &angle) in self.bones.iter_mut().zip(goal.angles) {
            *bone = BoneMotion {
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
