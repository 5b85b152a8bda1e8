//! Turning the joints of a tree towards places that are wanted for their ends.
//!
//! Sweeps of FABRIK and CCD say where each joint should be; this turns the joints accordingly, in
//! their true frames and within their bounds.

use glam::DVec2;

use crate::kinematics::tree::{LinkEnd, Tree};
use crate::math::trigonometry::angle_between;

/// Turns the joints, root first, so that what each carries comes as near as it can to the places in
/// `wanted_points`, which has one for each joint. Tips are wanted at their targets. For one piece
/// that is to point at its end; for several on one rigid bone (two shoulders on a chest) it is the
/// rotation that fits them best in the sense of least squares.
pub(crate) fn point_at(tree: &mut Tree, wanted_points: &[DVec2]) {
    let mut next = 0;
    for index in 0..tree.nodes.len() {
        tree.mount_joint(index);
        let node = &tree.nodes[index];
        let seen_from = node.basis.inverse();
        let mut fit = DVec2::ZERO;
        while let Some(link) = tree.links.get(next).filter(|link| link.joint == index) {
            let (wish, weight) = match link.end {
                LinkEnd::Joint(child) => (wanted_points[child], tree.nodes[child].weight),
                LinkEnd::Tip(tip) => (tree.tips[tip].target, tree.tips[tip].weight),
            };
            let wanted = seen_from * (wish - node.point);
            fit += weight * DVec2::new(link.offset.dot(wanted), link.offset.perp_dot(wanted));
            next += 1;
        }
        if fit != DVec2::ZERO {
            let step = angle_between(node.direction, fit);
            let swing = node.swing + node.mobility * step;
            tree.nodes[index].swing_to(swing);
        }
        tree.turn_joint(index);
    }
    tree.place_tips();
}
