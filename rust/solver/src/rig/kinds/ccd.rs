//! CCD as a kind of modifier.

use serde::{Deserialize, Serialize};

use crate::collision::shape::Obstacle;
use crate::descent::Memory;
use crate::kinematics::tree::Unsolvable;
use crate::rig::chain::Chain;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::influence::Influence;
use crate::rig::kept::{Keeps, Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts};
use crate::rig::kinds::reach::{self, Reach};
use crate::rig::pose::Pose;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::report::Report;
use crate::solvers::ccd::Sweep;
use crate::solvers::elasticity::Elasticity;
use crate::solvers::sweeps::Approach;

/// A chain whose way to its target is found by cyclic coordinate descent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ccd {
    /// The bones that turn.
    pub chain: Chain,
    /// What the end is brought to. Nothing that the chain carries.
    pub target: Point,
    /// What is reached for in this pass instead.
    #[serde(skip)]
    pub goal: Option<Point>,
    /// Which way the last bone of the chain must point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<Direction>,
    /// How the chain behaves at full reach.
    #[serde(default, skip_serializing_if = "crate::math::number::is_usual")]
    pub elasticity: Elasticity,
    /// Shapes that the joints, and the bones between them, stay out of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// How the first pose is found.
    #[serde(default)]
    pub approach: Approach,
    /// In which direction it sweeps for that.
    #[serde(default)]
    pub sweep: Sweep,
    /// Whether nothing is kept: each pass starts from the pose that it finds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deterministic: bool,
    /// The pose that the chain follows from.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Memory>,
}

impl Ccd {
    /// A chain with the usual settings.
    pub fn new(chain: Chain, target: Point) -> Self {
        Self {
            chain,
            target,
            goal: None,
            heading: None,
            elasticity: Elasticity::default(),
            obstacles: Vec::new(),
            approach: Approach::default(),
            sweep: Sweep::default(),
            deterministic: false,
            memory: Kept::default(),
        }
    }
}

impl Parts for Ccd {
    fn chain(&self) -> Option<&Chain> {
        Some(&self.chain)
    }

    fn target(&self) -> Option<Point> {
        Some(self.goal.unwrap_or(self.target))
    }

    fn target_mut(&mut self) -> Option<&mut Point> {
        Some(&mut self.target)
    }

    fn set_goal(&mut self, goal: Option<Point>) {
        self.goal = goal;
    }

    fn elasticity(&self) -> Option<Elasticity> {
        Some(self.elasticity)
    }

    fn heading(&self) -> Option<Direction> {
        self.heading
    }

    fn heading_mut(&mut self) -> Option<&mut Direction> {
        self.heading.as_mut()
    }

    fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }
}

impl Kind for Ccd {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        self.chain.validate(skeleton)?;
        let aims = [self.target.bone, self.heading.and_then(|it| it.bone)];
        let obstacles = self.obstacles.iter().map(|obstacle| obstacle.bone);
        skeleton.check_aims(self.chain.joints[0], aims.into_iter().chain(obstacles))
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let reach = Reach {
            target: self.target(),
            heading: self.heading,
            obstacles: &self.obstacles,
            sweep: Some(self.sweep),
            ..Reach::line(&self.chain.joints, self.chain.end)
        };
        reach.solve(self.elasticity, self.approach, &mut self.memory, context)
    }

    fn shortfall(&self, pose: &Pose) -> f32 {
        pose.gap(self.tip(), self.goal.unwrap_or(self.target)) - self.approach.tolerance
    }

    fn headed(&self, _pose: &Pose) -> Option<usize> {
        self.heading.and(self.chain.joints.last().copied())
    }

    fn begin(&mut self) {
        match self.deterministic {
            true => self.memory.forget(),
            false => self.memory.begin(),
        }
    }

    fn begin_from(&mut self, drawn: &[f32], pose: &Pose, influence: Influence) {
        if !self.deterministic {
            let joints = &self.chain.joints;
            reach::begin_from(&mut self.memory, joints, drawn, pose, influence);
        }
    }
}
