//! One modifier of a rig: its data, and how the pose takes its result.

use serde::{Deserialize, Serialize};

use crate::collision::shape::Obstacle;
use crate::descent::free_chain::FreeChain;
use crate::descent::{self, Memory};
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Tree;
use crate::math::angle::shortest_way;
use crate::rig::effector::{Effector, point_at};
use crate::rig::pose::Pose;
use crate::rig::scripted::Scripted;
use crate::rig::solver::Solver;
use crate::rig::state::State;
use crate::skeleton::bone::Point;
use crate::skeleton::path::Path;
use crate::skeleton::path::place::Place;
use crate::skeleton::report::Report;
use crate::solvers::copy_transform::mapping::Mapping;
use crate::solvers::elasticity::Elasticity;
use crate::solvers::flip;
use crate::solvers::heading::Heading;
use crate::solvers::modes::Tuning;
use crate::solvers::spring;

/// One modifier of a rig.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    /// Off: the pose is left as it is, and only measured.
    #[serde(default = "yes")]
    pub active: bool,
    /// How much of the result is applied: 0 keeps the pose before this modifier.
    #[serde(default = "full", with = "crate::math::number")]
    pub influence: f32,
    /// The algorithm.
    pub solver: Solver,
    /// Indices of the bones that turn, root first. Each hangs below the one before it,
    /// directly or by way of bones that stay rigid.
    pub joints: Vec<usize>,
    /// What is brought to the target. It hangs on the last joint's bone, or below it.
    pub tip: Point,
    /// What is reached for. Nothing that the joints carry.
    pub target: Point,
    /// A bone at the tip that moves along: it hangs on the last joint's bone, and its origin is
    /// the tip, whatever `tip` says. It is moved when the last segment stretches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip_bone: Option<usize>,
    /// Two bones bend to the side of the line from root to target that this point is on, in
    /// place of `flip_bend_direction`, unless it is on the line. Nothing that the joints carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pole: Option<Point>,
    /// Which way the end of the chain must point. Not for look-at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<Heading>,
    /// The part of the reach, 0 to 1, over which the chain eases towards its full length; 0 is
    /// off. Not for look-at.
    #[serde(default, skip_serializing_if = "is_zero", with = "crate::math::number")]
    pub softness: f32,
    /// The greatest factor by which segments that end at a bone are lengthened to reach a
    /// target that is too far; 1 is off. Not for look-at.
    #[serde(
        default = "full",
        skip_serializing_if = "is_one",
        with = "crate::math::number"
    )]
    pub stretch: f32,
    /// How much the tip counts, relative to the other effectors, if there are any.
    #[serde(
        default = "full",
        skip_serializing_if = "is_one",
        with = "crate::math::number"
    )]
    pub weight: f32,
    /// Further tips, each with its target. Only for FABRIK; `joints` then holds all joints of
    /// the tree, each hanging below one that comes before it, and `heading` is for the joint
    /// that carries `tip`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effectors: Vec<Effector>,
    /// Shapes that the joints, and the bones between them, stay out of. Only for CCD, FABRIK and
    /// springs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// How springs differ from joint to joint; all alike if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Box<Tuning>>,
    /// What the chain is laid along. Only for splines, and not below the joints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Box<Path>>,
    /// What a copied transform refers to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<Box<Mapping>>,
    /// What the script of a custom modifier has set in this pass, by the indices of the bones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripted: Vec<Scripted>,
    /// Whether the modifier keeps no memory: each pass starts from the pose that it finds.
    #[serde(default, skip_serializing_if = "is_no")]
    pub deterministic: bool,
    /// What the modifier remembers of the pass before. The same memory, pose and time give the
    /// same result.
    #[serde(default, skip_serializing_if = "is_new")]
    pub memory: Memory,
    /// What a modifier that moves by itself carries on from the pass before.
    #[serde(default, skip_serializing_if = "State::is_none")]
    pub state: State,
    /// What the last pass made of this modifier.
    #[serde(skip)]
    pub report: Report,
    /// The shortfall (see `Kind::shortfall`) when this modifier had just been applied.
    #[serde(skip)]
    pub(super) shortfall: f32,
    /// What the modifier remembers of the last solve, for [`Rig::go_on`](crate::Rig::go_on).
    #[serde(skip)]
    pub(super) next: Memory,
    /// The state after the last solve, for [`Rig::go_on`](crate::Rig::go_on).
    #[serde(skip)]
    pub(super) next_state: State,
    /// Whether the next pass would move something, if nothing else changed.
    #[serde(skip)]
    pub(super) is_moving: bool,
}

fn yes() -> bool {
    true
}

fn full() -> f32 {
    1.0
}

fn is_zero(value: &f32) -> bool {
    *value == 0.0
}

fn is_one(value: &f32) -> bool {
    *value == 1.0
}

fn is_no(value: &bool) -> bool {
    !value
}

fn is_new(memory: &Memory) -> bool {
    *memory == Memory::default()
}

/// What a solve needs besides the rig: memory that grows to the size of the largest modifier. One
/// serves any number of rigs, one after another.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) limb: Limb,
    pub(super) free_chain: FreeChain,
    pub(super) tree: Tree,
    pub(super) descent: descent::Workspace,
    pub(super) springs: spring::Workspace,
    /// Where the joints of a chain along a path should be.
    pub(super) places: Vec<Place>,
    pub(super) flips: flip::Workspace,
}

impl Modifier {
    /// A modifier at full influence whose tip and target are still to be set.
    pub fn new(solver: Solver, joints: Vec<usize>) -> Self {
        Self {
            active: true,
            influence: 1.0,
            solver,
            joints,
            tip: Point::default(),
            target: Point::default(),
            tip_bone: None,
            pole: None,
            heading: None,
            softness: 0.0,
            stretch: 1.0,
            weight: 1.0,
            effectors: Vec::new(),
            obstacles: Vec::new(),
            tuning: None,
            path: None,
            mapping: None,
            scripted: Vec::new(),
            deterministic: false,
            memory: Memory::default(),
            state: State::None,
            report: Report::default(),
            shortfall: 0.0,
            next: Memory::default(),
            next_state: State::None,
            is_moving: false,
        }
    }

    /// Where what each pass goes through is in memory, and how many bytes.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (*const u8, usize)> {
        fn piece<T>(values: &[T]) -> (*const u8, usize) {
            (values.as_ptr().cast(), size_of_val(values))
        }
        let memories = [&self.memory, &self.next];
        let memories = memories.into_iter();
        let swings = memories.clone().map(|memory| piece(&memory.swings));
        let misses = memories.map(|memory| piece(&memory.misses));
        swings.chain(misses).chain([piece(&self.joints)])
    }

    /// The greatest distance between a tip and its target.
    pub(super) fn largest_gap(&self, pose: &Pose) -> f32 {
        let gap = |tip, target| pose.locate(tip).distance(pose.locate(target));
        let further = self.effectors.iter();
        let further = further.filter(|effector| effector.weight > 0.0);
        let further = further.map(|effector| gap(effector.tip_point(), effector.target));
        let own = match self.weight > 0.0 {
            true => gap(self.tip_point(), self.target),
            false => 0.0,
        };
        further.fold(own, f32::max)
    }

    /// Takes over what `other`, the same modifier of an earlier rig, remembers of its last solve.
    pub fn take_over_memory(&mut self, other: &mut Self) {
        self.memory.clone_from(&other.memory);
        std::mem::swap(&mut self.next, &mut other.next);
        self.state.clone_from(&other.state);
        std::mem::swap(&mut self.next_state, &mut other.next_state);
        self.is_moving = other.is_moving;
    }

    /// Remembers the rotations `drawn` of all bones as if the last solve had shown them. Does nothing for
    /// modifiers that have no target or keep no memory.
    pub(super) fn begin_from(&mut self, pose: &Pose, drawn: &[f32]) {
        let part = self.applied_part();
        if !self.solver.reaches() || self.deterministic || part == 0.0 {
            return;
        }
        let swings = self.joints.iter().map(|&joint| {
            let drawn = drawn.get(joint).filter(|drawn| drawn.is_finite());
            let before = pose.bone(joint).rotation;
            drawn.map_or(0.0, |&drawn| shortest_way(before, drawn) / part)
        });
        self.memory.begin_from_given_pose(swings);
    }

    /// The point that is brought to the target. For modifiers without a target, the point that reports
    /// describe.
    pub fn tip_point(&self) -> Point {
        point_at(self.tip_bone, self.tip)
    }

    /// How the modifier behaves at full reach.
    pub(super) fn elasticity(&self) -> Elasticity {
        Elasticity {
            softness: self.softness,
            stretch: self.stretch,
        }
    }
}
