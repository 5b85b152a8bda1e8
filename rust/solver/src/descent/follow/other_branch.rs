//! Looking for another branch: one that arrives, or one that is clearly nearer to the base pose.

use crate::descent::follow::Follower;
use crate::descent::memoryless;
use crate::descent::obstacle_avoidance;
use crate::descent::reaching::{self, FEW_STARTS};
use crate::descent::restarts::{self, STARTS};
use crate::descent::step::SolveSpace;
use crate::descent::transition::{self, RAMP, take_pose};
use crate::kinematics::tree::Tree;

/// Seconds in which all starts are tried for another branch.
const ROUND: f64 = 64.0 / 180.0;

/// A chain of so many joints has few branches, and few starts find nearly all.
const SHORT: usize = 4;

/// Starts that are tried in one pass at most.
const MOST_STARTS: f64 = 12.0;

/// Seconds in which targets move or joints settle, after which the pose without memory is compared
/// again. Following may have coiled a limb up within its limits. A limb may also have begun between
/// two branches, where it would settle for a long time.
const REVIEW_TIME: f32 = 0.25;

/// The pose without memory is taken if its distance to the base pose is less than this part of the
/// present one.
const CLEARLY_NEARER: f64 = 0.4;

/// The distance by which the tips may be farther from targets that are out of reach in the pose without memory, as a
/// part of the span.
const STILL_AS_NEAR: f64 = 1e-3;

/// A target that is reached and moves may be left for another branch for as many seconds as this.
const MOMENT: f64 = 0.1;

/// A branch that does not arrive is taken only if its tips are nearer to the targets by this part
/// of the span.
const LEAST_GAIN: f64 = 0.05;

/// The part of the span by which they must be nearer in addition, for each second of the
/// transition, if the targets move.
const GAIN_PER_SECOND: f64 = 0.5;

impl<Find: FnMut(&mut Tree, &mut SolveSpace) -> u32> Follower<'_, Find> {
    /// Tries other branches: if the present pose has not arrived, for one that is nearer to the
    /// targets, and now and then for one that is nearer to the base pose. Returns whether it has
    /// taken one.
    pub(super) fn try_other_branches(&mut self, has_arrived: bool, is_settling: bool) -> bool {
        if !has_arrived && self.try_starts() {
            return true;
        }
        let is_moving = is_settling || self.have_targets_moved();
        let is_due = self.count_time_to_review(is_moving) && !self.is_on_its_way(has_arrived);
        if !self.has_left_targets && !is_due {
            return false;
        }
        let may_leave = self.has_left_targets || !has_arrived || !self.have_targets_moved();
        self.try_pose_without_memory(may_leave)
    }

    /// Tries the next few starts, and takes the best pose that they lead to if it is clearly nearer
    /// to the targets. Returns whether it has; otherwise the pose is as it was.
    fn try_starts(&mut self) -> bool {
        if self.have_targets_moved() {
            self.memory.tried_starts = 0;
        }
        let count = self.count_of_starts();
        if count > 0 && !self.could_be_nearer() {
            self.pass_over_starts(count);
            return false;
        }
        let mut best = std::mem::take(&mut self.workspace.start);
        let mut present = std::mem::take(&mut self.workspace.best);
        reaching::remember(self.tree, &mut present);
        let is_taken = self.take_best_of_starts(&mut best, count);
        if !is_taken {
            self.tree.take_pose(present.iter().copied());
        }
        (self.workspace.start, self.workspace.best) = (best, present);
        if is_taken {
            self.memory.tried_starts = 0;
            self.steps += memoryless::relax(self.tree, self.workspace, self.tolerance);
            // Or a review would begin another transition a moment later.
            self.try_pose_without_memory(true);
        }
        is_taken
    }

    /// Returns `true` if some pose may be as much nearer to the targets as another branch has to be.
    fn could_be_nearer(&self) -> bool {
        let least = self.tree.least_distance();
        least <= self.enough || least < self.tree.error() - LEAST_GAIN * self.tree.span
    }

    /// Counts the next starts as tried.
    fn pass_over_starts(&mut self, count: u32) {
        let next = self.memory.next_start % (self.starts() + 1) + count;
        self.memory.next_start = next % (self.starts() + 1);
        self.memory.tried_starts = self.memory.tried_starts.saturating_add(count);
    }

    /// Tries the next `count` starts. Takes the best pose, which it stores in `best`, if there is one
    /// that is worth the way. Returns whether it has; otherwise leaves any pose.
    fn take_best_of_starts(&mut self, best: &mut Vec<f64>, count: u32) -> bool {
        let before = self.tree.error();
        let was_outside = obstacle_avoidance::is_outside(self.workspace);
        let mut least = before - LEAST_GAIN * self.tree.span;
        let mut is_found = false;
        for _ in 0..count {
            self.descend_from_next_start();
            let error = self.tree.error();
            let is_sound = obstacle_avoidance::is_outside(self.workspace) || !was_outside;
            if self.has_arrived() || is_sound && error < least {
                is_found = true;
                least = error;
                reaching::remember(self.tree, best);
            }
            if self.has_arrived() {
                break;
            }
        }
        if !is_found {
            return false;
        }
        let arrives = self.has_arrived();
        self.tree.take_pose(best.iter().copied());
        arrives || !self.have_targets_moved() || self.is_worth_the_time(before - least)
    }

    /// Returns the number of starts to try in this pass.
    fn count_of_starts(&self) -> u32 {
        let rate = f64::from(self.starts()) / ROUND;
        let wanted = (self.delta * rate).ceil().min(MOST_STARTS) as u32;
        wanted.min(self.starts().saturating_sub(self.memory.tried_starts))
    }

    /// Returns the number of starts to try in all: not all for a short chain while its targets move on.
    fn starts(&self) -> u32 {
        let is_short = self.tree.len() <= SHORT && self.tree.tips.len() == 1;
        match is_short && self.tree.obstacles.is_empty() && self.have_targets_moved() {
            true => FEW_STARTS,
            false => STARTS,
        }
    }

    /// Returns `true` if a pose that does not arrive is worth the time of the transition to it, while the targets move.
    /// The present pose is that pose, and its tips are nearer to the targets by `gain`.
    fn is_worth_the_time(&mut self, gain: f64) -> bool {
        self.memory.is_in_transition()
            || gain > (LEAST_GAIN + GAIN_PER_SECOND * self.try_out_transition()) * self.tree.span
    }

    /// Returns `true` if the limb is in transition to a pose that arrives: another one would take longer.
    fn is_on_its_way(&self, has_arrived: bool) -> bool {
        has_arrived && self.memory.is_in_transition()
    }

    /// Counts the time to the next comparison with the pose without memory. Returns whether it is
    /// due: now and then while the limb `is_moving`, and once when it has come to rest.
    fn count_time_to_review(&mut self, is_moving: bool) -> bool {
        if is_moving {
            self.memory.unreviewed += self.delta as f32;
            self.memory.unreviewed >= REVIEW_TIME
        } else {
            self.memory.unreviewed > 0.0
        }
    }

    /// Takes the pose without memory if it is clearly nearer to the base pose. The transition to it
    /// must be short, unless the limb `may_leave` its targets on the way. Returns whether it has
    /// taken it; otherwise the pose is as it was.
    fn try_pose_without_memory(&mut self, may_leave: bool) -> bool {
        self.memory.unreviewed = 0.0;
        let mut present = std::mem::take(&mut self.workspace.start);
        reaching::remember(self.tree, &mut present);
        // A limb that gave up its target for this would look for a way back.
        let spare = if self.has_arrived() {
            0.0
        } else {
            STILL_AS_NEAR
        };
        let enough = (self.tree.error() + spare * self.tree.span).max(self.enough);
        let distance = memoryless::distance_to_base(self.tree);
        self.descend_from_base_pose();
        if self.has_arrived() {
            self.steps += memoryless::relax(self.tree, self.workspace, self.tolerance);
        }
        self.wind_like(&present);
        let is_taken = self.tree.error() <= enough
            && obstacle_avoidance::is_outside(self.workspace)
            && memoryless::distance_to_base(self.tree) < CLEARLY_NEARER * distance
            && (may_leave
                || !self.memory.is_in_transition() && self.try_out_transition() <= MOMENT);
        if !is_taken {
            self.tree.take_pose(present.iter().copied());
        }
        self.workspace.start = present;
        is_taken
    }

    /// Tries out a transition from the pose that was shown to the present one. Returns how many
    /// seconds it takes, and forgets it. For a limb that is in no transition yet.
    fn try_out_transition(&mut self) -> f64 {
        self.set_destination();
        let seconds = transition::choose_route(self.tree, self.workspace, self.memory) + RAMP;
        take_pose(self.tree, &self.memory.swings);
        transition::remember_points(self.tree, &mut self.workspace.points_before);
        take_pose(self.tree, &self.memory.destination);
        self.memory.end_transition();
        seconds
    }

    /// Adds whole turns to free joints, so that each is within half a turn of what it is in
    /// `present`. The way back to the base pose is longer by these turns.
    fn wind_like(&mut self, present: &[f64]) {
        let pairs = self.tree.nodes.iter().zip(present);
        let wound =
            pairs.map(|(node, &from)| from + transition::turn_between(node, from, node.swing));
        self.workspace.turns.clear();
        self.workspace.turns.extend(wound);
        self.tree.take_pose(self.workspace.turns.iter().copied());
    }

    /// Descends from what the named algorithm finds, which begins at the base pose.
    fn descend_from_base_pose(&mut self) {
        self.tree.take_base_pose();
        self.steps += (self.find_first_pose)(self.tree, self.workspace);
        self.steps += obstacle_avoidance::descend_briefly(self.tree, self.workspace);
    }

    /// Descends from the next start. The first one is what the named algorithm finds.
    fn descend_from_next_start(&mut self) {
        let number = self.memory.next_start % (self.starts() + 1);
        self.pass_over_starts(1);
        let Some(start) = number.checked_sub(1) else {
            self.descend_from_base_pose();
            return;
        };
        restarts::start(self.tree, start);
        self.steps += obstacle_avoidance::descend_briefly(self.tree, self.workspace);
    }
}
