//! Chains and trees that reach for targets as a kind of modifier: CCD and FABRIK.

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
use crate::skeleton::aimed::Aimed;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::report::Report;
use crate::solvers::algorithm::Algorithm;
use crate::solvers::elasticity::Elasticity;
use crate::solvers::sweeps::Approach;

/// A chain or a tree that brings its tips to targets.
///
/// A joint that may bend by half a radian either way, in a chain of three:
///
/// ```
/// use tendon_solver::glam::Vec2;
/// use tendon_solver::{Algorithm, Bone, Chain, ChainIk, End, Limit, Modifier, Point, Rig, Status};
/// use tendon_solver::Workspace;
/// # let bones = (0..3).map(|bone: usize| Bone {
/// #     position: Vec2::X * if bone == 0 { 0.0 } else { 50.0 },
/// #     ..Bone::below(bone.checked_sub(1))
/// # });
/// # let mut rig = Rig::new(bones.collect(), Vec::new());
/// # let tip = End::Point(Point { bone: Some(2), position: Vec2::X * 50.0 });
/// # let chain = Chain::new(vec![0, 1, 2], tip);
///
/// rig.bones[1].limit = Some(Limit::around(0.0, -0.5, 0.5));
/// let target = Point { bone: None, position: Vec2::new(90.0, 60.0) };
/// let chain = ChainIk::new(Algorithm::Fabrik, chain, target);
/// rig.modifiers.push(Modifier::new(chain));
/// rig.solve(&mut Workspace::default());
///
/// assert_eq!(rig.modifiers[0].report.status, Status::Reached);
/// assert!(rig.rotation(1).abs() <= 0.5001);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainIk {
    /// The bones that turn.
    pub chain: Chain,
    /// The point that the end is brought to, unless the end is free to follow other tips. The chain must not carry it.
    #[serde(default, skip_serializing_if = "Aimed::is_nowhere")]
    pub target: Aimed<Point>,
    /// Further tips. With these, the joints are a tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effectors: Vec<Effector>,
    /// The direction in which the joint that carries the end must point.
    #[serde(default, skip_serializing_if = "Aimed::is_nowhere")]
    pub heading: Aimed<Direction>,
    /// The behaviour of the chain at full reach.
    #[serde(default, skip_serializing_if = "crate::math::number::is_usual")]
    pub elasticity: Elasticity,
    /// Shapes that the joints, and the bones between them, stay out of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// By which way the first pose is found.
    pub algorithm: Algorithm,
    /// The number of iterations and the tolerance.
    #[serde(default)]
    pub approach: Approach,
    /// `true` if nothing is kept: each pass starts from the pose that it finds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deterministic: bool,
    /// The pose that the chain follows from.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Memory>,
}

impl ChainIk {
    /// A chain with the usual settings.
    pub fn new(algorithm: Algorithm, chain: Chain, target: Point) -> Self {
        Self {
            chain,
            target: Aimed::at(target),
            effectors: Vec::new(),
            heading: Aimed::NOWHERE,
            elasticity: Elasticity::default(),
            obstacles: Vec::new(),
            algorithm,
            approach: Approach::default(),
            deterministic: false,
            memory: Kept::default(),
        }
    }
}

impl Parts for ChainIk {
    fn chain(&self) -> Option<&Chain> {
        Some(&self.chain)
    }

    fn target(&self) -> Option<Point> {
        self.target.now()
    }

    fn effectors(&self) -> &[Effector] {
        &self.effectors
    }

    fn target_mut(&mut self) -> Option<&mut Aimed<Point>> {
        Some(&mut self.target)
    }

    fn elasticity(&self) -> Option<Elasticity> {
        Some(self.elasticity)
    }

    fn heading(&self) -> Option<Direction> {
        self.heading.now()
    }

    fn heading_mut(&mut self) -> Option<&mut Aimed<Direction>> {
        Some(&mut self.heading).filter(|heading| !heading.is_nowhere())
    }

    fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }
}

impl Kind for ChainIk {
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
            self.target.own.and_then(|it| it.bone),
            self.heading.own.and_then(|it| it.bone),
        ];
        let targets = self.effectors.iter().flat_map(Effector::carriers);
        let obstacles = self.obstacles.iter().map(|obstacle| obstacle.bone);
        let aims = own.into_iter().chain(targets).chain(obstacles);
        skeleton.check_aims(self.chain.joints[0], aims)
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let reach = Reach {
            joints: &self.chain.joints,
            end: self.chain.end,
            target: self.target.now(),
            effectors: &self.effectors,
            heading: self.heading.now(),
            obstacles: &self.obstacles,
            algorithm: self.algorithm,
        };
        let (elasticity, approach) = (self.elasticity, self.approach);
        reach.solve_on_the_way(elasticity, approach, &mut self.memory, context)
    }

    fn shortfall(&self, pose: &Pose, gap: f32) -> f32 {
        let further = self.effectors.iter();
        let further = further.filter(|effector| effector.weight > 0.0);
        let further = further.map(|effector| pose.gap(effector.end.point(), effector.target));
        further.fold(gap, f32::max) - self.approach.tolerance
    }

    fn headed(&self, pose: &Pose) -> Option<usize> {
        self.heading()?;
        let reach = Reach {
            effectors: &self.effectors,
            ..Reach::line(&self.chain.joints, self.chain.end)
        };
        let joint = reach.joint_of_end(self.chain.end, pose)?;
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
