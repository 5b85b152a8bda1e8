//! Two bones as a kind of modifier.

use glam::Vec2;

use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Unsolvable;
use crate::rig::kind::{Context, Headed, Inputs, Kind};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::limb::{Aim, ClosedForm};
use crate::rig::modifier::Modifier;
use crate::rig::pose::Pose;
use crate::skeleton::report::Report;
use crate::solvers::two_bone::TwoBone;

impl Kind for TwoBone {
    fn name(&self) -> &'static str {
        "two-bone"
    }

    fn inputs(&self) -> &'static Inputs {
        &Inputs {
            least_joints: 2,
            most_joints: 2,
            target: true,
            elasticity: true,
            heading: Some(Headed::BelowLastJoint),
            ..Inputs::NONE
        }
    }

    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable> {
        modifier.solve_in_closed_form(*self, context)
    }
}

impl ClosedForm for TwoBone {
    fn adjust(
        &mut self,
        aim: &mut Aim,
        modifier: &Modifier,
        pose: &Pose,
        limb: &Limb,
        space: &ChainSpace,
    ) -> Result<(), Unsolvable> {
        if self.keeps_distance() {
            let [root, tip] = [space.origin, space.origin + limb.tip()];
            let [root, tip] = [root, tip].map(|point| space.mount.transform_point2(point));
            let wanted = pose.locate(modifier.target);
            aim.goal = space.bring(self.keep_distance(root, tip, wanted))?;
        }
        if let Some(pole) = modifier.pole {
            let pole = space.bring(pose.locate(pole))?;
            self.flip_bend_direction = self.bends_positively(aim.goal, Some(pole));
        }
        Ok(())
    }

    fn turn(&self, limb: &mut Limb, goal: Vec2) {
        self.solve(limb, goal);
    }
}
