//! A limb that a foot has reach for the ground, beside what its own animation does.
//!
//! No joint turns much faster than its animation. The limit scales what all joints of the limb are turned by
//! together: singly, the foot would leave its way.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::angle::shortest_way;
use crate::math::clone_in_place::clone_in_place;
use crate::math::rotation::Rotation;
use crate::math::trigonometry::angle_of_f32;
use crate::rig::goal::Goal;
use crate::rig::kept::Kept;
use crate::rig::kind::Kind;
use crate::rig::pose::Pose;
use crate::skeleton::bone::Point;

/// The usual length of a tick, in seconds.
const TICK: f32 = 1.0 / 60.0;

/// Turns that are left to the animation, in radians.
const NOTHING: f32 = 1e-5;

/// A limb that is bent by less than this, as the sine of its angle, bends to the side where it was bent before.
const STRAIGHT: f32 = 0.02;

/// A limb that feet place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Placed {
    /// The offsets from the animation after the pass before.
    #[serde(skip_serializing_if = "Kept::is_new")]
    pub(super) memory: Kept<Shift>,
    /// The place of its tip before it is solved, in skeleton space.
    #[serde(skip)]
    tip: Vec2,
    /// The rotations of its joints before it is solved.
    #[serde(skip)]
    base: Vec<f32>,
}

/// The offsets of a limb from its animation.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Shift {
    /// The turn of each joint from its animation, in radians.
    #[serde(with = "crate::math::number")]
    turned: Vec<f32>,
    /// The way from the goal of its tip to its tip, in skeleton space.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    miss: Option<Vec2>,
    /// The side to which it was bent: the sign of a turn in skeleton space, or 0.
    #[serde(with = "crate::math::number")]
    side: f32,
    /// The greatest speed of a joint relative to its animation, in radians per second: that of the last goal, also when
    /// there is none any more.
    #[serde(with = "crate::math::number")]
    fastest: f32,
    /// The length of a tick of the physics at that time, and the time for which the joints may still turn, in seconds.
    #[serde(with = "crate::math::number")]
    tick: f32,
    #[serde(with = "crate::math::number")]
    time: f32,
}

clone_in_place!(Shift: turned; miss, side, fastest, tick, time);

impl Shift {
    /// A knee that is held back does not bend to the other side: it gets straight, or lies folded, whichever is nearer.
    fn keep_side(&mut self, kind: &dyn Kind, pose: &mut Pose) {
        let ways = first_bones(kind, pose.locate(kind.tip()), pose);
        let (Some([upper, lower]), Some(&knee)) = (ways, kind.joints().get(1)) else {
            return;
        };
        let (along, across) = (lower.dot(upper), lower.perp_dot(upper));
        let is_bent_back = across * self.side < 0.0;
        let nearer = 1.0_f32.copysign(along);
        let left = angle_of_f32(nearer * Vec2::new(along, across));
        if !is_bent_back || !left.is_finite() {
            return;
        }
        let bone = pose.bone(knee);
        let side = 1.0_f32.copysign(pose.frame(bone.parent()).matrix2.determinant());
        let angle = bone.rotation + side * left;
        self.turned[1] = shortest_way(0.0, self.turned[1] + side * left);
        pose.turn(knee, angle, Rotation::from_angle(angle));
    }
}

/// The ways along the first two bones of a limb whose tip is there, in skeleton space.
fn first_bones(kind: &dyn Kind, tip: Vec2, pose: &Pose) -> Option<[Vec2; 2]> {
    let joints = kind.joints().iter();
    let places = joints.map(|&joint| pose.locate(pose.bone(joint).origin()));
    let mut line = places.chain([tip]);
    let [root, knee, end] = [line.next()?, line.next()?, line.next()?];
    Some([knee - root, end - knee])
}

impl Placed {
    /// Returns the way from the goal of the tip to the tip, in skeleton space, in the pass before that which has begun.
    pub(super) fn miss(&self) -> Option<Vec2> {
        self.memory.before.miss
    }

    /// The limb is about to be solved, for `goal` if it has one. Returns the side to which the pose has it bent.
    pub(super) fn begin(&mut self, kind: &dyn Kind, goal: Option<Goal>, pose: &Pose) -> f32 {
        self.memory.after.clone_from(&self.memory.before);
        self.tip = pose.locate(kind.tip());
        self.base.clear();
        let rotations = kind.joints().iter().map(|&bone| pose.bone(bone).rotation);
        self.base.extend(rotations);
        let shift = &mut self.memory.after;
        shift.turned.resize(self.base.len(), 0.0);
        if let Some(goal) = goal {
            (shift.fastest, shift.tick) = (goal.fastest, goal.tick);
        }
        if let Some([upper, lower]) = first_bones(kind, self.tip, pose) {
            let bend = lower.perp_dot(upper);
            if bend.abs() > STRAIGHT * upper.length() * lower.length() {
                shift.side = 1.0_f32.copysign(bend);
            }
        }
        shift.side
    }

    /// The limb has been solved for `goal`, or left as it is: holds its joints back. Returns whether it is turned at
    /// all.
    pub(super) fn hold_back(
        &mut self,
        kind: &dyn Kind,
        goal: Option<Point>,
        pose: &mut Pose,
        delta: f64,
    ) -> bool {
        let shift = &mut self.memory.after;
        let joints = || kind.joints().iter().zip(&self.base);
        // Of what is wanted and what was shown, the shorter way: a joint that was turned by almost half a turn would
        // else go back all the way, and a knee stops where it is straight.
        let way = |bone: usize, base: f32, turned: f32| {
            shortest_way(turned, shortest_way(base, pose.bone(bone).rotation))
        };
        let ways = joints().zip(&shift.turned);
        let ways = ways.map(|((&bone, &base), &turned)| way(bone, base, turned).abs());
        let farthest = ways.fold(0.0, f32::max);
        // What a tick of the physics has changed is shown in a pass, also where passes are shorter than ticks.
        let delta = delta as f32;
        shift.time = (shift.time + delta).min(delta.max(shift.tick.min(TICK)));
        let most = shift.fastest * if delta > 0.0 { shift.time } else { 0.0 };
        let is_held = farthest > most;
        if farthest > 0.0 && shift.fastest > 0.0 {
            shift.time -= farthest.min(most) / shift.fastest;
        }
        let mut is_turned = false;
        for ((&bone, &base), turned) in joints().zip(&mut shift.turned) {
            let wanted = shortest_way(base, pose.bone(bone).rotation);
            if is_held {
                let way = shortest_way(*turned, wanted) * (most / farthest);
                *turned = shortest_way(0.0, *turned + way);
                let angle = base + *turned;
                pose.turn(bone, angle, Rotation::from_angle(angle));
            } else {
                *turned = if wanted.abs() < NOTHING { 0.0 } else { wanted };
            }
            is_turned |= *turned != 0.0;
        }
        if is_held {
            shift.keep_side(kind, pose);
        }
        let wanted = goal.map_or(self.tip, |goal| pose.locate(goal));
        shift.miss = Some(pose.locate(kind.tip()) - wanted);
        is_turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::chain::End;
    use crate::rig::kinds::two_bone::TwoBone;
    use crate::skeleton::bone::Bone;

    #[test]
    fn a_joint_that_was_turned_by_half_a_turn_goes_on_by_the_shorter_way() {
        let lower = Bone {
            position: Vec2::X,
            ..Bone::below(Some(0))
        };
        let tip = Point {
            bone: Some(1),
            position: Vec2::X,
        };
        let limb = TwoBone::new([0, 1], End::Point(tip), Point::default());
        for side in [1.0, -1.0] {
            let mut pose = Pose::default();
            pose.load(&[Bone::below(None), lower]);
            let mut placed = Placed::default();
            placed.memory.before = Shift {
                turned: vec![0.0, -3.1 * side],
                fastest: 18.0,
                side,
                ..Shift::default()
            };
            placed.begin(&limb, None, &pose);
            let solved = 3.1 * side;
            pose.turn(1, solved, Rotation::from_angle(solved));
            placed.hold_back(&limb, None, &mut pose, 1.0 / 60.0);
            let left = shortest_way(solved, pose.bone(1).rotation).abs();
            assert!(left < 1e-5, "{left} rad from where it was solved");
        }
    }
}
