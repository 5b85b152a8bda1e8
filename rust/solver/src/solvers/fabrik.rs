//! FABRIK: forward and backward reaching on positions, for chains and trees.
//!
//! Backwards, from the tips to the root: every effector is put on its target. Each joint before it
//! is moved along the line to it, until their distance is that of the bone between them. A joint
//! with several branches, a *sub-base*, takes the centroid of the points that the branches ask for,
//! weighted by the effectors that each branch carries. Forwards, from the root to the tips: each
//! joint is turned so that what it carries points at the positions that were found
//! ([`crate::kinematics::pointing`]). So every bone keeps its length, and the root its position.
//!
//! A sweep costs O(joints + effectors). Near full reach the error shrinks by only about
//! `20/n (1 − d/reach)` per sweep, and a straight chain with its target on its axis never moves;
//! [`crate::solvers::sweeps`] deals with both.
//!
//! Source: A. Aristidou and J. Lasenby, *FABRIK: A fast, iterative solver for the Inverse
//! Kinematics problem*, Graphical Models 73 (2011); trees: section 4.3.

use glam::DVec2;

use crate::descent::SolveSpace;
use crate::kinematics::tree::Tree;
use crate::solvers::sweeps::sweep_to_targets;

/// Finds the first pose of `tree`: near to its targets, on the way there from the present one.
/// Returns the number of sweeps and steps.
pub(crate) fn find_first_pose(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    max_iterations: u32,
) -> u32 {
    sweep_to_targets(tree, workspace, max_iterations, reach_from_tips)
}

/// Finds where the branches that each joint carries want it.
fn reach_from_tips(tree: &Tree, wanted_points: &mut Vec<DVec2>) {
    wanted_points.clear();
    wanted_points.resize(tree.nodes.len(), DVec2::ZERO);
    for tip in &tree.tips {
        let joint = tree.nodes[tip.joint].point;
        wanted_points[tip.joint] += tip.weight * pull(joint, tip.point, tip.target);
    }
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        if node.weight > 0.0 {
            wanted_points[index] /= node.weight;
            if let Some(parent) = node.parent {
                let wanted = pull(tree.nodes[parent].point, node.point, wanted_points[index]);
                wanted_points[parent] += node.weight * wanted;
            }
        }
    }
}

/// Returns the place that `joint` goes to when the end of its bone, now at `end`, is moved to `held`.
fn pull(joint: DVec2, end: DVec2, held: DVec2) -> DVec2 {
    let away = joint - held;
    let square = away.length_squared();
    if square > 0.0 {
        held + away * (joint.distance_squared(end) / square).sqrt()
    } else {
        held + joint - end
    }
}
