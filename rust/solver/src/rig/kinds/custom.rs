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
use crate::kinematics::limit_enforcement::Bound;
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
    /// What the script has set in this pass, by the indices of the bones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripted: Vec<Scripted>,
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
        let place = self
            .scripted
            .binary_search_by_key(&set.bone, |other| other.bone);
        match place {
            Ok(at) => self.scripted[at] = set,
            Err(at) => self.scripted.insert(at, set),
        }
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
        skeleton.check_bones(self.scripted.iter().map(|set| set.bone))
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        // What a script depends on is not known.
        context.is_moving = true;
        let mut scripted = self.scripted.iter();
        if !scripted.all(|set| set.rotation.is_finite()) {
            return Err(Unsolvable);
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
        if let Some(bound) = Bound::new(limit, posed.turn, mount) {
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
