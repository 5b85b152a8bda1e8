//! A chain with limits out of its reach, in closed form.
//!
//! Where limits keep the tip from its target, they most often hold all joints but one at their bounds, or all. The one
//! turns so that its lever, from itself to the tip, points at the target: then no pose next to it is nearer. A descent
//! comes to the same pose, but slowly, since what is left does not vanish there.

use crate::kinematics::tree::{Node, Tree};
use crate::math::trigonometry::angle_between;

/// A joint that is nearer to a bound than this, in radians, is at it: as near as a pose in `f32` says.
const AT_BOUND: f64 = 1e-6;

/// The joints that their limits do not keep from bringing the tip nearer, one way or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Free {
    None,
    One(usize),
    Several,
}

/// Turns the joint that alone is not held by its limit, if there is no other. Returns whether no pose next to the one
/// that it then has is nearer; otherwise the pose is as it was. For chains whose bones keep their lengths, with limits
/// that do not depend on the pose.
pub(super) fn turn_lone_joint(tree: &mut Tree) -> bool {
    if !tree.is_rigid || !tree.obstacles.is_empty() || tree.nodes.iter().any(Node::has_arc) {
        return false;
    }
    let joint = match free_joints(tree) {
        Free::None => return true,
        Free::One(joint) => joint,
        Free::Several => return false,
    };
    let (tip, node) = (&tree.tips[0], &tree.nodes[joint]);
    let lever = tip.point - node.point;
    let way = lever - tip.miss();
    let before = node.swing;
    // Below an odd number of mirrored bones, joints turn the other way.
    let sense = 1.0_f64.copysign(lever.perp_dot(node.velocity(tip.point)));
    tree.nodes[joint].swing_to(before + sense * angle_between(lever, way));
    tree.place();
    let is_nearest = free_joints(tree) == Free::One(joint);
    if !is_nearest {
        tree.nodes[joint].swing_to(before);
        tree.place();
    }
    is_nearest
}

/// All others do not turn, or would have to turn past their bounds.
fn free_joints(tree: &Tree) -> Free {
    let [tip] = &tree.tips[..] else {
        return Free::Several;
    };
    let mut free = Free::None;
    for (joint, node) in tree.nodes.iter().enumerate() {
        let nearer = -tip.miss().dot(node.velocity(tip.point));
        let is_held = nearer > 0.0 && node.swing >= node.upper - AT_BOUND
            || nearer < 0.0 && node.swing <= node.lower + AT_BOUND;
        if node.mobility > 0.0 && !is_held {
            free = match free {
                Free::None => Free::One(joint),
                _ => return Free::Several,
            };
        }
    }
    free
}
