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
//! A sweep costs O(joints + effectors). Their number is fixed, whatever the distance left: a
//! sweep more or less would show in the pose, and a target that moves by a hair must not
//! bring that about. [`crate::multistart`] closes what is left.
//!
//! Source: A. Aristidou and J. Lasenby, *FABRIK: A fast, iterative solver for the Inverse
//! Kinematics problem*, Graphical Models 73 (2011), section 4.3.

use glam::DVec2;

use crate::approach::Approach;
use crate::multistart;
use crate::report::Outcome;
use crate::tree::{End, Tree};

/// Sweeps at most. They give the pose its character; what follows converges faster.
const SWEEPS: u32 = 6;

/// Below this part of the span a sweep has nothing left to do.
const THERE: f64 = 1e-7;

/// Turns the joints of a prepared `tree` so that its effectors meet their targets and its
/// bones stay out of its obstacles, or come as near to that as they can.
pub fn solve(tree: &mut Tree, limits: Approach) -> Outcome {
    let precision = THERE * tree.span;
    let mut wishes = std::mem::take(&mut tree.scratch.wishes);
    let mut sweeps = 0;
    while sweeps < limits.max_iterations.min(SWEEPS) && tree.error() > precision {
        reach_from_tips(tree, &mut wishes);
        reach_from_root(tree, &wishes);
        sweeps += 1;
    }
    tree.scratch.wishes = wishes;
    let mut outcome = multistart::finish(tree, limits.tolerance);
    outcome.iterations += sweeps;
    outcome
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
