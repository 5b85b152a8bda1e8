//! FABRIK on trees: forward and backward reaching where several tips share joints.
//!
//! From the tips: every effector asks for its target, and each joint is pulled along the
//! straight piece behind it to that piece's length. A joint that several branches pull on,
//! a *sub-base*, takes the centroid of their wishes, weighted by the effectors that each
//! branch carries. From the root, likewise, joint by joint: the joint turns so that what it
//! carries comes as near as it can to the places that were asked for, in the sense of least
//! squares. For one piece this is the paper's own step; for several on one rigid bone (two
//! shoulders on a chest) it is the rotation that fits them best. Bounds hold in this pass.
//!
//! **Strides.** Sweeps towards a target that is far away are not continuous: a joint that has
//! to turn a long way may turn either way, an elbow unfolds and folds to the other side, and
//! a hair decides. So the targets walk: from where the tips are to where they shall be, in a
//! fixed number of equal strides, with one sweep and one step of [`crate::least_squares`] for
//! each. Every stride begins near its end, so the pose follows from the given one without a
//! leap, and it changes by a hair when a target does. They walk no farther than the tip's own
//! line of bones is long: a target beyond that pulls hard, with long steps that throw about
//! whatever the others leave free. It is the end of the way that sees it.
//!
//! A sweep costs O(joints + effectors). Their number is fixed, whatever the distance left: a
//! sweep more or less would show in the pose. [`crate::multistart`] closes what is left.
//!
//! Source: A. Aristidou and J. Lasenby, *FABRIK: A fast, iterative solver for the Inverse
//! Kinematics problem*, Graphical Models 73 (2011), section 4.3.

use glam::DVec2;

use crate::approach::Approach;
use crate::least_squares::descend;
use crate::multistart;
use crate::report::Outcome;
use crate::stretch;
use crate::tree::{End, Tree};

/// Strides at most. Sweeps give the pose its character; what follows converges faster.
const STRIDES: u32 = 8;

/// Steps of least squares that follow the sweep of a stride. A sweep alone falls behind where
/// bounds hold it up, and what has fallen behind far enough leaps.
const STEPS: u32 = 2;

/// Below this part of the span there is nowhere to walk.
const THERE: f64 = 1e-7;

/// Turns the joints of a prepared `tree` so that its effectors meet their targets and its
/// bones stay out of its obstacles, or come as near to that as they can.
pub fn solve(tree: &mut Tree, limits: Approach) -> Outcome {
    let mut iterations = 0;
    if tree.error() > THERE * tree.span {
        iterations = walk(tree, limits.max_iterations.min(STRIDES));
    }
    let mut outcome = multistart::finish(tree, limits.tolerance);
    outcome.iterations += iterations;
    outcome
}

/// Leads the tips to their targets in so many strides. Returns the number of sweeps and steps.
fn walk(tree: &mut Tree, strides: u32) -> u32 {
    let mut wishes = std::mem::take(&mut tree.scratch.wishes);
    for tip in &mut tree.tips {
        tip.target = tip.point;
    }
    let mut iterations = 0;
    for left in (1..=strides).rev() {
        for index in 0..tree.tips.len() {
            let end = stretch::within_reach(tree, &tree.tips[index]);
            let tip = &mut tree.tips[index];
            tip.target += (end - tip.target) / f64::from(left);
        }
        reach_from_tips(tree, &mut wishes);
        reach_from_root(tree, &wishes);
        iterations += 1 + descend(tree, multistart::BLIND, STEPS);
    }
    for tip in &mut tree.tips {
        tip.target = tip.goal;
    }
    tree.scratch.wishes = wishes;
    iterations
}

/// Where each joint is wanted by the branches that it carries.
fn reach_from_tips(tree: &Tree, wishes: &mut Vec<DVec2>) {
    wishes.clear();
    wishes.resize(tree.nodes.len(), DVec2::ZERO);
    for tip in &tree.tips {
        let joint = tree.nodes[tip.joint].point;
        wishes[tip.joint] += tip.weight * pull(joint, tip.point, tip.target);
    }
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        if node.weight > 0.0 {
            wishes[index] /= node.weight;
            if let Some(parent) = node.parent {
                let wish = pull(tree.nodes[parent].point, node.point, wishes[index]);
                wishes[parent] += node.weight * wish;
            }
        }
    }
}

/// Where `joint` goes when the end of its piece, now at `end`, is held at `held`.
fn pull(joint: DVec2, end: DVec2, held: DVec2) -> DVec2 {
    let away = joint - held;
    let square = away.length_squared();
    if square > 0.0 {
        held + away * (joint.distance_squared(end) / square).sqrt()
    } else {
        held + joint - end
    }
}

/// Turns the joints, root first, towards what was asked of the ends that they carry.
fn reach_from_root(tree: &mut Tree, wishes: &[DVec2]) {
    let mut next = 0;
    for index in 0..tree.nodes.len() {
        tree.mount_joint(index);
        let node = &tree.nodes[index];
        let seen_from = node.basis.inverse();
        let mut fit = DVec2::ZERO;
        while let Some(link) = tree.links.get(next).filter(|link| link.joint == index) {
            let (wish, weight) = match link.end {
                End::Joint(child) => (wishes[child], tree.nodes[child].weight),
                End::Tip(tip) => (tree.tips[tip].target, tree.tips[tip].weight),
            };
            let wanted = seen_from * (wish - node.point);
            fit += weight * DVec2::new(link.offset.dot(wanted), link.offset.perp_dot(wanted));
            next += 1;
        }
        if fit != DVec2::ZERO {
            let from = node.direction();
            let step = from.perp_dot(fit).atan2(from.dot(fit));
            let swing = node.bounded(node.swing + node.mobility * step);
            tree.nodes[index].swing = swing;
        }
        tree.turn_joint(index);
    }
    tree.place_tips();
}
