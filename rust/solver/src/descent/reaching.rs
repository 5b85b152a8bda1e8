//! Bringing the tips of a tree to their targets, from any pose, as if there were no obstacles.
//!
//! One descent of [`crate::descent::step`] nearly always arrives. If it does not, others
//! [start elsewhere](crate::descent::restarts). The first that arrives is taken. If none does, the
//! first is kept unless a later one is better by a clear margin.

use crate::descent::restarts::{self, STARTS};
use crate::descent::step::{Emphasis, SolveSpace, descend};
use crate::kinematics::contact;
use crate::kinematics::tree::Tree;

/// Steps of one descent at most.
pub(super) const DESCENT_STEPS: u32 = 64;

/// Steps of a descent that only shows whether it would arrive.
pub(super) const TRIAL_STEPS: u32 = 24;

/// Errors above this part of the span are worth more descents, whatever the tolerance.
pub(super) const COARSE: f64 = 2e-5;

/// The distance, as a part of the span, that counts as none.
pub(super) const PRECISION: f64 = 1e-6;

/// Tips that are no farther from their targets than this part of the span are left where they are:
/// `f32` cannot say more of a position.
pub(crate) const ALREADY_REACHED: f64 = 1e-7;

/// A descent from another start is better when its tips are nearer by this part of the span.
const BETTER_START: f64 = 1e-3;

/// The number of starts that are tried for a pose that is only to be nearer, not to arrive.
pub(super) const FEW_STARTS: u32 = 20;

/// Nothing counts but effectors.
pub(crate) const TIPS_ONLY: Emphasis = contacts_count(0.0);

/// Effectors count by their weights, and contacts by this factor.
pub(super) const fn contacts_count(contacts: f64) -> Emphasis {
    Emphasis {
        tips: 1.0,
        contacts,
        guarded: false,
    }
}

/// The distance that counts as reached, for a `tolerance` in chain units.
pub(super) fn enough(span: f64, tolerance: f64) -> f64 {
    tolerance.min(COARSE * span).max(PRECISION * span)
}

/// Brings the tips of `tree` to their targets, whatever is in the way. Returns the number of steps.
pub(super) fn reach_targets(tree: &mut Tree, workspace: &mut SolveSpace, tolerance: f64) -> u32 {
    let tolerance = enough(tree.span, tolerance);
    if tree.error() <= ALREADY_REACHED * tree.span {
        return 0;
    }
    let goal = |tree: &Tree, _: &SolveSpace| tree.error() <= tolerance;
    let mut steps = descend(tree, workspace, TIPS_ONLY, DESCENT_STEPS);
    // Beyond any pose's reach, limits alone may keep a chain from the nearest one.
    let starts = match tree.is_out_of_reach() {
        false => STARTS,
        true if tree.has_limits && tree.tips.len() == 1 => FEW_STARTS,
        true => 0,
    };
    if !goal(tree, workspace) && starts > 0 {
        let trial = |tree: &mut Tree, workspace: &mut SolveSpace| {
            descend(tree, workspace, TIPS_ONLY, TRIAL_STEPS)
        };
        steps += retry(tree, workspace, TIPS_ONLY, 0..starts, goal, trial);
        steps += descend(tree, workspace, TIPS_ONLY, DESCENT_STEPS);
    }
    steps
}

/// Runs `trial` from one start after another until one has `arrived`; if none has, keeps the best
/// one by `emphasis`, the present one among them. Returns the number of steps.
pub(super) fn retry(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    emphasis: Emphasis,
    starts: std::ops::Range<u32>,
    arrived: impl Fn(&Tree, &SolveSpace) -> bool,
    trial: impl Fn(&mut Tree, &mut SolveSpace) -> u32,
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
        if done || left.sqrt() < least.sqrt() - BETTER_START * tree.span {
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

/// By what poses are compared: distances and the deepest penetration.
fn what_is_left(tree: &Tree, workspace: &SolveSpace, emphasis: Emphasis) -> f64 {
    let depth = contact::deepest(&workspace.contacts);
    tree.weighted_error() + emphasis.contacts * depth * depth
}

/// Remembers the present pose.
pub(super) fn remember(tree: &Tree, swings: &mut Vec<f64>) {
    swings.clear();
    swings.extend(tree.swings());
}
