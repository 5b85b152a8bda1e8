//! Bringing the tips of a tree to their targets, past its obstacles, from any pose.
//!
//! One descent of [`crate::descent::step`] nearly always arrives. If it does not, others
//! [start elsewhere](crate::descent::restarts). The first that arrives is taken. If none does, the
//! first is kept unless a later one is better by a clear margin.
//!
//! Obstacles are met in a second stage, and only by a pose that is inside one: shapes that are
//! not in the way change nothing. Each start first descends with contacts that count little
//! beside effectors, which lets bones slide around and through. What cannot be free and at its
//! targets at once is settled in favour of freedom: the targets are given up for a descent on
//! the contacts alone, and from the pose that is free then, bones come as near to them as a
//! high penalty lets them. What cannot be free at all ends with the least sum of squared depths.

use crate::descent::restarts::{self, STARTS};
use crate::descent::step::{Emphasis, Workspace, descend};
use crate::kinematics::contact;
use crate::kinematics::tree::Tree;

/// Steps of one descent at most.
const MAX_STEPS: u32 = 64;

/// Steps of a descent that only shows whether it would arrive.
const TRIAL_STEPS: u32 = 24;

/// Errors above this part of the span are worth more descents, whatever the tolerance.
pub(super) const COARSE: f64 = 2e-5;

/// The distance, as a part of the span, that counts as none.
pub(crate) const PRECISION: f64 = 1e-6;

/// Below this part of the span there is nothing to do: `f32` does not say more of a tip's place.
const THERE: f64 = 1e-7;

/// A later attempt is better when its tips are nearer by this part of the span.
const CLEARLY: f64 = 1e-3;

/// A pose is as near as possible when it leaves no more than this part of what it must.
const NEARLY: f64 = 1.02;

/// How many starts are tried for a pose that is only to be nearer, not to arrive.
const FEW_STARTS: u32 = 20;

/// Nothing counts but effectors.
pub(crate) const BLIND: Emphasis = contacts_count(0.0);

/// How much contacts count while bones find their way around shapes: so little that the tips
/// pull bones through and out on the other side, where that is the way.
const LOOSE: Emphasis = contacts_count(0.05);

/// How much they count when attempts are compared that have not arrived.
const RANKING: Emphasis = contacts_count(4.0);

/// How much they count in the end, in steps that each start from the last one's pose.
const TIGHT: [Emphasis; 3] = [
    contacts_count(1e2),
    contacts_count(3e3),
    contacts_count(1e5),
];

/// How much they count where bones that are free come nearer to their targets.
const GUARDED: [Emphasis; 2] = [guarded(3e3), guarded(1e5)];

/// How much they count when attempts are compared that gave up their targets for freedom: one
/// that is free by any margin is better than any that is not.
const FREE_FIRST: Emphasis = contacts_count(1e9);

/// What counts when the only aim is to be outside the shapes.
const FREEDOM: Emphasis = Emphasis {
    tips: 0.0,
    ..contacts_count(1.0)
};

const fn contacts_count(contacts: f64) -> Emphasis {
    Emphasis {
        tips: 1.0,
        contacts,
        guarded: false,
    }
}

const fn guarded(contacts: f64) -> Emphasis {
    Emphasis {
        guarded: true,
        ..contacts_count(contacts)
    }
}

/// What counts while a pose is kept that has arrived.
pub(super) fn keeping(tree: &Tree) -> Emphasis {
    if tree.cores.is_empty() {
        BLIND
    } else {
        GUARDED[1]
    }
}

/// The distance that counts as reached, for a `tolerance` in chain units.
pub(crate) fn enough(tree: &Tree, tolerance: f64) -> f64 {
    tolerance.min(COARSE * tree.span).max(PRECISION * tree.span)
}

/// Brings the tips of `tree` to their targets from its present pose, past its obstacles. Returns
/// the number of steps.
pub(crate) fn arrive(tree: &mut Tree, workspace: &mut Workspace, tolerance: f64) -> u32 {
    reach(tree, workspace, tolerance) + leave(tree, workspace, tolerance)
}

/// The first stage: as if there were no obstacles. Returns the number of steps.
pub(super) fn reach(tree: &mut Tree, workspace: &mut Workspace, tolerance: f64) -> u32 {
    let tolerance = enough(tree, tolerance);
    if tree.error() <= THERE * tree.span {
        return 0;
    }
    let goal = |tree: &Tree, _: &Workspace| tree.error() <= tolerance;
    let mut steps = descend(tree, workspace, BLIND, MAX_STEPS);
    // Beyond any pose's reach, limits alone may keep a chain from the nearest one.
    let starts = match tree.is_out_of_reach() {
        false => STARTS,
        true if tree.has_limits && tree.tips.len() == 1 => FEW_STARTS,
        true => 0,
    };
    if !goal(tree, workspace) && starts > 0 {
        let trial = |tree: &mut Tree, workspace: &mut Workspace| {
            descend(tree, workspace, BLIND, TRIAL_STEPS)
        };
        steps += retry(tree, workspace, BLIND, 0..starts, goal, trial);
        steps += descend(tree, workspace, BLIND, MAX_STEPS);
    }
    steps
}

/// The second stage: takes a pose that is as near to its targets as it can be out of the
/// obstacles. Returns the number of steps, 0 if the pose was free and was left as it is.
pub(crate) fn leave(tree: &mut Tree, workspace: &mut Workspace, tolerance: f64) -> u32 {
    if tree.cores.is_empty() {
        return 0;
    }
    let tolerance = enough(tree, tolerance);
    contact::gather(tree, 0.0, &mut workspace.contacts);
    if is_free(workspace) {
        return 0;
    }
    // No pose that minds obstacles is much nearer than one that does not.
    let nearest = tree.error().max(contact::deepest_target(tree));
    let is_reachable = nearest <= tolerance;
    let enough = if is_reachable {
        tolerance
    } else {
        NEARLY * nearest + COARSE * tree.span
    };
    let arrived = |tree: &Tree, workspace: &Workspace| is_free(workspace) && tree.error() <= enough;
    let mut steps = descend(tree, workspace, LOOSE, MAX_STEPS);
    if is_reachable && !arrived(tree, workspace) {
        let trial = |tree: &mut Tree, workspace: &mut Workspace| {
            descend(tree, workspace, LOOSE, TRIAL_STEPS)
        };
        steps += retry(tree, workspace, RANKING, 0..STARTS, arrived, trial);
    }
    steps += tighten(tree, workspace);
    if !arrived(tree, workspace) {
        steps += come_near(tree, workspace, arrived);
    }
    steps
}

/// Tries start number `number`. Returns the number of steps.
pub(super) fn attempt(tree: &mut Tree, workspace: &mut Workspace, number: u32) -> u32 {
    restarts::start(tree, number);
    descend_from(tree, workspace)
}

/// Comes from the present pose to the targets and past the obstacles, in a few steps. Returns
/// their number.
pub(super) fn descend_from(tree: &mut Tree, workspace: &mut Workspace) -> u32 {
    workspace.contacts.clear();
    if tree.cores.is_empty() {
        return descend(tree, workspace, BLIND, TRIAL_STEPS);
    }
    let mut steps = descend(tree, workspace, LOOSE, TRIAL_STEPS);
    steps += tighten(tree, workspace);
    steps + descend(tree, workspace, GUARDED[1], TRIAL_STEPS)
}

/// Comes as near to the targets as bones that are free stay free. Returns the number of steps.
fn approach_guarded(tree: &mut Tree, workspace: &mut Workspace) -> u32 {
    let ends = GUARDED.map(|emphasis| descend(tree, workspace, emphasis, 2 * MAX_STEPS));
    ends.iter().sum()
}

/// Gives the targets up to be free, and comes as near to them as that lets the bones. Returns
/// the number of steps.
fn come_near(
    tree: &mut Tree,
    workspace: &mut Workspace,
    arrived: impl Fn(&Tree, &Workspace) -> bool,
) -> u32 {
    let trial = |tree: &mut Tree, workspace: &mut Workspace| {
        descend(tree, workspace, FREEDOM, TRIAL_STEPS)
            + descend(tree, workspace, GUARDED[0], TRIAL_STEPS)
    };
    let steps = retry(tree, workspace, FREE_FIRST, 0..FEW_STARTS, arrived, trial);
    steps + approach_guarded(tree, workspace)
}

/// Brings the present pose out of all shapes by the shortest way, wherever the tips go.
pub(crate) fn set_free(tree: &mut Tree, workspace: &mut Workspace) {
    descend(tree, workspace, FREEDOM, MAX_STEPS);
}

/// Settles what is left in favour of freedom. Returns the number of steps.
fn tighten(tree: &mut Tree, workspace: &mut Workspace) -> u32 {
    let mut steps = 0;
    for emphasis in TIGHT {
        if is_free(workspace) {
            break;
        }
        steps += descend(tree, workspace, emphasis, MAX_STEPS);
    }
    steps
}

/// Whether no bone is inside a shape, as of the contacts that were gathered last.
pub(super) fn is_free(workspace: &Workspace) -> bool {
    contact::deepest(&workspace.contacts) == 0.0
}

/// Runs `trial` from one start after another until one has `arrived`; if none has, keeps the best
/// one by `emphasis`, the present one among them. Returns the number of steps.
fn retry(
    tree: &mut Tree,
    workspace: &mut Workspace,
    emphasis: Emphasis,
    starts: std::ops::Range<u32>,
    arrived: impl Fn(&Tree, &Workspace) -> bool,
    trial: impl Fn(&mut Tree, &mut Workspace) -> u32,
) -> u32 {
    let mut best = std::mem::take(&mut workspace.best);
    remember(tree, &mut best);
    let mut least = what_is_left(tree, workspace, emphasis);
    let mut steps = 0;
    for number in starts {
        restarts::start(tree, number);
        steps += trial(tree, workspace);
        let left = what_is_left(tree, workspace, emphasis);
        let done = arrived(tree, workspace);
        if done || left.sqrt() < least.sqrt() - CLEARLY * tree.span {
            remember(tree, &mut best);
            least = left;
        }
        if done {
            break;
        }
    }
    tree.take_pose(best.iter().copied());
    contact::gather(tree, 0.0, &mut workspace.contacts);
    workspace.best = best;
    steps
}

/// By what attempts are compared: distances and the deepest penetration.
fn what_is_left(tree: &Tree, workspace: &Workspace, emphasis: Emphasis) -> f64 {
    let depth = contact::deepest(&workspace.contacts);
    tree.weighted_error() + emphasis.contacts * depth * depth
}

/// Remembers the present pose.
pub(super) fn remember(tree: &Tree, swings: &mut Vec<f64>) {
    swings.clear();
    swings.extend(tree.swings());
}
