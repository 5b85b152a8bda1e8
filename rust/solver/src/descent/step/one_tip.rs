//! One step of a chain with one tip and nothing else: the case that games solve most.
//!
//! There are two rows, and no joint follows those that carry it. So a round of the active set takes
//! a few operations for each joint, and copies nothing. Results are those of [`active_set`] and
//! [`equations`], to the last bit. These take 41 % more instructions for a pass of ten bones within limits, and 51 % for a
//! first pass of five (2026-11-29, `benches/solvers.rs` under callgrind).
//!
//! [`active_set`]: super::active_set
//! [`equations`]: super::equations

use glam::DVec2;

use crate::descent::step::active_set::{EDGE, PATIENT_ROUNDS, ROUNDS};
use crate::descent::step::held::JointHold;
use crate::descent::step::{Descent, SolveSpace};
use crate::kinematics::tree::{Node, Tree};
use crate::math::cholesky;

impl Descent<'_> {
    /// Returns `true` if this file can solve a step: there is one tip, and there are no contacts and no ties.
    pub(super) fn has_one_tip_alone(&self) -> bool {
        self.workspace.residuals.len() == 2 && self.workspace.ties.is_empty()
    }

    /// Solves for one step within the bounds, with the damping `lambda`. Returns whether there is
    /// one.
    pub(super) fn solve_with_one_tip(&mut self, lambda: f64) -> bool {
        let Self {
            tree, workspace, ..
        } = self;
        for round in 0..ROUNDS {
            let Some(multipliers) = solve_dual(tree, workspace, lambda) else {
                return false;
            };
            workspace.multipliers.clear();
            workspace.multipliers.extend(multipliers.to_array());
            take_multipliers(tree, workspace, multipliers);
            let may_release = round < PATIENT_ROUNDS;
            if tree.is_unbounded || !revise(tree, workspace, multipliers, may_release) {
                break;
            }
        }
        true
    }
}

/// The multipliers of the rows, if the joints that are held stay so.
fn solve_dual(tree: &Tree, workspace: &SolveSpace, lambda: f64) -> Option<DVec2> {
    let mut rest = DVec2::from_slice(&workspace.residuals);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    let columns = workspace.jacobian.chunks_exact(2);
    let joints = tree.nodes.iter().zip(columns);
    let joints = joints.zip(workspace.holds.iter().zip(&workspace.desire));
    for ((node, column), (&hold, &desire)) in joints.clone().rev() {
        let fixed = turn_of(node, hold, desire);
        if fixed != 0.0 {
            rest += DVec2::from_slice(column) * fixed;
        }
    }
    for ((node, column), (&hold, _)) in joints {
        if hold == JointHold::Free {
            let column = DVec2::from_slice(column);
            let scaled = node.compliance * column;
            xx += scaled.x * column.x;
            xy += scaled.y * column.x;
            yy += scaled.y * column.y;
        }
    }
    cholesky::solve_two([xx + lambda, xy, yy + lambda], rest)
}

/// By what angle a joint turns whatever the rows are.
fn turn_of(node: &Node, hold: JointHold, desire: f64) -> f64 {
    match hold {
        JointHold::Free => desire,
        JointHold::Locked => 0.0,
        JointHold::Lower => node.lower - node.swing,
        JointHold::Upper => node.upper - node.swing,
    }
}

/// Fills in the step that follows from the `multipliers`.
fn take_multipliers(tree: &Tree, workspace: &mut SolveSpace, multipliers: DVec2) {
    let columns = workspace.jacobian.chunks_exact(2);
    let joints = tree.nodes.iter().zip(columns);
    let joints = joints.zip(workspace.holds.iter().zip(&workspace.desire));
    for (step, ((node, column), (&hold, &desire))) in workspace.step.iter_mut().zip(joints) {
        *step = turn_of(node, hold, desire);
        if hold == JointHold::Free {
            *step -= node.compliance * DVec2::from_slice(column).dot(multipliers);
        }
    }
}

/// Holds the joints that the step would carry through a bound, and releases those that it would
/// carry away from theirs. Returns whether there were any.
fn revise(tree: &Tree, workspace: &mut SolveSpace, multipliers: DVec2, may_release: bool) -> bool {
    let mut changed = false;
    let columns = workspace.jacobian.chunks_exact(2);
    let joints = tree.nodes.iter().zip(columns);
    let joints = joints.zip(workspace.step.iter().zip(&workspace.desire));
    for (hold, ((node, column), (&step, &desire))) in workspace.holds.iter_mut().zip(joints) {
        let wish = || desire - node.compliance * DVec2::from_slice(column).dot(multipliers);
        let end = node.swing + step;
        let revised = match *hold {
            JointHold::Free if end > node.upper + EDGE => JointHold::Upper,
            JointHold::Free if end < node.lower - EDGE => JointHold::Lower,
            JointHold::Upper if may_release && wish() < step - EDGE => JointHold::Free,
            JointHold::Lower if may_release && wish() > step + EDGE => JointHold::Free,
            hold => hold,
        };
        changed |= revised != *hold;
        *hold = revised;
    }
    changed
}
