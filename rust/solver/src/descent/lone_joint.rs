//! A chain with limits out of its reach, in closed form.
//!
//! Where limits keep the tip from its target, they most often hold all joints but one at their bounds, or all. The one
//! turns so that its lever, from itself to the tip, points at the target: then no pose next to it is nearer. A descent
//! comes to the same pose, but slowly, since what is left does not vanish there: that takes 67 % more instructions for three
//! bones that are too near, and 42 % for a first pass of five (2026-11-29, `benches/solvers.rs` under callgrind).

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

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use glam::{Mat2, Vec2};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::kinematics::limit_enforcement::DirectionArc;
    use crate::kinematics::tree::{EffectorInput, JointInput};
    use crate::math::rotation::Rotation;
    use crate::skeleton::limit::Limit;

    /// A line of joints with limits, some of which mirror those below, in a pose at some of the limits.
    fn chain(joints: usize, rng: &mut Xoshiro256PlusPlus) -> Tree {
        let mut tree = Tree::default();
        for index in 0..joints {
            let side = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
            let limit = Limit::around(0.0, -rng.random_range(0.1..1.5), 1.0);
            tree.push(JointInput {
                parent: index.checked_sub(1),
                offset: Vec2::X,
                carry: Mat2::from_diagonal(Vec2::new(1.0, side)),
                base: Rotation::NONE,
                bound: DirectionArc::new(&limit, Rotation::NONE, Mat2::IDENTITY),
                cost: 1.0,
            });
        }
        tree.push_effector(EffectorInput {
            joint: joints - 1,
            position: Vec2::X,
            is_elastic: false,
            target: Vec2::from_angle(rng.random_range(-PI..PI)) * rng.random_range(0.0..4.0),
            weight: 1.0,
        });
        tree.prepare().expect("a sound tree");
        let swings = tree.nodes.iter().map(|node| match rng.random_range(0..3) {
            0 => node.lower,
            1 => node.upper,
            _ => rng.random_range(node.lower..node.upper),
        });
        let swings: Vec<f64> = swings.collect();
        tree.take_pose(swings);
        tree
    }

    #[test]
    fn no_pose_next_to_it_is_nearer() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut turned, mut held) = (0, 0);
        for case in 0..4_000 {
            let mut tree = chain(1 + case % 4, &mut rng);
            let before: Vec<f64> = tree.swings().collect();
            let is_held = free_joints(&tree) == Free::None;
            if !turn_lone_joint(&mut tree) {
                assert!(tree.swings().eq(before.iter().copied()), "case {case}");
                continue;
            }
            held += u32::from(is_held);
            turned += u32::from(!is_held);
            let swings: Vec<f64> = tree.swings().collect();
            let least = tree.error();
            for _ in 0..50 {
                let near = swings
                    .iter()
                    .map(|swing| swing + rng.random_range(-1e-3..1e-3));
                tree.take_pose(near);
                let error = tree.error();
                assert!(
                    error >= least - 1e-9,
                    "case {case}: {error} is less than {least}"
                );
            }
        }
        assert!(turned > 200 && held > 200, "{turned} turned, {held} held");
    }
}
