//! Chains and trees that reach for targets, for the kinds that compose them: CCD and FABRIK find
//! the way to the first pose, and then the chain follows.
//!
//! With further effectors the joints are a tree: each hangs on the nearest joint above it, directly
//! or by way of bones that stay rigid, and each tip likewise. Without, they are a tree with one
//! branch. The pose is found [without memory](crate::descent::memoryless) or
//! [follows](crate::descent::follow) from the last one.

use std::f64::consts::PI;

use glam::{Affine2, Mat2, Vec2};

use crate::collision::shape::Obstacle;
use crate::descent::follow::{self, Followed};
use crate::descent::free_chain::FreeChain;
use crate::descent::{self, Memory, memoryless, out_of_reach};
use crate::kinematics::contact;
use crate::kinematics::limit_enforcement::DirectionArc;
use crate::kinematics::tree::{EffectorInput, JointInput, Tree, Unsolvable};
use crate::math::angle::shortest_way;
use crate::math::interval::clamp01;
use crate::math::matrix::{is_similarity, largest_stretch};
use crate::math::rotation::Rotation;
use crate::rig::chain::{Effector, End};
use crate::rig::handover::goal_of;
use crate::rig::influence::Influence;
use crate::rig::kept::Kept;
use crate::rig::kind::Context;
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::pose::Pose;
use crate::rig::workspace::Workspace;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::report::Report;
use crate::solvers::algorithm::Algorithm;
use crate::solvers::elasticity::Elasticity;
use crate::solvers::sweeps::Approach;

/// The cost of a turn of the root of a chain, relative to that of other joints. At full cost a long chain winds up
/// around its root; a root that turns easily keeps the shape of the chain instead.
const COST_OF_ROOT: f32 = 0.1;

/// A chain or a tree with what it reaches for, and what keeps it from that: borrowed from a
/// modifier for a pass.
#[derive(Clone, Copy)]
pub(super) struct Reach<'a> {
    pub(super) joints: &'a [usize],
    pub(super) end: End,
    /// Of the end. An end without a target is free to follow other tips.
    pub(super) target: Option<Point>,
    pub(super) effectors: &'a [Effector],
    /// Of the joint that carries the end.
    pub(super) heading: Option<Direction>,
    pub(super) obstacles: &'a [Obstacle],
    pub(super) algorithm: Algorithm,
}

impl<'a> Reach<'a> {
    /// A line of joints, which reaches for nothing.
    pub(super) fn line(joints: &'a [usize], end: End) -> Self {
        Self {
            joints,
            end,
            target: Some(Point::default()),
            effectors: &[],
            heading: None,
            obstacles: &[],
            algorithm: Algorithm::Fabrik,
        }
    }
}

impl Reach<'_> {
    /// The same as [`solve`](Self::solve), with the effectors on their way if others are gone over to.
    pub(super) fn solve_on_the_way(
        &self,
        elasticity: Elasticity,
        approach: Approach,
        memory: &mut Kept<Memory>,
        context: &mut Context<'_>,
    ) -> Result<Report, Unsolvable> {
        let further = context.further.as_mut();
        if !further.is_some_and(|it| it.begin_effectors(self.effectors, context.delta)) {
            return self.solve(elasticity, approach, memory, context);
        }
        let mut effectors = std::mem::take(&mut context.workspace.effectors);
        effectors.clear();
        effectors.extend(self.effectors);
        let solved = self
            .lead(&mut effectors, &memory.after, context)
            .and_then(|()| {
                let reach = Reach {
                    effectors: &effectors,
                    ..*self
                };
                reach.solve(elasticity, approach, memory, context)
            });
        context.workspace.effectors = effectors;
        solved
    }

    /// Moves the targets of `effectors` to where they are on their way.
    fn lead(
        &self,
        effectors: &mut [Effector],
        memory: &Memory,
        context: &mut Context<'_>,
    ) -> Result<(), Unsolvable> {
        let Context {
            pose,
            workspace: Workspace { tree, descent, .. },
            further: Some(further),
            delta,
            ..
        } = context
        else {
            return Ok(());
        };
        descent.settles = further.settles(*delta);
        let space = ChainSpace::of(self.joints.first(), pose)?;
        let is_shown = further.has_new_effector() && memory.holds(self.joints.len());
        if is_shown {
            self.load(pose, &space, tree)?;
        }
        for (index, effector) in effectors.iter_mut().enumerate() {
            let weight = effector.weight;
            let wanted = goal_of(effector.target, effector.heading, pose).weighing(weight);
            let tip = match is_shown {
                true => [*delta, 0.0].map(|ago| {
                    tree.take_pose(memory.swings_before(ago));
                    space.see_tip(tree, index + 1).weighing(weight)
                }),
                false => [wanted; 2],
            };
            if let Some(goal) = further.advance_effector(index, wanted, tip, *delta) {
                let (point, direction) = goal.shown();
                effector.weight = goal.part();
                effector.target = point;
                effector.heading = effector.heading.map(|_| direction);
            }
        }
        Ok(())
    }

    /// Solves all tips and takes the result into the pose. Returns the result.
    pub(super) fn solve(
        &self,
        elasticity: Elasticity,
        approach: Approach,
        memory: &mut Kept<Memory>,
        context: &mut Context<'_>,
    ) -> Result<Report, Unsolvable> {
        let space = ChainSpace::of(self.joints.first(), context.pose)?;
        let stretch = largest_stretch(space.mount.matrix2.as_dmat2()) as f32;
        let tolerance = approach.tolerance / stretch;
        // A pass without time does not show whether something moves in time.
        context.is_moving = context.delta <= 0.0 && memory.goes_on();
        let memory = &mut memory.after;
        let is_partial = context.influence.part() < 1.0;
        let is_bounded = |joint: usize| context.pose.limit(self.joints[joint]).is_some();
        if memory.holds(self.joints.len()) {
            memory.unwind(is_partial, is_bounded);
        }
        let free = self.follow_free_chain(elasticity, memory, context, &space, tolerance);
        if let Some(report) = free {
            return Ok(report);
        }
        let Workspace { tree, descent, .. } = &mut *context.workspace;
        self.load(context.pose, &space, tree)?;
        let factor = elasticity.shape(tree)?;
        out_of_reach::keep_within(tree);
        descent.reserve(tree);
        let most = approach.max_iterations;
        let find = |tree: &mut Tree, workspace: &mut descent::SolveSpace| {
            self.algorithm.find_first_pose(tree, workspace, most)
        };
        let (tolerances, delta) = (f64::from(tolerance), context.delta);
        let taken = match memory.holds(tree.len()) {
            true => follow::take(tree, descent, memory, delta, tolerances, find),
            false => begin(tree, descent, memory, tolerances, is_partial, find),
        };
        context.is_moving |= taken.is_moving;
        self.take_tree(context.pose, context.influence, tree, factor)?;
        Ok(report(tree, descent, tolerance, stretch, taken.steps))
    }

    /// Takes the solved `tree`, whose elastic pieces are longer by `factor`, into the pose.
    fn take_tree(
        &self,
        pose: &mut Pose,
        influence: Influence,
        tree: &Tree,
        factor: f32,
    ) -> Result<(), Unsolvable> {
        if self.joints.len() != tree.len() || !tree.swings().all(f64::is_finite) {
            return Err(Unsolvable);
        }
        if factor != 1.0 {
            self.lengthen(pose, influence, factor);
        }
        self.take_turns(pose, influence, tree);
        Ok(())
    }

    /// Turns the bones as the joints of `tree`.
    pub(super) fn take_turns(&self, pose: &mut Pose, influence: Influence, tree: &Tree) {
        for (index, &bone) in self.joints.iter().enumerate() {
            influence.turn(pose, bone, tree.swing(index), tree.rotation(index));
        }
    }

    /// Follows the target with a free chain, which needs no tree. `None` where it cannot: without
    /// memory, with limits, a heading or obstacles, where bones stretch, and where a chain that
    /// was straight bends again.
    fn follow_free_chain(
        &self,
        elasticity: Elasticity,
        memory: &mut Memory,
        context: &mut Context<'_>,
        space: &ChainSpace,
        tolerance: f32,
    ) -> Option<Report> {
        let pose = &mut *context.pose;
        let chain = &mut context.workspace.free_chain;
        let is_plain =
            self.effectors.is_empty() && self.obstacles.is_empty() && self.heading.is_none();
        let is_plain = is_plain && context.workspace.descent.settles.is_none();
        if !is_plain || !memory.holds(self.joints.len()) {
            return None;
        }
        let target = self.load_free_chain(pose, chain, space)?;
        let lengths = self.free_chain_lengths(chain);
        let (goal, factor) = elasticity.shape_limb(target, lengths);
        if factor != 1.0 {
            return None;
        }
        let followed = chain.follow(memory, goal.as_dvec2(), context.delta, tolerance.into());
        let (steps, is_moving) = followed?;
        context.is_moving |= is_moving;
        for (index, &bone) in self.joints.iter().enumerate() {
            let (swing, bend) = chain.swing(index);
            let rotation = pose.bone(bone).turn.then(Rotation::from_unit(bend));
            context.influence.turn(pose, bone, swing, rotation);
        }
        let distance = chain.tip().distance(target);
        let precision = 1e-6 * chain.reach() as f32;
        Some(Report::at(distance, tolerance.max(precision), steps))
    }

    /// Fills `chain` with the segments. Returns the target in chain space. `None` if a joint is
    /// limited or a bone stretches others.
    fn load_free_chain(
        &self,
        pose: &Pose,
        chain: &mut FreeChain,
        space: &ChainSpace,
    ) -> Option<Vec2> {
        let target = space.bring(pose.locate(self.target?)).ok()?;
        chain.clear();
        let tip = self.end.in_pose(pose);
        let mut basis = Mat2::IDENTITY;
        let mut sense = 1.0;
        for (index, &joint) in self.joints.iter().enumerate() {
            let posed = pose.bone(joint);
            if pose.limit(joint).is_some() {
                return None;
            }
            let end = pose.end_of_joint(self.joints, index, tip);
            let (position, linear) = pose.climb(end, Some(joint));
            let frame = basis * posed.linear();
            chain.push(frame * position, sense, self.cost(index, 0.0));
            let carry = posed.shape * linear;
            if index + 1 < self.joints.len() && !is_similarity(carry) {
                return None;
            }
            basis = frame * linear;
            sense *= 1.0_f32.copysign(carry.determinant());
        }
        Some(target)
    }

    /// The length of a chain, and how much of it can be lengthened.
    fn free_chain_lengths(&self, chain: &FreeChain) -> [f32; 2] {
        let reach = chain.reach() as f32;
        let last = match self.end {
            End::Bone(_) => 0.0,
            End::Point(_) => chain.last_length() as f32,
        };
        [reach, reach - last]
    }

    /// Fills `tree` with the joints, limits, effectors, headings and obstacles, in chain space.
    pub(super) fn load(
        &self,
        pose: &Pose,
        space: &ChainSpace,
        tree: &mut Tree,
    ) -> Result<(), Unsolvable> {
        self.build(pose, space, tree)?;
        let further = self.effectors.iter();
        let further = further.filter_map(|effector| Some((effector.end, effector.heading?)));
        for (end, heading) in further.chain(self.heading.map(|heading| (self.end, heading))) {
            let joint = self.joint_of_end(end, pose).ok_or(Unsolvable)?;
            let direction = pose.seen_direction(heading, space.mount.matrix2);
            tree.head(joint, Rotation::towards(direction).ok_or(Unsolvable)?);
        }
        tree.prepare()?;
        tree.keep_tips_at_targets();
        Ok(())
    }

    /// The same without headings, for who has them beside the targets.
    pub(super) fn load_without_headings(
        &self,
        pose: &Pose,
        space: &ChainSpace,
        tree: &mut Tree,
    ) -> Result<(), Unsolvable> {
        self.build(pose, space, tree)?;
        tree.prepare()?;
        tree.keep_tips_at_targets();
        Ok(())
    }

    fn build(&self, pose: &Pose, space: &ChainSpace, tree: &mut Tree) -> Result<(), Unsolvable> {
        tree.clear();
        self.load_obstacles(pose, space, tree);
        self.load_joints(pose, space.mount.matrix2, tree);
        self.load_effectors(pose, space, tree)
    }

    fn load_obstacles(&self, pose: &Pose, space: &ChainSpace, tree: &mut Tree) {
        if self.obstacles.is_empty() {
            return;
        }
        let into_chain = Affine2::from_translation(-space.origin) * space.mount.inverse();
        for obstacle in self.obstacles {
            let frame = pose.frame(obstacle.bone) * obstacle.frame;
            tree.obstacles
                .push_shape(obstacle.shape, into_chain * frame);
        }
    }

    fn load_joints(&self, pose: &Pose, mount: Mat2, tree: &mut Tree) {
        for (index, &bone) in self.joints.iter().enumerate() {
            let posed = pose.bone(bone);
            let parent = match index {
                0 => None,
                _ if self.effectors.is_empty() => Some(index - 1),
                _ => self.joint_above(posed.parent(), pose),
            };
            let (mut offset, mut carry) = (Vec2::ZERO, Mat2::IDENTITY);
            if let Some(parent) = parent {
                let (position, linear) = pose.climb(posed.origin(), Some(self.joints[parent]));
                let shape = pose.bone(self.joints[parent]).shape;
                (offset, carry) = (shape * position, shape * linear);
            }
            let limit = pose.limit(bone);
            tree.push(JointInput {
                parent,
                offset,
                carry,
                base: posed.turn,
                bound: limit.and_then(|limit| DirectionArc::new(limit, posed.turn, mount)),
                cost: self.cost(index, limit.map_or(0.0, |limit| limit.stiffness)),
            });
        }
    }

    /// Returns the cost of a turn of joint `index`, relative to that of other joints.
    fn cost(&self, index: usize, stiffness: f32) -> f32 {
        let root = if index == 0 && self.effectors.is_empty() {
            // A stiff root is meant to keep its direction.
            COST_OF_ROOT + (1.0 - COST_OF_ROOT) * clamp01(stiffness)
        } else {
            1.0
        };
        root * self.algorithm.cost(index, self.joints.len())
    }

    fn load_effectors(
        &self,
        pose: &Pose,
        space: &ChainSpace,
        tree: &mut Tree,
    ) -> Result<(), Unsolvable> {
        let main = Effector {
            weight: if self.target.is_some() { 1.0 } else { 0.0 },
            ..Effector::new(self.end, self.target.unwrap_or_default())
        };
        for (index, effector) in std::iter::once(&main).chain(self.effectors).enumerate() {
            let joint = self.joint_of_end(effector.end, pose).ok_or(Unsolvable)?;
            let (position, _) = pose.climb(effector.end.point(), Some(self.joints[joint]));
            let target = space.bring(pose.locate(effector.target))?;
            tree.push_effector(EffectorInput {
                joint,
                position: pose.bone(self.joints[joint]).shape * position,
                is_elastic: self.elastic_tip(index).is_some(),
                target,
                weight: effector.weight,
            });
        }
        Ok(())
    }

    /// Index of the joint that carries an end.
    pub(super) fn joint_of_end(&self, end: End, pose: &Pose) -> Option<usize> {
        match self.joints.len().checked_sub(1) {
            Some(last) if self.effectors.is_empty() => Some(last),
            _ => self.joint_above(end.point().bone, pose),
        }
    }

    /// Index of the joint whose bone is `bone` or the nearest above it.
    fn joint_above(&self, bone: Option<usize>, pose: &Pose) -> Option<usize> {
        let mut above = std::iter::successors(bone, |&bone| pose.bone(bone).parent());
        above.find_map(|bone| self.joints.iter().position(|&joint| joint == bone))
    }

    /// Moves the bones at the ends of the elastic pieces, which are `factor` times as long where
    /// the influence is full.
    pub(super) fn lengthen(&self, pose: &mut Pose, influence: Influence, factor: f32) {
        let tips = 0..=self.effectors.len();
        let is_first = |&tip: &usize| {
            let bone = self.elastic_tip(tip);
            bone.is_some() && (0..tip).all(|before| self.elastic_tip(before) != bone)
        };
        let at_tips = tips
            .filter(is_first)
            .filter_map(|tip| self.elastic_tip(tip));
        for end in self.joints.iter().skip(1).copied().chain(at_tips) {
            if let Some(joint) = self.joint_above(pose.bone(end).parent(), pose) {
                influence.lengthen(pose, end, self.joints[joint], factor);
            }
        }
    }

    /// The bone at the end of the last piece of tip `tip`, if it is moved when that stretches. The
    /// first tip is the chain's own. None is moved whose joint has a heading.
    fn elastic_tip(&self, tip: usize) -> Option<usize> {
        let bone = match tip.checked_sub(1) {
            None => self.end.bone().filter(|_| self.heading.is_none()),
            Some(index) => {
                let effector = &self.effectors[index];
                effector.end.bone().filter(|_| effector.heading.is_none())
            }
        };
        bone.filter(|bone| !self.joints.contains(bone))
    }
}

/// Remembers the rotations `drawn` of all bones as if the pass before had shown them.
pub(super) fn begin_from(
    memory: &mut Kept<Memory>,
    joints: &[usize],
    drawn: &[f32],
    pose: &Pose,
    influence: Influence,
) {
    let swings = joints.iter().map(|&joint| {
        let drawn = drawn.get(joint).filter(|drawn| drawn.is_finite());
        let before = pose.bone(joint).rotation;
        drawn.map_or(0.0, |&drawn| shortest_way(before, drawn) / influence.part())
    });
    memory.before.begin_from_given_pose(swings);
}

impl Kept<Memory> {
    /// Returns `true` if the solve goes on from a pose.
    pub(super) fn goes_on(&self) -> bool {
        !self.after.swings.is_empty()
    }
}

/// Finds the pose without memory. Of joints that are shown in part, each turns by the shorter way.
fn begin(
    tree: &mut Tree,
    workspace: &mut descent::SolveSpace,
    memory: &mut Memory,
    tolerance: f64,
    is_partial: bool,
    find: impl FnMut(&mut Tree, &mut descent::SolveSpace) -> u32,
) -> Followed {
    let steps = memoryless::solve(tree, workspace, tolerance, find);
    if is_partial {
        tree.unwind(PI);
    }
    memory.begin(tree, memoryless::has_arrived(tree, workspace, tolerance));
    memory.is_partial = is_partial;
    Followed {
        steps,
        is_moving: false,
    }
}

/// Returns the report of a solve of `steps` sweeps and steps. Lengths grow by `stretch` at most from chain space to
/// skeleton space.
fn report(
    tree: &Tree,
    workspace: &mut descent::SolveSpace,
    tolerance: f32,
    stretch: f32,
    steps: u32,
) -> Report {
    contact::gather(tree, 0.0, &mut workspace.contacts);
    let penetration = contact::deepest(&workspace.contacts) as f32;
    let precision = 1e-6 * tree.span();
    Report {
        penetration: stretch * penetration,
        ..Report::at(tree.distance(), tolerance.max(precision), steps)
    }
}
