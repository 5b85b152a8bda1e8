//! Newton's step: with the second derivatives of what is left, where the rows cannot all be zero.

use crate::descent::step::Descent;
use crate::descent::step::active_set::ROUNDS;
use crate::descent::step::equations::dot_of_counting;
use crate::math::bounded::{BoundState, EDGE};

impl Descent<'_> {
    /// Solves for one step within the bounds. `typical` is the square of a [row](Self::typical_row), by which all is
    /// divided. Returns whether there is one.
    pub(super) fn solve_newton(&mut self, damping: f64, typical: f64) -> bool {
        for round in 0..ROUNDS {
            self.fill_problem(damping, typical);
            let workspace = &mut *self.workspace;
            if !workspace.problem.solve() {
                return false;
            }
            for tie in &workspace.ties {
                workspace.problem.untie(tie.joint, tie.above, tie.rate);
            }
            workspace.step.clone_from(&workspace.problem.step);
            if !self.revise_contacts(round) {
                break;
            }
        }
        true
    }

    /// Fills in the function of the step and its bounds.
    fn fill_problem(&mut self, damping: f64, typical: f64) {
        let workspace = &mut *self.workspace;
        let rows = workspace.residuals.len();
        let count = self.tree.len();
        let problem = &mut workspace.problem;
        problem.clear(count);
        problem.holds.clear();
        let column = |joint: usize| &workspace.jacobian[joint * rows..][..rows];
        let product = |a: &[f64], b: &[f64]| dot_of_counting(a, b, &workspace.counts);
        for (joint, node) in self.tree.nodes.iter().enumerate() {
            for other in 0..=joint {
                let entry = joint * count + other;
                let second = workspace.hessian[entry] + product(column(joint), column(other));
                problem.hessian[entry] = second / typical;
            }
            problem.gradient[joint] = product(column(joint), &workspace.residuals) / typical;
            problem.holds.push(BoundState::Free);
            if node.mobility > 0.0 {
                problem.hessian[joint * (count + 1)] += damping / node.compliance;
                problem.lower[joint] = (node.lower - node.swing).min(0.0);
                problem.upper[joint] = (node.upper - node.swing).max(0.0);
            }
        }
        for tie in workspace.ties.iter().rev() {
            problem.tie(tie.joint, tie.above, tie.rate);
        }
        for (joint, hold) in problem.holds.iter_mut().enumerate() {
            let gradient = problem.gradient[joint];
            if problem.upper[joint] <= EDGE && gradient < 0.0 {
                *hold = BoundState::Upper;
            } else if problem.lower[joint] >= -EDGE && gradient > 0.0 {
                *hold = BoundState::Lower;
            }
        }
    }
}
