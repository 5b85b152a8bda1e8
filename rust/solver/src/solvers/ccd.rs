//! Cyclic coordinate descent: each joint in turn brings the tip onto its line to the target.
//!
//! From the tip to the root the end of the chain curls first and the root moves last; from
//! the root to the tip the chain stays stiffer and the root does most of the work. Either
//! sweep visits each joint once and costs O(joints): what lies beyond a joint turns with
//! it as a whole, so only the position of the tip is updated.
//!
//! Without a bound, the sweep from the tip rolls a long chain up: its last joints do all that is
//! needed to reach the target, and the next sweep has to undo it. Each joint therefore turns by no
//! more than one whole turn divided by the number of joints. That changes nothing for two joints,
//! and distributes the bend of a long chain over its joints.
//!
//! The sweep says where the joints should be; the joints are then turned to it in their true
//! frames and within their limits ([`crate::kinematics::pointing`]).
//!
//! Source: L.-C. T. Wang and C. C. Chen, *A Combined Optimization Method for Solving the
//! Inverse Kinematics Problem of Mechanical Manipulators* (1991).

use std::f64::consts::{PI, TAU};

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::descent::SolveSpace;
use crate::kinematics::tree::Tree;
use crate::math::trigonometry::unit_vector;
use crate::solvers::sweeps::sweep_to_targets;

/// In which direction CCD sweeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Sweeps from the root to the tip instead of from the tip to the root.
    pub root_first: bool,
}

/// The joints at one end of the chain turn this many powers of two more than those at the other.
const LEAD: f32 = 2.0;

impl Sweep {
    /// Finds the first pose of `tree`, a single chain: near to its target, on the way there from
    /// the present one. Returns the number of sweeps and steps.
    pub(crate) fn find_first_pose(
        self,
        tree: &mut Tree,
        workspace: &mut SolveSpace,
        max_iterations: u32,
    ) -> u32 {
        if self.root_first {
            sweep_to_targets(tree, workspace, max_iterations, sweep_from_root)
        } else {
            sweep_to_targets(tree, workspace, max_iterations, sweep_from_tip)
        }
    }

    /// Returns the cost of a turn of joint `index` of `count`: the joints that a sweep begins with turn most.
    pub(crate) fn cost(self, index: usize, count: usize) -> f32 {
        let place = index as f32 / count.saturating_sub(1).max(1) as f32 - 0.5;
        libm::exp2f(if self.root_first { LEAD } else { -LEAD } * place)
    }
}

/// Fills `wanted_points` with the places of the joints after a sweep from the tip, in chain space.
fn sweep_from_tip(tree: &Tree, wanted_points: &mut Vec<DVec2>) {
    let target = tree.tips[0].target;
    let mut tip = tree.tips[0].point;
    let most = (TAU / tree.nodes.len() as f64).min(PI);
    // First the rotations, from the tip to the root. Then the positions, from the root to the tip.
    wanted_points.clear();
    for node in tree.nodes.iter().rev() {
        let swing = rotation_between(tip - node.point, target - node.point, most);
        tip = node.point + (tip - node.point).rotate(swing);
        wanted_points.push(swing);
    }
    wanted_points.reverse();
    let mut swung = DVec2::X;
    let mut place = DVec2::ZERO;
    for (index, entry) in wanted_points.iter_mut().enumerate() {
        swung = swung.rotate(*entry);
        *entry = place;
        if let Some(next) = tree.nodes.get(index + 1) {
            place += (next.point - tree.nodes[index].point).rotate(swung);
        }
    }
}

/// Fills `wanted_points` with the places of the joints after a sweep from the root, in chain space.
fn sweep_from_root(tree: &Tree, wanted_points: &mut Vec<DVec2>) {
    let (tip, target) = (tree.tips[0].point, tree.tips[0].target);
    let mut swung = DVec2::X;
    let mut place = DVec2::ZERO;
    wanted_points.clear();
    for (index, node) in tree.nodes.iter().enumerate() {
        wanted_points.push(place);
        let to_tip = (tip - node.point).rotate(swung);
        swung = swung.rotate(rotation_between(to_tip, target - place, PI));
        if let Some(next) = tree.nodes.get(index + 1) {
            place += (next.point - node.point).rotate(swung);
        }
    }
}

/// The rotation from one direction to another as a unit vector, by no more than `most` radians;
/// none where either has no direction.
fn rotation_between(from: DVec2, to: DVec2, most: f64) -> DVec2 {
    let rotation = DVec2::new(from.dot(to), from.perp_dot(to));
    let Some(rotation) = rotation.try_normalize() else {
        return DVec2::X;
    };
    let widest = unit_vector(most);
    if rotation.x >= widest.x {
        rotation
    } else {
        DVec2::new(widest.x, widest.y.copysign(rotation.y))
    }
}
