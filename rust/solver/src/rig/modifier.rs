//! One modifier of a rig: what all kinds have in common, and how a pass applies it.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::angle::shortest_way;
use crate::math::rotation::Rotation;
use crate::rig::goal::Goal;
use crate::rig::influence::Influence;
use crate::rig::kept::Keeps;
use crate::rig::kind::{Context, Limb, Limbs, Parts};
use crate::rig::kinds::custom::Scripted;
use crate::rig::pose::Pose;
use crate::rig::solver::Solver;
use crate::rig::workspace::Workspace;
use crate::skeleton::bone::Point;
use crate::skeleton::report::{Outcome, Report, Status};

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
    /// What it does.
    pub solver: Solver,
    /// Whether its target is not its own but given by another modifier in each pass: without one it
    /// does nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub awaits_goal: bool,
    /// What the last pass made of this modifier.
    #[serde(skip)]
    pub report: Report,
    /// The shortfall (see `Kind::shortfall`) when this modifier had just been applied.
    #[serde(skip)]
    shortfall: f32,
    /// Whether the next pass would move something, if nothing but time changed.
    #[serde(skip)]
    pub(super) is_moving: bool,
    /// What another modifier has it do in this pass, and its own target meanwhile.
    #[serde(skip)]
    aim: Option<(Goal, Point)>,
}

/// Where a modifier is in its rig.
pub(super) struct Place<'a> {
    pub(super) index: usize,
    /// The modifiers that come after it.
    pub(super) later: &'a mut [Modifier],
    /// The skeleton's global transform.
    pub(super) to_global: Affine2,
}

impl Limbs for &mut [Modifier] {
    fn limb(&self, index: usize) -> Option<Limb<'_>> {
        self.get(index).map(Modifier::limb)
    }

    fn aim(&mut self, index: usize, goal: Goal) {
        if let Some(modifier) = self.get_mut(index) {
            modifier.aim(goal);
        }
    }
}

fn yes() -> bool {
    true
}

fn full() -> f32 {
    1.0
}

impl Modifier {
    /// A modifier at full influence.
    pub fn new(solver: impl Into<Solver>) -> Self {
        Self {
            active: true,
            influence: 1.0,
            solver: solver.into(),
            report: Report::default(),
            shortfall: 0.0,
            is_moving: false,
            awaits_goal: false,
            aim: None,
        }
    }

    /// Has it do this until the end of the pass. What has no target does not.
    pub(super) fn aim(&mut self, goal: Goal) {
        self.end_aim();
        if let Some(target) = self.solver.parts_mut().target_mut() {
            self.aim = Some((goal, std::mem::replace(target, goal.point)));
        }
    }

    /// Gives it its own target back.
    pub(super) fn end_aim(&mut self) {
        if let (Some((_, own)), Some(target)) =
            (self.aim.take(), self.solver.parts_mut().target_mut())
        {
            *target = own;
        }
    }

    /// The modifier as others see it, who have it reach for the ground.
    pub(super) fn limb(&self) -> Limb<'_> {
        Limb {
            parts: self.parts(),
            is_active: self.active,
            awaits_goal: self.awaits_goal,
        }
    }

    /// What it is made of.
    pub fn parts(&self) -> &dyn Parts {
        self.solver.parts()
    }

    /// Begins the next pass from `drawn`, the rotations of all bones, as if it had shown them. Does
    /// nothing for kinds that have no target or keep no memory.
    pub(super) fn begin_from(&mut self, drawn: &[f32], pose: &Pose) {
        let influence = Influence(self.influence);
        if influence.part() > 0.0 {
            self.solver.kind_mut().begin_from(drawn, pose, influence);
        }
    }

    /// Solves for the present pose after `delta` seconds and applies the result to it. The report
    /// lacks the place of the tip.
    pub(super) fn apply(
        &mut self,
        pose: &mut Pose,
        workspace: &mut Workspace,
        delta: f64,
        mut place: Place<'_>,
    ) {
        self.is_moving = false;
        if !self.active || self.awaits_goal && self.aim.is_none() {
            self.forget();
            self.report = Outcome::without_solve(Status::Idle).into();
            return;
        }
        let mut context = Context {
            pose,
            workspace,
            influence: Influence(self.influence),
            delta,
            to_global: place.to_global,
            is_moving: false,
            index: place.index,
            later: &mut place.later,
        };
        let kind = self.solver.kind_mut();
        kind.begin();
        let solved = kind.apply(&mut context);
        self.is_moving = context.is_moving;
        self.report = solved.unwrap_or_else(|_| {
            kind.begin();
            Outcome::without_solve(Status::Invalid).into()
        });
        if let Some((goal, _)) = self.aim {
            turn_foot(goal, context.pose, context.influence);
        }
    }

    /// Makes the last solve the one that the next goes on from.
    pub(super) fn go_on(&mut self) {
        self.kept().into_iter().for_each(Keeps::go_on);
    }

    /// Forgets the last solve.
    pub(super) fn forget(&mut self) {
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
        self.is_moving = other.is_moving;
    }

    /// Notes how far the tips are from their targets now, just after it was applied.
    pub(super) fn note_shortfall(&mut self, pose: &Pose) {
        if self.parts().reaches() {
            self.shortfall = self.solver.kind().shortfall(pose);
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
        let parts = self.solver.parts();
        let tip = pose.locate(parts.tip());
        if let Some(target) = parts.target() {
            self.report.distance = tip.distance(pose.locate(target));
        } else if parts.reaches() {
            // A tip that follows others has nothing to be measured against.
            self.report.distance = f32::INFINITY;
        }
        self.report.tip = tip;
        let was_solved = matches!(self.report.status, Status::Reached | Status::OutOfReach);
        if is_last || !parts.reaches() || !was_solved {
            return;
        }
        let (before, now) = (self.shortfall, self.solver.kind().shortfall(pose));
        if now > before.max(0.0) {
            self.report.status = Status::OutOfReach;
        } else if now <= 0.0 && before > 0.0 {
            self.report.status = Status::Reached;
        }
    }
}

/// Turns the foot of a limb, within its limit.
fn turn_foot(goal: Goal, pose: &mut Pose, influence: Influence) {
    let Some(bone) = goal.foot else { return };
    let own = pose.frame(Some(bone)).matrix2.x_axis;
    let wanted = Rotation::from_angle(goal.turn).apply(own);
    let mount = pose.frame(pose.bone(bone).parent()).matrix2;
    let mirror = Vec2::new(pose.bone(bone).scale().x, 0.0);
    let seen = mount.inverse() * goal.direction.unwrap_or(wanted);
    let Some(turn) = Rotation::between(mirror, seen) else {
        return;
    };
    let before = pose.bone(bone).rotation;
    let rotation = before + shortest_way(before, turn.angle());
    if rotation.is_finite() {
        Scripted { bone, rotation }.take(pose, influence);
    }
}
