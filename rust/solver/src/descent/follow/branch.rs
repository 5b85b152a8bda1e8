//! Going on along the branch of the last pass: towards the base pose, and to the targets.

use crate::descent::deadlock;
use crate::descent::follow::Pass;
use crate::descent::follow::settling::settling;
use crate::descent::home;
use crate::descent::reaching::{self, PRECISION, keeping};
use crate::descent::step::settle::{forget_moves, settle};
use crate::descent::step::{Workspace, descend_to};
use crate::kinematics::contact;
use crate::kinematics::tree::Tree;

/// Steps to the targets at most.
const MAX_STEPS: u32 = 32;

impl<Find: FnMut(&mut Tree, &mut Workspace) -> u32> Pass<'_, Find> {
    /// Goes on from the present pose: towards the base pose, and to the targets. Returns whether
    /// it has come nearer to the base pose.
    pub(super) fn follow(&mut self, demand: f64) -> bool {
        self.workspace.contacts.clear();
        if self.tree.is_overstretched && self.lies_straight(demand) {
            return false;
        }
        let emphasis = keeping(self.tree);
        if self.tree.is_unbounded && self.is_free() && self.tree.error() > self.enough {
            deadlock::bend_out(self.tree, self.workspace);
        }
        let mut settled = 0;
        if self.memory.has_arrived {
            let delta = self.delta;
            let part = |left| settling(left, delta);
            forget_moves(self.workspace);
            settled = settle(self.tree, self.workspace, emphasis, part);
            self.steps += settled;
        }
        if self.tree.error() > PRECISION * self.tree.span || !self.tree.cores.is_empty() {
            let precise = 0.1 * PRECISION * self.tree.span;
            self.steps += descend_to(self.tree, self.workspace, emphasis, MAX_STEPS, precise);
        }
        if !self.tree.cores.is_empty() && self.memory.has_arrived && !self.has_arrived() {
            self.slide_on();
        }
        settled > 0
    }

    /// Comes to the targets past obstacles that stop every step, if that is no leap.
    fn slide_on(&mut self) {
        let mut present = std::mem::take(&mut self.workspace.start);
        reaching::remember(self.tree, &mut present);
        self.steps += reaching::descend_from(self.tree, self.workspace);
        if !self.has_arrived() || self.leaps(0.0) {
            self.tree.take_pose(present.iter().copied());
            contact::gather(self.tree, 0.0, &mut self.workspace.contacts);
        }
        self.workspace.start = present;
    }

    /// Lays a chain straight whose target is out of reach. Returns whether that is possible: no
    /// obstacle may be in the way, nor on the way from the pose that was shown.
    fn lies_straight(&mut self, demand: f64) -> bool {
        if self.tree.cores.is_empty() {
            self.steps += home::stretch_out(self.tree, self.workspace);
            return true;
        }
        let mut present = std::mem::take(&mut self.workspace.start);
        reaching::remember(self.tree, &mut present);
        self.steps += home::stretch_out(self.tree, self.workspace);
        contact::gather(self.tree, 0.0, &mut self.workspace.contacts);
        let is_possible = reaching::is_free(self.workspace) && !self.leaps(demand);
        if !is_possible {
            self.tree.take_pose(present.iter().copied());
            self.workspace.contacts.clear();
        }
        self.workspace.start = present;
        is_possible
    }
}
