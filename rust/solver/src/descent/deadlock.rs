//! The straight-line deadlock, and the way out of it.
//!
//! When every joint lies on the line through root and target, every sweep and every gradient
//! moves along that line only: FABRIK, CCD and Gauss-Newton all stay on it forever. Any bend
//! frees them. The chain is bent into an arc whose chord is about as long as the way to the
//! target, the way that the base pose bends already, so that what follows has little left to do.

use std::f64::consts::PI;

use glam::DVec2;

use crate::descent::reaching;
use crate::descent::step::SolveSpace;
use crate::kinematics::pointing::point_at;
use crate::kinematics::tree::Tree;
use crate::math::trigonometry::unit_vector;

/// Joints nearer than this to the line, relative to the reach, count as on it.
const ON_THE_LINE: f64 = 1e-5;

/// A chain that is shorter by no more than this part of its reach is straight.
const STRAIGHT: f64 = 1e-9;

/// Bends the only branch of `tree` if it and its target lie on one line, or if it is straight: the
/// side that a straight chain would bend to is otherwise a matter of rounding.
pub(crate) fn bend_out(tree: &mut Tree, workspace: &mut SolveSpace) {
    let target = tree.tips[0].target;
    let count = tree.nodes.len();
    let Some(axis) = axis_of(tree, target).filter(|_| count > 1) else {
        return;
    };
    if !is_on_line(tree, axis) && !is_straight(tree) {
        return;
    }
    let reach = tree.tips[0].far;
    let angle = sense_of_base_pose(tree, workspace) * arc_for_chord(target.length() / reach);
    let step = unit_vector(angle / (count - 1) as f64);
    let mut along = unit_vector(-0.5 * angle).rotate(axis);
    let mut place = DVec2::ZERO;
    let mut wanted_points = std::mem::take(&mut workspace.wanted_points);
    wanted_points.clear();
    for link in &tree.links {
        wanted_points.push(place);
        place += along * tree.length_of(link);
        along = along.rotate(step);
    }
    let target = std::mem::replace(&mut tree.tips[0].target, place);
    point_at(tree, &wanted_points);
    tree.tips[0].target = target;
    workspace.wanted_points = wanted_points;
}

/// Returns the sense in which the base pose bends, 1 or −1.
fn sense_of_base_pose(tree: &mut Tree, workspace: &mut SolveSpace) -> f64 {
    // Not `start` or `best`, which a search may be using.
    let mut present = std::mem::take(&mut workspace.model);
    reaching::remember(tree, &mut present);
    tree.take_base_pose();
    let sense = tree.sense();
    tree.take_pose(present.iter().copied());
    workspace.model = present;
    sense
}

/// Returns `true` if the tip is as far from the root as it can be, apart from rounding.
fn is_straight(tree: &Tree) -> bool {
    let tip = &tree.tips[0];
    tip.point.length() >= tip.far * (1.0 - STRAIGHT)
}

/// The direction of the target; for a target on the root, that of the tip.
fn axis_of(tree: &Tree, target: DVec2) -> Option<DVec2> {
    let is_far = target.length() > ON_THE_LINE * tree.span;
    let axis = if is_far { target } else { tree.tips[0].point };
    axis.try_normalize()
}

fn is_on_line(tree: &Tree, axis: DVec2) -> bool {
    let margin = ON_THE_LINE * tree.span;
    let on_line = |point: DVec2| axis.perp_dot(point).abs() <= margin;
    tree.nodes.iter().all(|node| on_line(node.point)) && on_line(tree.tips[0].point)
}

/// The angle in radians from the first to the last piece of an arc whose chord is `ratio` (0 to
/// 1) of its length: about the solution of `sin(x/2) = ratio x/2`.
fn arc_for_chord(ratio: f64) -> f64 {
    // sin(h) / h ≈ 1 − h²/6 + h⁴/120, solved for h².
    let straightness = (1.0 - ratio).clamp(0.0, 1.0);
    let half_squared = 10.0 - (100.0 - 120.0 * straightness).max(0.0).sqrt();
    (2.0 * half_squared.sqrt()).min(2.0 * PI)
}
