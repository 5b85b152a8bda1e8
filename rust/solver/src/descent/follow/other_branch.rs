//! Looking for another branch: one that arrives, or one that is clearly nearer to the base pose.

use crate::descent::follow::Pass;
use crate::descent::home;
use crate::descent::reaching::{self, PRECISION};
use crate::descent::restarts::STARTS;
use crate::descent::step::Workspace;
use crate::descent::swing::{self, take_pose};
use crate::kinematics::tree::Tree;

/// Starts that are tried for another branch, per second.
const ATTEMPT_RATE: f64 = 180.0;

/// Starts that are tried in one pass at most.
const MOST_ATTEMPTS: f64 = 12.0;

/// Seconds in which targets move or joints settle, after which the pose without memory is looked at
/// again. Following may have coiled a limb up within its limits. A limb may also have begun between
/// two branches, where it would settle for a long time.
const REVIEW_TIME: f32 = 0.25;

/// That pose must be nearer to the base pose by this factor,
const CLEARLY_NEARER: f64 = 0.4;

/// and its tips no farther from targets out of reach than by this part of the span.
const STILL_AS_NEAR: f64 = 1e-3;

/// A target that is reached and moves may be left for another branch for so many seconds.
const MOMENT: f64 = 0.1;

/// Another branch that does not arrive must be nearer by this part of the span,
const CLEARLY: f64 = 0.05;

/// and by this part for each second that the swing takes.
const WORTH: f64 = 0.5;

impl<Find: FnMut(&mut Tree, &mut Workspace) -> u32> Pass<'_, Find> {
    /// Tries a few starts for a branch that is clearly nearer to the targets, and takes it.
    /// Returns whether there was one; otherwise the pose is as it was.
    pub(super) fn finds_arriving_branch(&mut self, demand: f64) -> bool {
        if demand > PRECISION * self.tree.span {
            self.memory.attempts = 0;
        }
        let wanted = (self.delta * ATTEMPT_RATE).ceil().min(MOST_ATTEMPTS) as u32;
        let number = wanted.min(STARTS.saturating_sub(self.memory.attempts));
        let mut best = std::mem::take(&mut self.workspace.start);
        let mut present = std::mem::take(&mut self.workspace.best);
        reaching::remember(self.tree, &mut present);
        let before = self.tree.error();
        let mut least = before - CLEARLY * self.tree.span;
        let was_free = reaching::is_free(self.workspace);
        let mut found = false;
        for _ in 0..number {
            self.attempt();
            let error = self.tree.error();
            let is_sound = reaching::is_free(self.workspace) || !was_free;
            if self.has_arrived() || is_sound && error < least {
                found = true;
                least = error;
                reaching::remember(self.tree, &mut best);
            }
            if self.has_arrived() {
                break;
            }
        }
        if found {
            let arrives = self.has_arrived();
            self.tree.take_pose(best.iter().copied());
            let is_at_rest = demand <= PRECISION * self.tree.span;
            found = arrives || is_at_rest || self.is_worth_its_time(before - least);
        }
        if !found {
            self.tree.take_pose(present.iter().copied());
        }
        (self.workspace.start, self.workspace.best) = (best, present);
        if found {
            self.memory.attempts = 0;
            self.steps += home::relax(self.tree, self.workspace, self.tolerance);
            // Not to swing over again a moment later.
            self.finds_nearer_branch(true);
        }
        found
    }

    /// Whether a swing to the present pose, which does not arrive, may take as long as it does to
    /// bring the tips nearer to targets that move by `gain`.
    fn is_worth_its_time(&mut self, gain: f64) -> bool {
        self.memory.swings_over()
            || gain > (CLEARLY + WORTH * self.seconds_from_shown()) * self.tree.span
    }

    /// Whether it is time to look at the pose without memory again: now and then while the limb
    /// `moves`, and once when it has come to rest.
    pub(super) fn is_review_due(&mut self, moves: bool) -> bool {
        if moves {
            self.memory.unreviewed += self.delta as f32;
            self.memory.unreviewed >= REVIEW_TIME
        } else {
            self.memory.unreviewed > 0.0
        }
    }

    /// Takes the pose without memory if it is clearly nearer to the base pose, and either
    /// `may_leave` the targets on the way there, or is there in a moment. Returns whether it was.
    pub(super) fn finds_nearer_branch(&mut self, may_leave: bool) -> bool {
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
        let distance = home::distance_to_base(self.tree);
        self.find_from_base_pose();
        if self.has_arrived() {
            self.steps += home::relax(self.tree, self.workspace, self.tolerance);
        }
        self.wind_like(&present);
        let found = self.tree.error() <= enough
            && reaching::is_free(self.workspace)
            && home::distance_to_base(self.tree) < CLEARLY_NEARER * distance
            && (may_leave || !self.memory.swings_over() && self.seconds_from_shown() <= MOMENT);
        if !found {
            self.tree.take_pose(present.iter().copied());
        }
        self.workspace.start = present;
        found
    }

    /// How many seconds a swing from the pose that was shown to the present one takes. For a limb
    /// that does not swing over yet.
    fn seconds_from_shown(&mut self) -> f64 {
        self.aim_at_present_pose();
        let seconds = swing::choose(self.tree, self.workspace, self.memory);
        take_pose(self.tree, &self.memory.swings);
        swing::remember_points(self.tree, &mut self.workspace.places);
        take_pose(self.tree, &self.memory.branch);
        self.memory.stay();
        seconds
    }

    /// Adds the whole turns to free joints with which they would go on from `present`: the way back
    /// to the base pose is as long as that.
    fn wind_like(&mut self, present: &[f64]) {
        let pairs = self.tree.nodes.iter().zip(present);
        let wound = pairs.map(|(node, &from)| from + swing::way(node, from, node.swing));
        self.workspace.ways.clear();
        self.workspace.ways.extend(wound);
        self.tree.take_pose(self.workspace.ways.iter().copied());
    }

    /// Takes the pose that the named algorithm finds from the base pose.
    fn find_from_base_pose(&mut self) {
        self.tree.take_base_pose();
        self.steps += (self.find)(self.tree, self.workspace);
        self.steps += reaching::descend_from(self.tree, self.workspace);
    }

    /// Tries the next start: first the pose without memory.
    fn attempt(&mut self) {
        let number = self.memory.attempt % (STARTS + 1);
        self.memory.attempt = (number + 1) % (STARTS + 1);
        self.memory.attempts += 1;
        match number.checked_sub(1) {
            None => self.find_from_base_pose(),
            Some(start) => self.steps += reaching::attempt(self.tree, self.workspace, start),
        }
    }
}
