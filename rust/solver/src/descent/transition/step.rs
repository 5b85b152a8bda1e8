//! One step of a transition: as far as the joints may turn and the points may move in a time.
//!
//! All joints turn by the same part of their ways, or one after another. How far points move is continuous in
//! the part of the step that is done, so the part at which they move as far as they may is found in proportion, and by
//! halving where that fails.

use crate::descent::memory::Order;
use crate::descent::step::SolveSpace;
use crate::descent::transition::measure::{farthest_from, measure_turns_to, remember_points};
use crate::kinematics::tree::Tree;
use crate::math::interval::clamp;

/// Estimates at most of how much of a step is not too far.
const MOST_ESTIMATES: u32 = 24;

/// After so many of them, the interval is halved instead.
const QUICK_ESTIMATES: u32 = 8;

/// A step that goes at least this part of the way that it may is far enough.
const FAR_ENOUGH: f64 = 0.999;

/// One step of a transition.
pub(crate) struct Step {
    /// The part of the time that was needed.
    pub(in crate::descent) used: f64,
    pub(in crate::descent) has_arrived: bool,
    /// The part that was not too far, of a step by which joints turn as fast as they may.
    pub(super) part: f64,
    /// The least time that the way that is left takes, in seconds.
    pub(super) least_left: f64,
}

/// Turns the joints of `tree` from their present pose towards `goal`, as far as they may in `delta`
/// seconds. `likely` is the part of that by which they may turn, if it is known: that of the step before.
pub(crate) fn advance(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    goal: &[f32],
    order: Order,
    delta: f64,
    likely: f64,
) -> Step {
    remember_points(tree, &mut workspace.points_before);
    let widest = measure_turns_to(tree, workspace, goal);
    let speeds = workspace.pursuit.speeds;
    let most = speeds.turn * delta;
    let factor = match order {
        Order::Together if widest > most => most / widest,
        _ => 1.0,
    };
    for (turn, node) in workspace.turns.iter_mut().zip(&tree.nodes) {
        *turn *= factor;
        // Together with those above it, a joint that keeps to an arc turns faster than its
        // direction.
        if order != Order::Together || node.place_in_arc().is_none() {
            *turn = clamp(*turn, -most, most);
        }
    }
    let farthest = speeds.point * delta * tree.span;
    let (part, moved) = take_as_far_as(tree, workspace, order, farthest, likely);
    let is_whole = part >= 1.0;
    Step {
        used: match is_whole {
            true => (widest / most).max(moved / farthest).min(1.0),
            false => 1.0,
        },
        has_arrived: is_whole && widest <= most,
        part,
        least_left: (widest - most).max(0.0) / speeds.turn,
    }
}

/// Takes the pose at the part of the step that moves points by `farthest`, or hardly less; at the whole step, if that
/// moves them no farther. The search begins at the part that is `likely`. Returns the part, and how far points move.
fn take_as_far_as(
    tree: &mut Tree,
    workspace: &SolveSpace,
    order: Order,
    farthest: f64,
    likely: f64,
) -> (f64, f64) {
    let aim = 0.5 * (FAR_ENOUGH + 1.0) * farthest;
    // A part that is not too far, and one that is, if it is known.
    let (mut near, mut far) = (0.0, f64::INFINITY);
    let mut part = likely;
    for estimate in 0..MOST_ESTIMATES {
        take_part(tree, workspace, order, part);
        let moved = farthest_from(tree, &workspace.points_before);
        if moved > farthest {
            far = part;
        } else if part >= 1.0 || moved >= FAR_ENOUGH * farthest {
            return (part, moved);
        } else {
            near = part;
        }
        let proportional = part * aim / moved;
        let is_between = near < proportional && proportional < far;
        part = match estimate < QUICK_ESTIMATES && is_between || far.is_infinite() {
            true => proportional.min(1.0),
            false => 0.5 * (near + far),
        };
    }
    take_part(tree, workspace, order, near);
    (near, farthest)
}

/// Takes the pose at a part of the step.
fn take_part(tree: &mut Tree, workspace: &SolveSpace, order: Order, part: f64) {
    let pairs = workspace.before.iter().zip(&workspace.turns);
    if order == Order::Together || part >= 1.0 {
        return tree.take_pose(pairs.map(|(from, turn)| from + part * turn));
    }
    // One after another, each in proportion to how far it moves what is beyond it: a joint that turns
    // no more takes no part of the step.
    let ways = { workspace.turns.iter().enumerate() };
    let ways = ways.map(|(joint, turn)| tree.length_beyond(joint) * turn.abs());
    let all: f64 = ways.sum();
    let is_from_tip = order == Order::FromTip;
    let mut left = if is_from_tip { part - 1.0 } else { part } * all;
    for (joint, (from, turn)) in pairs.enumerate() {
        let way = tree.length_beyond(joint) * turn.abs();
        left += if is_from_tip { way } else { 0.0 };
        let done = if way > 0.0 {
            clamp(left / way, 0.0, 1.0)
        } else {
            1.0
        };
        left -= if is_from_tip { 0.0 } else { way };
        tree.nodes[joint].swing_to(from + done * turn);
    }
    tree.place();
}

#[cfg(test)]
mod tests {
    use glam::{Mat2, Vec2};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::descent::speeds::TransitionSpeeds;
    use crate::kinematics::tree::{EffectorInput, JointInput};
    use crate::math::rotation::Rotation;

    const DELTA: f64 = 1.0 / 60.0;

    fn chain(joints: usize) -> Tree {
        let mut tree = Tree::default();
        for index in 0..joints {
            tree.push(JointInput {
                parent: index.checked_sub(1),
                offset: Vec2::X,
                carry: Mat2::IDENTITY,
                base: Rotation::NONE,
                bound: None,
                cost: 1.0,
            });
        }
        tree.push_effector(EffectorInput {
            joint: joints - 1,
            position: Vec2::X,
            is_elastic: false,
            target: Vec2::Y,
            weight: 1.0,
        });
        tree.prepare().expect("a sound tree");
        tree
    }

    /// Whether joints turn together or in turn, and wherever the search begins.
    #[test]
    fn a_step_goes_as_far_as_it_may() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut workspace = SolveSpace::default();
        let mut short = 0;
        for case in 0..6_000 {
            let joints = 1 + case % 12;
            let mut tree = chain(joints);
            let mut pose = || -> Vec<f32> {
                let stays = rng.random_bool(0.3);
                let swings = (0..joints).map(|joint| match stays && joint % 2 == 0 {
                    true => 0.0,
                    false => rng.random_range(-2.0..2.0),
                });
                swings.collect()
            };
            let [from, goal] = [pose(), pose()];
            let likely = rng.random_range(0.01..=1.0);
            let order = [Order::Together, Order::FromTip, Order::FromRoot][case % 3];
            tree.take_pose(from.iter().map(|&swing| f64::from(swing)));
            let points: Vec<_> = tree.points().collect();
            let step = advance(&mut tree, &mut workspace, &goal, order, DELTA, likely);
            let part = farthest_from(&tree, &points)
                / (TransitionSpeeds::default().point * DELTA * tree.span);
            assert!(part <= 1.0 + 1e-9, "case {case}: {part}");
            if step.part < 1.0 {
                short += 1;
                assert!(part >= FAR_ENOUGH - 1e-9, "case {case}, {order:?}: {part}");
            }
        }
        assert!(short > 2_000, "{short} of the steps are not whole");
    }
}
