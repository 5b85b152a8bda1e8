//! Look-at as a kind of modifier.

use glam::Vec2;

use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Unsolvable;
use crate::rig::kind::{Context, Inputs, Kind};
use crate::rig::kinds::limb::{Aim, ClosedForm};
use crate::rig::modifier::Modifier;
use crate::rig::pose::Pose;
use crate::skeleton::report::{Outcome, Report};
use crate::solvers::look_at::{ALIGNED, LookAt};

impl Kind for LookAt {
    fn name(&self) -> &'static str {
        "look-at"
    }

    fn inputs(&self) -> &'static Inputs {
        &Inputs {
            least_joints: 1,
            most_joints: 1,
            target: true,
            ..Inputs::NONE
        }
    }

    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable> {
        modifier.solve_in_closed_form(*self, context)
    }

    fn shortfall(&self, modifier: &Modifier, pose: &Pose) -> f32 {
        let Some(&joint) = modifier.joints.first() else {
            return 0.0;
        };
        let bone = pose.bone(joint);
        let into_parent = pose.frame(bone.parent()).inverse();
        let seen = |point| into_parent.transform_point2(pose.locate(point)) - bone.position;
        self.excess_angle(seen(modifier.tip_point()), seen(modifier.target))
    }

    fn angle_left(&self, shortfall: f32) -> Option<f32> {
        Some((shortfall + ALIGNED).max(0.0))
    }
}

impl ClosedForm for LookAt {
    fn turn(&self, limb: &mut Limb, goal: Vec2) {
        self.solve(limb, goal);
    }

    fn judge(&self, limb: &Limb, aim: &Aim, _steps: u32) -> Outcome {
        self.outcome(limb, aim.target)
    }
}
