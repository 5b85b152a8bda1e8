//! Modifiers that are solved in closed form: look-at and two bones.
//!
//! A closed form needs no memory. But it may leap from one pass to the next, and then the limb is
//! shown in a [transition] of bounded speed. It may leap in three
//! cases:
//!
//! - A limit or a pole decides which way it bends.
//! - It begins from a pose that something else has shown.
//! - Its influence is partial and a joint turns past half a turn. The part that is shown counts by
//!   the shorter way around, which is then on the other side.

use std::f32::consts::PI;

use glam::{Mat2, Vec2};

use crate::descent::{self, follow, obstacle_avoidance, transition};
use crate::kinematics::joint::Joint;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::largest_stretch;
use crate::rig::kind::{Context, Kind};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::modifier::{Modifier, Workspace};
use crate::rig::pose::Pose;
use crate::skeleton::bone::Point;
use crate::skeleton::report::{Outcome, Report};
use crate::solvers::heading::{Heading, rotation_towards};

/// A joint that turns farther than this, in radians, may come past half a turn.
const FAR: f32 = 0.75 * PI;

/// A leap is not seen at this influence.
const UNSEEN: f32 = 1e-3;

/// What a modifier asks of its limb, in chain space.
pub(super) struct Aim {
    pub(super) target: Vec2,
    /// Where the target counts as being.
    pub(super) goal: Vec2,
    tolerance: f32,
}

/// What differs between the solvers in closed form.
pub(super) trait ClosedForm: Kind + Copy {
    /// Takes into account what the modifier asks for besides its target.
    fn adjust(
        &mut self,
        _aim: &mut Aim,
        _modifier: &Modifier,
        _pose: &Pose,
        _limb: &Limb,
        _space: &ChainSpace,
    ) -> Result<(), Unsolvable> {
        Ok(())
    }

    /// Turns the joints of `limb` towards `goal`, a position in chain space.
    fn turn(&self, limb: &mut Limb, goal: Vec2);

    /// The result after `steps` steps.
    fn judge(&self, limb: &Limb, aim: &Aim, steps: u32) -> Outcome {
        let tolerance = aim.tolerance.max(limb.precision());
        Outcome::at(limb.tip().distance(aim.target), tolerance, steps)
    }
}

impl Modifier {
    /// Solves one or two bones and takes the result into the pose. Returns the result.
    pub(super) fn solve_in_closed_form(
        &mut self,
        mut solver: impl ClosedForm,
        context: &mut Context,
    ) -> Result<Report, Unsolvable> {
        let pose = &mut *context.pose;
        let limb = &mut context.workspace.limb;
        let space = self.chain_space(pose)?;
        self.load_limb(pose, limb, space.mount.matrix2);
        limb.prepare()?;
        let mut aim = self.aim(pose, limb, &space, &mut solver)?;
        let factor = match solver.inputs().elasticity {
            true => self.stretch_limb(limb, &mut aim)?,
            false => 1.0,
        };
        solver.turn(limb, aim.goal);
        let can_leap = self.can_leap(limb);
        let is_smoothed = can_leap || self.next.is_in_transition();
        let mut steps = 1;
        if is_smoothed || !limb.is_rigid() {
            self.load(&solver, context.pose, &space, &mut context.workspace.tree)?;
            steps += self.correct_limb(factor, &aim, is_smoothed, context)?;
        }
        let (pose, limb) = (&mut *context.pose, &context.workspace.limb);
        self.take_limb(pose, limb, factor, space.mount.matrix2)?;
        if !can_leap && !self.next.is_in_transition() {
            self.next.clear();
        }
        Ok(solver.judge(limb, &aim, steps).into())
    }

    /// Does for the limb, which is lengthened by `factor`, what no closed form does: brings the tip
    /// to the goal if the segments' lengths depend on the pose, and shows leaps as a transition if
    /// it `is_smoothed`. The tree is loaded with the limb's joints. Returns the number of steps.
    fn correct_limb(
        &mut self,
        factor: f32,
        aim: &Aim,
        is_smoothed: bool,
        context: &mut Context,
    ) -> Result<u32, Unsolvable> {
        let Workspace {
            limb,
            tree,
            descent: workspace,
            ..
        } = &mut *context.workspace;
        lay_like(limb, factor, aim.goal, tree)?;
        let mut steps = 0;
        if !limb.is_rigid() {
            steps = obstacle_avoidance::arrive(tree, workspace, f64::from(aim.tolerance));
            turn_like(tree, limb);
        }
        if is_smoothed && !self.deterministic {
            self.is_moving = self.smooth(limb, tree, workspace, context.delta);
            if self.is_moving {
                turn_like(tree, limb);
            }
        }
        Ok(steps)
    }

    /// Whether the limb may leap from one pass to the next: where a limit or a pole makes it leap,
    /// or where only a part of a wide turn is shown.
    fn can_leap(&self, limb: &Limb) -> bool {
        let turns_far = || limb.joints.iter().any(|joint| joint.turned().abs() > FAR);
        self.pole.is_some() || limb.is_limited() || self.shown_part(limb) < 1.0 && turns_far()
    }

    /// Has `tree`, in the pose of `limb`, show a transition where the part of its turns that is
    /// shown would leap. Returns whether the next pass would move something.
    fn smooth(
        &mut self,
        limb: &Limb,
        tree: &mut Tree,
        workspace: &mut descent::Workspace,
        delta: f64,
    ) -> bool {
        let part = self.shown_part(limb);
        if part < 1.0 {
            let turns = limb.joints.iter().map(|joint| part * joint.turned());
            tree.take_pose(turns.map(f64::from));
            self.next.scale(part);
        }
        let is_moving = follow::smooth(tree, workspace, &mut self.next, delta);
        if part < 1.0 {
            self.next.scale(1.0 / part);
            transition::take_pose(tree, &self.next.swings);
        }
        is_moving
    }

    /// What part of the turns is shown, as far as leaps are concerned. Limits bound whole turns, so
    /// limited limbs are smoothed before they are blended.
    fn shown_part(&self, limb: &Limb) -> f32 {
        match self.applied_part() {
            part if part > UNSEEN && !limb.is_limited() => part,
            _ => 1.0,
        }
    }

    /// Reads the limb from the pose. Its root hangs in the frame `mount` of skeleton space.
    pub(super) fn load_limb(&self, pose: &Pose, limb: &mut Limb, mount: Mat2) {
        limb.clear();
        let tip = self.end_point(pose);
        for (index, &bone) in self.joints.iter().enumerate() {
            let end = pose.end_of_joint(&self.joints, index, tip);
            let (position, linear) = pose.climb(end, Some(bone));
            let posed = pose.bone(bone);
            let joint = Joint::new(posed.turn, posed.shape * position, posed.shape * linear);
            limb.push(joint, pose.limit(bone), mount);
        }
    }

    /// What the limb reaches for, seen from its root. Gives `solver` the bend that a pole asks for.
    fn aim(
        &self,
        pose: &Pose,
        limb: &Limb,
        space: &ChainSpace,
        solver: &mut impl ClosedForm,
    ) -> Result<Aim, Unsolvable> {
        let target = space.bring(pose.locate(self.target))?;
        let stretch = largest_stretch(space.mount.matrix2.as_dmat2()) as f32;
        let mut aim = Aim {
            target,
            goal: target,
            tolerance: solver.tolerance() / stretch,
        };
        solver.adjust(&mut aim, self, pose, limb, space)?;
        Ok(aim)
    }

    /// Eases the goal near full reach, and lengthens the limb. Returns by what factor.
    fn stretch_limb(&self, limb: &mut Limb, aim: &mut Aim) -> Result<f32, Unsolvable> {
        let elastic: f32 = limb.lengths.iter().take(self.elastic()).sum();
        let lengths = [limb.reach(), elastic];
        let (goal, factor) = self.elasticity().shape_limb(aim.goal, lengths);
        aim.goal = goal;
        if factor != 1.0 {
            limb.lengthen(self.elastic(), factor);
            limb.prepare()?;
        }
        Ok(factor)
    }

    /// How many segments, from the root on, can be lengthened.
    fn elastic(&self) -> usize {
        self.joints.len() - 1 + usize::from(self.tip_bone.is_some())
    }

    /// Takes a solved limb into the pose, with the bone that is turned after it.
    fn take_limb(
        &self,
        pose: &mut Pose,
        limb: &Limb,
        factor: f32,
        mount: Mat2,
    ) -> Result<(), Unsolvable> {
        let swings = limb.joints.iter().map(Joint::turned);
        if !{ swings }.all(f32::is_finite) {
            return Err(Unsolvable);
        }
        let headed = self.heading;
        let headed = headed.map(|heading| self.turn_to(heading, pose, limb, mount));
        let headed = headed.transpose()?;
        if factor != 1.0 {
            let ends = self.joints.iter().skip(1).copied().chain(self.tip_bone);
            for (&joint, end) in self.joints.iter().zip(ends).take(self.elastic()) {
                self.blend_length(pose, end, joint, factor);
            }
        }
        for (index, (&bone, joint)) in self.joints.iter().zip(&limb.joints).enumerate() {
            // In a transition, a joint may turn past half a turn.
            let shown = self.next.swings.get(index).filter(|_| self.is_moving);
            let swing = shown.copied().unwrap_or(joint.turned());
            self.blend_rotation(pose, bone, swing, joint.rotation);
        }
        if let Some(TurnedBone {
            bone,
            swing,
            rotation,
        }) = headed
        {
            self.blend_rotation(pose, bone, swing, rotation);
        }
        Ok(())
    }

    /// How a bone below the solved limb is turned to point along its heading.
    fn turn_to(
        &self,
        Heading { bone, direction }: Heading,
        pose: &Pose,
        limb: &Limb,
        mount: Mat2,
    ) -> Result<TurnedBone, Unsolvable> {
        let (Some(last), Some(&carrier)) = (limb.joints.last(), self.joints.last()) else {
            return Err(Unsolvable);
        };
        let heading = pose.seen_direction(direction, mount);
        let posed = pose.bone(bone);
        let below = pose
            .climb(Point::origin_of(posed.parent()), Some(carrier))
            .1;
        let above = last.basis * last.rotation.apply_to(pose.bone(carrier).shape);
        let limit = pose.limit(bone).map(|limit| (limit, mount));
        let joint = rotation_towards(heading, above * below, posed.turn, limit);
        let joint = joint.ok_or(Unsolvable)?;
        Ok(TurnedBone {
            bone,
            swing: joint.turned(),
            rotation: joint.rotation,
        })
    }
}

/// A bone that is turned after the limb.
struct TurnedBone {
    bone: usize,
    swing: f32,
    rotation: crate::math::rotation::Rotation,
}

/// Turns the joints of `limb` as those of `tree`.
fn turn_like(tree: &Tree, limb: &mut Limb) {
    limb.place_each(|index, joint| joint.rotation = tree.rotation(index), false);
}

/// Lengthens `tree` by `factor`, lays it like `limb`, and gives it `goal` for its target.
fn lay_like(limb: &Limb, factor: f32, goal: Vec2, tree: &mut Tree) -> Result<(), Unsolvable> {
    if factor != 1.0 {
        tree.lengthen(f64::from(factor));
        tree.prepare()?;
    }
    tree.tips[0].target = goal.as_dvec2();
    tree.take_pose(limb.joints.iter().map(|joint| f64::from(joint.turned())));
    Ok(())
}
