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

use crate::descent::{Memory, follow, obstacle_avoidance, transition};
use crate::kinematics::joint::Joint;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::largest_stretch;
use crate::rig::chain::End;
use crate::rig::influence::Influence;
use crate::rig::kept::Kept;
use crate::rig::kind::{Context, TOLERANCE};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::reach::Reach;
use crate::rig::pose::Pose;
use crate::rig::workspace::Workspace;
use crate::skeleton::bone::Point;
use crate::skeleton::report::Report;
use crate::solvers::elasticity::Elasticity;
use crate::solvers::heading::{Heading, rotation_towards};

/// A joint that turns farther than this, in radians, may come past half a turn.
const FAR: f32 = 0.75 * PI;

/// A leap is not seen at this influence.
const UNSEEN: f32 = 1e-3;

/// The part of the way that a point may move in a pass, up to which it surely has not leapt: what rounding may do.
const SURELY: f64 = 0.99;

/// The target of a limb, its goal and its tolerance, in chain space.
pub(super) struct Aim {
    pub(super) target: Vec2,
    /// The place that the limb reaches for: the target, or a place that stands in for it.
    pub(super) goal: Vec2,
    tolerance: f32,
}

/// The functions in which the solvers in closed form differ.
pub(super) trait ClosedForm {
    /// Takes into account what the modifier asks for besides its target.
    fn adjust(
        &mut self,
        _aim: &mut Aim,
        _reach: &LimbReach<'_>,
        _pose: &Pose,
        _limb: &Limb,
        _space: &ChainSpace,
    ) -> Result<(), Unsolvable> {
        Ok(())
    }

    /// Returns `true` if the tip is brought to the goal, and not only turned towards it.
    fn arrives(&self) -> bool {
        true
    }

    /// To which side the limb bends, if it may bend either way.
    fn side(&self) -> Option<bool> {
        None
    }

    /// Returns `true` if the limb may leap from one pass to the next, whatever limits it has.
    fn can_leap(&self) -> bool {
        false
    }

    /// Turns the joints of `limb` towards `goal`, a position in chain space. `last` are the turns of
    /// the last pass, or of the pose that it was in transition to; none if there is no memory.
    fn turn(&self, limb: &mut Limb, goal: Vec2, last: &[f32]);

    /// The result after `steps` steps.
    fn judge(&self, limb: &Limb, aim: &Aim, steps: u32) -> Report {
        let tolerance = aim.tolerance.max(limb.precision());
        Report::at(limb.tip().distance(aim.target), tolerance, steps)
    }
}

/// One or two bones with what they reach for: borrowed from a modifier for a pass.
#[derive(Clone, Copy)]
pub(super) struct LimbReach<'a> {
    pub(super) joints: &'a [usize],
    pub(super) end: End,
    pub(super) target: Point,
    pub(super) pole: Option<Point>,
    /// The side to which it bends in any case, as the sign of a turn in skeleton space, or 0.
    pub(super) bend: f32,
    /// Of a bone that is turned after the limb.
    pub(super) heading: Option<Heading>,
    pub(super) elasticity: Elasticity,
}

impl LimbReach<'_> {
    /// Solves one or two bones and takes the result into the pose. Returns the result.
    pub(super) fn solve(
        &self,
        mut form: impl ClosedForm,
        memory: &mut Kept<Memory>,
        context: &mut Context<'_>,
    ) -> Result<Report, Unsolvable> {
        // A pass without time does not show whether something moves in time.
        context.is_moving = context.delta <= 0.0 && memory.goes_on();
        let memory = &mut memory.after;
        let pose = &*context.pose;
        let limb = &mut context.workspace.limb;
        let space = limb.load(self.joints, self.end, pose)?;
        limb.prepare()?;
        let mut aim = self.aim(pose, limb, &space, &mut form)?;
        // What a foot has bent goes by the animation.
        let side = form.side().filter(|_| self.bend == 0.0);
        let bend = context.further.as_ref();
        if bend
            .zip(side)
            .is_some_and(|(bend, side)| bend.is_exchanged(side))
        {
            memory.clear();
        }
        let factor = self.stretch(limb, &mut aim)?;
        form.turn(limb, aim.goal, memory.aimed(self.joints.len()));
        let part = shown_part(limb, context.influence, form.can_leap());
        let can_leap = form.can_leap() || self.can_leap(limb, part);
        let is_steady = part >= 1.0
            && is_steady(
                limb,
                memory,
                context.workspace.descent.pursuit.speeds.point * context.delta,
            );
        let is_smoothed = !is_steady && (can_leap || memory.is_in_transition());
        let mut steps = 1;
        if is_smoothed || !limb.is_rigid() {
            steps += self.lay_tree(form.arrives(), factor, &aim, &space, context)?;
        }
        let is_shown = is_smoothed && smooth(part, memory, context);
        context.is_moving |= is_shown;
        let forgets = !can_leap && !memory.is_in_transition();
        if is_steady && !forgets {
            let limb = &context.workspace.limb;
            let turns = limb.joints.iter().map(Joint::turned);
            memory.follow(turns, limb.tip() - aim.goal, context.delta);
        }
        let shown = is_shown.then_some(&memory.swings[..]);
        let bent = hand_over_bend(side, shown, context);
        let shown = bent.as_ref().map(|turns| &turns[..]).or(shown);
        let before = memory.headed.first().copied();
        let headed = self.take(context, factor, space.mount.matrix2, (shown, before))?;
        context.is_moving |= headed.is_some() && (headed != before || context.delta <= 0.0);
        // Only now: the end of a transition is shown, too.
        if forgets {
            memory.clear();
        }
        memory.headed.clear();
        memory.headed.reserve(usize::from(self.heading.is_some()));
        memory.headed.extend(headed);
        Ok(form.judge(&context.workspace.limb, &aim, steps))
    }

    /// The limb as a tree of one branch.
    fn tree(&self) -> Reach<'_> {
        Reach {
            target: Some(self.target),
            ..Reach::line(self.joints, self.end)
        }
    }

    /// Lays a tree like the limb. Where the segments' lengths depend on the pose, which no closed form solves, it brings the
    /// tip to the goal if the limb `arrives`. Returns the number of steps.
    fn lay_tree(
        &self,
        arrives: bool,
        factor: f32,
        aim: &Aim,
        space: &ChainSpace,
        context: &mut Context<'_>,
    ) -> Result<u32, Unsolvable> {
        let Workspace {
            limb,
            tree,
            descent,
            ..
        } = &mut *context.workspace;
        self.tree().load(context.pose, space, tree)?;
        lay_like(limb, factor, aim.goal, tree)?;
        if limb.is_rigid() {
            return Ok(0);
        }
        tree.place();
        if !arrives {
            return Ok(0);
        }
        let steps = obstacle_avoidance::arrive(tree, descent, f64::from(aim.tolerance));
        turn_like(tree, limb);
        Ok(steps)
    }

    /// Returns `true` if the limb may leap from one pass to the next: where a limit or a pole makes it leap, or where
    /// only a part of a wide turn is shown.
    fn can_leap(&self, limb: &Limb, part: f32) -> bool {
        let turns_far = || limb.joints.iter().any(|joint| joint.turned().abs() > FAR);
        self.pole.is_some() || limb.is_limited() || part < 1.0 && turns_far()
    }

    /// Returns the aim of the limb, seen from its root. Gives `form` the bend that a pole asks for.
    fn aim(
        &self,
        pose: &Pose,
        limb: &Limb,
        space: &ChainSpace,
        form: &mut impl ClosedForm,
    ) -> Result<Aim, Unsolvable> {
        let target = space.bring(pose.locate(self.target))?;
        let stretch = largest_stretch(space.mount.matrix2.as_dmat2()) as f32;
        let mut aim = Aim {
            target,
            goal: target,
            tolerance: TOLERANCE / stretch,
        };
        form.adjust(&mut aim, self, pose, limb, space)?;
        Ok(aim)
    }

    /// Eases the goal near full reach, and lengthens the limb. Returns by what factor.
    fn stretch(&self, limb: &mut Limb, aim: &mut Aim) -> Result<f32, Unsolvable> {
        if self.elasticity.is_off() {
            return Ok(1.0);
        }
        let elastic: f32 = limb.lengths.iter().take(self.elastic()).sum();
        let lengths = [limb.reach(), elastic];
        let (goal, factor) = self.elasticity.shape_limb(aim.goal, lengths);
        aim.goal = goal;
        if factor != 1.0 {
            limb.lengthen(self.elastic(), factor);
            limb.prepare()?;
        }
        Ok(factor)
    }

    /// Returns the number of segments, from the root on, that can be lengthened.
    fn elastic(&self) -> usize {
        self.joints.len() - 1 + usize::from(self.end.bone().is_some())
    }

    /// Takes a solved limb into the pose, with the bone that is turned after it. `shown` are the
    /// turns of a limb in transition, in which a joint may turn past half a turn, and of that bone if a limit kept it from
    /// its heading. Returns that one if a limit does so now.
    fn take(
        &self,
        context: &mut Context<'_>,
        factor: f32,
        mount: Mat2,
        (shown, headed): (Option<&[f32]>, Option<f32>),
    ) -> Result<Option<f32>, Unsolvable> {
        let (pose, limb) = (&mut *context.pose, &context.workspace.limb);
        let influence = context.influence;
        limb.check()?;
        let most = context.workspace.descent.pursuit.speeds.turn * context.delta;
        let held = headed.map(|before| (before, most as f32));
        let headed = self.heading;
        let headed = headed.map(|heading| self.turn_to(heading, pose, limb, mount, held));
        let headed = headed.transpose()?;
        if factor != 1.0 {
            let ends = self.joints.iter().skip(1).copied().chain(self.end.bone());
            for (&joint, end) in self.joints.iter().zip(ends).take(self.elastic()) {
                influence.lengthen(pose, end, joint, factor);
            }
        }
        for (index, (&bone, joint)) in self.joints.iter().zip(&limb.joints).enumerate() {
            let shown = shown.and_then(|shown| shown.get(index)).copied();
            let swing = shown.unwrap_or(joint.turned());
            influence.turn(pose, bone, swing, joint.rotation);
        }
        let Some((bone, (joint, is_kept))) = headed else {
            return Ok(None);
        };
        influence.turn(pose, bone, joint.turned(), joint.rotation);
        Ok(is_kept.then(|| joint.turned()))
    }

    /// Returns a bone below the solved limb, turned to point along its heading, and whether a limit keeps it from that.
    fn turn_to(
        &self,
        Heading { bone, direction }: Heading,
        pose: &Pose,
        limb: &Limb,
        mount: Mat2,
        held: Option<(f32, f32)>,
    ) -> Result<(usize, (Joint, bool)), Unsolvable> {
        let (Some(last), Some(&carrier)) = (limb.joints.last(), self.joints.last()) else {
            return Err(Unsolvable);
        };
        let direction = direction.now().ok_or(Unsolvable)?;
        let heading = pose.seen_direction(direction, mount);
        let posed = pose.bone(bone);
        let below = pose
            .climb(Point::origin_of(posed.parent()), Some(carrier))
            .1;
        let above = last.basis * last.rotation.apply_to(pose.bone(carrier).shape);
        let limit = pose.limit(bone).map(|limit| (limit, mount));
        let joint = rotation_towards(heading, above * below, posed.turn, limit, held);
        Ok((bone, joint.ok_or(Unsolvable)?))
    }
}

/// Returns the part of the turns that is shown, as far as leaps are concerned. Limits bound whole turns, so limited
/// limbs are smoothed before they are blended, unless they only look.
fn shown_part(limb: &Limb, influence: Influence, is_look: bool) -> f32 {
    match influence.part() {
        part if part > UNSEEN && (is_look || !limb.is_limited()) => part,
        _ => 1.0,
    }
}

/// Returns `true` if the limb goes on from the last pass by turns so small that no point of it can have leapt: however
/// the joints turn together, none moves farther than by each of these turns alone, one after another. A point may move
/// by so many `spans`.
fn is_steady(limb: &Limb, memory: &Memory, spans: f64) -> bool {
    if memory.is_in_transition() || !memory.holds(limb.joints.len()) || !limb.is_rigid() {
        return false;
    }
    let joints = limb.joints.iter().zip(&limb.lengths).zip(&memory.swings);
    let (mut beyond, mut most) = (0.0, 0.0);
    for ((joint, length), swing) in joints.rev() {
        beyond += length;
        most += (joint.turned() - swing).abs() * beyond;
    }
    f64::from(most) <= SURELY * spans * f64::from(beyond)
}

/// Turns a limb that goes over to another `side` by as much as it has come. `shown` are the turns of a limb in transition.
/// Returns the turns of its joints while it goes over.
fn hand_over_bend(
    side: Option<bool>,
    shown: Option<&[f32]>,
    context: &mut Context<'_>,
) -> Option<[f32; 2]> {
    let bend = context.further.as_mut()?;
    let limb = &mut context.workspace.limb;
    let (Some(side), [one, two]) = (side, &limb.joints[..]) else {
        bend.forget();
        return None;
    };
    let turns = match shown {
        Some(&[one, two]) => [one, two],
        _ => [one.turned(), two.turned()],
    };
    let is_partial = context.influence.part() < 1.0;
    bend.advance(side, turns, limb, is_partial, context.delta)
}

/// Shows a transition where the `part` of the limb's turns that is shown would leap. The joints of the tree are swung
/// like the limb's. Returns whether the next pass would move something.
fn smooth(part: f32, memory: &mut Memory, context: &mut Context<'_>) -> bool {
    let Workspace {
        limb,
        tree,
        descent,
        ..
    } = &mut *context.workspace;
    if part < 1.0 {
        let turns = limb.joints.iter().map(|joint| part * joint.turned());
        tree.take_pose(turns.map(f64::from));
        memory.scale(part);
    }
    let is_moving = follow::smooth(tree, descent, memory, context.delta, None);
    if part < 1.0 {
        memory.scale(1.0 / part);
        transition::take_pose(tree, &memory.swings);
    }
    if is_moving {
        turn_like(tree, limb);
    }
    is_moving
}

impl Limb {
    /// Reads the limb of `joints` from the pose. Returns the space that it is in.
    pub(super) fn load(
        &mut self,
        joints: &[usize],
        end: End,
        pose: &Pose,
    ) -> Result<ChainSpace, Unsolvable> {
        let space = ChainSpace::of(joints.first(), pose)?;
        self.clear();
        let tip = end.in_pose(pose);
        for (index, &bone) in joints.iter().enumerate() {
            let end = pose.end_of_joint(joints, index, tip);
            let (position, linear) = pose.climb(end, Some(bone));
            let posed = pose.bone(bone);
            let joint = Joint::new(posed.turn, posed.shape * position, posed.shape * linear);
            self.push(joint, pose.limit(bone), space.mount.matrix2);
        }
        Ok(space)
    }

    /// Checks that all turns are numbers.
    fn check(&self) -> Result<(), Unsolvable> {
        let mut joints = self.joints.iter();
        let is_finite =
            |joint: &Joint| (joint.base.direction() + joint.rotation.direction()).is_finite();
        joints.all(is_finite).then_some(()).ok_or(Unsolvable)
    }

    /// Takes the joints into the pose of `bones`.
    pub(super) fn take(
        &self,
        bones: &[usize],
        pose: &mut Pose,
        influence: Influence,
    ) -> Result<(), Unsolvable> {
        self.check()?;
        for (&bone, joint) in bones.iter().zip(&self.joints) {
            influence.turn(pose, bone, joint.turned(), joint.rotation);
        }
        Ok(())
    }
}

/// Turns the joints of `limb` as those of `tree`.
fn turn_like(tree: &Tree, limb: &mut Limb) {
    limb.place_each(|index, joint| joint.rotation = tree.rotation(index), false);
}

/// Lengthens `tree` by `factor`, swings its joints like those of `limb`, and gives it `goal` for its target. Its points
/// are not placed.
fn lay_like(limb: &Limb, factor: f32, goal: Vec2, tree: &mut Tree) -> Result<(), Unsolvable> {
    if factor != 1.0 {
        tree.lengthen(f64::from(factor));
        tree.prepare()?;
    }
    tree.tips[0].target = goal.as_dvec2();
    tree.swing_to(limb.joints.iter().map(|joint| f64::from(joint.turned())));
    Ok(())
}
