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
        let largest = self.space.step.iter().map(|step| step.abs());
        let largest = largest.fold(0.0, f64::max);
        if largest > LONGEST_STEP {
            for step in &mut self.space.step {
                *step *= LONGEST_STEP / largest;
            }
        }
        Some(largest.min(LONGEST_STEP))
    }

    /// Holds the joints that do not turn, and lets the contacts count that are violated.
    fn begin_active_set(&mut self) {
        let Self { tree, space, .. } = self;
        space.holds.clear();
        space.holds.extend(tree.nodes.iter().map(|node| {
            if node.mobility <= 0.0 {
                Hold::Locked
            } else {
                Hold::Free
            }
        }));
        let rows = space.residuals.len();
        let tips = 2 * tree.tips.len();
        space.counts.clear();
        space.counts.resize(tips, true);
        let contacts = &space.residuals[tips..rows];
        space
            .counts
            .extend(contacts.iter().map(|&depth| depth > 0.0));
        space.step.clear();
        space.step.resize(tree.nodes.len(), 0.0);
        if self.curved {
            self.hold_pushed_out();
        }
    }

    /// Holds the joints at a bound that the gradient pushes outwards: where second derivatives
    /// are used, joints that are held once stay held.
    fn hold_pushed_out(&mut self) {
        let Self { tree, space, .. } = self;
        let rows = space.residuals.len();
        let residuals = &space.residuals;
        let pulls = &mut space.shift;
        pulls.clear();
        let columns = space.jacobian.chunks_exact(rows.max(1));
        pulls.extend(columns.map(|column| dot_of_counting(column, residuals, &space.counts)));
        let mut ties = space.ties.len();
        for (joint, node) in tree.nodes.iter().enumerate().rev() {
            let gradient = pulls[joint];
            let own = ties_of(&space.ties, &mut ties, joint);
            if space.holds[joint] == Hold::Locked {
                continue;
            }
            if node.swing >= node.upper - EDGE && gradient < 0.0 {
                space.holds[joint] = Hold::Upper;
            } else if node.swing <= node.lower + EDGE && gradient > 0.0 {
                space.holds[joint] = Hold::Lower;
            }
            if is_tied(node, space.holds[joint]) {
                for tie in own {
                    pulls[tie.above] += tie.rate * gradient;
                }
            }
        }
    }

    /// Takes the held joints out of the problem.
    fn leave_held_out(&mut self) {
        self.copy_problem();
        let Self { tree, space, .. } = self;
        let (count, rows) = (tree.nodes.len(), space.residuals.len());
        let mut ties = space.ties.len();
        for (joint, node) in tree.nodes.iter().enumerate().rev() {
            let own = ties_of(&space.ties, &mut ties, joint);
            let hold = space.holds[joint];
            let fixed = match hold {
                Hold::Free if self.curved => continue,
                Hold::Free => space.desire[joint],
                Hold::Locked => continue,
                Hold::Lower => node.lower - node.swing,
                Hold::Upper => node.upper - node.swing,
            };
            if fixed != 0.0 {
                let column = &space.slopes[joint * rows..][..rows];
                add_scaled(&mut space.left, column, fixed);
                if self.curved {
                    let column = &space.bent[joint * count..][..count];
                    add_scaled(&mut space.shift, column, fixed);
                }
            }
            if !is_tied(node, hold) {
                continue;
            }
            for tie in own {
                space.shift[tie.above] += tie.rate * space.shift[joint];
                fold(&mut space.slopes, rows, tie);
                if self.curved {
                    fold(&mut space.bent, count, tie);
                }
            }
            if self.curved {
                for tie in own {
                    for line in space.bent.chunks_exact_mut(count) {
                        line[tie.above] += tie.rate * line[joint];
                    }
                }
            }
        }
    }

    /// Copies the problem of all joints. The curvature is filled on both sides of its diagonal.
    fn copy_problem(&mut self) {
        let Self { tree, space, .. } = self;
        let count = tree.nodes.len();
        space.slopes.clone_from(&space.jacobian);
        space.left.clone_from(&space.residuals);
        space.shift.clear();
        space.shift.resize(count, 0.0);
        if self.curved {
            space.bent.clone_from(&space.curvature);
            for row in 0..count {
                for column in 0..row {
                    space.bent[column * count + row] = space.bent[row * count + column];
                }
            }
        }
    }

    /// Adds the held joints to the step.
    fn turn_held(&mut self) {
        let Self { tree, space, .. } = self;
        let mut ties = 0;
        for (joint, node) in tree.nodes.iter().enumerate() {
            let drift = drift(&space.ties, &mut ties, joint, &space.step);
            let hold = space.holds[joint];
            let follows = if is_tied(node, hold) { drift } else { 0.0 };
            match hold {
                Hold::Free => {}
                Hold::Locked => space.step[joint] = 0.0,
                Hold::Lower => space.step[joint] = node.lower - node.swing + follows,
                Hold::Upper => space.step[joint] = node.upper - node.swing + follows,
            }
        }
    }

    /// Holds the joints that the step would carry through a bound, releases those that it would
    /// carry away from theirs, and likewise with contacts. Returns whether there were any.
    fn revise_active_set(&mut self, round: usize) -> bool {
        let Self { tree, space, .. } = self;
        let rows = space.residuals.len();
        let mut changed = false;
        let mut ties = 0;
        for (joint, node) in tree.nodes.iter().enumerate() {
            if tree.is_unbounded {
                break;
            }
            let drift = drift(&space.ties, &mut ties, joint, &space.step);
            let hold = space.holds[joint];
            let moved = |bound| if node.follows(bound) { drift } else { 0.0 };
            let may_release = !self.curved && round < PATIENT_ROUNDS;
            let revised = match hold {
                Hold::Locked => hold,
                Hold::Free => {
                    let end = node.swing + space.step[joint];
                    if end > node.upper + moved(node.upper) + EDGE {
                        Hold::Upper
                    } else if end < node.lower + moved(node.lower) - EDGE {
                        Hold::Lower
                    } else {
                        hold
                    }
                }
                Hold::Lower | Hold::Upper if may_release => {
                    let column = &space.jacobian[joint * rows..][..rows];
                    let pull = dot(column, &space.multipliers);
                    let wish = space.desire[joint] - node.compliance * pull;
                    let wants_out = match hold {
                        Hold::Upper => wish >= space.step[joint] - EDGE,
                        _ => wish <= space.step[joint] + EDGE,
                    };
                    if wants_out { hold } else { Hold::Free }
                }
                Hold::Lower | Hold::Upper => hold,
            };
            changed |= revised != hold;
            space.holds[joint] = revised;
        }
        changed | self.revise_contacts(round)
    }

    /// Lets contacts count that the step would violate, and no longer those that would pull.
    fn revise_contacts(&mut self, round: usize) -> bool {
        let Self { tree, space, .. } = self;
        let rows = space.residuals.len();
        let tips = 2 * tree.tips.len();
        let mut changed = false;
        for row in tips..rows {
            if space.counts[row] {
                let pulls = !self.curved && space.multipliers[row] < 0.0;
                if pulls && round < PATIENT_ROUNDS {
                    space.counts[row] = false;
                    changed = true;
                }
                continue;
            }
            let steps = space.step.iter().enumerate();
            let motion: f64 = steps
                .map(|(joint, step)| space.jacobian[joint * rows + row] * step)
                .sum();
            if space.residuals[row] + motion > 0.0 {
                space.counts[row] = true;
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
