//! Following on the branch of the last pass: to the targets, and towards the base pose.
//!
//! What prevents leaps from one branch to another: [`crate::descent::follow::leap_prevention`].

use glam::Vec2;

use crate::descent::deadlock;
use crate::descent::follow::Follower;
use crate::descent::follow::settling::settling;
use crate::descent::memoryless;
use crate::descent::obstacle_avoidance::{self, after_arrival};
use crate::descent::out_of_reach;
use crate::descent::reaching::{self, PRECISION};
use crate::descent::step::settle::{forget_moves, settle};
use crate::descent::step::{Emphasis, SolveSpace, descend_to};
use crate::kinematics::contact;
use crate::kinematics::tree::Tree;
use crate::math::angle::wrapped;
use crate::math::easing::Clock;

/// Steps to the targets at most.
const MOST_FOLLOWING_STEPS: u32 = 32;

impl<Find: FnMut(&mut Tree, &mut SolveSpace) -> u32> Follower<'_, Find> {
    /// Follows the targets from the present pose, and settles towards the base pose. Returns
    /// whether it has come nearer to the base pose.
    pub(super) fn follow_on_same_branch(&mut self) -> bool {
        self.workspace.contacts.clear();
        let is_beyond = self.tree.is_overstretched || out_of_reach::is_beyond_limited(self.tree);
        if is_beyond && self.try_to_lie_straight() {
            return false;
        }
        let emphasis = after_arrival(self.tree);
        if self.tree.is_unbounded && self.is_free_chain() && self.tree.error() > self.enough {
            deadlock::bend_out(self.tree, self.workspace);
        }
        let mut settled = 0;
        if self.memory.has_arrived {
            settled = match self.workspace.settles {
                Some([before, now]) if self.goes_to_nearest(now) => {
                    self.go_on_to_nearest([before, now], emphasis)
                }
                Some([_, now]) => self.begin_to_nearest(now, emphasis),
                None => self.settle(emphasis),
            };
            self.steps += settled;
        }
        if self.workspace.settles.is_none() || !self.memory.has_arrived {
            self.memory.offs.clear();
        }
        self.come_to_targets(emphasis);
        if !self.tree.obstacles.is_empty() && self.memory.has_arrived && !self.has_arrived() {
            self.slide_past_obstacles();
        }
        settled > 0
    }

    fn settle(&mut self, emphasis: Emphasis) -> u32 {
        let delta = self.delta;
        forget_moves(self.workspace);
        settle(self.tree, self.workspace, emphasis, |left| {
            settling(left, delta)
        })
    }

    /// Returns `true` if a handover to the nearest pose, which has come so far, goes on.
    fn goes_to_nearest(&self, now: Clock) -> bool {
        !now.begins && self.memory.offs.len() == self.tree.len()
    }

    /// Begins to go over to the pose that is nearest to the base pose, joint by joint, by the law of
    /// [`crate::solvers::handover`]: as the joints turned, but for what carries them with the targets.
    fn begin_to_nearest(&mut self, now: Clock, emphasis: Emphasis) -> u32 {
        self.come_to_targets(emphasis);
        let mut present = std::mem::take(&mut self.workspace.start);
        reaching::remember(self.tree, &mut present);
        let memory = &mut *self.memory;
        let is_known = now.begins && self.delta > 0.0 && !memory.is_in_transition();
        let rates = memory.rates.iter().filter(|_| is_known);
        memory.offs.clear();
        let moved = { memory.swings.iter().zip(rates) }.zip(&mut present);
        memory.offs.extend(moved.map(|((&swing, &rate), now)| {
            let carried = wrapped(*now - f64::from(swing)) / self.delta;
            let drift = f64::from(rate) - carried;
            *now += drift * self.delta;
            Vec2::new(0.0, drift as f32)
        }));
        memory.offs.resize(present.len(), Vec2::ZERO);
        let steps = memoryless::relax(self.tree, self.workspace, self.tolerance);
        let offs = self.memory.offs.iter_mut();
        for ((&shown, node), off) in present.iter().zip(&self.tree.nodes).zip(offs) {
            let way = shown - node.swing;
            let is_free = node.interval().is_none();
            off.x = if is_free { wrapped(way) } else { way } as f32 / now.left;
            off.y += off.x * now.slope;
        }
        self.tree.take_pose(present.iter().copied());
        self.workspace.start = present;
        steps
    }

    /// Goes on to the pose that is nearest to the base pose, which the targets carry along.
    fn go_on_to_nearest(&mut self, [before, now]: [Clock; 2], emphasis: Emphasis) -> u32 {
        self.swing_off(before, -1.0);
        self.come_to_targets(emphasis);
        let steps = memoryless::relax(self.tree, self.workspace, self.tolerance);
        self.swing_off(now, 1.0);
        steps
    }

    /// Turns the joints by `part` of what a handover is off at that time.
    fn swing_off(&mut self, clock: Clock, part: f64) {
        for (node, off) in self.tree.nodes.iter_mut().zip(&self.memory.offs) {
            let off = off.x * clock.left + off.y * clock.late;
            node.swing_to(node.swing + part * f64::from(off));
        }
        self.tree.place();
    }

    fn come_to_targets(&mut self, emphasis: Emphasis) {
        if self.tree.error() > PRECISION * self.tree.span || !self.tree.obstacles.is_empty() {
            let precise = 0.1 * PRECISION * self.tree.span;
            self.steps += descend_to(
                self.tree,
                self.workspace,
                emphasis,
                MOST_FOLLOWING_STEPS,
                precise,
            );
        }
    }

    /// Comes to the targets past obstacles that stop every step, unless that is a leap.
    fn slide_past_obstacles(&mut self) {
        let mut present = std::mem::take(&mut self.workspace.start);
        reaching::remember(self.tree, &mut present);
        self.steps += obstacle_avoidance::descend_briefly(self.tree, self.workspace);
        if !self.has_arrived() || self.leaps(0.0) {
            self.tree.take_pose(present.iter().copied());
            contact::gather(self.tree, 0.0, &mut self.workspace.contacts);
        }
        self.workspace.start = present;
    }

    /// Lays a chain straight whose target is out of reach, if neither obstacles nor limits are in
    /// the way and the limb would not leap there. Returns whether it has.
    fn try_to_lie_straight(&mut self) -> bool {
        if self.tree.obstacles.is_empty() && !self.tree.has_limits {
            self.steps += memoryless::stretch_out(self.tree, self.workspace);
            return true;
        }
        let mut present = std::mem::take(&mut self.workspace.start);
        reaching::remember(self.tree, &mut present);
        self.steps += memoryless::stretch_out(self.tree, self.workspace);
        contact::gather(self.tree, 0.0, &mut self.workspace.contacts);
        let is_possible = obstacle_avoidance::is_outside(self.workspace)
            && (!self.tree.has_limits || out_of_reach::is_straight(self.tree))
            && !self.leaps(self.target_motion);
        if !is_possible {
            self.tree.take_pose(present.iter().copied());
            self.workspace.contacts.clear();
        }
        self.workspace.start = present;
        is_possible
    }
}
