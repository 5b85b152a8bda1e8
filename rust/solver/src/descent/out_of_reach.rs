//! Targets out of reach, in closed form.
//!
//! The tip of a free chain whose lengths do not change reaches exactly a ring around the root. The
//! outer radius is the length of the chain. The inner radius is twice the length of the longest
//! piece minus that of the chain, or 0. For a target outside of the ring, the nearest pose is
//! straight. A target that is too near is moved to the inner edge of the ring. Trees, limits, and
//! bones that stretch others have no closed form.

use glam::DVec2;

use crate::kinematics::pointing::point_at;
use crate::kinematics::tree::{Node, Tree};

/// A target that is too near is moved to this distance from the inner edge of the ring, as a part of
/// the reach. On the edge itself the chain would be folded, and have no direction to bend in. `f32`
/// does not hold the tip's position to this precision.
pub(super) const OUTSIDE: f64 = 2e-7;

/// A tip may be farther from its target than the straight way is by this part of the span.
const STRAIGHT: f64 = 1e-7;

/// Brings the goal of the only tip of a free chain within its reach. Marks the tree if the chain
/// has to be straight for it.
pub(crate) fn keep_within(tree: &mut Tree) {
    tree.is_overstretched = false;
    if !tree.is_rigid || tree.tips.len() != 1 || tree.has_limits {
        return;
    }
    let tip = tree.tips[0];
    let [reach, _] = tree.lengths_to(&tip);
    let settled = tree.settled_of(&tip);
    let way = tip.goal - settled;
    let distance = way.length();
    let nearest = nearest_distance(longest_piece(tree), reach);
    let goal = if distance >= reach {
        tree.is_overstretched = true;
        settled + way * (reach / distance)
    } else if nearest > 0.0 && distance < nearest + OUTSIDE * reach {
        let direction = way.try_normalize();
        let direction = direction.or_else(|| (tip.point - settled).try_normalize());
        settled + direction.unwrap_or(DVec2::X) * (nearest + OUTSIDE * reach)
    } else {
        return;
    };
    let tip = &mut tree.tips[0];
    (tip.goal, tip.target) = (goal, goal);
}

/// Returns `true` if the target of a chain with limits is farther away than the chain is long. Straight is the nearest
/// pose then, too, if the limits allow it.
pub(super) fn is_beyond_limited(tree: &Tree) -> bool {
    let [tip] = &tree.tips[..] else { return false };
    let is_plain = tree.has_limits && tree.is_rigid && !tree.nodes.iter().any(Node::has_arc);
    is_plain && tip.target.length() >= tree.lengths_to(tip)[0]
}

/// Returns `true` if the only tip is on the straight way to its target, which is out of reach: as near as it can be.
pub(super) fn is_straight(tree: &Tree) -> bool {
    let tip = &tree.tips[0];
    let way = tip.goal - tree.settled_of(tip);
    let [reach, _] = tree.lengths_to(tip);
    tree.error() <= (way.length() - reach).max(0.0) + STRAIGHT * tree.span
}

/// Lays a chain straight at its target, which it is marked to be for.
pub(super) fn stretch_out(tree: &mut Tree, wanted_points: &mut Vec<DVec2>) {
    let tip = tree.tips[0];
    let along = (tip.goal - tree.settled_of(&tip)).normalize_or_zero();
    let mut place = DVec2::ZERO;
    wanted_points.clear();
    for link in &tree.links {
        wanted_points.push(place);
        place += along * tree.length_of(link);
    }
    point_at(tree, wanted_points);
}

/// Returns the least distance from the root to the tip of a folded chain, by its longest piece and the sum of all: zero
/// unless one piece is longer than all others together.
pub fn nearest_distance(longest: f64, reach: f64) -> f64 {
    (2.0 * longest - reach).max(0.0)
}

/// The longest piece of a line of bones whose direction is free.
fn longest_piece(tree: &Tree) -> f64 {
    let free = tree
        .links
        .iter()
        .filter(|link| !tree.nodes[link.joint].is_headed());
    free.map(|link| tree.length_of(link)).fold(0.0, f64::max)
}
