//! What the named algorithms share: when to sweep, and when to stop.
//!
//! A named algorithm is the way from the base pose to the **first pose**: that of a limb without
//! memory, and where a branch ends. It chooses the branch of solutions. [`crate::descent`] then
//! brings the tips to their targets exactly, and from pass to pass the limb follows from there
//! without any sweep.
//!
//! **A free chain** is swept as published, until the tip is near or the number of sweeps is at its
//! cap. It ends earlier if the tip would not be near at the cap, at the rate of the last sweep. A
//! chain that lies on one line with its target is bent first: no sweep can leave that line.
//!
//! **Trees, and joints with limits.** There a sweep towards a target that is far away is not
//! continuous: which joint meets its limit first, or which way an elbow unfolds, changes from one
//! target to the next. So the targets move from where the tips are to where they should be, in a
//! fixed number of equal strides, with one sweep and a few constrained steps for each. No target
//! goes farther from the root than the line of bones to its tip is long: it would pull too hard.

use glam::DVec2;

use crate::descent::SolveSpace;
use crate::descent::deadlock;
use crate::descent::reaching::{ALREADY_REACHED, TIPS_ONLY};
use crate::descent::step::descend;
use crate::kinematics::pointing::point_at;
use crate::kinematics::tree::Tree;
use crate::math::settings::settings;
use crate::math::trigonometry::whole_power;
use crate::solvers::elasticity::within_reach;

settings! {
    /// The number of sweeps and the tolerance of an iterative solver.
    Approach {
        /// The largest number of sweeps on the way to the first pose, before constrained steps take
        /// over. With 0 these begin at the base pose. Trees and joints with limits are swept 8 times at
        /// most. It decides which of several poses is found, and never how exactly.
        max_iterations: u32 = 16;
        /// Distance between tip and target that counts as reached, in skeleton units.
        tolerance: f32 = 0.01;
    }
}

/// Nearer to the target than this part of the reach, constrained steps take over from the sweeps.
const NEAR_TARGET: f64 = 0.1;

/// Strides at most.
const STRIDES: u32 = 8;

/// Constrained steps that follow the sweep of a stride. A sweep alone falls behind where limits
/// stop joints. The distance would grow until the chain leaps.
const STEPS: u32 = 2;

/// Brings `tree` from its present pose near to its targets by `sweep`, which fills in where each
/// joint is wanted. Returns the number of sweeps and steps.
pub(super) fn sweep_to_targets(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    max_iterations: u32,
    sweep: impl Fn(&Tree, &mut Vec<DVec2>),
) -> u32 {
    if tree.error() <= ALREADY_REACHED * tree.span {
        return 0;
    }
    let is_free_chain = tree.is_unbounded && tree.tips.len() == 1;
    if is_free_chain {
        deadlock::bend_out(tree, workspace);
    }
    let mut wanted_points = std::mem::take(&mut workspace.wanted_points);
    let iterations = if is_free_chain {
        sweep_near(tree, &mut wanted_points, max_iterations, sweep)
    } else {
        let strides = max_iterations.min(STRIDES);
        walk(tree, workspace, &mut wanted_points, strides, sweep)
    };
    workspace.wanted_points = wanted_points;
    iterations
}

/// Sweeps until the tip is near.
fn sweep_near(
    tree: &mut Tree,
    wanted_points: &mut Vec<DVec2>,
    max_iterations: u32,
    sweep: impl Fn(&Tree, &mut Vec<DVec2>),
) -> u32 {
    let near = NEAR_TARGET * tree.span;
    let mut distance = tree.error();
    let mut sweeps = 0;
    while distance > near && sweeps < max_iterations {
        let before = distance;
        sweep(tree, wanted_points);
        point_at(tree, wanted_points);
        sweeps += 1;
        distance = tree.error();
        if !arrives(distance, before, near, max_iterations - sweeps) {
            break;
        }
    }
    sweeps
}

/// Returns `true` if an error that went from `before` to `now` in one sweep is below `near` after `left` more sweeps at
/// that rate.
fn arrives(now: f64, before: f64, near: f64, left: u32) -> bool {
    let rate = now / before;
    rate < 1.0 && now * whole_power(rate, left.min(64)) <= near
}

/// Moves the targets from the tips to where they should be in `strides` strides, and sweeps after
/// each.
fn walk(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    wanted_points: &mut Vec<DVec2>,
    strides: u32,
    sweep: impl Fn(&Tree, &mut Vec<DVec2>),
) -> u32 {
    for tip in &mut tree.tips {
        tip.target = tip.point;
    }
    let mut iterations = 0;
    for left in (1..=strides).rev() {
        for index in 0..tree.tips.len() {
            let end = within_reach(tree, &tree.tips[index]);
            let tip = &mut tree.tips[index];
            tip.target += (end - tip.target) / f64::from(left);
        }
        sweep(tree, wanted_points);
        point_at(tree, wanted_points);
        iterations += 1 + descend(tree, workspace, TIPS_ONLY, STEPS);
    }
    for tip in &mut tree.tips {
        tip.target = tip.goal;
    }
    iterations
}
