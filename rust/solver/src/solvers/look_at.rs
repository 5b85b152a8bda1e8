//! Look-at: one bone turned so that its axis points at a target.
//!
//! The angle of the target minus the angle of the bone's own axis, both seen from the
//! joint in chain space, where no ancestor mirrors or skews. Closed form,
//! one step. A target on the joint itself can be seen from every angle; the bone then
//! stays as it is.
//!
//! A limit stops the bone at its end, and a stiff bone turns by `1 − stiffness` of the angle.
//!
//! **Several bones.** The bones of a chain share the turn: each turns by its share of one angle, or as
//! far as its limit lets it, and that angle is the one at which the last bone points at the target.
//! What a limit keeps from one bone the others take, since the angle grows until the aim is exact.
//! Turning the bones moves the last one, too, so the angle is found as the root of a function of one
//! variable, by regula falsi between two angles that are on either side of it. It is looked for on the
//! shorter way around first; straight behind, on the way that the chain has gone already.
//!
//! **A sight beside the joint**, as a muzzle or a gun's barrel: a line that the last bone carries is to go through the
//! target. What points at the target is then the point of that line which is as far from the joint as the target
//! is, so its place in the bone depends on the pose and the distance, and the angle is found in the same way. A
//! target that is nearer to the joint than the line is cannot be hit; the line comes as near as it can.
//!
//! Source: the plain geometry of `atan2`; the chain-space form is Tendon's.

use std::f32::consts::PI;

use glam::{Mat2, Vec2};

use crate::kinematics::joint::Joint;
use crate::kinematics::limb::Limb;
use crate::math::rotation::{Rotation, conjugate_times};
use crate::math::settings::settings;
use crate::math::trigonometry::angle_of_f32;

/// A bone that points this near to where it should, in radians, has reached.
pub(crate) const ALIGNED: f32 = 1e-4;

settings! {
    /// Settings of the look-at solver.
    LookAtSettings {
        /// Radians by which the bone turns past the target, in its parent's frame.
        additional_rotation: f32 = 0.0;
    }
}

/// Two angles that are within this of each other, in radians, count as the same.
const SAME_ANGLE: f32 = 1e-6;

/// A base pose that points this near to the target, in radians, is the answer: what is off is rounding. Beside the last
/// joint, the angle that takes it away may be far.
const AIMED: f32 = 2e-5;

/// Behind the base pose, both ways around are as long. A chain goes on looking over the side that it
/// has looked over until the other way is shorter by twice this, in radians.
const BEHIND: f32 = 0.4;

/// Estimates of the angle that is shared, at most.
const MOST_ESTIMATES: u32 = 48;

/// The largest turn of the last bone in one stride towards the other side of the aim, in radians.
const STRIDE: f32 = 0.5;

/// Strides at most. A turn takes some twenty, and joints at their limits may leave it to one with a
/// small share.
const MOST_STRIDES: u32 = 64;

/// The shares of the joints in a turn, and the direction that is pointed at the target.
#[derive(Clone, Copy)]
pub(crate) struct Share<'a> {
    /// The part of each joint; empty: all alike.
    pub(crate) parts: &'a [f32],
    /// The direction that points at the target, from the end of the last joint on, seen from that joint before it
    /// turns. Without one, it is the last segment that points.
    pub(crate) sight: Option<Vec2>,
}

impl LookAtSettings {
    /// Turns the joints of `limb`, each by its part of `shares` (by the same part, if there are
    /// none), so that the last segment points at `target`, a position in chain space. `last` are the
    /// turns of the last pass, if there are any.
    pub(crate) fn share(&self, limb: &mut Limb, target: Vec2, shares: Share<'_>, last: &[f32]) {
        let Some(off) = self.turn_all(limb, target, shares, 0.0) else {
            return;
        };
        let whole: f32 = (0..limb.joints.len()).map(|joint| shares.part(joint)).sum();
        if whole <= 0.0 || off.abs() <= AIMED {
            return;
        }
        let shorter = off.signum();
        let stays = off.abs() > PI - BEHIND && shorter * leaning(limb, last) < 0.0;
        let first = if stays { -shorter } else { shorter };
        let stride = off.abs().min(STRIDE) / whole;
        if let Some(known) = shared_angle(limb, shares, last)
            && let Some(around) = self.around(limb, target, shares, (first * stride, off), known)
        {
            return self.narrow(limb, target, shares, around);
        }
        // The angle on this side of the aim that is nearest to it, and how far it is off.
        let mut near = (0.0, off);
        for way in [first, -first] {
            let mut before = (0.0, off);
            let mut stride = stride * way;
            for _ in 0..MOST_STRIDES {
                let angle = before.0 + stride;
                let Some(off) = self.turn_all(limb, target, shares, angle) else {
                    return;
                };
                if off.abs() <= SAME_ANGLE {
                    return;
                }
                let turned = (off - before.1).abs();
                if is_between([before, (angle, off)]) {
                    return self.narrow(limb, target, shares, [before, (angle, off)]);
                }
                if off.abs() < near.1.abs() {
                    near = (angle, off);
                }
                // Joints at their limits leave the rest to the others.
                stride *= if turned < 0.5 * STRIDE { 2.0 } else { 1.0 };
                before = (angle, off);
            }
        }
        self.turn_all(limb, target, shares, near.0);
    }

    /// The two ends of the stride in which the angle `known` lies, if the aim does so, too, or of the next one to it: for
    /// a chain whose target has moved little. `stride` is the first one, with how far it is off where it begins. They are
    /// the ends that steps from there would come to, so the aim does not depend on the last bits of `known`.
    fn around(
        &self,
        limb: &mut Limb,
        target: Vec2,
        shares: Share<'_>,
        (stride, off): (f32, f32),
        known: f32,
    ) -> Option<[(f32, f32); 2]> {
        let mut at = |angle: f32| match angle {
            0.0 => Some((angle, off)),
            _ => Some((angle, self.turn_all(limb, target, shares, angle)?)),
        };
        let (mut before, mut from) = (None, 0.0);
        for _ in 0..MOST_STRIDES {
            let to = from + stride;
            if (known - from) * (known - to) <= 0.0 {
                let ends = [at(from)?, at(to)?];
                if is_between(ends) {
                    return Some(ends);
                }
                // It has moved over one of the ends.
                let next = match ends[1].1.signum() == off.signum() {
                    true => [ends[1], at(to + stride)?],
                    false => [at(before?)?, ends[0]],
                };
                return is_between(next).then_some(next);
            }
            (before, from) = (Some(from), to);
        }
        None
    }

    /// Finds the aim between two shared angles, of which it is known how far they are off.
    fn narrow(&self, limb: &mut Limb, target: Vec2, shares: Share<'_>, ends: [(f32, f32); 2]) {
        let [(mut near, mut near_off), (mut far, mut far_off)] = ends;
        let mut last_was_near = None;
        for _ in 0..MOST_ESTIMATES {
            let angle = near + near_off / (near_off - far_off) * (far - near);
            let off = self.turn_all(limb, target, shares, angle).unwrap_or(0.0);
            if off.abs() <= SAME_ANGLE || (far - near).abs() <= SAME_ANGLE * near.abs() {
                return;
            }
            // The weight of an end that stays is halved (the Illinois method).
            let is_near = off.signum() == near_off.signum();
            let stays = last_was_near == Some(is_near);
            if is_near {
                (near, near_off) = (angle, off);
                far_off *= if stays { 0.5 } else { 1.0 };
            } else {
                (far, far_off) = (angle, off);
                near_off *= if stays { 0.5 } else { 1.0 };
            }
            last_was_near = Some(is_near);
        }
    }

    /// Turns each joint by its share of `angle`, in chain space, as far as its limit lets it.
    /// Returns how far the last segment is off the target then, in radians. `None` for a target on
    /// the last joint itself, which is seen from every angle.
    fn turn_all(
        &self,
        limb: &mut Limb,
        target: Vec2,
        shares: Share<'_>,
        angle: f32,
    ) -> Option<f32> {
        let mut basis = Mat2::IDENTITY;
        let mut place = Vec2::ZERO;
        let last = limb.joints.len() - 1;
        // Most joints turn by the same angle.
        let (mut same, mut rotation) = (f32::NAN, Rotation::NONE);
        for (index, (joint, bound)) in limb.joints.iter_mut().zip(&limb.bounds).enumerate() {
            let sense = 1.0_f32.copysign(basis.determinant());
            let mobility = bound.as_ref().map_or(1.0, |bound| bound.weight);
            let turn = sense * mobility * shares.part(index) * angle;
            joint.basis = basis;
            match bound {
                Some(bound) => bound.turn_by(joint, turn),
                None => {
                    if turn.to_bits() != same.to_bits() {
                        (same, rotation) = (turn, Rotation::from_angle(turn));
                    }
                    joint.rotation = joint.base.then(rotation);
                }
            }
            if index < last {
                place += joint.segment();
            }
            basis = joint.next_basis();
        }
        let segment = shares.pointer(&limb.joints[last], target - place);
        let towards = Rotation::towards(target - place).filter(|_| segment != Vec2::ZERO)?;
        let along = self.turn_past(towards).direction();
        Some(angle_of_f32(conjugate_times(segment, along)))
    }

    /// Returns `true` if the last segment points at `target`, after a shared turn.
    pub(crate) fn is_last_aligned(&self, limb: &Limb, target: Vec2, sight: Option<Vec2>) -> bool {
        let (last, others) = limb.joints.split_last().expect("a limb has joints");
        let place: Vec2 = others.iter().map(Joint::segment).sum();
        let way = target - place;
        let pointer = Share { parts: &[], sight }.pointer(last, way);
        let is_beyond = sight.is_some() && pointer.length() > way.length() * (1.0 + ALIGNED);
        !is_beyond && self.excess_angle(pointer, way) <= 0.0
    }

    /// Turns the joint of `limb` so that its segment points at `target`, a position in chain
    /// space.
    pub(crate) fn solve(&self, limb: &mut Limb, target: Vec2) {
        if let Some(along) = self.direction(limb, target) {
            limb.lay_along(|_| along.direction());
            let weight = limb.bounds[0].as_ref().map_or(1.0, |bound| bound.weight);
            limb.place_each(|_, joint| joint.hold_back(weight), true);
        }
    }

    /// Returns the direction in which the segment of `limb` should point to look at `target`, in chain space. `None`
    /// for a target on the joint itself, which is seen from every angle.
    fn direction(&self, limb: &Limb, target: Vec2) -> Option<Rotation> {
        let towards = Rotation::towards(target).filter(|_| limb.reach() > 0.0)?;
        Some(self.turn_past(towards))
    }

    /// `towards`, turned by the additional rotation.
    fn turn_past(&self, towards: Rotation) -> Rotation {
        // Most bones turn to the target itself.
        match self.additional_rotation {
            0.0 => towards,
            angle => towards.then(Rotation::from_angle(angle)),
        }
    }

    /// By how many radians more than what counts as aligned a segment that ends at `tip` looks past
    /// `target`, both in chain space.
    pub(crate) fn excess_angle(&self, tip: Vec2, target: Vec2) -> f32 {
        let along = Rotation::towards(target).filter(|_| tip != Vec2::ZERO);
        along.map_or(0.0, |towards| {
            let along = self.turn_past(towards).direction();
            angle_of_f32(conjugate_times(along, tip)).abs() - ALIGNED
        })
    }

    /// Returns `true` if the only segment points at `target`.
    pub(crate) fn is_aligned(&self, limb: &Limb, target: Vec2) -> bool {
        self.direction(limb, target).is_none_or(|along| {
            let off = along.direction().perp_dot(limb.tip());
            let ahead = along.direction().dot(limb.tip());
            off.abs() <= ALIGNED * ahead
        })
    }
}

/// Returns `true` if the aim is between two angles, each with the angle by which it is off the aim. Where it looks the
/// other way, the sign says nothing.
fn is_between([near, far]: [(f32, f32); 2]) -> bool {
    near.1.signum() != far.1.signum() && (far.1 - near.1).abs() < PI
}

/// The sum of turns of the joints of `limb`, in the sense of chain space.
fn leaning(limb: &Limb, turns: &[f32]) -> f32 {
    let joints = limb.joints.iter().zip(turns);
    joints
        .map(|(joint, turn)| turn.copysign(turn * joint.basis.determinant()))
        .sum()
}

/// The angle that the joints of `limb` have shared if `turns` are theirs: as the one has it that is farthest from its
/// base pose, which no limit has kept from it. `None` if there are no turns.
fn shared_angle(limb: &Limb, shares: Share<'_>, turns: &[f32]) -> Option<f32> {
    let joints = limb.joints.iter().zip(&limb.bounds).zip(turns).enumerate();
    let angles = joints.filter_map(|(index, ((joint, bound), turn))| {
        let mobility = bound.as_ref().map_or(1.0, |bound| bound.weight);
        let part = mobility * shares.part(index);
        let sense = 1.0_f32.copysign(joint.basis.determinant());
        (part > 0.0).then(|| sense * turn / part)
    });
    angles.max_by(|one, other| one.abs().total_cmp(&other.abs()))
}

impl Share<'_> {
    /// The share of a joint.
    fn part(self, joint: usize) -> f32 {
        self.parts.get(joint).map_or(1.0, |share| share.max(0.0))
    }

    /// Returns the vector from the last joint that points along `way`, which is from that joint to the target.
    fn pointer(self, last: &Joint, way: Vec2) -> Vec2 {
        let segment = last.segment();
        self.sight.map_or(segment, |sight| {
            let along = last.basis * last.rotation.apply(sight);
            pointer(segment, along, way.length())
        })
    }
}

/// The point at `distance` from a joint on the line from `tip` along a direction; if the line is farther away, its
/// nearest point. All are seen from the joint.
pub(crate) fn pointer(tip: Vec2, along: Vec2, distance: f32) -> Vec2 {
    let Some(along) = Rotation::towards(along).map(Rotation::direction) else {
        return tip;
    };
    let beside = tip - tip.dot(along) * along;
    let ahead = distance * distance - beside.length_squared();
    beside + ahead.max(0.0).sqrt() * along
}
