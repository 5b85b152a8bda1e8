//! The damped equations of a step for the joints that are not held: a matrix of the rows.

use crate::descent::step::held::JointHold;
use crate::descent::step::{Descent, Emphasis, SolveSpace};
use crate::kinematics::tree::Tree;
use crate::math::cholesky;

impl Descent<'_> {
    /// The step of the joints that are not held, in the dual form.
    pub(super) fn solve_dual(&mut self, lambda: f64) -> bool {
        let Self {
            tree, workspace, ..
        } = self;
        let rows = workspace.residuals.len();
        workspace
            .multipliers
            .clone_from(&workspace.reduced_residuals);
        workspace.matrix.clear();
        workspace.matrix.resize(rows * rows, 0.0);
        for (index, column) in workspace
            .reduced_jacobian
            .chunks_exact(rows.max(1))
            .enumerate()
        {
            if workspace.holds[index] != JointHold::Free {
                continue;
            }
            for (row, derivative) in column.iter().enumerate() {
                let scaled = tree.nodes[index].compliance * derivative;
                if scaled != 0.0 {
                    let line = &mut workspace.matrix[row * rows..][..=row];
                    for (entry, other) in line.iter_mut().zip(column) {
                        *entry += scaled * other;
                    }
                }
            }
        }
        for row in 0..rows {
            workspace.matrix[row * (rows + 1)] += lambda;
        }
        for row in (0..rows).filter(|&row| !workspace.counts[row]) {
            for other in 0..rows {
                let (line, column) = (row.max(other), row.min(other));
                workspace.matrix[line * rows + column] = f64::from(u8::from(row == other));
            }
            workspace.multipliers[row] = 0.0;
        }
        if !cholesky::solve(&mut workspace.matrix, &mut workspace.multipliers) {
            return false;
        }
        for (index, column) in workspace
            .reduced_jacobian
            .chunks_exact(rows.max(1))
            .enumerate()
        {
            if workspace.holds[index] == JointHold::Free {
                let gradient = dot(column, &workspace.multipliers);
                workspace.step[index] =
                    workspace.desire[index] - tree.nodes[index].compliance * gradient;
            }
        }
        true
    }

    /// Returns the mean square of a row: of an effector's if there is one, else of a contact's. Damping is relative to
    /// it.
    pub(super) fn typical_row(tree: &Tree, workspace: &SolveSpace, emphasis: Emphasis) -> f64 {
        let rows = workspace.residuals.len();
        let weights: f64 = tree.tips.iter().map(|tip| emphasis.tips * tip.weight).sum();
        let (counted, count) = if weights > 0.0 {
            (0..2 * tree.tips.len(), 2.0 * weights)
        } else {
            (0..rows, rows as f64)
        };
        let mut sum = 0.0;
        for (node, column) in tree.nodes.iter().zip(workspace.jacobian.chunks_exact(rows)) {
            let column = &column[counted.clone()];
            sum += node.compliance * dot(column, column);
        }
        (sum / count).max(f64::MIN_POSITIVE)
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The product over the rows that count.
pub(super) fn dot_of_counting(a: &[f64], b: &[f64], counts: &[bool]) -> f64 {
    let rows = a.iter().zip(b).zip(counts);
    rows.filter(|(_, counts)| **counts)
        .map(|((a, b), _)| a * b)
        .sum()
}
