//! One step within the bounds: which joints are held at a bound.

use crate::descent::step::Descent;
use crate::descent::step::equations::dot;
use crate::descent::step::held::{JointHold, drift, fold, is_tied, ties_of};

/// No joint turns by more than this many radians in one step.
const LONGEST_STEP: f64 = 1.0;

/// A joint that is nearer to a bound than this, in radians, is at it.
pub(super) const EDGE: f64 = 1e-12;

/// Rounds of one step's active set at most.
pub(super) const ROUNDS: usize = 16;

/// Rounds after which a joint that is held once stays held. The active set may cycle.
pub(super) const PATIENT_ROUNDS: usize = 8;

impl Descent<'_> {
    /// Solves for one damped step within the bounds. Returns the largest turn in it, or `None`
    /// when the matrix is not definite.
    pub(super) fn solve_step(&mut self, damping: f64) -> Option<f64> {
        self.begin_active_set();
        let typical = Self::typical_row(self.tree, self.workspace, self.emphasis);
        let is_solved = if self.uses_hessian {
            self.solve_newton(damping, typical)
        } else if self.has_one_tip_alone() {
            self.solve_with_one_tip(damping * typical)
        } else {
            self.solve_active_set(damping * typical)
        };
        if !is_solved {
            return None;
        }
        let largest = self.largest_turn();
        if largest > LONGEST_STEP {
            for step in &mut self.workspace.step {
                *step *= LONGEST_STEP / largest;
            }
        }
        Some(largest.min(LONGEST_STEP))
    }

    /// By what angle the joint turns that turns most in the step.
    pub(super) fn largest_turn(&self) -> f64 {
        let turns = self.workspace.step.iter().map(|step| step.abs());
        turns.fold(0.0, f64::max)
    }

    /// Solves for one step within the bounds, with the damping `lambda`. Returns whether there is
    /// one.
    fn solve_active_set(&mut self, lambda: f64) -> bool {
        for round in 0..ROUNDS {
            self.leave_held_out();
            if !self.solve_dual(lambda) {
                return false;
            }
            self.turn_held();
            if !self.revise_active_set(round) {
                break;
            }
        }
        true
    }

    /// Holds the joints that do not turn, and lets the contacts count that are violated.
    fn begin_active_set(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        workspace.holds.clear();
        workspace.holds.extend(tree.nodes.iter().map(|node| {
            if node.mobility <= 0.0 {
                JointHold::Locked
            } else {
                JointHold::Free
            }
        }));
        workspace.step.clear();
        workspace.step.resize(tree.nodes.len(), 0.0);
        self.count_violated();
    }

    /// Takes the held joints out of the problem.
    fn leave_held_out(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        workspace.reduced_jacobian.clone_from(&workspace.jacobian);
        workspace.reduced_residuals.clone_from(&workspace.residuals);
        let rows = workspace.residuals.len();
        let mut ties = workspace.ties.len();
        for (joint, node) in tree.nodes.iter().enumerate().rev() {
            let own = ties_of(&workspace.ties, &mut ties, joint);
            let hold = workspace.holds[joint];
            let fixed = match hold {
                JointHold::Free => workspace.desire[joint],
                JointHold::Locked => continue,
                JointHold::Lower => node.lower - node.swing,
                JointHold::Upper => node.upper - node.swing,
            };
            if fixed != 0.0 {
                let column = &workspace.reduced_jacobian[joint * rows..][..rows];
                add_scaled(&mut workspace.reduced_residuals, column, fixed);
            }
            if !is_tied(node, hold) {
                continue;
            }
            for tie in own {
                fold(&mut workspace.reduced_jacobian, rows, tie);
            }
        }
    }

    /// Adds the held joints to the step.
    fn turn_held(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        let mut ties = 0;
        for (joint, node) in tree.nodes.iter().enumerate() {
            let drift = drift(&workspace.ties, &mut ties, joint, &workspace.step);
            let hold = workspace.holds[joint];
            let follows = if is_tied(node, hold) { drift } else { 0.0 };
            match hold {
                JointHold::Free => {}
                JointHold::Locked => workspace.step[joint] = 0.0,
                JointHold::Lower => workspace.step[joint] = node.lower - node.swing + follows,
                JointHold::Upper => workspace.step[joint] = node.upper - node.swing + follows,
            }
        }
    }

    /// Holds the joints that the step would carry through a bound, releases those that it would
    /// carry away from theirs, and likewise with contacts. Returns whether there were any.
    fn revise_active_set(&mut self, round: usize) -> bool {
        let Self {
            tree, workspace, ..
        } = self;
        let rows = workspace.residuals.len();
        let mut changed = false;
        let mut ties = 0;
        for (joint, node) in tree.nodes.iter().enumerate() {
            if tree.is_unbounded {
                break;
            }
            let drift = drift(&workspace.ties, &mut ties, joint, &workspace.step);
            let hold = workspace.holds[joint];
            let moved = |bound| if node.follows(bound) { drift } else { 0.0 };
            let may_release = round < PATIENT_ROUNDS;
            let revised = match hold {
                JointHold::Locked => hold,
                JointHold::Free => {
                    let end = node.swing + workspace.step[joint];
                    if end > node.upper + moved(node.upper) + EDGE {
                        JointHold::Upper
                    } else if end < node.lower + moved(node.lower) - EDGE {
                        JointHold::Lower
                    } else {
                        hold
                    }
                }
                JointHold::Lower | JointHold::Upper if may_release => {
                    let column = &workspace.jacobian[joint * rows..][..rows];
                    let gradient = dot(column, &workspace.multipliers);
                    let wish = workspace.desire[joint] - node.compliance * gradient;
                    let wants_out = match hold {
                        JointHold::Upper => wish >= workspace.step[joint] - EDGE,
                        _ => wish <= workspace.step[joint] + EDGE,
                    };
                    if wants_out { hold } else { JointHold::Free }
                }
                JointHold::Lower | JointHold::Upper => hold,
            };
            changed |= revised != hold;
            workspace.holds[joint] = revised;
        }
        changed | self.revise_contacts(round)
    }
}

/// Adds `factor` times `column` to `sum`.
fn add_scaled(sum: &mut [f64], column: &[f64], factor: f64) {
    for (sum, entry) in sum.iter_mut().zip(column) {
        *sum += entry * factor;
    }
}
