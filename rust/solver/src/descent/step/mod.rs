//! The one constrained step that every iterative solver takes.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | steps in a row, until nothing is left to gain |
//! | [`workspace`] | the memory for all of it |
//! | [`rows`] | `r` and `J` at the present pose |
//! | [`obstacle_contacts`] | contacts by which shapes push joints, several at once |
//! | [`active_set`] | one step: which joints are clamped |
//! | [`held`] | the ties by which joints that are clamped to an arc follow those that carry them |
//! | [`equations`] | the equations of the other joints |
//! | [`newton`] | the same with second derivatives, where progress is slow |
//! | [`one_tip`] | the same for a chain with one tip and without contacts, in less time |
//! | [`settle`] | the step towards the base pose |
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
//! **If the rows cannot all be zero**, such steps converge slowly: the residuals that are left
//! curve the function, and `JᵀJ` does not contain that. When progress is slow the steps become
//! Newton's own, with `Σ r ∂²r` in a matrix over the joints. That costs O(joints³), so trees beyond
//! [`LARGEST_NEWTON_TREE`] joints do without.
//!
//! **If limits hold all joints but one**, its turn has a closed form ([`lone_joint`](crate::descent::lone_joint)), and the
//! descent ends there.
//!
//! The damping λ follows Levenberg and Marquardt: a step that reduces the function is kept,
//! another is undone and the damping raised. Nothing is random, so the same input gives the same
//! pose.
//!
//! Sources: K. Levenberg (1944) and D. Marquardt (1963); C. W. Wampler, *Manipulator Inverse
//! Kinematic Solutions Based on Vector Formulations and Damped Least-Squares Methods* (1986); the
//! active set after M. Hintermüller, K. Ito and K. Kunisch, *The Primal-Dual Active Set Strategy
//! as a Semismooth Newton Method* (2002).

use crate::descent::lone_joint::turn_lone_joint;
use crate::descent::step::workspace::LARGEST_NEWTON_TREE;
use crate::kinematics::contact::{self, DeepestPoint};
use crate::kinematics::tree::Tree;

mod active_set;
mod equations;
mod held;
mod newton;
mod obstacle_contacts;
mod one_tip;
mod rows;
pub(super) mod settle;
mod workspace;

pub(in crate::descent) use crate::descent::step::workspace::Pursuit;
pub(crate) use crate::descent::step::workspace::SolveSpace;

/// Damping at the start, relative to what a row weighs on average.
const FIRST_DAMPING: f64 = 1e-3;

/// Damping is never reduced below this.
const LEAST_DAMPING: f64 = 1e-10;

/// Damping above which a step can no longer be distinguished from none.
const MOST_DAMPING: f64 = 1e9;

/// A descent has ended at this distance, as a part of the span: `f32` results have nothing more to
/// gain.
const ENOUGH: f64 = 3e-8;

/// A step, in radians, below which a descent has ended.
const SMALLEST_STEP: f64 = 1e-9;

/// Steps that gain less than this part of the function are slow.
const SLOW: f64 = 0.5;

/// Slow steps in a row after which second derivatives are worth their cost.
const PATIENCE: u32 = 2;

/// The weights of the terms in the function that a descent minimises.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emphasis {
    /// Effectors, besides their weights.
    pub(in crate::descent) tips: f64,
    /// Contacts. At 0 there are none.
    pub(in crate::descent) contacts: f64,
    /// `true` if a step that brings a bone deeper into a shape than any is already is taken back, and near shapes are
    /// foreseen. Otherwise a long step may leap through a thin wall.
    pub(in crate::descent) guarded: bool,
}

impl Emphasis {
    /// The function at the present pose of `tree` and its contacts.
    fn cost(self, tree: &Tree, contacts: &[DeepestPoint]) -> f64 {
        let depths = contacts.iter().map(|contact| {
            let depth = contact.depth.max(0.0);
            depth * depth
        });
        self.tips * tree.weighted_error() + self.contacts * depths.sum::<f64>()
    }
}

/// One descent from the present pose, of `cap` steps at most. Returns how many there were. The
/// tree is placed and its contacts are gathered afterwards.
pub(crate) fn descend(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    emphasis: Emphasis,
    cap: u32,
) -> u32 {
    let enough = ENOUGH * tree.span;
    descend_to(tree, workspace, emphasis, cap, enough)
}

/// The same, which ends as soon as no more than `enough`, a distance, is left.
pub(in crate::descent) fn descend_to(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    emphasis: Emphasis,
    cap: u32,
    enough: f64,
) -> u32 {
    Descent::new(tree, workspace, emphasis).run(cap, enough * enough)
}

struct Descent<'a> {
    tree: &'a mut Tree,
    workspace: &'a mut SolveSpace,
    emphasis: Emphasis,
    /// `true` if second derivatives of the residuals are used.
    uses_hessian: bool,
}

impl<'a> Descent<'a> {
    fn new(tree: &'a mut Tree, workspace: &'a mut SolveSpace, emphasis: Emphasis) -> Self {
        Self {
            tree,
            workspace,
            emphasis,
            uses_hessian: false,
        }
    }

    fn run(&mut self, cap: u32, enough: f64) -> u32 {
        let mut cost = self.measure();
        let mut damping = FIRST_DAMPING;
        let mut steps = 0;
        let mut slow = 0;
        while steps < cap && cost > enough {
            if self.tree.has_limits && turn_lone_joint(self.tree) {
                self.measure();
                return steps + 1;
            }
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
            if slow == PATIENCE
                && !self.uses_hessian
                && self.tree.nodes.len() <= LARGEST_NEWTON_TREE
            {
                self.uses_hessian = true;
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
        let deepest = contact::deepest(&self.workspace.contacts);
        while *steps < cap && *damping < MOST_DAMPING {
            *steps += 1;
            if let Some(largest) = self.solve_step(*damping) {
                self.take_step(1.0);
                let next = self.measure();
                let leaps =
                    self.emphasis.guarded && contact::deepest(&self.workspace.contacts) > deepest;
                if next < cost && !leaps {
                    *damping = (*damping * 0.1).max(LEAST_DAMPING);
                    return Some((next, largest));
                }
                // Turns the joints back.
                self.tree.take_pose(self.workspace.before.iter().copied());
                if largest < SMALLEST_STEP {
                    return None;
                }
            }
            *damping *= 8.0;
        }
        None
    }

    fn desire_nothing(&mut self) {
        let desire = &mut self.workspace.desire;
        desire.clear();
        desire.resize(self.tree.nodes.len(), 0.0);
    }

    /// Turns the joints by a part of the step.
    fn take_step(&mut self, part: f64) {
        let workspace = &mut *self.workspace;
        workspace.before.clear();
        for (node, step) in self.tree.nodes.iter_mut().zip(&workspace.step) {
            workspace.before.push(node.swing);
            node.swing_by(part * step);
        }
        self.tree.place();
    }
}
