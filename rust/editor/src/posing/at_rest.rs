//! A character that is at rest for a moment: its bones are in their rest pose, its targets where the limbs end then, and
//! limbs bend to the side to which they do then. The animation RESET gets keys of that, and not of the pose that is keyed at the same time.

use godot::classes::Skeleton2D;
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::{bones_of, has_rest};
use tendon_nodes::nodes::pose_library::deviation::Deviation;
use tendon_nodes::nodes::pose_library::held_nodes::FLIPS;
use tendon_nodes::nodes::rig::skeleton::rig_of;

use crate::posing::posture::Posture;
use crate::reach::ReachingLimb;

/// Dropping it puts everything back.
pub(super) struct PutAtRest {
    before: Posture,
    /// The modifiers whose bend was changed, and what it was.
    bends: Vec<(Gd<Node>, bool)>,
}

impl PutAtRest {
    /// Puts `skeleton` to rest, whose bones hold their base pose. What has no rest pose stays.
    pub(super) fn put(skeleton: &Gd<Skeleton2D>) -> Self {
        let bones = bones_of(skeleton);
        let reaches = rig_of(skeleton).map_or_else(Vec::new, |rig| ReachingLimb::of_rig(&rig));
        let mut before = Posture::of(NodePose::of_all(&bones));
        for bone in bones.iter().filter(|bone| has_rest(bone)) {
            if let Some(rest) = Deviation::NONE.change(bone, 1.0) {
                rest.restore();
            }
        }
        for place in reaches.iter().flat_map(ReachingLimb::places) {
            let is_place = place.position.is_finite() && place.rotation.is_finite();
            if is_place && !place.node.is_class("Bone2D") {
                before.poses.push(NodePose::of(&place.node));
                place.restore();
            }
        }
        let mut bends = Vec::new();
        for reach in &reaches {
            if let Some(flips) = reach.flips() {
                let mut modifier = reach.modifier.clone();
                modifier.set(FLIPS, &flips.to_variant());
                bends.push((modifier, !flips));
            }
        }
        Self { before, bends }
    }
}

impl Drop for PutAtRest {
    fn drop(&mut self) {
        for (modifier, flips) in &mut self.bends {
            modifier.set(FLIPS, &flips.to_variant());
        }
        // What was moved twice was at its place the first time.
        self.before.poses.reverse();
        self.before.restore();
    }
}
