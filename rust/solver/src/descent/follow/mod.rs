//! *Follow*: the pose with memory.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | one pass |
//! | [`same_branch`] | following the targets on the branch of the last pass |
//! | [`settling`] | the speed at which that comes nearer to the base pose |
//! | [`other_branch`] | looking for another branch |
//! | [`leap_prevention`] | showing the pose without leaps: at once, or by a transition |
//!
//! A **branch** is a family of poses that reach the targets and change without leaps while the
//! targets move. The poses of an arm with the elbow on one side are a branch, those with the elbow
//! on the other side are another.
//!
//! **Same branch.** A pass begins with the swings of the last one. They count from the base pose,
//! so a change of the animation is seen at once. The joints take the shortest way that brings the
//! tips to their targets. They also settle towards the base pose as far as the tips allow: by a
//! part of the way that depends on the time alone, and at a bounded speed. At rest this ends at the
//! pose of the branch that is nearest to the base pose, and then nothing moves.
//!
//! **Another branch.** Limits, obstacles and folds may end a branch. Then the pose without memory
//! and the [starts](crate::descent::restarts) are tried, a few in each pass, until one is clearly
//! nearer to the targets.
//!
//! **Transition.** The limb moves to the other branch with bounded speed and acceleration, and the
//! destination follows the targets in the meantime. So it does where a pose would start dead. Any
//! other leap of a constrained limb is shown as a transition, too. But the limb may always move as
//! far in a pass as a small multiple of what its targets have moved.

use crate::descent::memory::Memory;
use crate::descent::memoryless;
use crate::descent::obstacle_avoidance;
use crate::descent::reaching::{self, PRECISION};
use crate::descent::restarts::STARTS;
use crate::descent::step::SolveSpace;
use crate::descent::transition::{self, take_pose};
use crate::kinematics::tree::Tree;

mod leap_prevention;
mod other_branch;
mod same_branch;
pub(super) mod settling;

/// Beyond this, in radians, whole turns are taken out of a swing: `f32` could no longer hold a fine
/// angle. Up to there an angle changes as smoothly as the pose.
pub(super) const MOST_WOUND: f64 = 7.0;

/// The outcome of a pass with memory.
pub(crate) struct Followed {
    pub(crate) steps: u32,
    /// `true` if the next pass would move something, if nothing else changed.
    pub(crate) is_moving: bool,
}

/// Takes the pose that follows from `memory` after `delta` seconds, and remembers it.
/// `find_first_pose` is the named algorithm, for the pose without memory. `tolerance` is the
/// distance that counts as reached, in chain units.
pub(crate) fn take(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    memory: &mut Memory,
    delta: f64,
    tolerance: f64,
    find_first_pose: impl FnMut(&mut Tree, &mut SolveSpace) -> u32,
) -> Followed {
    let mut follower = Follower::new(tree, workspace, memory, delta, tolerance, find_first_pose);
    let is_moving = follower.follow();
    Followed {
        steps: follower.steps,
        is_moving,
    }
}

/// Smooths the pose that the joints of `tree` are swung to, which was found without memory but may leap from one pass to
/// the next, and remembers what is shown. Its targets have moved by `target_motion`, if that is known otherwise. Returns whether the next pass would move something.
pub(crate) fn smooth(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    memory: &mut Memory,
    delta: f64,
    target_motion: Option<f64>,
) -> bool {
    if !memory.holds(tree.len()) {
        tree.place();
        memory.begin(tree, true);
        return false;
    }
    let mut found = std::mem::take(&mut workspace.start);
    reaching::remember(tree, &mut found);
    let find_nothing = |_: &mut Tree, _: &mut SolveSpace| 0;
    let mut follower = Follower::new(tree, workspace, memory, delta, 0.0, find_nothing);
    follower.is_closed_form = true;
    follower.begin();
    follower.target_motion = target_motion.unwrap_or(follower.target_motion);
    follower.tree.take_pose(found.iter().copied());
    let showing = follower.showing(false);
    follower.show(showing);
    follower.memory.remember_misses(follower.tree);
    workspace.start = found;
    showing != Showing::AtOnce
}

/// The way in which a pose that was found is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Showing {
    /// At once: the limb follows its targets, or is at rest.
    AtOnce,
    /// By a transition that begins.
    NewTransition,
    /// By the transition that the limb is in.
    OngoingTransition,
}

/// One pass of one limb.
struct Follower<'a, Find> {
    tree: &'a mut Tree,
    workspace: &'a mut SolveSpace,
    memory: &'a mut Memory,
    delta: f64,
    /// The distance at which tips have arrived.
    enough: f64,
    tolerance: f64,
    find_first_pose: Find,
    /// The largest distance that a target has moved since the last pass, in chain units.
    target_motion: f64,
    /// `true` if the limb begins from a pose that was given to it, and the tips are not at their targets there.
    has_left_targets: bool,
    /// `true` if the pose comes from a closed form, which may leap where no chain does.
    is_closed_form: bool,
    steps: u32,
}

impl<'a, Find: FnMut(&mut Tree, &mut SolveSpace) -> u32> Follower<'a, Find> {
    fn new(
        tree: &'a mut Tree,
        workspace: &'a mut SolveSpace,
        memory: &'a mut Memory,
        delta: f64,
        tolerance: f64,
        find_first_pose: Find,
    ) -> Self {
        Self {
            enough: reaching::enough(tree.span, tolerance),
            tree,
            workspace,
            memory,
            delta,
            tolerance,
            find_first_pose,
            target_motion: 0.0,
            has_left_targets: false,
            is_closed_form: false,
            steps: 0,
        }
    }

    /// One pass. Returns whether the next one would move something, if nothing else changed.
    fn follow(&mut self) -> bool {
        self.begin();
        let is_settling = self.follow_on_same_branch();
        let mut has_arrived = self.has_arrived();
        if has_arrived {
            self.memory.end_search();
        }
        let mut is_other_branch = false;
        if self.is_free_chain() {
            if !has_arrived {
                self.take_pose_without_memory();
                has_arrived = self.has_arrived();
            }
        } else if self.try_other_branches(has_arrived, is_settling) {
            is_other_branch = true;
            has_arrived = self.has_arrived();
        }
        self.memory.has_arrived = has_arrived;
        // What is shown would be a whole turn away from its destination.
        if !self.memory.is_in_transition() {
            self.tree.unwind(MOST_WOUND);
        }
        let showing = self.showing(is_other_branch);
        let is_moving = self.show(showing);
        self.memory.remember_misses(self.tree);
        let headed = &mut self.memory.headed;
        let is_turning = self.tree.list_headed(headed) || self.delta <= 0.0 && !headed.is_empty();
        is_moving || is_turning || self.is_searching()
    }

    /// Takes the exact pose of the last pass, and measures how far the targets have moved.
    fn begin(&mut self) {
        let most = self.workspace.pursuit.speeds.turn * self.delta;
        self.tree.hold_headed(&self.memory.headed, most);
        take_pose(self.tree, &self.memory.swings);
        self.target_motion = self.memory.target_motion(self.tree);
        let workspace = &mut *self.workspace;
        transition::remember_places_in_arcs(self.tree, &mut workspace.shown_places_in_arcs);
        self.has_left_targets = self.memory.is_given_pose() && self.tree.error() > self.enough;
        if self.memory.is_in_transition() {
            take_pose(self.tree, &self.memory.destination);
        }
        transition::remember_points(self.tree, &mut self.workspace.points_before);
    }

    /// Returns the way in which the pose that was found is shown.
    fn showing(&mut self, is_other_branch: bool) -> Showing {
        let is_in_transition = self.memory.is_in_transition();
        // No route has been chosen yet from a pose that was given.
        if is_other_branch || is_in_transition && self.memory.is_given_pose() {
            Showing::NewTransition
        } else if is_in_transition {
            Showing::OngoingTransition
        } else if self.is_free_chain() && !self.is_closed_form {
            Showing::AtOnce
        } else if self.leaps(self.target_motion) {
            Showing::NewTransition
        } else if !self.is_closed_form && self.starts_dead() {
            Showing::OngoingTransition
        } else {
            Showing::AtOnce
        }
    }

    fn take_pose_without_memory(&mut self) {
        self.steps += memoryless::solve(
            self.tree,
            self.workspace,
            self.tolerance,
            &mut self.find_first_pose,
        );
    }

    /// Returns `true` if nothing but the reach of a chain keeps it from any pose: there is always a way to the target
    /// then.
    fn is_free_chain(&self) -> bool {
        let tree = &self.tree;
        !tree.has_limits && tree.is_rigid && tree.tips.len() == 1 && tree.obstacles.is_empty()
    }

    /// Returns `true` if every tip is at its target and no bone is inside a shape.
    fn has_arrived(&self) -> bool {
        self.tree.error() <= self.enough && obstacle_avoidance::is_outside(self.workspace)
    }

    /// Returns `true` if a target is not where it was in the last pass.
    fn have_targets_moved(&self) -> bool {
        self.target_motion > PRECISION * self.tree.span
    }

    /// Returns `true` if the next pass would try further starts.
    fn is_searching(&self) -> bool {
        !self.memory.has_arrived && !self.is_free_chain() && self.memory.tried_starts < STARTS
    }
}
