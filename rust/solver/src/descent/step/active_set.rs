//! One step within the bounds: which joints are held at a bound, and which contacts push.

use crate::descent::step::Descent;
use crate::descent::step::equations::{dot, dot_of_counting};
use crate::descent::step::held::{Hold, drift, fold, is_tied, ties_of};

/// No joint turns by more than this many radians in one step.
const LONGEST_STEP: f64 = 1.0;

/// A joint that is nearer to a bound than this, in radians, is at it.
const EDGE: f64 = 1e-12;

/// Rounds of one step's active set at most.
const ROUNDS: usize = 16;

/// Rounds after which a joint that is held once stays held. The active set may cycle.
const PATIENT_ROUNDS: usize = 8;

impl Descent<'_> {
    /// Solves for one damped step within the bounds. Returns the largest turn in it, or `None`
    /// when the matrix is not definite.
    pub(super) fn solve_step(&mut self, damping: f64) -> Option<f64> {
        self.begin_active_set();
        for round in 0..ROUNDS {
            self.leave_held_out();
            let solved = if self.curved {
                self.solve_primal(damping)
            } else {
                self.solve_dual(damping)
            };
            if !solved {
                return None;
            }
            self.turn_held();
            if !self.revise_active_set(round) {
                break;
            }
        }
        let largest = self.workspace.step.iter().map(|step| step.abs());
        let largest = largest.fold(0.0, f64::max);
        if largest > LONGEST_STEP {
            for step in &mut self.workspace.step {
                *step *= LONGEST_STEP / largest;
            }
        }
        Some(largest.min(LONGEST_STEP))
    }

    /// Holds the joints that do not turn, and lets the contacts count that are violated.
    fn begin_active_set(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        workspace.holds.clear();
        workspace.holds.extend(tree.nodes.iter().map(|node| {
            if node.mobility <= 0.0 {
                Hold::Locked
            } else {
                Hold::Free
            }
        }));
        let rows = workspace.residuals.len();
        let tips = 2 * tree.tips.len();
        workspace.counts.clear();
        workspace.counts.resize(tips, true);
        let contacts = &workspace.residuals[tips..rows];
        workspace
            .counts
            .extend(contacts.iter().map(|&depth| depth > 0.0));
        workspace.step.clear();
        workspace.step.resize(tree.nodes.len(), 0.0);
        if self.curved {
            self.hold_pushed_out();
        }
    }

    /// Holds the joints at a bound that the gradient pushes outwards: where second derivatives
    /// are used, joints that are held once stay held.
    fn hold_pushed_out(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        let rows = workspace.residuals.len();
        let residuals = &workspace.residuals;
        let pulls = &mut workspace.shift;
        pulls.clear();
        let columns = workspace.jacobian.chunks_exact(rows.max(1));
        pulls.extend(columns.map(|column| dot_of_counting(column, residuals, &workspace.counts)));
        let mut ties = workspace.ties.len();
        for (joint, node) in tree.nodes.iter().enumerate().rev() {
            let gradient = pulls[joint];
            let own = ties_of(&workspace.ties, &mut ties, joint);
            if workspace.holds[joint] == Hold::Locked {
                continue;
            }
            if node.swing >= node.upper - EDGE && gradient < 0.0 {
                workspace.holds[joint] = Hold::Upper;
            } else if node.swing <= node.lower + EDGE && gradient > 0.0 {
                workspace.holds[joint] = Hold::Lower;
            }
            if is_tied(node, workspace.holds[joint]) {
                for tie in own {
                    pulls[tie.above] += tie.rate * gradient;
                }
            }
        }
    }

    /// Takes the held joints out of the problem.
    fn leave_held_out(&mut self) {
        self.copy_problem();
        let Self {
            tree, workspace, ..
        } = self;
        let (count, rows) = (tree.nodes.len(), workspace.residuals.len());
        let mut ties = workspace.ties.len();
        for (joint, node) in tree.nodes.iter().enumerate().rev() {
            let own = ties_of(&workspace.ties, &mut ties, joint);
            let hold = workspace.holds[joint];
            let fixed = match hold {
                Hold::Free if self.curved => continue,
                Hold::Free => workspace.desire[joint],
                Hold::Locked => continue,
                Hold::Lower => node.lower - node.swing,
                Hold::Upper => node.upper - node.swing,
            };
            if fixed != 0.0 {
                let column = &workspace.slopes[joint * rows..][..rows];
                add_scaled(&mut workspace.left, column, fixed);
                if self.curved {
                    let column = &workspace.bent[joint * count..][..count];
                    add_scaled(&mut workspace.shift, column, fixed);
                }
            }
            if !is_tied(node, hold) {
                continue;
            }
            for tie in own {
                workspace.shift[tie.above] += tie.rate * workspace.shift[joint];
                fold(&mut workspace.slopes, rows, tie);
                if self.curved {
                    fold(&mut workspace.bent, count, tie);
                }
            }
            if self.curved {
                for tie in own {
                    for line in workspace.bent.chunks_exact_mut(count) {
                        line[tie.above] += tie.rate * line[joint];
                    }
                }
            }
        }
    }

    /// Copies the problem of all joints. The curvature is filled on both sides of its diagonal.
    fn copy_problem(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        let count = tree.nodes.len();
        workspace.slopes.clone_from(&workspace.jacobian);
        workspace.left.clone_from(&workspace.residuals);
        workspace.shift.clear();
        workspace.shift.resize(count, 0.0);
        if self.curved {
            workspace.bent.clone_from(&workspace.curvature);
            for row in 0..count {
                for column in 0..row {
                    workspace.bent[column * count + row] = workspace.bent[row * count + column];
                }
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
                Hold::Free => {}
                Hold::Locked => workspace.step[joint] = 0.0,
                Hold::Lower => workspace.step[joint] = node.lower - node.swing + follows,
                Hold::Upper => workspace.step[joint] = node.upper - node.swing + follows,
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
            let may_release = !self.curved && round < PATIENT_ROUNDS;
            let revised = match hold {
                Hold::Locked => hold,
                Hold::Free => {
                    let end = node.swing + workspace.step[joint];
                    if end > node.upper + moved(node.upper) + EDGE {
                        Hold::Upper
                    } else if end < node.lower + moved(node.lower) - EDGE {
                        Hold::Lower
                    } else {
                        hold
                    }
                }
                Hold::Lower | Hold::Upper if may_release => {
                    let column = &workspace.jacobian[joint * rows..][..rows];
                    let pull = dot(column, &workspace.multipliers);
                    let wish = workspace.desire[joint] - node.compliance * pull;
                    let wants_out = match hold {
                        Hold::Upper => wish >= workspace.step[joint] - EDGE,
                        _ => wish <= workspace.step[joint] + EDGE,
                    };
                    if wants_out { hold } else { Hold::Free }
                }
                Hold::Lower | Hold::Upper => hold,
            };
            changed |= revised != hold;
            workspace.holds[joint] = revised;
        }
        changed | self.revise_contacts(round)
    }

    /// Lets contacts count that the step would violate, and no longer those that would pull.
    fn revise_contacts(&mut self, round: usize) -> bool {
        let Self {
            tree, workspace, ..
        } = self;
        let rows = workspace.residuals.len();
        let tips = 2 * tree.tips.len();
        let mut changed = false;
        for row in tips..rows {
            if workspace.counts[row] {
                let pulls = !self.curved && workspace.multipliers[row] < 0.0;
                if pulls && round < PATIENT_ROUNDS {
                    workspace.counts[row] = false;
                    changed = true;
                }
                continue;
            }
            let steps = workspace.step.iter().enumerate();
            let motion: f64 = steps
                .map(|(joint, step)| workspace.jacobian[joint * rows + row] * step)
                .sum();
            if workspace.residuals[row] + motion > 0.0 {
                workspace.counts[row] = true;
                changed = true;
            }
        }
        changed
    }
}

/// Adds `factor` times `column` to `sum`.
fn add_scaled(sum: &mut [f64], column: &[f64], factor: f64) {
    for (sum, entry) in sum.iter_mut().zip(column) {
        *sum += entry * factor;
    }
}
