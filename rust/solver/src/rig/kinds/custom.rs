//! Modifiers whose work is done by a script.
//!
//! The owner of the real bones does such a pass modifier by modifier ([`crate::Rig::begin`],
//! [`crate::Rig::apply`], [`crate::Rig::finish`]) and runs the script before its modifier is applied. The script
//! reads and turns the bones of a draft, which begins as the working pose. What it sets is kept as
//! data of the modifier, and only [`crate::Rig::apply`] takes it into the working pose: by its influence,
//! within the joint limits, and not at all if a number is not finite. So a capture is solved again
//! to the last bit without the script.

use glam::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::joint::Joint;
use crate::kinematics::limit_enforcement::DirectionArc;
use crate::kinematics::tree::Unsolvable;
use crate::math::angle::wrapped;
use crate::math::rotation::Rotation;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::influence::Influence;
use crate::rig::kind::{Context, Kind, Parts};
use crate::rig::pose::Pose;
use crate::skeleton::report::{Report, Status};

/// A modifier whose work is done by a script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Custom {
    /// The rotations that the script has set in this pass, sorted by the indices of the bones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripted: Vec<Scripted>,
    /// The positions that it has set, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shifted: Vec<Shifted>,
    /// The scales that it has set, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resized: Vec<Resized>,
}

/// A position that a script has set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shifted {
    /// Index of the bone.
    pub bone: usize,
    /// In the parent's frame.
    #[serde(with = "crate::math::number")]
    pub position: Vec2,
}

/// A scale that a script has set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resized {
    /// Index of the bone.
    pub bone: usize,
    /// Along the bone's own axes.
    #[serde(with = "crate::math::number")]
    pub scale: Vec2,
}

/// A rotation that a script has set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    /// Index of the bone.
    pub bone: usize,
    /// Radians in the parent's frame.
    #[serde(with = "crate::math::number")]
    pub rotation: f32,
}

impl Custom {
    /// Takes over what the script sets.
    pub(in crate::rig) fn set(&mut self, set: Scripted) {
        // Parents first: a limit in skeleton space depends on them.
        put(&mut self.scripted, set, |set| set.bone);
    }

    /// Takes over where the script puts a bone.
    pub(in crate::rig) fn shift(&mut self, set: Shifted) {
        put(&mut self.shifted, set, |set| set.bone);
    }

    /// Takes over how the script scales a bone.
    pub(in crate::rig) fn resize(&mut self, set: Resized) {
        put(&mut self.resized, set, |set| set.bone);
    }

    /// Forgets what a script has set.
    pub(in crate::rig) fn clear(&mut self) {
        self.scripted.clear();
        self.shifted.clear();
        self.resized.clear();
    }

    /// The bones that a script has changed.
    fn bones(&self) -> impl Iterator<Item = usize> {
        let turned = self.scripted.iter().map(|set| set.bone);
        let shifted = self.shifted.iter().map(|set| set.bone);
        let resized = self.resized.iter().map(|set| set.bone);
        turned.chain(shifted).chain(resized)
    }

    /// Returns `true` if every number is one that a bone can have.
    fn is_sound(&self) -> bool {
        let mut turned = self.scripted.iter();
        let mut shifted = self.shifted.iter();
        let mut resized = self.resized.iter();
        turned.all(|set| set.rotation.is_finite())
            && shifted.all(|set| set.position.is_finite())
            && resized.all(|set| set.has_area())
    }
}

impl Resized {
    /// Returns `true` if a bone with this scale can be turned and seen: it is finite, and not zero.
    pub(in crate::rig) fn has_area(&self) -> bool {
        self.scale.is_finite() && self.scale.x != 0.0 && self.scale.y != 0.0
    }
}

/// Puts `set` in place of what is there for its bone, or where it belongs by that.
fn put<T>(all: &mut Vec<T>, set: T, bone: impl Fn(&T) -> usize) {
    match all.binary_search_by_key(&bone(&set), bone) {
        Ok(at) => all[at] = set,
        Err(at) => all.insert(at, set),
    }
}

impl Parts for Custom {
    /// A script may count the time.
    fn moves_by_itself(&self) -> bool {
        true
    }
}

impl Kind for Custom {
    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        skeleton.check_bones(self.bones())
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        // What a script depends on is not known.
        context.is_moving = true;
        if !self.is_sound() {
            return Err(Unsolvable);
        }
        for set in &self.shifted {
            context
                .influence
                .shift(context.pose, set.bone, set.position);
        }
        for set in &self.resized {
            context.influence.resize(context.pose, set.bone, set.scale);
        }
        for &set in &self.scripted {
            set.take(context.pose, context.influence);
        }
        Ok(Report::without_solve(Status::Reached))
    }
}

impl Scripted {
    /// Turns the bone, within its limit, as far as the influence says.
    pub(in crate::rig) fn take(self, pose: &mut Pose, influence: Influence) {
        let Self { bone, rotation } = self;
        let rotation = match rotation.abs() <= std::f32::consts::TAU {
            true => rotation,
            // Whole turns do not show, and f32 is finer without them.
            false => wrapped(f64::from(rotation)) as f32,
        };
        turn_within_limit(pose, influence, bone, rotation);
    }
}

/// Turns `bone` to `rotation`, in radians, within its limit, as far as the influence says.
pub(super) fn turn_within_limit(
    pose: &mut Pose,
    influence: Influence,
    bone: usize,
    mut rotation: f32,
) {
    let posed = pose.bone(bone);
    let before = posed.rotation;
    let mut turn = Rotation::from_angle(rotation);
    if let Some(limit) = pose.limit(bone) {
        let mount = pose.frame(posed.parent()).matrix2;
        if let Some(bound) = DirectionArc::new(limit, posed.turn, mount) {
            let mut joint = Joint::new(posed.turn, Vec2::X, Mat2::IDENTITY);
            joint.basis = mount;
            joint.rotation = turn;
            joint.hold_back(bound.weight);
            bound.enforce(&mut joint);
            if joint.rotation != turn {
                turn = joint.rotation;
                rotation = turn.angle_near(before, joint.turned());
            }
        }
    }
    influence.turn_shorter_way(pose, bone, rotation, turn);
}
