//! *Follow* and *swing*: the pose with memory.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | one pass |
//! | [`branch`] | going on along the branch of the last pass |
//! | [`settling`] | how fast that comes nearer to the base pose |
//! | [`other_branch`] | looking for another branch |
//! | [`show`] | what is shown: the pose, or a swing over to it |
//!
//! **Follow.** A pose begins with the swings of the last pass. Swings count from the base pose,
//! so whatever an animation does is seen at once. The joints then take the shortest way that
//! brings the tips to their targets, and move towards the base pose as far as the tips allow: by a
//! share that depends on the time alone, and at a bounded speed. At rest this ends at the nearest
//! pose to the base pose on its branch, and then nothing moves.
//!
//! **Swing.** Limits, obstacles and folds may end a branch. The pose without memory, and then the
//! [starts](crate::descent::restarts), a few in each pass, are tried for one that is clearly
//! nearer to the targets. The limb swings over to it at a bounded speed, while the new branch
//! follows the targets already. Any other leap of a constrained limb is smoothed in the same way.
//!
//! A target that is put elsewhere is another matter: its own leap says how far the limb may go in
//! one pass.

use crate::descent::home;
use crate::descent::memory::Memory;
use crate::descent::reaching::{self, PRECISION};
use crate::descent::restarts::STARTS;
use crate::descent::step::Workspace;
use crate::descent::swing::{self, take_pose};
use crate::kinematics::tree::Tree;

mod branch;
mod other_branch;
pub(super) mod settling;
mod show;

/// Beyond this, in radians, whole turns are taken out of a swing: `f32` could no longer hold a fine
/// angle. Up to there an angle changes as smoothly as the pose.
pub(super) const MOST_WOUND: f64 = 7.0;

/// What a pass with memory came to.
pub(crate) struct Followed {
    pub(crate) steps: u32,
    /// Whether the next pass would move something, if nothing else changed.
    pub(crate) is_moving: bool,
}

/// Takes the pose that follows from `memory` after `delta` seconds, and remembers it. `find` is
/// the named algorithm, for the pose without memory. `tolerance` is the distance that counts as
/// reached, in chain units.
pub(crate) fn take(
    tree: &mut Tree,
    workspace: &mut Workspace,
    memory: &mut Memory,
    delta: f64,
    tolerance: f64,
    find: impl FnMut(&mut Tree, &mut Workspace) -> u32,
) -> Followed {
    Pass {
        tree,
        workspace,
        memory,
        delta,
        enough: 0.0,
        tolerance,
        find,
        steps: 0,
    }
    .run()
}

/// Smooths the present pose of `tree`, which was found without memory but may leap from one pass to
/// the next, and remembers what is shown. Returns whether the next pass would move something.
pub(crate) fn smooth(
    tree: &mut Tree,
    workspace: &mut Workspace,
    memory: &mut Memory,
    delta: f64,
) -> bool {
    if !memory.holds(tree.len()) {
        memory.begin(tree, true);
        return false;
    }
    let mut found = std::mem::take(&mut workspace.start);
    reaching::remember(tree, &mut found);
    take_pose(tree, &memory.swings);
    let demand = memory.demand(tree);
    let mut pass = Pass {
        tree,
        workspace,
        memory,
        delta,
        enough: 0.0,
        tolerance: 0.0,
        find: |_: &mut Tree, _: &mut Workspace| 0,
        steps: 0,
    };
    swing::remember_points(pass.tree, &mut pass.workspace.places);
    pass.tree.take_pose(found.iter().copied());
    let begins = pass.memory.branch.is_empty();
    let swings_over = !begins || pass.leaps(demand);
    if swings_over {
        pass.swing_over(begins);
    } else {
        pass.show();
    }
    pass.memory.remember_misses(pass.tree);
    workspace.start = found;
    swings_over
}

/// One pass of one limb.
struct Pass<'a, Find> {
    tree: &'a mut Tree,
    workspace: &'a mut Workspace,
    memory: &'a mut Memory,
    delta: f64,
    /// The distance at which tips have arrived.
    enough: f64,
    tolerance: f64,
    find: Find,
    steps: u32,
}

impl<Find: FnMut(&mut Tree, &mut Workspace) -> u32> Pass<'_, Find> {
    fn run(mut self) -> Followed {
        self.enough = reaching::enough(self.tree, self.tolerance);
        take_pose(self.tree, &self.memory.swings);
        let demand = self.memory.demand(self.tree);
        swing::remember_points(self.tree, &mut self.workspace.places);
        let mut swings_over = !self.memory.branch.is_empty();
        // Something else has shown the pose that the memory holds, and has missed with it.
        let is_begun = self.memory.misses.is_empty();
        let is_new = is_begun && self.tree.error() > self.enough;
        let mut begins = !swings_over || is_begun;
        if swings_over {
            take_pose(self.tree, &self.memory.branch);
        }
        let settles = self.follow(demand);
        let moves = settles || demand > PRECISION * self.tree.span;
        let mut has_arrived = self.has_arrived();
        let is_at_rest = demand <= PRECISION * self.tree.span;
        let may_leave = is_new || !has_arrived || is_at_rest;
        if has_arrived {
            (self.memory.attempt, self.memory.attempts) = (0, 0);
        }
        if self.is_free() {
            if !has_arrived {
                self.steps += home::take(self.tree, self.workspace, self.tolerance, &mut self.find);
                has_arrived = self.has_arrived();
            }
        } else if !has_arrived && self.finds_arriving_branch(demand)
            || (is_new || self.is_review_due(moves)) && self.finds_nearer_branch(may_leave)
        {
            (swings_over, begins) = (true, true);
            has_arrived = self.has_arrived();
        }
        self.memory.has_arrived = has_arrived;
        self.tree.unwind(MOST_WOUND);
        swings_over |= !self.is_free() && self.leaps(demand);
        let is_moving = if swings_over {
            self.swing_over(begins)
        } else {
            self.show()
        };
        self.memory.remember_misses(self.tree);
        let is_seeking = !has_arrived && !self.is_free() && self.memory.attempts < STARTS;
        Followed {
            steps: self.steps,
            is_moving: is_moving || is_seeking,
        }
    }

    /// Whether nothing but the reach of a chain keeps it from any pose: there is always a way to
    /// the target then.
    fn is_free(&self) -> bool {
        let tree = &self.tree;
        !tree.has_limits && tree.is_rigid && tree.tips.len() == 1 && tree.cores.is_empty()
    }

    /// Whether every tip is at its target and no bone inside a shape.
    fn has_arrived(&self) -> bool {
        self.tree.error() <= self.enough && reaching::is_free(self.workspace)
    }
}
