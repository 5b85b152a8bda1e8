//! Where the bones of a tree touch its obstacles.
//!
//! Every pair of a bone and a shape has one contact at most, at the bone's deepest point. A bone
//! is the whole straight piece between two joints, or between a joint and a tip, so joints are
//! covered too. The depth is measured from a small clearance outside the shape, so that a pose
//! that settles against it is outside. A wall without thickness has twice the clearance: a joint
//! in the wall, with its two bones on either side, must not count as outside.
//!
//! The root cannot move. Where a shape covers it, the bones that hang on it count as inside only
//! as far as they are deeper than the root itself.
//!
//! Cost: O(bones · shapes), a dozen operations for each pair that is far apart.

use glam::DVec2;

use crate::collision::penetration::penetration;
use crate::kinematics::tree::Tree;

/// The clearance, as a part of the tree's span.
const CLEARANCE: f64 = 3e-4;

/// The deepest point of one bone in one shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeepestPoint {
    /// The joint that carries the point.
    pub(crate) joint: usize,
    pub(crate) point: DVec2,
    /// The unit vector along which the bone leaves the shape soonest.
    pub(crate) way_out: DVec2,
    /// The depth of the point inside the shape and its clearance, in chain units; negative outside.
    pub(crate) depth: f64,
    /// The part of the depth that is clearance. A bone that is no deeper than this is outside.
    spare: f64,
}

/// Lists the contacts of the present pose, and the pairs that are nearer than `foresight`.
pub(crate) fn gather(tree: &Tree, foresight: f64, contacts: &mut Vec<DeepestPoint>) {
    contacts.clear();
    let spare = CLEARANCE * tree.span;
    for obstacle in tree.obstacles.iter() {
        let clearance = if obstacle.0.is_thin() {
            2.0 * spare
        } else {
            spare
        };
        let margin = clearance + foresight;
        let root = tree.nodes[0].point;
        let root = penetration([root, root], obstacle, clearance);
        let unavoidable = root.map_or(0.0, |root| root.depth + clearance);
        for link in tree.links.iter().filter(|link| !link.double) {
            let ends = tree.ends(link);
            let Some(found) = penetration(ends, obstacle, margin) else {
                continue;
            };
            let tolerated = if link.joint == 0 { unavoidable } else { 0.0 };
            let depth = found.depth + clearance - tolerated;
            if depth > -foresight {
                contacts.push(DeepestPoint {
                    joint: link.joint,
                    point: found.point,
                    way_out: found.way_out,
                    depth,
                    spare,
                });
            }
        }
    }
}

/// Returns the depth of the deepest contact inside its shape; 0 when all are outside.
pub(crate) fn deepest(contacts: &[DeepestPoint]) -> f64 {
    let depths = contacts.iter().map(|contact| contact.depth - contact.spare);
    depths.fold(0.0, f64::max)
}

/// Returns the depth inside a shape of the deepest target of an effector that counts: no free pose brings that tip
/// nearer.
pub(crate) fn deepest_target(tree: &Tree) -> f64 {
    let counting = tree.tips.iter().filter(|tip| tip.weight > 0.0);
    let depth = |target| {
        let depths = tree
            .obstacles
            .iter()
            .filter_map(move |obstacle| Some(penetration([target, target], obstacle, 0.0)?.depth));
        depths.fold(0.0, f64::max)
    };
    counting.map(|tip| depth(tip.target)).fold(0.0, f64::max)
}
