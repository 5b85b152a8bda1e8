//! Targets out of reach, in closed form.
//!
//! The tip of a free chain whose lengths do not change reaches exactly the ring between twice its
//! longest piece less its length, and its length. A target outside is brought to the nearest place
//! inside: for one too far the chain is straight, for one too near every other piece is folded
//! against the longest. Trees, limits, and bones that stretch others have no closed form.

use glam::DVec2;

use crate::kinematics::tree::Tree;

/// How far inside the ring, as a part of the reach, a target is put: a straight chain has no
/// direction to bend in, and this is less than what `f32` holds of the tip's place.
const INSIDE: f64 = 2e-7;

/// Brings the goal of the only tip of a free chain within its reach.
pub(crate) fn keep_within(tree: &mut Tree) {
    if !tree.is_rigid || tree.tips.len() != 1 || tree.has_limits {
        return;
    }
    let tip = tree.tips[0];
    let [reach, _] = tree.lengths_to(&tip);
    let longest = longest_piece(tree);
    let settled = tree.settled_of(&tip);
    let way = tip.goal - settled;
    let distance = way.length();
    let nearest = nearest_distance(longest, reach);
    let goal = if distance > reach * (1.0 - INSIDE) {
        settled + way * (reach * (1.0 - INSIDE) / distance)
    } else if nearest > 0.0 && distance < nearest + INSIDE * reach {
        let direction = way.try_normalize();
        let direction = direction.or_else(|| (tip.point - settled).try_normalize());
        settled + direction.unwrap_or(DVec2::X) * (nearest + INSIDE * reach)
    } else {
        return;
    };
    let tip = &mut tree.tips[0];
    (tip.goal, tip.target) = (goal, goal);
}

/// How near to its root the tip of a folded chain can come, by its longest piece and the sum of
/// all: zero unless one piece is longer than all others together.
pub fn nearest_distance(longest: f64, reach: f64) -> f64 {
    (2.0 * longest - reach).max(0.0)
}

/// The longest piece of a line of bones whose direction is free.
fn longest_piece(tree: &Tree) -> f64 {
    let free = tree.links.iter().filter(|link| !tree.nodes[link.joint].is_headed());
    let lengths = free.map(|link| {
        let [from, to] = tree.ends(link);
        from.distance(to)
    });
    lengths.fold(0.0, f64::max)
}
