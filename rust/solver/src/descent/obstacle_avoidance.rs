//! How chains and trees without memory keep out of obstacles. A pose that follows its target has the
//! contacts in every step: see [`follow`](crate::descent::follow) and its `same_branch.rs`.
//!
//! Obstacles are met in a second stage, and only by a pose that is inside one: shapes that are not
//! in the way change nothing. The first stage brings the tips to their targets as if there were
//! none ([`reaching`]). Each start then descends with contacts that count little beside effectors,
//! which lets bones slide around shapes and through them.
//!
//! If bones cannot be outside with the tips at their targets, being outside counts more. The
//! targets are given up for a descent on the contacts alone. From the pose that this finds, tips
//! come as near to their targets as a high penalty on contacts lets them. If the bones cannot be
//! outside at all, the sum of squared depths is the least.
//!
//! What a contact is: [`crate::kinematics::contact`]. How contacts push a joint, two of them as well:
//! `crate::descent::step::obstacle_contacts`.

use crate::descent::reaching::{
    self, COARSE, DESCENT_STEPS, FEW_STARTS, PRECISION, TIPS_ONLY, TRIAL_STEPS, contacts_count,
    enough, retry,
};
use crate::descent::restarts::STARTS;
use crate::descent::step::{Emphasis, SolveSpace, descend};
use crate::kinematics::contact;
use crate::kinematics::tree::Tree;

/// Tips are as near as possible when their distance is no more than this factor times the least one
/// that obstacles allow.
const NEARLY: f64 = 1.02;

/// The weight of contacts while bones find their way around shapes: so little that the tips pull bones through and out
/// on the other side, where that is the way.
const LOOSE: Emphasis = contacts_count(0.05);

/// The weight of contacts when poses are compared that have not arrived.
const RANKING: Emphasis = contacts_count(4.0);

/// The weights of contacts in the end: in three descents, each from the pose of the one before.
const TIGHT: [Emphasis; 3] = [
    contacts_count(1e2),
    contacts_count(3e3),
    contacts_count(1e5),
];

/// The weights of contacts where tips come nearer to their targets while bones stay outside.
const GUARDED: [Emphasis; 2] = [guarded(3e3), guarded(1e5)];

/// The weight of contacts when poses are compared in which being outside comes first: one that is outside is better
/// than any that is not.
const OUTSIDE_FIRST: Emphasis = contacts_count(1e9);

/// The weights when the only aim is to be outside the shapes.
const OUTSIDE_ONLY: Emphasis = Emphasis {
    tips: 0.0,
    ..contacts_count(1.0)
};

const fn guarded(contacts: f64) -> Emphasis {
    Emphasis {
        guarded: true,
        ..contacts_count(contacts)
    }
}

/// Returns the weights in the steps of a pose that has arrived.
pub(super) fn after_arrival(tree: &Tree) -> Emphasis {
    if tree.obstacles.is_empty() {
        TIPS_ONLY
    } else {
        GUARDED[1]
    }
}

/// Brings the tips of `tree` to their targets from its present pose, past its obstacles. Returns
/// the number of steps.
pub(crate) fn arrive(tree: &mut Tree, workspace: &mut SolveSpace, tolerance: f64) -> u32 {
    reaching::reach_targets(tree, workspace, tolerance)
        + leave_obstacles(tree, workspace, tolerance)
}

/// The same without looking elsewhere: only from the present pose on, wherever that ends. If bones
/// cannot be outside with the tips at their targets, the tips count more.
pub(crate) fn arrive_nearby(tree: &mut Tree, workspace: &mut SolveSpace) -> u32 {
    workspace.contacts.clear();
    let mut steps = descend(tree, workspace, TIPS_ONLY, DESCENT_STEPS);
    let least = tree.error();
    if !tree.obstacles.is_empty() {
        contact::gather(tree, 0.0, &mut workspace.contacts);
        if !is_outside(workspace) {
            steps += tighten(tree, workspace);
            steps += approach_guarded(tree, workspace);
        }
        if tree.error() > least + PRECISION * tree.span {
            steps += descend(tree, workspace, LOOSE, DESCENT_STEPS);
            steps += descend(tree, workspace, TIPS_ONLY, DESCENT_STEPS);
            contact::gather(tree, 0.0, &mut workspace.contacts);
        }
    }
    steps
}

/// Brings the bones out of the obstacles, with the tips as near to their targets as that allows.
/// Returns the number of steps: 0 if the bones were outside, and the pose was left as it is.
pub(super) fn leave_obstacles(tree: &mut Tree, workspace: &mut SolveSpace, tolerance: f64) -> u32 {
    let tolerance = enough(tree.span, tolerance);
    // Without obstacles there are none: those of another chain are forgotten.
    contact::gather(tree, 0.0, &mut workspace.contacts);
    if is_outside(workspace) {
        return 0;
    }
    // No pose that is outside is much nearer than the present one, which ignores obstacles.
    let nearest = tree.error().max(contact::deepest_target(tree));
    let is_reachable = nearest <= tolerance;
    let enough = if is_reachable {
        tolerance
    } else {
        NEARLY * nearest + COARSE * tree.span
    };
    let arrived =
        |tree: &Tree, workspace: &SolveSpace| is_outside(workspace) && tree.error() <= enough;
    let mut steps = descend(tree, workspace, LOOSE, DESCENT_STEPS);
    if is_reachable && !arrived(tree, workspace) {
        let trial = |tree: &mut Tree, workspace: &mut SolveSpace| {
            descend(tree, workspace, LOOSE, TRIAL_STEPS)
        };
        steps += retry(tree, workspace, RANKING, 0..STARTS, arrived, trial);
    }
    steps += tighten(tree, workspace);
    if !arrived(tree, workspace) {
        steps += come_outside_and_near(tree, workspace, arrived);
    }
    steps
}

/// Descends from the present pose to the targets and past the obstacles, in a few steps. Returns
/// their number.
pub(super) fn descend_briefly(tree: &mut Tree, workspace: &mut SolveSpace) -> u32 {
    workspace.contacts.clear();
    if tree.obstacles.is_empty() {
        return descend(tree, workspace, TIPS_ONLY, TRIAL_STEPS);
    }
    let mut steps = descend(tree, workspace, LOOSE, TRIAL_STEPS);
    steps += tighten(tree, workspace);
    steps + descend(tree, workspace, GUARDED[1], TRIAL_STEPS)
}

/// Brings the tips as near to their targets as bones that are outside stay outside. Returns the
/// number of steps.
fn approach_guarded(tree: &mut Tree, workspace: &mut SolveSpace) -> u32 {
    let ends = GUARDED.map(|emphasis| descend(tree, workspace, emphasis, 2 * DESCENT_STEPS));
    ends.iter().sum()
}

/// Brings the bones outside, wherever that takes the tips, and then the tips as near to their
/// targets as possible. Returns the number of steps.
fn come_outside_and_near(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    arrived: impl Fn(&Tree, &SolveSpace) -> bool,
) -> u32 {
    let trial = |tree: &mut Tree, workspace: &mut SolveSpace| {
        descend(tree, workspace, OUTSIDE_ONLY, TRIAL_STEPS)
            + descend(tree, workspace, GUARDED[0], TRIAL_STEPS)
    };
    let steps = retry(
        tree,
        workspace,
        OUTSIDE_FIRST,
        0..FEW_STARTS,
        arrived,
        trial,
    );
    steps + approach_guarded(tree, workspace)
}

/// Brings the present pose out of all shapes by the shortest way, wherever the tips go.
pub(crate) fn push_out(tree: &mut Tree, workspace: &mut SolveSpace) {
    descend(tree, workspace, OUTSIDE_ONLY, DESCENT_STEPS);
}

/// Lets contacts count more and more until the bones are outside. Returns the number of steps.
fn tighten(tree: &mut Tree, workspace: &mut SolveSpace) -> u32 {
    let mut steps = 0;
    for emphasis in TIGHT {
        if is_outside(workspace) {
            break;
        }
        steps += descend(tree, workspace, emphasis, DESCENT_STEPS);
    }
    steps
}

/// Returns `true` if no bone is inside a shape, as of the contacts that were gathered last.
pub(super) fn is_outside(workspace: &SolveSpace) -> bool {
    contact::deepest(&workspace.contacts) == 0.0
}
