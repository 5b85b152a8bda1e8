//! What a transition is measured by: how far joints have to turn, and how far points have moved.

use glam::DVec2;

use crate::descent::step::SolveSpace;
use crate::kinematics::tree::{Node, Tree};
use crate::math::angle::{wound_like, wrapped};

/// Measures by what angle each joint must turn to `goal`. Returns the largest of these angles.
/// Leaves `tree` in any pose.
pub(super) fn measure_turns_to(tree: &mut Tree, workspace: &mut SolveSpace, goal: &[f32]) -> f64 {
    let SolveSpace {
        turns,
        before,
        places_in_arcs,
        ..
    } = workspace;
    before.clear();
    before.extend(tree.swings());
    remember_places_in_arcs(tree, places_in_arcs);
    if !places_in_arcs.is_empty() {
        take_pose(tree, goal);
    }
    let ways = { goal.iter().zip(&*before) }.map(|(&goal, &swing)| f64::from(goal) - swing);
    measure_turns(tree, ways, places_in_arcs, turns)
}

/// Fills `turns` with the `ways` of the joints from one pose to that of `tree`. Those of joints
/// that keep to an arc are right except for whole turns: these follow from `places_in_arcs`, which
/// belong to the first pose. Returns the largest turn; of a joint that keeps to an arc, it is that
/// of its direction which counts.
pub(in crate::descent) fn measure_turns(
    tree: &Tree,
    ways: impl Iterator<Item = f64>,
    places_in_arcs: &[f64],
    turns: &mut Vec<f64>,
) -> f64 {
    turns.clear();
    let mut widest = 0.0;
    for (node, mut way) in tree.nodes.iter().zip(ways) {
        let mut turn = way;
        if let (Some(place), Some(before)) = (node.place_in_arc(), places_in_arcs.get(turns.len()))
        {
            turn = place - before;
            way = wound_like(turn + turn_with_those_above(tree, node, turns), way);
        }
        widest = f64::max(widest, turn.abs());
        turns.push(way);
    }
    widest
}

/// By what angle a joint turns from one swing to another: by the shorter way around, if the joint
/// has no bounds.
pub(in crate::descent) fn turn_between(node: &Node, from: f64, to: f64) -> f64 {
    match node.interval() {
        None => wrapped(to - from),
        Some(_) => to - from,
    }
}

/// By what angle a joint that keeps its direction turns back, when those above it turn by `turns`.
fn turn_with_those_above(tree: &Tree, node: &Node, turns: &[f64]) -> f64 {
    let above = node.parent.into_iter().flat_map(|parent| tree.path(parent));
    // Over a whole turn, the rate comes to one on average, whatever the frames are.
    let turned = above.map(|joint| node.tie_to(&tree.nodes[joint]).signum() * turns[joint]);
    turned.sum()
}

/// Remembers where joints are in the arcs that they keep to: nothing if there is no such joint.
pub(in crate::descent) fn remember_places_in_arcs(tree: &Tree, places: &mut Vec<f64>) {
    places.clear();
    if tree.nodes.iter().any(|node| node.place_in_arc().is_some()) {
        let all = tree.nodes.iter();
        places.extend(all.map(|node| node.place_in_arc().unwrap_or(0.0)));
    }
}

pub(crate) fn take_pose(tree: &mut Tree, swings: &[f32]) {
    tree.take_pose(swings.iter().map(|&swing| f64::from(swing)));
}

/// Remembers where the joints and tips are.
pub(in crate::descent) fn remember_points(tree: &Tree, points: &mut Vec<DVec2>) {
    points.clear();
    points.extend(tree.points());
}

/// Returns the largest distance of a joint or tip from the `points` that were remembered.
pub(in crate::descent) fn farthest_from(tree: &Tree, points: &[DVec2]) -> f64 {
    let pairs = tree.points().zip(points);
    let moved = pairs.map(|(now, before)| now.distance_squared(*before));
    moved.fold(0.0, f64::max).sqrt()
}
