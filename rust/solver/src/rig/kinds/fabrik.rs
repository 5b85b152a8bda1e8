//! FABRIK as a kind of modifier.

use serde::{Deserialize, Serialize};

use crate::collision::shape::Obstacle;
use crate::descent::Memory;
use crate::kinematics::tree::Unsolvable;
use crate::rig::chain::{Chain, Effector};
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::influence::Influence;
use crate::rig::kept::{Keeps, Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts};
use crate::rig::kinds::reach::{self, Reach};
use crate::rig::pose::Pose;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::report::Report;
use crate::solvers::elasticity::Elasticity;
use crate::solvers::sweeps::Approach;

/// A chain or a tree whose way to its targets is found by forward and backward reaching.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fabrik {
    /// The bones that turn.
    pub chain: Chain,
    /// What the end is brought to, unless it is free to follow other tips. Nothing that the chain
    /// carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Point>,
    /// What the end is brought to in this pass instead.
    #[serde(skip)]
    pub goal: Option<Point>,
    /// Further tips. With these, the joints are a tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effectors: Vec<Effector>,
    /// Which way the joint that carries the end must point.
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
    /// Whether nothing is kept: each pass starts from the pose that it finds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deterministic: bool,
    /// The pose that the chain follows from.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Memory>,
}

impl Fabrik {
    /// A chain with the usual settings.
    pub fn new(chain: Chain, target: Point) -> Self {
        Self {
            chain,
            target: Some(target),
            goal: None,
            effectors: Vec::new(),
            heading: None,
            elasticity: Elasticity::default(),
            obstacles: Vec::new(),
            approach: Approach::default(),
            deterministic: false,
            memory: Kept::default(),
        }
    }
}

impl Parts for Fabrik {
    fn chain(&self) -> Option<&Chain> {
        Some(&self.chain)
    }

    fn target(&self) -> Option<Point> {
        self.goal.or(self.target)
    }

    fn target_mut(&mut self) -> Option<&mut Point> {
        self.target.as_mut()
    }

    fn effectors(&self) -> &[Effector] {
        &self.effectors
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

impl Kind for Fabrik {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        match self.effectors.is_empty() {
            true => self.chain.validate(skeleton)?,
            false => self.chain.validate_tree(&self.effectors, skeleton)?,
        }
        if !self.reaches() {
            return Err(Fault::NoTarget);
        }
        let own = [
            self.target.and_then(|it| it.bone),
            self.heading.and_then(|it| it.bone),
        ];
        let targets = self.effectors.iter().map(|effector| effector.target.bone);
        let obstacles = self.obstacles.iter().map(|obstacle| obstacle.bone);
        let aims = own.into_iter().chain(targets).chain(obstacles);
        skeleton.check_aims(self.chain.joints[0], aims)
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let reach = Reach {
            target: self.target(),
            effectors: &self.effectors,
            heading: self.heading,
            obstacles: &self.obstacles,
            ..Reach::line(&self.chain.joints, self.chain.end)
        };
        reach.solve(self.elasticity, self.approach, &mut self.memory, context)
    }

    fn shortfall(&self, pose: &Pose) -> f32 {
        let further = self.effectors.iter();
        let further = further.filter(|effector| effector.weight > 0.0);
        let further = further.map(|effector| pose.gap(effector.end.point(), effector.target));
        let own = self
            .target()
            .map_or(0.0, |target| pose.gap(self.tip(), target));
        further.fold(own, f32::max) - self.approach.tolerance
    }

    fn headed(&self, pose: &Pose) -> Option<usize> {
        let reach = Reach {
            effectors: &self.effectors,
            ..Reach::line(&self.chain.joints, self.chain.end)
        };
        let joint = self.heading.and(reach.joint_of_end(self.chain.end, pose))?;
        self.chain.joints.get(joint).copied()
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
