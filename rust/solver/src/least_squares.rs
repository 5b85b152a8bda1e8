//! Damped least squares for trees: several tips and contacts, bounded joints.
//!
//! The function made least is
//!
//! ```text
//! tips · Σ weight · |tip − target|²  +  contacts · Σ depth²
//! ```
//!
//! over effectors and contacts. Its residuals, scaled by the roots of the weights, are the
//! rows `r` of the problem: two for an effector, one for a contact. Column *i* of the
//! Jacobian `J` is what turning joint *i* does to them: for a point *q* that the joint carries,
//! `Bᵢ ⟂ Bᵢ⁻¹ (q − pᵢ)`, exact in any frame.
//!
//! **Near a solution** of all rows, steps are Gauss and Newton's in the dual form, whose matrix
//! has the size of the rows, however many joints there are:
//!
//! ```text
//! Δθ = −D Jᵀ (J D Jᵀ + λ 1)⁻¹ r          D = diag(1 − stiffness)
//! ```
//!
//! **Where the rows cannot all be zero**, such steps close in slowly: what is left of the
//! residuals bends the function, and `JᵀJ` does not know. When progress is slow the steps
//! become Newton's own, with `Σ r ∂²r` in the matrix over the joints. It makes a true minimum
//! of the compromise, found to the last digits, and so a pose that moves by a hair when a target
//! does. That costs O(joints³), so trees beyond [`LARGEST`] joints make do without.
//!
//! **Bounds** are an active set. A joint at a bound that is pushed outwards is taken out of
//! the problem; one that a step would carry through a bound stops there exactly, and the
//! others are solved for again with that known. Where the bound is that of an arc of directions,
//! the joint must turn back as the joints that carry it turn, and does so in the step already:
//! what it takes out of the problem is added to their columns.
//!
//! The damping follows Levenberg and Marquardt: a step that makes the function less is kept,
//! another is undone and the damping raised. Everything is fixed, so the same input gives the
//! same pose.
//!
//! Sources: K. Levenberg (1944) and D. Marquardt (1963); C. W. Wampler (1986) for IK; the
//! active set as in C. L. Lawson and R. J. Hanson, *Solving Least Squares Problems* (1974),
//! chapter 23.

use glam::DVec2;

use crate::cholesky;
use crate::contact::{self, Contact};
use crate::tree::Tree;

/// No joint turns by more than this many radians in one step.
const LONGEST_STEP: f64 = 1.0;

/// Damping at the start, relative to what a row weighs on average.
const FIRST_DAMPING: f64 = 1e-3;

/// Damping is never eased below this.
const LEAST_DAMPING: f64 = 1e-10;

/// Damping above which no step is left that f64 could tell from none.
const MOST_DAMPING: f64 = 1e9;

/// The distance, as a part of the span, at which f32 results have nothing more to gain.
const PRECISION: f64 = 3e-8;

/// A step, in radians, below which a descent has ended.
const SMALLEST_STEP: f64 = 1e-9;

/// A joint that is nearer to a bound than this, in radians, is at it.
const EDGE: f64 = 1e-12;

/// Trees with more joints than this stay with the dual form.
const LARGEST: usize = 64;

/// Rounds of one step's active set at most.
const ROUNDS: usize = 12;

/// Steps that gain less than this part of the function are slow.
const SLOW: f64 = 0.5;

/// Slow steps in a row after which the second derivatives are worth their cost.
const PATIENCE: u32 = 2;

/// The memory of a tree's solvers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The places that sweeps ask for.
    pub(crate) wishes: Vec<DVec2>,
    /// The swings of the best of several attempts.
    pub(crate) best: Vec<f64>,
    /// The contacts of the present pose.
    pub(crate) contacts: Vec<Contact>,
    /// One joint after another, the rows' derivatives.
    jacobian: Vec<f64>,
    residuals: Vec<f64>,
    /// Half the gradient of the function.
    gradient: Vec<f64>,
    /// The second derivatives that residuals bring in, joints × joints.
    curvature: Vec<f64>,
    /// The matrix of one step, and its right side, then its solution.
    matrix: Vec<f64>,
    vector: Vec<f64>,
    step: Vec<f64>,
    /// How joints that keep to an arc follow those that carry them, joint by joint.
    ties: Vec<Tie>,
    /// Joints that the step's system leaves out.
    held: Vec<bool>,
    /// Those of them that keep to the end of an arc.
    tied: Vec<bool>,
    /// What the held joints turn by themselves.
    fixed: Vec<f64>,
    /// Jacobian, residuals and curvature without the held joints, and what the turns of those add
    /// to the gradient by way of the curvature.
    slopes: Vec<f64>,
    left: Vec<f64>,
    bent: Vec<f64>,
    shift: Vec<f64>,
    /// Indices of the others.
    free: Vec<usize>,
    /// The swings before the step.
    before: Vec<f64>,
}

/// How fast a joint must turn to keep its direction while one that carries it turns.
#[derive(Clone, Copy, Debug)]
struct Tie {
    joint: usize,
    above: usize,
    /// Radians per radian.
    rate: f64,
}

/// What counts how much in the function that a descent makes least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emphasis {
    /// Effectors, besides their weights.
    pub(crate) tips: f64,
    /// Contacts. At 0 there are none.
    pub(crate) contacts: f64,
    /// Whether a step that brings a bone deeper into a shape than any is already is taken back.
    /// Otherwise a long step may leap through a thin wall.
    pub(crate) guarded: bool,
}

impl Emphasis {
    /// The function at the present pose of `tree` and its contacts.
    pub(crate) fn cost(self, tree: &Tree, contacts: &[Contact]) -> f64 {
        let depths = contacts.iter().map(|contact| contact.depth * contact.depth);
        self.tips * tree.weighted_error() + self.contacts * depths.sum::<f64>()
    }
}

/// One descent from the present pose, of `cap` steps at most. Returns how many there were. The
/// tree is placed and its contacts are gathered afterwards.
pub(crate) fn descend(tree: &mut Tree, emphasis: Emphasis, cap: u32) -> u32 {
    let mut scratch = std::mem::take(&mut tree.scratch);
    let steps = Descent {
        tree,
        scratch: &mut scratch,
        emphasis,
        curved: false,
    }
    .run(cap);
    tree.scratch = scratch;
    steps
}

/// One step from the present pose that is not taken back, whatever comes of it. Returns the
/// largest turn in radians.
pub(crate) fn stride(tree: &mut Tree, emphasis: Emphasis, damping: f64) -> f64 {
    let mut scratch = std::mem::take(&mut tree.scratch);
    let mut descent = Descent {
        tree,
        scratch: &mut scratch,
        emphasis,
        curved: false,
    };
    descent.measure();
    descent.linearize();
    let solved = descent.solve_step(damping);
    if solved.is_some() {
        descent.take_step();
        descent.measure();
    }
    tree.scratch = scratch;
    solved.unwrap_or(0.0)
}

struct Descent<'a> {
    tree: &'a mut Tree,
    scratch: &'a mut Scratch,
    emphasis: Emphasis,
    /// Whether second derivatives are used.
    curved: bool,
}

impl Descent<'_> {
    fn run(&mut self, cap: u32) -> u32 {
        let precision = PRECISION * self.tree.span;
        let enough = precision * precision;
        let mut cost = self.measure();
        let mut damping = FIRST_DAMPING;
        let mut steps = 0;
        let mut slow = 0;
        while steps < cap && cost > enough {
            self.linearize();
            let Some((next, largest)) = self.improve(cost, &mut damping, cap, &mut steps) else {
                // The last step was taken back.
                self.measure();
                break;
            };
            slow = if next < SLOW * cost { 0 } else { slow + 1 };
            cost = next;
            if largest < SMALLEST_STEP {
                break;
            }
            if slow == PATIENCE && !self.curved && self.tree.nodes.len() <= LARGEST {
                self.curved = true;
                damping = FIRST_DAMPING;
            }
        }
        steps
    }

    /// Tries steps until one makes the function less than `cost`. Returns what it is then, and
    /// the largest turn of a joint.
    fn improve(
        &mut self,
        cost: f64,
        damping: &mut f64,
        cap: u32,
        steps: &mut u32,
    ) -> Option<(f64, f64)> {
        let deepest = contact::deepest(&self.scratch.contacts);
        while *steps < cap && *damping < MOST_DAMPING {
            *steps += 1;
            if let Some(largest) = self.solve_step(*damping) {
                self.take_step();
                let next = self.measure();
                let leaps =
                    self.emphasis.guarded && contact::deepest(&self.scratch.contacts) > deepest;
                if next < cost && !leaps {
                    *damping = (*damping * 0.1).max(LEAST_DAMPING);
                    return Some((next, largest));
                }
                self.take_back();
                if largest < SMALLEST_STEP {
                    return None;
                }
            }
            *damping *= 8.0;
        }
        None
    }

    /// Gathers the contacts of the present pose and evaluates the function.
    fn measure(&mut self) -> f64 {
        if self.emphasis.contacts > 0.0 {
            contact::gather(self.tree, &mut self.scratch.contacts);
        } else {
            self.scratch.contacts.clear();
        }
        self.emphasis.cost(self.tree, &self.scratch.contacts)
    }

    /// Fills residuals, Jacobian and gradient, and the curvature where it is used.
    fn linearize(&mut self) {
        let Self { tree, scratch, .. } = self;
        let count = tree.nodes.len();
        let rows = 2 * tree.tips.len() + scratch.contacts.len();
        scratch.residuals.clear();
        scratch.jacobian.clear();
        scratch.jacobian.resize(rows * count, 0.0);
        for (index, tip) in tree.tips.iter().enumerate() {
            let root = (self.emphasis.tips * tip.weight).sqrt();
            let miss = root * tip.miss();
            scratch.residuals.extend([miss.x, miss.y]);
            for joint in tree.path(tip.joint) {
                let column = root * tree.nodes[joint].velocity(tip.point);
                let start = joint * rows + 2 * index;
                scratch.jacobian[start] = column.x;
                scratch.jacobian[start + 1] = column.y;
            }
        }
        let root = self.emphasis.contacts.sqrt();
        for (index, contact) in scratch.contacts.iter().enumerate() {
            scratch.residuals.push(root * contact.depth);
            for joint in tree.path(contact.joint) {
                let velocity = tree.nodes[joint].velocity(contact.point);
                let start = joint * rows + 2 * tree.tips.len() + index;
                scratch.jacobian[start] = -root * contact.way_out.dot(velocity);
            }
        }
        scratch.gradient.clear();
        let columns = scratch.jacobian.chunks_exact(rows.max(1));
        let gradient = columns.map(|column| dot(column, &scratch.residuals));
        scratch.gradient.extend(gradient);
        if self.curved {
            self.bend();
        }
        self.tie();
    }

    /// Lists how the joints that keep to an arc follow the others.
    fn tie(&mut self) {
        let Self { tree, scratch, .. } = self;
        scratch.ties.clear();
        for (joint, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent.filter(|_| node.has_arc()) {
                scratch.ties.extend(tree.path(parent).map(|above| Tie {
                    joint,
                    above,
                    rate: node.tie_to(&tree.nodes[above]),
                }));
            }
        }
    }

    /// Fills the second derivatives times their residuals. For a point *q* below joint *k*,
    /// itself below joint *j*, the second derivative is `Sⱼ Sₖ (q − pₖ)` with `S = B ⟂ B⁻¹`.
    fn bend(&mut self) {
        let Self { tree, scratch, .. } = self;
        let count = tree.nodes.len();
        scratch.curvature.clear();
        scratch.curvature.resize(count * count, 0.0);
        let Emphasis {
            tips: pull,
            contacts: push,
            ..
        } = self.emphasis;
        let tips = tree.tips.iter();
        let tips = tips.map(|tip| (tip.joint, tip.point, pull * tip.weight * tip.miss()));
        let contacts = scratch.contacts.iter().map(|contact| {
            let push = -push * contact.depth * contact.way_out;
            (contact.joint, contact.point, push)
        });
        for (joint, point, force) in tips.chain(contacts) {
            for lower in tree.path(joint) {
                let velocity = tree.nodes[lower].velocity(point);
                for upper in tree.path(lower) {
                    let second = tree.nodes[upper].spin * velocity;
                    scratch.curvature[lower * count + upper] += force.dot(second);
                }
            }
        }
    }

    /// Solves for one damped step within the bounds. Returns the largest turn in it, or `None`
    /// when the matrix is not definite.
    fn solve_step(&mut self, damping: f64) -> Option<f64> {
        self.hold_pushed_out();
        for _ in 0..ROUNDS {
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
            if !self.hold_crossing() {
                break;
            }
        }
        let largest = self.scratch.step.iter().map(|step| step.abs());
        let largest = largest.fold(0.0, f64::max);
        if largest > LONGEST_STEP {
            for step in &mut self.scratch.step {
                *step *= LONGEST_STEP / largest;
            }
        }
        Some(largest.min(LONGEST_STEP))
    }

    /// Holds the joints that cannot turn, or not the way that the gradient asks for.
    fn hold_pushed_out(&mut self) {
        let Self { tree, scratch, .. } = self;
        let count = tree.nodes.len();
        for (flags, value) in [(&mut scratch.held, false), (&mut scratch.tied, false)] {
            flags.clear();
            flags.resize(count, value);
        }
        for numbers in [&mut scratch.step, &mut scratch.fixed] {
            numbers.clear();
            numbers.resize(count, 0.0);
        }
        // With what those below add that turn back as this one turns.
        let pulls = &mut scratch.shift;
        pulls.clone_from(&scratch.gradient);
        let mut ties = scratch.ties.len();
        for (joint, node) in tree.nodes.iter().enumerate().rev() {
            let gradient = pulls[joint];
            let at_upper = node.swing >= node.upper - EDGE && gradient < 0.0;
            let at_lower = node.swing <= node.lower + EDGE && gradient > 0.0;
            scratch.tied[joint] =
                at_upper && node.follows(node.upper) || at_lower && node.follows(node.lower);
            scratch.held[joint] = node.mobility <= 0.0 || at_upper || at_lower;
            let own = ties_of(&scratch.ties, &mut ties, joint);
            if scratch.tied[joint] {
                for tie in own {
                    pulls[tie.above] += tie.rate * gradient;
                }
            }
        }
    }

    /// Takes the held joints out of the problem.
    fn leave_held_out(&mut self) {
        let Self { tree, scratch, .. } = self;
        let count = tree.nodes.len();
        let rows = scratch.residuals.len();
        scratch.slopes.clone_from(&scratch.jacobian);
        scratch.left.clone_from(&scratch.residuals);
        scratch.shift.clear();
        scratch.shift.resize(count, 0.0);
        if self.curved {
            scratch.bent.clone_from(&scratch.curvature);
            for row in 0..count {
                for column in 0..row {
                    scratch.bent[column * count + row] = scratch.bent[row * count + column];
                }
            }
        }
        let mut ties = scratch.ties.len();
        for joint in (0..count).rev() {
            let own = ties_of(&scratch.ties, &mut ties, joint);
            if !scratch.held[joint] {
                continue;
            }
            let fixed = scratch.fixed[joint];
            if fixed != 0.0 {
                let column = &scratch.slopes[joint * rows..][..rows];
                for (left, slope) in scratch.left.iter_mut().zip(column) {
                    *left += slope * fixed;
                }
                if self.curved {
                    let column = &scratch.bent[joint * count..][..count];
                    for (shift, second) in scratch.shift.iter_mut().zip(column) {
                        *shift += second * fixed;
                    }
                }
            }
            if !scratch.tied[joint] {
                continue;
            }
            for tie in own {
                scratch.shift[tie.above] += tie.rate * scratch.shift[joint];
                fold(&mut scratch.slopes, rows, tie);
                if self.curved {
                    fold(&mut scratch.bent, count, tie);
                }
            }
            if self.curved {
                for tie in own {
                    for line in scratch.bent.chunks_exact_mut(count) {
                        line[tie.above] += tie.rate * line[joint];
                    }
                }
            }
        }
    }

    /// Adds the held joints to the step.
    fn turn_held(&mut self) {
        let Self { tree, scratch, .. } = self;
        let mut ties = 0;
        for joint in 0..tree.nodes.len() {
            let drift = drift(&scratch.ties, &mut ties, joint, &scratch.step);
            if scratch.held[joint] {
                let follows = if scratch.tied[joint] { drift } else { 0.0 };
                scratch.step[joint] = scratch.fixed[joint] + follows;
            }
        }
    }

    /// Stops the joints that the step would carry through a bound, exactly there. Returns
    /// whether there were any.
    fn hold_crossing(&mut self) -> bool {
        let Self { tree, scratch, .. } = self;
        let mut crossing = false;
        let mut ties = 0;
        for (joint, node) in tree.nodes.iter().enumerate() {
            let drift = drift(&scratch.ties, &mut ties, joint, &scratch.step);
            if scratch.held[joint] {
                continue;
            }
            let end = node.swing + scratch.step[joint];
            let moved = |bound| if node.follows(bound) { drift } else { 0.0 };
            let upper = end > node.upper + moved(node.upper);
            let lower = end < node.lower + moved(node.lower);
            if upper || lower {
                let bound = if upper { node.upper } else { node.lower };
                scratch.fixed[joint] = bound - node.swing;
                scratch.step[joint] = scratch.fixed[joint] + moved(bound);
                scratch.held[joint] = true;
                scratch.tied[joint] = node.follows(bound);
                crossing = true;
            }
        }
        crossing
    }

    /// The step of the joints that are not held, in the dual form.
    fn solve_dual(&mut self, damping: f64) -> bool {
        let Self { tree, scratch, .. } = self;
        let rows = scratch.residuals.len();
        scratch.vector.clone_from(&scratch.left);
        scratch.matrix.clear();
        scratch.matrix.resize(rows * rows, 0.0);
        for (index, column) in scratch.slopes.chunks_exact(rows).enumerate() {
            if scratch.held[index] {
                continue;
            }
            for (row, slope) in column.iter().enumerate() {
                let slope = tree.nodes[index].mobility * slope;
                if slope != 0.0 {
                    let line = &mut scratch.matrix[row * rows..][..=row];
                    for (entry, other) in line.iter_mut().zip(column) {
                        *entry += slope * other;
                    }
                }
            }
        }
        let lambda = damping * Self::typical_row(tree, scratch, self.emphasis);
        for row in 0..rows {
            scratch.matrix[row * (rows + 1)] += lambda;
        }
        if !cholesky::solve(&mut scratch.matrix, &mut scratch.vector) {
            return false;
        }
        for (index, column) in scratch.slopes.chunks_exact(rows).enumerate() {
            if !scratch.held[index] {
                let pull = dot(column, &scratch.vector);
                scratch.step[index] = -tree.nodes[index].mobility * pull;
            }
        }
        true
    }

    /// What the square of a row is: of an effector's on average if there is one, else of a
    /// contact's. Damping is relative to it.
    fn typical_row(tree: &Tree, scratch: &Scratch, emphasis: Emphasis) -> f64 {
        let rows = scratch.residuals.len();
        let weights: f64 = tree.tips.iter().map(|tip| emphasis.tips * tip.weight).sum();
        let (counted, count) = if weights > 0.0 {
            (0..2 * tree.tips.len(), 2.0 * weights)
        } else {
            (0..rows, rows as f64)
        };
        let mut sum = 0.0;
        for (node, column) in tree.nodes.iter().zip(scratch.jacobian.chunks_exact(rows)) {
            let column = &column[counted.clone()];
            sum += node.mobility * dot(column, column);
        }
        (sum / count).max(f64::MIN_POSITIVE)
    }

    /// The step of the joints that are not held, with second derivatives. Joints are scaled by
    /// the root of their mobility, so that stiffness damps as it does in the dual form.
    fn solve_primal(&mut self, damping: f64) -> bool {
        let Self { tree, scratch, .. } = self;
        let rows = scratch.residuals.len();
        let count = tree.nodes.len();
        let lambda = damping * Self::typical_row(tree, scratch, self.emphasis);
        let Scratch {
            slopes,
            left,
            bent,
            shift,
            matrix,
            vector,
            step,
            held,
            free,
            ..
        } = &mut *scratch;
        let column = |joint: usize| &slopes[joint * rows..][..rows];
        let second = |a: usize, b: usize| dot(column(a), column(b)) + bent[a * count + b];
        free.clear();
        free.extend((0..count).filter(|&joint| !held[joint]));
        matrix.clear();
        vector.clear();
        for (row, &joint) in free.iter().enumerate() {
            let root = tree.nodes[joint].mobility.sqrt();
            for &other in &free[..row] {
                let scale = root * tree.nodes[other].mobility.sqrt();
                matrix.push(scale * second(joint, other));
            }
            matrix.push(root * root * second(joint, joint) + lambda);
            matrix.resize((row + 1) * free.len(), 0.0);
            vector.push(-root * (dot(column(joint), left) + shift[joint]));
        }
        if !cholesky::solve(matrix, vector) {
            return false;
        }
        for (&joint, solved) in free.iter().zip(&*vector) {
            step[joint] = tree.nodes[joint].mobility.sqrt() * solved;
        }
        true
    }

    /// Turns the joints by the step.
    fn take_step(&mut self) {
        let Self { tree, scratch, .. } = self;
        scratch.before.clear();
        for (node, step) in tree.nodes.iter_mut().zip(&scratch.step) {
            scratch.before.push(node.swing);
            node.swing = node.bounded(node.swing + step);
        }
        tree.place();
    }

    /// Turns them back.
    fn take_back(&mut self) {
        let Self { tree, scratch, .. } = self;
        for (node, before) in tree.nodes.iter_mut().zip(&scratch.before) {
            node.swing = *before;
        }
        tree.place();
    }
}

/// The ties of `joint`, where those of it and of all joints before it end at `end`, which moves
/// to where they begin.
fn ties_of<'a>(ties: &'a [Tie], end: &mut usize, joint: usize) -> &'a [Tie] {
    let before = ties[..*end].iter().rev();
    let count = before.take_while(|tie| tie.joint == joint).count();
    let own = &ties[*end - count..*end];
    *end -= count;
    own
}

/// What its ties make of a step for `joint`, where those of it and of all joints after it begin
/// at `start`, which moves to where they end.
fn drift(ties: &[Tie], start: &mut usize, joint: usize, step: &[f64]) -> f64 {
    let own = ties[*start..].iter().take_while(|tie| tie.joint == joint);
    own.map(|tie| {
        *start += 1;
        tie.rate * step[tie.above]
    })
    .sum()
}

/// Adds to the line of the joint above what the joint of `tie` has in its own, at its rate.
fn fold(matrix: &mut [f64], width: usize, tie: &Tie) {
    for index in 0..width {
        matrix[tie.above * width + index] += tie.rate * matrix[tie.joint * width + index];
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
