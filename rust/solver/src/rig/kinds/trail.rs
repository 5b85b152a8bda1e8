//! Trails as a kind of modifier. The law is in [`crate::solvers::trail`].

use glam::Affine2;
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Unsolvable;
use crate::math::trigonometry::unit_vector;
use crate::rig::chain::Chain;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts};
use crate::rig::workspace::Workspace;
use crate::skeleton::bone::Point;
use crate::skeleton::report::{Report, Status};
use crate::solvers::trail::{TrailSettings, Way};

/// A chain that follows its root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trail {
    /// The bones that turn, from the head on.
    pub chain: Chain,
    /// The point that the root joint is moved to; without one, it stays where the pose has it. The chain must not carry
    /// the point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<Point>,
    /// The settings of the trail.
    #[serde(default)]
    pub settings: TrailSettings,
    /// The way so far.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Way>,
}

impl Trail {
    /// A trail with the usual settings.
    pub fn new(chain: Chain) -> Self {
        Self {
            chain,
            leader: None,
            settings: TrailSettings::default(),
            memory: Kept::default(),
        }
    }
}

impl Parts for Trail {
    fn chain(&self) -> Option<&Chain> {
        Some(&self.chain)
    }

    fn moves_by_itself(&self) -> bool {
        true
    }

    /// It gives a pose, which others may go on from.
    fn follows_the_pose(&self) -> bool {
        false
    }
}

impl Kind for Trail {
    keeps_memory!();

    /// The way that it lies on is fixed in global space.
    fn lasts(&self) -> bool {
        true
    }

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        self.chain.validate(skeleton)?;
        let leader = self.leader.and_then(|leader| leader.bone);
        skeleton.check_aims(self.chain.joints[0], [leader])
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let Workspace { limb, trail, .. } = &mut *context.workspace;
        let pose = &mut *context.pose;
        let mut space = limb.load(&self.chain.joints, self.chain.end, pose)?;
        if let Some(leader) = self.leader {
            space.origin += space.bring(pose.locate(leader))?;
        }
        limb.prepare()?;
        let to_global: Affine2 = context.to_global * space.mount;
        let head = to_global.transform_point2(space.origin);
        let way = &mut self.memory.after;
        let (mount, delta) = (to_global.matrix2, context.delta);
        self.settings.draw(way, limb, mount, head, delta, trail)?;
        let from_global = to_global.matrix2.inverse();
        let along = |index: usize| from_global * unit_vector(trail.shown[index].into()).as_vec2();
        limb.place_each(|index, joint| joint.point_along(along(index)), true);
        limb.take(&self.chain.joints, pose, context.influence)?;
        if self.leader.is_some() {
            context
                .influence
                .shift(pose, self.chain.joints[0], space.origin);
        }
        Ok(Report::without_solve(Status::Reached))
    }
}
