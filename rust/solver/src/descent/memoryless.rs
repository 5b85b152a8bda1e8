//! The pose without memory: of a first pass, of a modifier that keeps no memory, and of a new
//! branch.
//!
//! The named algorithm runs from the base pose and finds the branch of solutions. What it leaves
//! is brought to the targets, and then to the pose of that branch that is nearest to the base
//! pose: of all poses that reach, the one that shows most of the animation.
//!
//! Nearest is measured by `½ Σ swing² / compliance`, in which stiff joints weigh more. The root
//! counts little and periodically, so a chain that is turned as a whole keeps its shape.

use std::f64::consts::PI;

use crate::descent::obstacle_avoidance::{self, after_arrival};
use crate::descent::out_of_reach;
use crate::descent::reaching::{self, TIPS_ONLY};
use crate::descent::step::settle::{forget_moves, settle};
use crate::descent::step::{Emphasis, SolveSpace, descend_to};
use crate::kinematics::tree::Tree;
use crate::math::trigonometry::unit_vector;

/// Steps towards the base pose at most.
const RELAXATIONS: u32 = 100;

/// No joint turns by more than this, in radians, in one step towards the base pose.
const LONGEST_STEP: f64 = 0.5;

/// A pose from which no joint wants to turn farther than this, in radians, is the nearest.
pub(super) const NEAREST: f64 = 2e-5;

/// Steps that bring the tips back to their targets after a step towards the base pose.
const CORRECTIONS: u32 = 8;

/// Brings `tree` into the pose without memory. `find_first_pose` is the named algorithm, which
/// starts from the base pose and returns the number of its sweeps. `tolerance` is the distance that
/// counts as reached, in chain units. Returns the number of sweeps and steps to the targets,
/// without those to the nearest pose.
pub(crate) fn solve(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    tolerance: f64,
    find_first_pose: impl FnOnce(&mut Tree, &mut SolveSpace) -> u32,
) -> u32 {
    tree.take_base_pose();
    if tree.is_overstretched {
        let steps = stretch_out(tree, workspace);
        return steps + obstacle_avoidance::leave_obstacles(tree, workspace, tolerance);
    }
    let mut steps = find_first_pose(tree, workspace);
    steps += reaching::reach_targets(tree, workspace, tolerance);
    workspace.contacts.clear();
    relax_by(tree, workspace, tolerance, TIPS_ONLY);
    let left = obstacle_avoidance::leave_obstacles(tree, workspace, tolerance);
    if left > 0 {
        relax(tree, workspace, tolerance);
    }
    steps + left
}

/// Lays a chain straight whose target is out of reach. Returns the number of steps.
pub(super) fn stretch_out(tree: &mut Tree, workspace: &mut SolveSpace) -> u32 {
    let mut wanted_points = std::mem::take(&mut workspace.wanted_points);
    out_of_reach::stretch_out(tree, &mut wanted_points);
    workspace.wanted_points = wanted_points;
    1
}

/// Returns `true` if every tip is at its target and no bone is inside a shape.
pub(crate) fn has_arrived(tree: &Tree, workspace: &SolveSpace, tolerance: f64) -> bool {
    tree.error() <= reaching::enough(tree.span, tolerance)
        && obstacle_avoidance::is_outside(workspace)
}

/// Returns the distance from the base pose to the present one, as the sum of the costs of all swings.
pub(super) fn distance_to_base(tree: &Tree) -> f64 {
    let costs = tree.nodes.iter().map(|node| match node.parent {
        _ if node.compliance <= 0.0 => 0.0,
        None => (1.0 - unit_vector(node.swing).x) / node.compliance,
        Some(_) => 0.5 * node.way_from_base() * node.way_from_base() / node.compliance,
    });
    costs.sum()
}

/// Brings a pose that has arrived to the nearest one to the base pose. Returns the number of
/// steps.
pub(super) fn relax(tree: &mut Tree, workspace: &mut SolveSpace, tolerance: f64) -> u32 {
    relax_by(tree, workspace, tolerance, after_arrival(tree))
}

fn relax_by(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    tolerance: f64,
    emphasis: Emphasis,
) -> u32 {
    let enough = reaching::enough(tree.span, tolerance);
    if tree.error() > enough {
        return 0;
    }
    tree.unwind(PI);
    let precise = 0.1 * reaching::PRECISION * tree.span;
    let mut most = LONGEST_STEP;
    let mut steps = 0;
    let mut best = std::mem::take(&mut workspace.best);
    forget_moves(workspace);
    while steps < RELAXATIONS {
        reaching::remember(tree, &mut best);
        let settled = settle(tree, workspace, emphasis, |left| {
            if left < NEAREST { 0.0 } else { left.min(most) }
        });
        if settled == 0 {
            break;
        }
        steps += settled + descend_to(tree, workspace, emphasis, CORRECTIONS, precise);
        if tree.error() > enough || !obstacle_avoidance::is_outside(workspace) {
            tree.take_pose(best.iter().copied());
            forget_moves(workspace);
            most *= 0.25;
            if most < NEAREST {
                break;
            }
        }
    }
    workspace.best = best;
    steps
}
