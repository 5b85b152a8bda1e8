//! A character that is at rest for a moment: its bones are in their rest pose, and its targets where the limbs end
//! then. The animation RESET gets keys of that, and not of the pose that is keyed at the same time.

use godot::classes::Skeleton2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::engine::node_place::NodePlace;
use tendon_nodes::engine::skeleton::{bones_of, has_rest};
use tendon_nodes::nodes::pose_library::deviation::Deviation;
use tendon_nodes::nodes::rig::skeleton::rig_of;

use crate::posing::posture::Posture;
use crate::posing::reach::Reach;

/// Dropping it puts everything back.
pub(super) struct AtRest {
    before: Posture,
}

impl AtRest {
    /// Puts `skeleton` to rest, whose bones hold their base pose. What has no rest pose stays.
    pub(super) fn put(skeleton: &Gd<Skeleton2D>) -> Self {
        let bones = bones_of(skeleton);
        let reaches = rig_of(skeleton).map_or_else(Vec::new, |rig| Reach::of_rig(&rig));
        let mut before = Posture::of_bones(BoneTransform::of_all(&bones));
        for bone in bones.iter().filter(|bone| has_rest(bone)) {
            if let Some(rest) = Deviation::NONE.change(bone, 1.0) {
                rest.restore();
            }
        }
        for place in reaches.iter().flat_map(Reach::places) {
            let is_place = place.position.is_finite() && place.rotation.is_finite();
            if is_place && !place.node.is_class("Bone2D") {
                before.nodes.push(NodePlace::of(&place.node));
                place.restore();
            }
        }
        Self { before }
    }
}

impl Drop for AtRest {
    fn drop(&mut self) {
        // What was moved twice was at its place the first time.
        self.before.nodes.reverse();
        self.before.restore();
    }
}
