//! What a solve needs besides the tree.

use glam::DVec2;

use crate::descent::speeds::TransitionSpeeds;
use crate::descent::step::held::{JointHold, Tie};
use crate::kinematics::contact::DeepestPoint;
use crate::kinematics::tree::Tree;
use crate::math::bounded::Problem;
use crate::math::easing::Clock;

/// Trees with more joints than this take no Newton steps.
pub(super) const LARGEST_NEWTON_TREE: usize = 128;

/// Memory for a solve, besides the tree. Keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct SolveSpace {
    /// The places that sweeps want the joints to have, in chain space.
    pub(crate) wanted_points: Vec<DVec2>,
    /// The swings of the best of several attempts.
    pub(in crate::descent) best: Vec<f64>,
    /// The swings at the start of a search, then those of the best of its poses.
    pub(in crate::descent) start: Vec<f64>,
    /// The joints and tips of the pose that was shown last, or before a step of a transition.
    pub(in crate::descent) points_before: Vec<DVec2>,
    /// The last move towards the base pose: the model's, and the conjugate direction that was
    /// taken.
    pub(in crate::descent) model: Vec<f64>,
    pub(super) direction: Vec<f64>,
    /// The places of joints in the arcs that they keep to, in radians: in the pose that was shown last, and before a
    /// step of a transition.
    pub(in crate::descent) shown_places_in_arcs: Vec<f64>,
    pub(in crate::descent) places_in_arcs: Vec<f64>,
    /// By what angles the joints turn in a step of a transition.
    pub(in crate::descent) turns: Vec<f64>,
    pub(crate) pursuit: Pursuit,
    /// How far a handover to the pose that is nearest to the base pose had come before the pass, and comes in it.
    pub(crate) settles: Option<[Clock; 2]>,
    /// The contacts of the present pose.
    pub(crate) contacts: Vec<DeepestPoint>,
    /// One joint after another, the rows' derivatives.
    pub(super) jacobian: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    /// The part of the Hessian that residuals bring in, `Σ r ∂²r`, joints × joints.
    pub(super) hessian: Vec<f64>,
    /// The matrix of one step, and its right side, then its solution.
    pub(super) matrix: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    pub(super) desire: Vec<f64>,
    pub(super) step: Vec<f64>,
    /// The ties of joints that keep to an arc to those that carry them, joint by joint.
    pub(super) ties: Vec<Tie>,
    pub(super) holds: Vec<JointHold>,
    /// Rows that count: contacts that only would pull do not.
    pub(super) counts: Vec<bool>,
    /// Jacobian and residuals without the held joints.
    pub(super) reduced_jacobian: Vec<f64>,
    pub(super) reduced_residuals: Vec<f64>,
    /// A step of Newton's.
    pub(super) problem: Problem,
    /// The swings before the step.
    pub(in crate::descent) before: Vec<f64>,
}

impl SolveSpace {
    /// Makes room for every contact that a tree of this size may have at a time, within reason, so
    /// that no pass allocates in the middle of a game.
    pub(crate) fn reserve(&mut self, tree: &Tree) {
        let count = tree.nodes.len();
        let pairs = tree.obstacles.len() * tree.links.len();
        let rows = 2 * tree.tips.len() + pairs.min(2 * count);
        let points = count + tree.tips.len();
        let square = rows.max(count.min(LARGEST_NEWTON_TREE));
        for memory in [&mut self.wanted_points, &mut self.points_before] {
            make_room(memory, points);
        }
        for memory in [
            &mut self.best,
            &mut self.start,
            &mut self.model,
            &mut self.direction,
            &mut self.shown_places_in_arcs,
            &mut self.places_in_arcs,
            &mut self.turns,
            &mut self.desire,
            &mut self.step,
            &mut self.before,
        ] {
            make_room(memory, count);
        }
        for memory in [
            &mut self.residuals,
            &mut self.reduced_residuals,
            &mut self.multipliers,
        ] {
            make_room(memory, square);
        }
        for memory in [&mut self.jacobian, &mut self.reduced_jacobian] {
            make_room(memory, rows * count);
        }
        for memory in [&mut self.matrix, &mut self.hessian] {
            make_room(memory, square * square);
        }
        self.problem.reserve(count.min(LARGEST_NEWTON_TREE));
        self.pursuit.reserve(count, points);
        make_room(&mut self.contacts, pairs);
        make_room(&mut self.counts, rows);
        make_room(&mut self.holds, count);
    }
}

/// Memory for a pursuit. Keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pursuit {
    pub(crate) speeds: TransitionSpeeds,
    /// The swings that are shown, and how fast they turn, in radians per second.
    pub(in crate::descent) shown: Vec<f64>,
    pub(in crate::descent) rates: Vec<f64>,
    /// From there to the goal, and how fast that turns.
    pub(in crate::descent) ways: Vec<f64>,
    pub(in crate::descent) goal_rates: Vec<f64>,
    pub(in crate::descent) changes: Vec<f64>,
    /// The points of the pose that is shown, and of one behind it.
    pub(in crate::descent) points: Vec<DVec2>,
    pub(in crate::descent) behind: Vec<DVec2>,
}

impl Pursuit {
    /// Makes room for so many joints and points.
    fn reserve(&mut self, joints: usize, points: usize) {
        for list in [
            &mut self.shown,
            &mut self.rates,
            &mut self.ways,
            &mut self.goal_rates,
            &mut self.changes,
        ] {
            make_room(list, joints);
        }
        for list in [&mut self.points, &mut self.behind] {
            make_room(list, points);
        }
    }
}

/// Makes room for `count` elements in all.
fn make_room<T>(memory: &mut Vec<T>, count: usize) {
    memory.reserve(count.saturating_sub(memory.len()));
}
