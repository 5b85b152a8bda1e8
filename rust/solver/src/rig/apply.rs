//! How a pass applies one modifier, and what it measures of it.
//!
//! How much of the result the pose takes (`influence`): [`crate::rig::influence`].

use glam::Affine2;

use crate::rig::kind::Context;
use crate::rig::modifier::{Modifier, Workspace};
use crate::rig::pose::Pose;
use crate::skeleton::report::{Outcome, Report, Status};

impl Modifier {
    /// Solves for the present pose after `delta` seconds and applies the result to it. Returns
    /// the result, without the place of the tip.
    pub(super) fn apply(
        &mut self,
        pose: &mut Pose,
        workspace: &mut Workspace,
        delta: f64,
        to_global: Affine2,
    ) -> Report {
        self.is_moving = false;
        if !self.active {
            self.forget();
            return Outcome::without_solve(Status::Idle).into();
        }
        if self.deterministic {
            self.forget();
        } else {
            self.next.clone_from(&self.memory);
            self.next_state.clone_from(&self.state);
        }
        let mut context = Context {
            pose,
            workspace,
            delta,
            to_global,
        };
        let solver = self.solver;
        let solved = solver.kind().apply(self, &mut context);
        // A pass without time does not show whether something moves in time.
        self.is_moving |= delta <= 0.0 && !self.deterministic && !self.memory.swings.is_empty();
        solved.unwrap_or_else(|_| {
            self.next.clone_from(&self.memory);
            self.next_state.clone_from(&self.state);
            Outcome::without_solve(Status::Invalid).into()
        })
    }

    /// Makes the last solve the one that the next goes on from.
    pub(super) fn go_on(&mut self) {
        std::mem::swap(&mut self.memory, &mut self.next);
        std::mem::swap(&mut self.state, &mut self.next_state);
    }

    /// Forgets the last solve.
    pub(super) fn forget(&mut self) {
        self.next.clear();
        self.next_state.clear();
    }

    /// How far the tips are from being at their targets: skeleton units, or for a look-at radians. 0 or
    /// less if all are reached.
    pub(super) fn measure_shortfall(&self, pose: &Pose) -> f32 {
        self.solver.kind().shortfall(self, pose)
    }

    /// For a look-at: by what angle it missed its target when it was applied, in radians.
    pub fn look_error(&self) -> Option<f32> {
        self.solver.kind().angle_left(self.shortfall)
    }

    /// Corrects the status if later modifiers have moved a tip away from its target, or to it. What was
    /// left when the modifier was applied does not count, for example because of its influence.
    pub(super) fn review_status(&mut self, pose: &Pose) {
        if !self.solver.reaches()
            || !matches!(self.report.status, Status::Reached | Status::OutOfReach)
        {
            return;
        }
        let (before, now) = (self.shortfall, self.measure_shortfall(pose));
        if now > before.max(0.0) {
            self.report.status = Status::OutOfReach;
        } else if now <= 0.0 && before > 0.0 {
            self.report.status = Status::Reached;
        }
    }
}
