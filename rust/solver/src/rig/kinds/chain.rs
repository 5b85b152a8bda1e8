//! Modifiers that are solved step by step: CCD and FABRIK, for chains and trees.
//!
//! With further effectors the joints of the modifier are a tree: each hangs on the nearest joint
//! above it, directly or by way of bones that stay rigid, and each tip likewise. Without, they are
//! a tree with one branch. The pose is found [without memory](crate::descent::memoryless) or
//! [follows](crate::descent::follow) from the last one.

use glam::{Affine2, Mat2, Vec2};

use crate::descent::free_chain::FreeChain;
use crate::descent::{Workspace, follow, memoryless, out_of_reach};
use crate::kinematics::contact;
use crate::kinematics::limit_enforcement::Bound;
use crate::kinematics::tree::{EffectorInput, JointInput, Tree, Unsolvable};
use crate::math::interval::clamp01;
use crate::math::matrix::{is_similarity, largest_stretch};
use crate::math::rotation::Rotation;
use crate::rig::effector::Effector;
use crate::rig::kind::{Context, Headed, Inputs, Kind};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::modifier::{self, Modifier};
use crate::rig::pose::Pose;
use crate::skeleton::bone::Point;
use crate::skeleton::report::{Outcome, Report};
use crate::solvers::heading::Heading;

/// What a turn of the root of a chain costs beside that of other joints. At full cost a long chain
/// winds up around its root; a root that turns easily keeps the shape of the chain instead.
const COST_OF_ROOT: f32 = 0.1;

/// What a modifier gives each of these solvers.
pub(super) const CHAIN: Inputs = Inputs {
    least_joints: 1,
    most_joints: usize::MAX,
    target: true,
    elasticity: true,
    heading: Some(Headed::LastJoint),
    obstacles: true,
    ..Inputs::NONE
};

/// What differs between the solvers that iterate.
pub(super) trait Iterative: Kind + Copy {
    /// Brings `tree` from its present pose near to its targets. Returns the number of sweeps and
    /// steps.
    fn find(&self, tree: &mut Tree, workspace: &mut Workspace) -> u32;
}

impl Modifier {
    /// Solves all effectors and takes the result into the pose. Returns the result.
    pub(super) fn solve_iteratively(
        &mut self,
        solver: impl Iterative,
        context: &mut Context,
    ) -> Result<Report, Unsolvable> {
        let (pose, delta) = (&mut *context.pose, context.delta);
        let modifier::Workspace {
            free_chain,
            tree,
            descent: workspace,
            ..
        } = &mut *context.workspace;
        let space = self.chain_space(pose)?;
        let stretch = largest_stretch(space.mount.matrix2.as_dmat2()) as f32;
        let tolerance = solver.tolerance() / stretch;
        if let Some(outcome) =
            self.follow_free_chain(&solver, pose, free_chain, space.mount, tolerance, delta)
        {
            return Ok(outcome.into());
        }
        self.load(&solver, pose, &space, tree)?;
        let factor = self.elasticity().shape(tree)?;
        out_of_reach::keep_within(tree);
        workspace.reserve(tree);
        let find = |tree: &mut Tree, workspace: &mut Workspace| solver.find(tree, workspace);
        let steps = self.take_pose(tree, workspace, &find, f64::from(tolerance), delta);
        self.take_tree(pose, tree, factor)?;
        Ok(report(tree, workspace, tolerance, stretch, steps))
    }

    /// Takes the solved `tree`, whose elastic pieces are longer by `factor`, into the pose.
    fn take_tree(&self, pose: &mut Pose, tree: &Tree, factor: f32) -> Result<(), Unsolvable> {
        if self.joints.len() != tree.len() || !tree.swings().all(f64::is_finite) {
            return Err(Unsolvable);
        }
        if factor != 1.0 {
            self.lengthen(pose, factor);
        }
        for (index, &bone) in self.joints.iter().enumerate() {
            self.blend_rotation(pose, bone, tree.swing(index), tree.rotation(index));
        }
        Ok(())
    }

    /// Follows the target with a free chain, which needs no tree. `None` where it cannot: without
    /// memory, with limits, a heading or obstacles, where bones stretch, and where a chain that
    /// was straight bends again.
    fn follow_free_chain(
        &mut self,
        solver: &impl Kind,
        pose: &mut Pose,
        chain: &mut FreeChain,
        mount: Affine2,
        tolerance: f32,
        delta: f64,
    ) -> Option<Outcome> {
        let is_plain =
            self.effectors.is_empty() && self.obstacles.is_empty() && self.heading.is_none();
        if !is_plain || !self.next.holds(self.joints.len()) {
            return None;
        }
        let target = self.load_free_chain(solver, pose, chain, mount)?;
        let lengths = self.free_chain_lengths(chain);
        let (goal, factor) = self.elasticity().shape_limb(target, lengths);
        if factor != 1.0 {
            return None;
        }
        let followed = chain.follow(&mut self.next, goal.as_dvec2(), delta, tolerance.into());
        let (steps, is_moving) = followed?;
        self.is_moving = is_moving;
        for (index, &bone) in self.joints.iter().enumerate() {
            let (swing, bend) = chain.swing(index);
            let rotation = pose.bone(bone).turn.then(Rotation::from_unit(bend));
            self.blend_rotation(pose, bone, swing, rotation);
        }
        let distance = chain.tip().distance(target);
        let precision = 1e-6 * chain.reach() as f32;
        Some(Outcome::at(distance, tolerance.max(precision), steps))
    }

    /// Fills `chain` with the segments, in the frame `mount` of skeleton space. Returns the target
    /// in chain space. `None` if a joint is limited or a bone stretches others.
    fn load_free_chain(
        &self,
        solver: &impl Kind,
        pose: &Pose,
        chain: &mut FreeChain,
        mount: Affine2,
    ) -> Option<Vec2> {
        let root = pose.bone(*self.joints.first()?);
        let target = pose.seen_point(self.target, mount)? - root.position;
        chain.clear();
        let tip = self.end_point(pose);
        let mut basis = Mat2::IDENTITY;
        let mut sense = 1.0;
        for (index, &joint) in self.joints.iter().enumerate() {
            let posed = pose.bone(joint);
            if pose.limit(joint).is_some() {
                return None;
            }
            let end = pose.end_of_joint(&self.joints, index, tip);
            let (position, linear) = pose.climb(end, Some(joint));
            let frame = basis * posed.linear();
            chain.push(frame * position, sense, self.cost(solver, index, 0.0));
            let carry = posed.shape * linear;
            if index + 1 < self.joints.len() && !is_similarity(carry) {
                return None;
            }
            basis = frame * linear;
            sense *= 1.0_f32.copysign(carry.determinant());
        }
        Some(target)
    }

    /// The end of the last segment. A tip that is a bone is where that begins, whatever its scale.
    pub(super) fn end_point(&self, pose: &Pose) -> Point {
        self.tip_bone
            .map_or(self.tip, |bone| pose.bone(bone).origin())
    }

    /// The length of a chain, and how much of it can be lengthened.
    fn free_chain_lengths(&self, chain: &FreeChain) -> [f32; 2] {
        let reach = chain.reach() as f32;
        let last = if self.tip_bone.is_some() {
            0.0
        } else {
            chain.last_length() as f32
        };
        [reach, reach - last]
    }

    /// Finds the pose, with or without memory. Returns the number of sweeps and steps.
    fn take_pose(
        &mut self,
        tree: &mut Tree,
        workspace: &mut Workspace,
        find: &dyn Fn(&mut Tree, &mut Workspace) -> u32,
        tolerance: f64,
        delta: f64,
    ) -> u32 {
        if self.next.holds(tree.len()) {
            let followed = follow::take(tree, workspace, &mut self.next, delta, tolerance, find);
            self.is_moving = followed.is_moving;
            return followed.steps;
        }
        let steps = memoryless::solve(tree, workspace, tolerance, find);
        self.next
            .begin(tree, memoryless::has_arrived(tree, workspace, tolerance));
        self.is_moving = false;
        steps
    }

    /// Fills `tree` with the joints, limits, effectors, heading and obstacles, in chain space.
    pub(super) fn load(
        &self,
        solver: &impl Kind,
        pose: &Pose,
        space: &ChainSpace,
        tree: &mut Tree,
    ) -> Result<(), Unsolvable> {
        tree.clear();
        self.load_obstacles(pose, space, tree);
        self.load_joints(solver, pose, space.mount.matrix2, tree);
        self.load_effectors(pose, space, tree)?;
        if let Some(heading) = self.heading_of_joint() {
            let joint = self
                .joint_above(Some(heading.bone), pose)
                .ok_or(Unsolvable)?;
            let direction = pose.seen_direction(heading.direction, space.mount.matrix2);
            tree.head(joint, Rotation::towards(direction).ok_or(Unsolvable)?);
        }
        tree.prepare()
    }

    fn load_obstacles(&self, pose: &Pose, space: &ChainSpace, tree: &mut Tree) {
        if self.obstacles.is_empty() {
            return;
        }
        let into_chain = Affine2::from_translation(-space.origin) * space.mount.inverse();
        for obstacle in &self.obstacles {
            let frame = pose.frame(obstacle.bone) * obstacle.frame;
            tree.obstacles_mut()
                .push(obstacle.shape, into_chain * frame);
        }
    }

    fn load_joints(&self, solver: &impl Kind, pose: &Pose, mount: Mat2, tree: &mut Tree) {
        for (index, &bone) in self.joints.iter().enumerate() {
            let posed = pose.bone(bone);
            let parent = match index {
                0 => None,
                _ if self.effectors.is_empty() => Some(index - 1),
                _ => self.joint_above(posed.parent(), pose),
            };
            let mut joint = JointInput::free(parent, Vec2::ZERO, Mat2::IDENTITY, posed.turn);
            let limit = pose.limit(bone);
            let stiffness = limit.map_or(0.0, |limit| limit.stiffness);
            joint.cost = self.cost(solver, index, stiffness);
            if let Some(parent) = parent {
                let (position, linear) = pose.climb(posed.origin(), Some(self.joints[parent]));
                let shape = pose.bone(self.joints[parent]).shape;
                (joint.offset, joint.carry) = (shape * position, shape * linear);
            }
            if let Some(bound) = limit.and_then(|limit| Bound::new(limit, posed.turn, mount)) {
                joint.set_bound(&bound);
            }
            tree.push(joint);
        }
    }

    /// What a turn of joint `index` costs, relative to that of other joints.
    fn cost(&self, solver: &impl Kind, index: usize, stiffness: f32) -> f32 {
        let root = if index == 0 && self.effectors.is_empty() {
            // A stiff root is meant to keep its direction.
            COST_OF_ROOT + (1.0 - COST_OF_ROOT) * clamp01(stiffness)
        } else {
            1.0
        };
        root * solver.cost(index, self.joints.len())
    }

    fn load_effectors(
        &self,
        pose: &Pose,
        space: &ChainSpace,
        tree: &mut Tree,
    ) -> Result<(), Unsolvable> {
        let main = Effector {
            tip: self.tip,
            tip_bone: self.tip_bone,
            target: self.target,
            weight: self.weight,
        };
        for (index, effector) in std::iter::once(&main).chain(&self.effectors).enumerate() {
            let tip = effector.tip_point();
            let joint = match self.joints.len().checked_sub(1) {
                Some(last) if self.effectors.is_empty() => last,
                _ => self.joint_above(tip.bone, pose).ok_or(Unsolvable)?,
            };
            let (position, _) = pose.climb(tip, Some(self.joints[joint]));
            let target = pose.seen_point(effector.target, space.mount);
            let target = target.ok_or(Unsolvable)? - space.origin;
            tree.push_effector(EffectorInput {
                joint,
                position: pose.bone(self.joints[joint]).shape * position,
                target,
                weight: effector.weight,
            });
            if self.elastic_tip(index).is_some() {
                tree.make_elastic();
            }
        }
        Ok(())
    }

    /// The heading, if it is for a joint. The bone of a closed form is turned after its solve.
    fn heading_of_joint(&self) -> Option<Heading> {
        let heading = self.heading;
        heading.filter(|heading| self.joints.contains(&heading.bone))
    }

    /// Index of the joint whose bone is `bone` or the nearest above it.
    fn joint_above(&self, bone: Option<usize>, pose: &Pose) -> Option<usize> {
        let mut above = std::iter::successors(bone, |&bone| pose.bone(bone).parent());
        above.find_map(|bone| self.joints.iter().position(|&joint| joint == bone))
    }

    /// Moves the bones at the ends of the elastic pieces, which are `factor` times as long where
    /// the influence is full.
    pub(super) fn lengthen(&self, pose: &mut Pose, factor: f32) {
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
                self.blend_length(pose, end, self.joints[joint], factor);
            }
        }
    }

    /// The bone at the end of the last piece of tip `tip`, if it is moved when that stretches. The
    /// first tip is the modifier's own, which is not moved where its bone has a heading.
    fn elastic_tip(&self, tip: usize) -> Option<usize> {
        let bone = match tip.checked_sub(1) {
            None => self.tip_bone.filter(|_| self.heading_of_joint().is_none()),
            Some(index) => self.effectors[index].tip_bone,
        };
        bone.filter(|bone| !self.joints.contains(bone))
    }
}

/// What a solve of `steps` sweeps and steps came to. Lengths grow by `stretch` at most from chain
/// space to skeleton space.
fn report(
    tree: &Tree,
    workspace: &mut Workspace,
    tolerance: f32,
    stretch: f32,
    steps: u32,
) -> Report {
    if !tree.obstacles.is_empty() {
        contact::gather(tree, 0.0, &mut workspace.contacts);
    } else {
        workspace.contacts.clear();
    }
    let penetration = contact::deepest(&workspace.contacts) as f32;
    let precision = 1e-6 * tree.span();
    let outcome = Outcome::at(tree.distance(), tolerance.max(precision), steps);
    Report {
        penetration: stretch * penetration,
        ..outcome.into()
    }
}
