//! One modifier of a rig: what all kinds have in common, and how a pass applies it.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::angle::shortest_way;
use crate::math::rotation::Rotation;
use crate::rig::further::Further;
use crate::rig::goal::Goal;
use crate::rig::handover::{Handover, Task};
use crate::rig::influence::Influence;
use crate::rig::kept::{Keeps, Kept};
use crate::rig::kind::{Context, Parts, Peer, Peers};
use crate::rig::kind_list::Solver;
use crate::rig::kinds::custom::Scripted;
use crate::rig::placed::Placed;
use crate::rig::pose::Pose;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::report::{Report, Status};
use crate::solvers::handover::HandoverSettings;

/// One modifier of a rig.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    /// Off: the pose is left as it is, and only measured.
    #[serde(default = "yes")]
    pub active: bool,
    /// The part of the result that is applied: 0 keeps the pose before this modifier.
    #[serde(default = "crate::math::number::one", with = "crate::math::number")]
    pub influence: f32,
    /// The kind of the modifier, with its data.
    pub solver: Solver,
    /// The handover to another target; `None` if that is at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handover: Option<Box<Handover>>,
    /// `true` if its target is not its own but given by another modifier in each pass. Without one it does nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub awaits_goal: bool,
    /// The outcome of the last pass for this modifier.
    #[serde(skip)]
    pub report: Report,
    /// The shortfall (see `Kind::shortfall`) when this modifier had just been applied.
    #[serde(skip)]
    shortfall: f32,
    /// `true` if the next pass would move something, if nothing but time changed.
    #[serde(skip)]
    pub(super) is_moving: bool,
    /// `true` if the next pass begins from the rotations that the rig is given.
    #[serde(skip)]
    begins_from_drawn: bool,
    /// The state of a limb that a foot places; `None` if no foot has had a goal for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placed: Option<Box<Placed>>,
    /// The goal that a foot gives it in this pass.
    #[serde(skip)]
    aim: Option<Goal>,
}

/// The modifiers of a rig from the index `first` on.
pub(super) struct Later<'a> {
    pub(super) first: usize,
    pub(super) modifiers: &'a mut [Modifier],
}

impl Peers for Later<'_> {
    fn limb(&self, index: usize) -> Option<Peer<'_>> {
        let modifier = self.modifiers.get(index.checked_sub(self.first)?);
        modifier.map(Modifier::limb)
    }

    fn aim(&mut self, index: usize, goal: Goal) {
        let place = index.checked_sub(self.first);
        if let Some(modifier) = place.and_then(|place| self.modifiers.get_mut(place)) {
            modifier.aim(goal);
        }
    }
}

fn yes() -> bool {
    true
}

impl Modifier {
    /// A modifier at full influence.
    pub fn new(solver: impl Into<Solver>) -> Self {
        Self {
            active: true,
            influence: 1.0,
            solver: solver.into(),
            handover: None,
            report: Report::default(),
            shortfall: 0.0,
            is_moving: false,
            begins_from_drawn: false,
            awaits_goal: false,
            placed: None,
            aim: None,
        }
    }

    /// Has it do this until the end of the pass.
    pub(super) fn aim(&mut self, goal: Goal) {
        self.reach_for(goal.point);
        self.placed.get_or_insert_default();
        self.aim = Some(goal);
    }

    /// It goes after its own target again.
    pub(super) fn end_aim(&mut self) {
        if self.aim.take().is_some() {
            self.reach_for(None);
        }
    }

    /// Has it reach for `goal` instead of its target.
    fn reach_for(&mut self, goal: Option<Point>) {
        if let Some(target) = self.solver.kind_mut().target_mut() {
            target.set_goal(goal);
        }
    }

    /// The same while it goes over to its target, and turns the bone at its end.
    fn go_over(&mut self, goal: Option<Point>, heading: Option<Direction>) {
        self.reach_for(goal);
        if let Some(own) = self.solver.kind_mut().heading_mut() {
            own.set_goal(heading);
        }
    }

    /// The modifier as others see it, who have it reach for the ground.
    pub(super) fn limb(&self) -> Peer<'_> {
        Peer {
            parts: self.parts(),
            is_active: self.active,
            awaits_goal: self.awaits_goal,
            miss: self.placed.as_ref().and_then(|placed| placed.miss()),
        }
    }

    /// Returns its parts.
    pub fn parts(&self) -> &dyn Parts {
        self.solver.parts()
    }

    /// Has the next pass begin from the rotations that the rig is given.
    pub fn note_drawn(&mut self) {
        self.begins_from_drawn = true;
    }

    /// Forgets what it went over to.
    pub(super) fn forget_handover(&mut self) {
        if let Some(handover) = &mut self.handover {
            handover.memory = Kept::default();
        }
    }

    /// Returns `true` once if the pass begins from these rotations.
    pub(super) fn takes_drawn(&mut self) -> bool {
        std::mem::take(&mut self.begins_from_drawn)
    }

    /// Begins the next pass from `drawn`, the rotations of all bones, as if it had shown them. Does
    /// nothing for kinds that have no target or keep no memory.
    pub(super) fn begin_from(&mut self, drawn: &[f32], pose: &Pose) {
        let influence = Influence(self.influence);
        if influence.part() > 0.0 {
            self.solver.kind_mut().begin_from(drawn, pose, influence);
        }
    }

    /// Solves for the present pose and applies the result to it. The report lacks the place of the
    /// tip.
    pub(super) fn apply(&mut self, context: &mut Context<'_>) {
        let has_goal = self.aim.is_some_and(|goal| goal.point.is_some());
        let active = self.active && (!self.awaits_goal || has_goal);
        if let Some(placed) = &mut self.placed {
            let side = placed.begin(self.solver.kind(), self.aim, context.pose);
            context.bend = if self.awaits_goal { side } else { 0.0 };
        }
        let task = match &mut self.handover {
            Some(handover) => {
                handover.begin(self.solver.kind(), active, context.pose, context.delta)
            }
            None => Task::plain(active),
        };
        if !self.try_task(&task, context)
            && let Some(handover) = &mut self.handover
        {
            handover.fail(active);
        }
        self.finish_handover(context.pose, context.delta);
        self.finish_placed(context);
    }

    /// Holds back the joints that a foot would have turn too fast, and turns the foot. What a limb with a target of
    /// its own is animated by is not known.
    fn finish_placed(&mut self, context: &mut Context<'_>) {
        let Some(placed) = &mut self.placed else {
            return;
        };
        let delta = if self.awaits_goal {
            context.delta
        } else {
            f64::INFINITY
        };
        let point = self.aim.and_then(|goal| goal.point);
        let is_turned = placed.hold_back(self.solver.kind(), point, context.pose, delta);
        if let Some(goal) = self.aim.filter(|_| point.is_some() || is_turned) {
            turn_foot(goal, context.pose, Influence(self.influence));
        }
    }

    /// Holds back the joints that would turn too fast. A modifier has not arrived until the goal has gone
    /// over, and its joints have followed.
    fn finish_handover(&mut self, pose: &mut Pose, delta: f64) {
        let Some(handover) = &mut self.handover else {
            return;
        };
        let kind = self.solver.kind();
        let is_held = handover.hold_back(kind, pose, delta);
        self.is_moving |= is_held || handover.is_moving();
        let is_on_the_way = match self.report.status {
            Status::Reached => handover.is_going() || is_held && kind.shortfall_in(pose) > 0.0,
            Status::Idle => is_held,
            Status::OutOfReach | Status::Invalid => false,
        };
        if is_on_the_way {
            self.report.status = Status::OutOfReach;
        }
    }

    /// Solves a task, if there is one. Returns whether that could be done.
    fn try_task(&mut self, task: &Task, context: &mut Context<'_>) -> bool {
        self.is_moving = false;
        if !task.solves {
            if let Some(handover) = &mut self.handover {
                handover.forget_further();
            }
            match self.solver.kind().lasts() {
                true => self.solver.kind_mut().begin(),
                false => self.forget_solve(),
            }
            self.report = Report::without_solve(Status::Idle);
            return true;
        }
        context.influence.0 *= task.part;
        if task.begins && context.influence.part() > 0.0 {
            let kind = self.solver.kind_mut();
            kind.begin_from(&[], context.pose, context.influence);
        }
        if let Some((point, heading)) = task.goal {
            let point = self.parts().target().map(|_| point);
            self.go_over(point, Some(heading));
        }
        context.clock = task.clock;
        context.further = self.handover.as_mut().and_then(|it| it.lend_further());
        let kind = self.solver.kind_mut();
        kind.begin();
        let mut solved = kind.apply(context);
        if solved.is_err() && kind.begin_anew() {
            // With what is kept it cannot be solved, and never could: numbers in it are too large.
            context.further.iter_mut().for_each(Further::forget);
            solved = kind.apply(context);
        }
        if let Some((handover, further)) = self.handover.as_mut().zip(context.further.take()) {
            handover.take_further(further);
        }
        self.is_moving = context.is_moving;
        if task.goal.is_some() {
            self.go_over(self.aim.and_then(|aim| aim.point), None);
        }
        let could = solved.is_ok();
        self.report = solved.unwrap_or_else(|_| {
            self.solver.kind_mut().begin();
            let status = if self.active {
                Status::Invalid
            } else {
                Status::Idle
            };
            Report::without_solve(status)
        });
        could
    }

    /// Sets how it goes over to another target. Returns whether that changes anything.
    pub fn set_handover(&mut self, settings: HandoverSettings) -> bool {
        match &mut self.handover {
            None if settings.is_off() => return false,
            Some(handover) if settings.is_off() && !handover.is_due() => self.handover = None,
            Some(handover) if handover.settings == settings => return false,
            handover => handover.get_or_insert_default().settings = settings,
        }
        true
    }

    /// Returns `true` if it has moved its bones in the last pass, and hands over what is exchanged.
    pub fn is_handed_over(&self) -> bool {
        let hands_over = |handover: &Handover| handover.settings.hands_over();
        let is_solved = matches!(self.report.status, Status::Reached | Status::OutOfReach);
        is_solved && self.handover.as_deref().is_some_and(hands_over)
    }

    /// Notes that the target is another one than in the last pass.
    pub fn note_exchange(&mut self) {
        if let Some(handover) = &mut self.handover {
            let passing = &mut handover.memory.after;
            (passing.is_exchanged, passing.seconds) = (true, None);
        }
    }

    /// Has it go over to another target in so many `seconds`, whatever its settings say: from where it is shown, or from the
    /// place `from`, in skeleton space, if the pass before kept nothing of that.
    pub fn hand_over(&mut self, from: Option<Vec2>, seconds: f32) {
        let passing = &mut self.handover.get_or_insert_default().memory.after;
        passing.is_exchanged = true;
        passing.seconds = Some(seconds);
        passing.from = from;
    }

    /// Returns `true` if it is going over to another target, or is being switched on or off.
    pub fn is_in_transition(&self) -> bool {
        self.handover
            .as_ref()
            .is_some_and(|handover| handover.is_going())
    }

    /// Makes the last solve the one that the next goes on from.
    pub(super) fn go_on(&mut self) {
        self.kept().into_iter().for_each(Keeps::go_on);
        if let Some(handover) = &mut self.handover {
            handover.memory.go_on();
        }
        if let Some(placed) = &mut self.placed {
            placed.memory.go_on();
        }
    }

    /// Forgets the last solve: the next one begins anew.
    pub fn forget(&mut self) {
        self.forget_solve();
        self.forget_goal();
    }

    fn forget_goal(&mut self) {
        if let Some(placed) = &mut self.placed {
            placed.memory.forget();
        }
        if let Some(handover) = &mut self.handover {
            handover.memory.forget();
        }
    }

    /// Forgets of the last solve what does not hold after a while without one.
    pub(super) fn pause(&mut self) {
        if !self.solver.kind().lasts() {
            self.forget_solve();
        }
        self.forget_goal();
    }

    fn forget_solve(&mut self) {
        self.kept().into_iter().for_each(Keeps::forget);
    }

    fn kept(&mut self) -> Option<&mut dyn Keeps> {
        self.solver.kind_mut().kept()
    }

    /// Takes over what `other`, the same modifier of an earlier rig, keeps of its last solve.
    pub fn take_over_memory(&mut self, other: &mut Self) {
        if let (Some(own), Some(other)) = (self.kept(), other.kept()) {
            own.take_over(other);
        }
        std::mem::swap(&mut self.handover, &mut other.handover);
        std::mem::swap(&mut self.placed, &mut other.placed);
        self.is_moving = other.is_moving;
    }

    /// The same where it turns other bones than `other`. `before` says of a bone which it was in that rig, and how far it
    /// was shown off its base pose. Chains begin from the rotations that the rig is given.
    pub fn take_over_pose(
        &mut self,
        other: &mut Self,
        before: &dyn Fn(usize) -> Option<(usize, f32)>,
    ) {
        match (&mut self.solver, &other.solver) {
            (Solver::Ragdoll(own), Solver::Ragdoll(old)) => {
                return own.take_over_links(old, before);
            }
            _ if !other.is_handed_over() => return,
            (Solver::FullBody(own), Solver::FullBody(old)) => {
                own.take_over_pose(old, before);
                std::mem::swap(&mut self.handover, &mut other.handover);
                return self.note_exchange();
            }
            (Solver::ChainIk(_), Solver::ChainIk(_)) => {
                std::mem::swap(&mut self.handover, &mut other.handover);
            }
            _ => {}
        }
        self.note_drawn();
    }

    /// Has it go over to other effectors: `before` says of each which of those of the last pass it was, and whether its
    /// target is still the same.
    pub fn exchange_effectors(&mut self, before: impl Iterator<Item = Option<(usize, bool)>>) {
        match (&self.solver, &mut self.handover) {
            (Solver::ChainIk(_), Some(handover)) => {
                handover.memory.after.exchange_further(before);
            }
            _ => self.note_exchange(),
        }
    }

    /// Notes how far the tips are from their targets now, just after it was applied.
    pub(super) fn note_shortfall(&mut self, pose: &Pose) {
        if self.parts().reaches() {
            self.shortfall = self.solver.kind().shortfall_in(pose);
        }
    }

    /// For a look-at: by what angle it missed its target when it was applied, in radians.
    pub fn look_error(&self) -> Option<f32> {
        self.solver.kind().angle_left(self.shortfall)
    }

    /// Measures what it came to at the end of the pass, in which later modifiers may have moved a
    /// tip away from its target, or to it. What was left when it was applied does not count, for
    /// example because of its influence.
    pub(super) fn review(&mut self, pose: &Pose, is_last: bool) {
        let kind = self.solver.kind();
        let tip = pose.locate(kind.tip());
        let gap = kind.gap(tip, pose);
        if kind.reaches() {
            // A tip that follows others has nothing to be measured against.
            self.report.distance = gap.unwrap_or(f32::INFINITY);
        }
        self.report.tip = tip;
        let was_solved = matches!(self.report.status, Status::Reached | Status::OutOfReach);
        if is_last || !kind.reaches() || !was_solved || self.is_in_transition() {
            return;
        }
        let (before, now) = (self.shortfall, kind.shortfall(pose, gap.unwrap_or(0.0)));
        if now > before.max(0.0) {
            self.report.status = Status::OutOfReach;
        } else if now <= 0.0 && before > 0.0 {
            self.report.status = Status::Reached;
        }
    }
}

/// A direction, turned a part of the shorter way towards another.
fn turned_towards(from: Vec2, to: Vec2, part: f32) -> Vec2 {
    let way = Rotation::between(from, to).map_or(0.0, Rotation::angle);
    Rotation::from_angle(part * way).apply(from)
}

/// Turns the foot of a limb and its toes, within their limits.
fn turn_foot(goal: Goal, pose: &mut Pose, influence: Influence) {
    let Some(bone) = goal.foot else { return };
    let turned = |pose: &Pose, bone: usize, turn: f32| {
        let own = pose.frame(Some(bone)).matrix2.x_axis;
        Rotation::from_angle(turn).apply(own)
    };
    let by_turn = turned(pose, bone, goal.turn);
    let wanted = match goal.direction {
        Some((direction, 1.0)) => direction,
        Some((direction, part)) => turned_towards(by_turn, direction, part),
        None => by_turn,
    };
    point_bone(bone, wanted, pose, influence);
    if let Some((toes, bend)) = goal.toes.filter(|(_, bend)| *bend != 0.0) {
        point_bone(toes, turned(pose, toes, bend), pose, influence);
    }
}

/// Points a bone that way, in skeleton space, within its limit.
fn point_bone(bone: usize, wanted: Vec2, pose: &mut Pose, influence: Influence) {
    let mount = pose.frame(pose.bone(bone).parent()).matrix2;
    let mirror = Vec2::new(pose.bone(bone).scale().x, 0.0);
    let seen = mount.inverse() * wanted;
    let Some(turn) = Rotation::between(mirror, seen) else {
        return;
    };
    let before = pose.bone(bone).rotation;
    let rotation = before + shortest_way(before, turn.angle());
    if rotation.is_finite() {
        Scripted { bone, rotation }.take(pose, influence);
    }
}
