//! The one constrained step that every iterative solver takes.
//!
//! Let `s` be the swings of the joints, `r` the rows of the problem: two for an effector (the way
//! from its target to its tip, times the root of its weight), one for a contact (its depth), and
//! `J` their derivatives. For a point *q* that joint *i* carries, `∂q/∂sᵢ = Bᵢ ⟂ Bᵢ⁻¹ (q − pᵢ)`,
//! exact in any frame. A step Δ minimises
//!
//! ```text
//! ½ Σ (Δᵢ − dᵢ)² / cᵢ  +  |r + J Δ|² / 2λ        lowerᵢ ≤ sᵢ + Δᵢ ≤ upperᵢ
//! ```
//!
//! where `c` is the compliance of the joints (stiff joints have less) and `d` is the motion that
//! is **desired** besides: none for the shortest way to the targets, or a motion towards the base
//! pose. With multipliers `y = (r + J Δ) / λ` of the rows, the solution is
//!
//! ```text
//! Δᵢ = clamp(dᵢ − cᵢ Jᵢᵀ y)            (J C Jᵀ + λ) y = r + J d     over the joints not clamped
//! ```
//!
//! so a step costs O(joints · rows²): the matrix has the size of the rows, however many joints
//! there are. The set of clamped joints and of contacts that push is found by the primal-dual
//! active set method. A contact only pushes: one whose multiplier would pull is left out, and one
//! that the step would violate comes in.
//!
//! A joint that is clamped to an arc of directions, which is fixed in chain space, must turn back
//! as the joints that carry it turn: its column is added to theirs.
//!
//! **Where the rows cannot all be zero** such steps converge slowly: what is left of the rows
//! bends the function, and `JᵀJ` does not know. When progress is slow the steps become Newton's
//! own, with `Σ r ∂²r` in a matrix over the joints. That costs O(joints³), so trees beyond
//! [`LARGEST`] joints do without.
//!
//! The damping λ follows Levenberg and Marquardt: a step that reduces the function is kept,
//! another is undone and the damping raised. Nothing is random, so the same input gives the same
//! pose.
//!
//! Sources: K. Levenberg (1944) and D. Marquardt (1963); C. W. Wampler, *Manipulator Inverse
//! Kinematic Solutions Based on Vector Formulations and Damped Least-Squares Methods* (1986); the
//! active set after M. Hintermüller, K. Ito and K. Kunisch, *The Primal-Dual Active Set Strategy
//! as a Semismooth Newton Method* (2002).

use glam::DVec2;

use crate::kinematics::contact::{self, Contact};
use crate::kinematics::tree::Tree;
use crate::math::cholesky;
use crate::math::trigonometry::unit_vector;

/// No joint turns by more than this many radians in one step.
const LONGEST_STEP: f64 = 1.0;

/// Damping at the start, relative to what a row weighs on average.
const FIRST_DAMPING: f64 = 1e-3;

/// Damping is never reduced below this.
const LEAST_DAMPING: f64 = 1e-10;

/// Damping above which a step can no longer be distinguished from none.
const MOST_DAMPING: f64 = 1e9;

/// The distance, as a part of the span, at which `f32` results have nothing more to gain.
const PRECISION: f64 = 3e-8;

/// A step, in radians, below which a descent has ended.
const SMALLEST_STEP: f64 = 1e-9;

/// A joint that is nearer to a bound than this, in radians, is at it.
const EDGE: f64 = 1e-12;

/// Trees with more joints than this take no Newton steps.
const LARGEST: usize = 128;

/// Rounds of one step's active set at most.
const ROUNDS: usize = 16;

/// Rounds after which a joint that is held once stays held. The active set may cycle.
const PATIENT_ROUNDS: usize = 8;

/// Steps that gain less than this part of the function are slow.
const SLOW: f64 = 0.5;

/// Slow steps in a row after which second derivatives are worth their cost.
const PATIENCE: u32 = 2;

/// What a solve needs besides the tree. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// Where sweeps want the joints to be.
    pub(crate) wishes: Vec<DVec2>,
    /// The swings of the best of several attempts.
    pub(super) best: Vec<f64>,
    /// The swings at the start of a search, then those of the best of its poses.
    pub(super) start: Vec<f64>,
    /// Where the points of the pose that was shown last are.
    pub(super) places: Vec<DVec2>,
    /// The last move towards the base pose: the model's, and the conjugate direction that was taken.
    pub(super) model: Vec<f64>,
    direction: Vec<f64>,
    /// How far the joints have to swing over.
    pub(super) ways: Vec<f64>,
    /// The contacts of the present pose.
    pub(crate) contacts: Vec<Contact>,
    /// One joint after another, the rows' derivatives.
    jacobian: Vec<f64>,
    residuals: Vec<f64>,
    /// The second derivatives that residuals bring in, joints × joints.
    curvature: Vec<f64>,
    /// The matrix of one step, and its right side, then its solution.
    matrix: Vec<f64>,
    multipliers: Vec<f64>,
    desire: Vec<f64>,
    step: Vec<f64>,
    /// How joints that keep to an arc follow those that carry them, joint by joint.
    ties: Vec<Tie>,
    holds: Vec<Hold>,
    /// Rows that count: contacts that only would pull do not.
    counts: Vec<bool>,
    /// Jacobian, residuals and curvature without the held joints, and what the turns of those add
    /// to the gradient through the curvature.
    slopes: Vec<f64>,
    left: Vec<f64>,
    bent: Vec<f64>,
    shift: Vec<f64>,
    /// Indices of the joints that are not held.
    free: Vec<usize>,
    /// The swings before the step.
    pub(crate) before: Vec<f64>,
}

/// How fast a joint must turn to keep its direction while one that carries it turns.
#[derive(Clone, Copy, Debug)]
struct Tie {
    joint: usize,
    above: usize,
    /// Radians per radian.
    rate: f64,
}

/// What holds a joint in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// Nothing.
    Free,
    /// Its stiffness: it does not turn.
    Locked,
    /// Its lower bound.
    Lower,
    /// Its upper bound.
    Upper,
}

/// What counts how much in the function that a descent minimises.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emphasis {
    /// Effectors, besides their weights.
    pub(super) tips: f64,
    /// Contacts. At 0 there are none.
    pub(super) contacts: f64,
    /// Whether a step that brings a bone deeper into a shape than any is already is taken back,
    /// and near shapes are foreseen. Otherwise a long step may leap through a thin wall.
    pub(super) guarded: bool,
}

/// How near a shape is foreseen, as a part of the span.
const FORESIGHT: f64 = 0.02;

impl Emphasis {
    /// The function at the present pose of `tree` and its contacts.
    fn cost(self, tree: &Tree, contacts: &[Contact]) -> f64 {
        let depths = contacts.iter().map(|contact| {
            let depth = contact.depth.max(0.0);
            depth * depth
        });
        self.tips * tree.weighted_error() + self.contacts * depths.sum::<f64>()
    }
}

impl Workspace {
    /// Makes room for every contact that a tree of this size may have at a time, within reason, so
    /// that no pass allocates in the middle of a game.
    pub(crate) fn reserve(&mut self, tree: &Tree) {
        let count = tree.nodes.len();
        let pairs = tree.cores.len() * tree.links.len();
        let rows = 2 * tree.tips.len() + pairs.min(2 * count);
        let points = count + tree.tips.len();
        let square = rows.max(count.min(LARGEST));
        for memory in [&mut self.wishes, &mut self.places] {
            make_room(memory, points);
        }
        for memory in [
            &mut self.best,
            &mut self.start,
            &mut self.model,
            &mut self.direction,
            &mut self.ways,
            &mut self.desire,
            &mut self.step,
            &mut self.shift,
            &mut self.before,
        ] {
            make_room(memory, count);
        }
        for memory in [&mut self.residuals, &mut self.left, &mut self.multipliers] {
            make_room(memory, square);
        }
        for memory in [&mut self.jacobian, &mut self.slopes] {
            make_room(memory, rows * count);
        }
        for memory in [&mut self.matrix, &mut self.curvature, &mut self.bent] {
            make_room(memory, square * square);
        }
        make_room(&mut self.contacts, pairs);
        make_room(&mut self.counts, rows);
        make_room(&mut self.holds, count);
        make_room(&mut self.free, count);
    }
}

/// Makes room for `count` elements in all.
fn make_room<T>(memory: &mut Vec<T>, count: usize) {
    memory.reserve(count.saturating_sub(memory.len()));
}

/// One descent from the present pose, of `cap` steps at most. Returns how many there were. The
/// tree is placed and its contacts are gathered afterwards.
pub(crate) fn descend(tree: &mut Tree, space: &mut Workspace, emphasis: Emphasis, cap: u32) -> u32 {
    let precision = PRECISION * tree.span;
    descend_to(tree, space, emphasis, cap, precision)
}

/// The same, which ends as soon as no more than `enough`, a distance, is left.
pub(super) fn descend_to(
    tree: &mut Tree,
    space: &mut Workspace,
    emphasis: Emphasis,
    cap: u32,
    enough: f64,
) -> u32 {
    Descent::new(tree, space, emphasis).run(cap, enough * enough)
}

/// Moves the joints towards the pose that is nearest to the base pose among those that leave tips
/// and contacts where they are. `part` says by how much the joint turns that turns most, in
/// radians, given how far it has to turn. Returns the number of steps, 0 or 1.
///
/// The step of the model is right in length only where the tips' paths are straight. So its length
/// is found by Newton's method along its direction, from the curvature of these paths. A move that
/// follows another is made conjugate to it (E. Polak and G. Ribière, 1969), unless
/// [`forget_moves`] was called in between.
pub(crate) fn settle(
    tree: &mut Tree,
    space: &mut Workspace,
    emphasis: Emphasis,
    part: impl Fn(f64) -> f64,
) -> u32 {
    let mut descent = Descent::new(tree, space, emphasis);
    descent.measure();
    descent.linearize();
    descent.keep_tips();
    descent.desire_base_pose();
    if descent.solve_step(LEAST_DAMPING).is_none() {
        return 0;
    }
    descent.conjugate();
    let largest = descent.space.step.iter().map(|step| step.abs());
    let largest = largest.fold(0.0, f64::max);
    let length = descent.newton_length().min(1.0);
    let turn = part(length * largest);
    if turn <= 0.0 {
        return 0;
    }
    descent.take_step(turn / largest);
    descent.measure();
    1
}

/// Makes the next move towards the base pose one that follows no other.
pub(super) fn forget_moves(space: &mut Workspace) {
    space.direction.clear();
}

struct Descent<'a> {
    tree: &'a mut Tree,
    space: &'a mut Workspace,
    emphasis: Emphasis,
    /// Whether second derivatives are used.
    curved: bool,
}

impl<'a> Descent<'a> {
    fn new(tree: &'a mut Tree, space: &'a mut Workspace, emphasis: Emphasis) -> Self {
        Self {
            tree,
            space,
            emphasis,
            curved: false,
        }
    }

    fn run(&mut self, cap: u32, enough: f64) -> u32 {
        let mut cost = self.measure();
        let mut damping = FIRST_DAMPING;
        let mut steps = 0;
        let mut slow = 0;
        while steps < cap && cost > enough {
            self.linearize();
            self.desire_nothing();
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
        let deepest = contact::deepest(&self.space.contacts);
        while *steps < cap && *damping < MOST_DAMPING {
            *steps += 1;
            if let Some(largest) = self.solve_step(*damping) {
                self.take_step(1.0);
                let next = self.measure();
                let leaps =
                    self.emphasis.guarded && contact::deepest(&self.space.contacts) > deepest;
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
        let contacts = &mut self.space.contacts;
        if self.emphasis.contacts > 0.0 {
            let foresight = if self.emphasis.guarded {
                FORESIGHT * self.tree.span
            } else {
                0.0
            };
            contact::gather(self.tree, foresight, contacts);
        } else {
            contacts.clear();
        }
        self.emphasis.cost(self.tree, &self.space.contacts)
    }

    /// Fills residuals, Jacobian and gradient, and the curvature where it is used.
    fn linearize(&mut self) {
        let Self { tree, space, .. } = self;
        let count = tree.nodes.len();
        let rows = 2 * tree.tips.len() + space.contacts.len();
        space.residuals.clear();
        space.jacobian.clear();
        space.jacobian.resize(rows * count, 0.0);
        for (index, tip) in tree.tips.iter().enumerate() {
            let root = (self.emphasis.tips * tip.weight).sqrt();
            let miss = root * tip.miss();
            space.residuals.extend([miss.x, miss.y]);
            for joint in tree.path(tip.joint) {
                let column = root * tree.nodes[joint].velocity(tip.point);
                let start = joint * rows + 2 * index;
                space.jacobian[start] = column.x;
                space.jacobian[start + 1] = column.y;
            }
        }
        let root = self.emphasis.contacts.sqrt();
        for (index, contact) in space.contacts.iter().enumerate() {
            space.residuals.push(root * contact.depth);
            for joint in tree.path(contact.joint) {
                let velocity = tree.nodes[joint].velocity(contact.point);
                let start = joint * rows + 2 * tree.tips.len() + index;
                space.jacobian[start] = -root * contact.way_out.dot(velocity);
            }
        }
        if self.curved {
            self.bend();
        }
        self.tie();
    }

    /// Asks the tips to stay where they are.
    fn keep_tips(&mut self) {
        let rows = 2 * self.tree.tips.len();
        self.space.residuals[..rows].fill(0.0);
    }

    fn desire_nothing(&mut self) {
        let Self { tree, space, .. } = self;
        space.desire.clear();
        space.desire.resize(tree.nodes.len(), 0.0);
    }

    /// Desires the way to the base pose. The cost of the root's turn is periodic: the root has no
    /// reason to unwind.
    fn desire_base_pose(&mut self) {
        let Self { tree, space, .. } = self;
        space.desire.clear();
        let swings = tree.nodes.iter().map(|node| match node.parent {
            None => -unit_vector(node.swing).y,
            Some(_) => -node.swing,
        });
        space.desire.extend(swings);
    }

    /// Lists how the joints that keep to an arc follow the others.
    fn tie(&mut self) {
        let Self { tree, space, .. } = self;
        space.ties.clear();
        if tree.is_unbounded {
            return;
        }
        for (joint, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent.filter(|_| node.has_arc()) {
                space.ties.extend(tree.path(parent).map(|above| Tie {
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
        let Self { tree, space, .. } = self;
        let count = tree.nodes.len();
        space.curvature.clear();
        space.curvature.resize(count * count, 0.0);
        let Emphasis {
            tips: pull,
            contacts: push,
            ..
        } = self.emphasis;
        let tips = tree.tips.iter();
        let tips = tips.map(|tip| (tip.joint, tip.point, pull * tip.weight * tip.miss()));
        let contacts = space.contacts.iter().map(|contact| {
            let push = -push * contact.depth.max(0.0) * contact.way_out;
            (contact.joint, contact.point, push)
        });
        for (joint, point, force) in tips.chain(contacts) {
            for lower in tree.path(joint) {
                let velocity = tree.nodes[lower].velocity(point);
                for upper in tree.path(lower) {
                    let second = tree.nodes[upper].spin * velocity;
                    space.curvature[lower * count + upper] += force.dot(second);
                }
            }
        }
    }

    /// Solves for one damped step within the bounds. Returns the largest turn in it, or `None`
    /// when the matrix is not definite.
    fn solve_step(&mut self, damping: f64) -> Option<f64> {
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
        pulls.extend(columns.map(|column| dot_positive(column, residuals, &space.counts)));
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
        let Self { tree, space, .. } = self;
        let count = tree.nodes.len();
        let rows = space.residuals.len();
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
                for (left, slope) in space.left.iter_mut().zip(column) {
                    *left += slope * fixed;
                }
                if self.curved {
                    let column = &space.bent[joint * count..][..count];
                    for (shift, second) in space.shift.iter_mut().zip(column) {
                        *shift += second * fixed;
                    }
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

    /// The step of the joints that are not held, in the dual form.
    fn solve_dual(&mut self, damping: f64) -> bool {
        let Self { tree, space, .. } = self;
        let rows = space.residuals.len();
        let lambda = damping * Self::typical_row(tree, space, self.emphasis);
        space.multipliers.clone_from(&space.left);
        space.matrix.clear();
        space.matrix.resize(rows * rows, 0.0);
        for (index, column) in space.slopes.chunks_exact(rows.max(1)).enumerate() {
            if space.holds[index] != Hold::Free {
                continue;
            }
            for (row, slope) in column.iter().enumerate() {
                let slope = tree.nodes[index].compliance * slope;
                if slope != 0.0 {
                    let line = &mut space.matrix[row * rows..][..=row];
                    for (entry, other) in line.iter_mut().zip(column) {
                        *entry += slope * other;
                    }
                }
            }
        }
        for row in 0..rows {
            space.matrix[row * (rows + 1)] += lambda;
        }
        for row in (0..rows).filter(|&row| !space.counts[row]) {
            for other in 0..rows {
                let (line, column) = (row.max(other), row.min(other));
                space.matrix[line * rows + column] = f64::from(u8::from(row == other));
            }
            space.multipliers[row] = 0.0;
        }
        if !cholesky::solve(&mut space.matrix, &mut space.multipliers) {
            return false;
        }
        for (index, column) in space.slopes.chunks_exact(rows.max(1)).enumerate() {
            if space.holds[index] == Hold::Free {
                let pull = dot(column, &space.multipliers);
                space.step[index] = space.desire[index] - tree.nodes[index].compliance * pull;
            }
        }
        true
    }

    /// What the square of a row is: of an effector's on average if there is one, else of a
    /// contact's. Damping is relative to it.
    fn typical_row(tree: &Tree, space: &Workspace, emphasis: Emphasis) -> f64 {
        let rows = space.residuals.len();
        let weights: f64 = tree.tips.iter().map(|tip| emphasis.tips * tip.weight).sum();
        let (counted, count) = if weights > 0.0 {
            (0..2 * tree.tips.len(), 2.0 * weights)
        } else {
            (0..rows, rows as f64)
        };
        let mut sum = 0.0;
        for (node, column) in tree.nodes.iter().zip(space.jacobian.chunks_exact(rows)) {
            let column = &column[counted.clone()];
            sum += node.compliance * dot(column, column);
        }
        (sum / count).max(f64::MIN_POSITIVE)
    }

    /// The step of the joints that are not held, with second derivatives. Joints are scaled by
    /// the root of their compliance, so that stiffness damps as it does in the dual form.
    fn solve_primal(&mut self, damping: f64) -> bool {
        let Self { tree, space, .. } = self;
        let rows = space.residuals.len();
        let count = tree.nodes.len();
        let lambda = damping * Self::typical_row(tree, space, self.emphasis);
        let Workspace {
            slopes,
            left,
            bent,
            shift,
            matrix,
            multipliers: vector,
            step,
            holds,
            free,
            counts,
            ..
        } = &mut *space;
        let column = |joint: usize| &slopes[joint * rows..][..rows];
        let second =
            |a: usize, b: usize| dot_positive(column(a), column(b), counts) + bent[a * count + b];
        free.clear();
        free.extend((0..count).filter(|&joint| holds[joint] == Hold::Free));
        matrix.clear();
        vector.clear();
        for (row, &joint) in free.iter().enumerate() {
            let root = tree.nodes[joint].compliance.sqrt();
            for &other in &free[..row] {
                let scale = root * tree.nodes[other].compliance.sqrt();
                matrix.push(scale * second(joint, other));
            }
            matrix.push(root * root * second(joint, joint) + lambda);
            matrix.resize((row + 1) * free.len(), 0.0);
            vector.push(-root * (dot_positive(column(joint), left, counts) + shift[joint]));
        }
        if !cholesky::solve(matrix, vector) {
            return false;
        }
        for (&joint, solved) in free.iter().zip(&*vector) {
            step[joint] = tree.nodes[joint].compliance.sqrt() * solved;
        }
        true
    }

    /// Makes the step conjugate to the last one.
    fn conjugate(&mut self) {
        let Self { tree, space, .. } = self;
        let count = tree.nodes.len();
        let mut share = 0.0;
        if space.direction.len() == count {
            let (mut change, mut before) = (0.0, 0.0);
            for (index, node) in tree.nodes.iter().enumerate() {
                if node.compliance > 0.0 {
                    let (now, last) = (space.step[index], space.model[index]);
                    change += now * (now - last) / node.compliance;
                    before += last * last / node.compliance;
                }
            }
            share = if before > 0.0 {
                (change / before).clamp(0.0, 1.0)
            } else {
                0.0
            };
        } else {
            space.direction.clear();
            space.direction.resize(count, 0.0);
        }
        space.model.clone_from(&space.step);
        for (step, direction) in space.step.iter_mut().zip(&mut space.direction) {
            *step += share * *direction;
            *direction = *step;
        }
    }

    /// The length, as a part of the step, at which the function along the step is least: the
    /// distance to the base pose, with what the multipliers make of the tips' curved paths.
    fn newton_length(&self) -> f64 {
        let Self { tree, space, .. } = self;
        let mut slope = 0.0;
        let mut curvature = 0.0;
        let steps = space.step.iter().zip(&space.model);
        for (node, (step, model)) in tree.nodes.iter().zip(steps) {
            if node.compliance > 0.0 {
                let square = step * step / node.compliance;
                slope += model * step / node.compliance;
                curvature += match node.parent {
                    None => square * unit_vector(node.swing).x.max(0.0),
                    Some(_) => square,
                };
            }
        }
        for (index, tip) in tree.tips.iter().enumerate() {
            let root = (self.emphasis.tips * tip.weight).sqrt();
            let force = root * DVec2::from_slice(&space.multipliers[2 * index..]);
            // Joints nearer to the root see what those nearer to the tip do to it.
            let (mut velocity, mut acceleration) = (DVec2::ZERO, DVec2::ZERO);
            for joint in tree.path(tip.joint) {
                let node = &tree.nodes[joint];
                let step = space.step[joint];
                let own = step * node.velocity(tip.point);
                acceleration += step * (node.spin * (2.0 * velocity + own));
                velocity += own;
            }
            curvature += force.dot(acceleration);
        }
        if curvature > 0.0 {
            slope / curvature
        } else {
            1.0
        }
    }

    /// Turns the joints by a part of the step.
    fn take_step(&mut self, part: f64) {
        let Self { tree, space, .. } = self;
        space.before.clear();
        for (node, step) in tree.nodes.iter_mut().zip(&space.step) {
            space.before.push(node.swing);
            node.swing_by(part * step);
        }
        tree.place();
    }

    /// Turns them back.
    fn take_back(&mut self) {
        let Self { tree, space, .. } = self;
        for (node, before) in tree.nodes.iter_mut().zip(&space.before) {
            node.swing_to(*before);
        }
        tree.place();
    }
}

/// Whether a held joint is held at the end of an arc.
fn is_tied(node: &crate::kinematics::tree::Node, hold: Hold) -> bool {
    match hold {
        Hold::Free | Hold::Locked => false,
        Hold::Lower => node.follows(node.lower),
        Hold::Upper => node.follows(node.upper),
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

/// The product over the rows that count.
fn dot_positive(a: &[f64], b: &[f64], counts: &[bool]) -> f64 {
    let rows = a.iter().zip(b).zip(counts);
    rows.filter(|(_, counts)| **counts)
        .map(|((a, b), _)| a * b)
        .sum()
}
