//! How a node is attached to the skeleton: to which bone, and where in that bone's frame.
//!
//! Only local transforms are read. Global transforms contain the solved pose of the last frame, and
//! removing that again would change the last bits from frame to frame: a rig at rest would not stay
//! at rest.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;

use crate::engine::skeleton::skeleton_of_bone;

/// How a node is attached to the skeleton.
pub(crate) struct Attachment {
    /// The bone that carries the node; `None` for one that the skeleton itself carries.
    pub(crate) bone: Option<Gd<Bone2D>>,
    /// Transform in the bone's frame, or in the skeleton's; `None` if the skeleton does not
    /// carry the node.
    pub(crate) frame: Option<Transform2D>,
    /// Which bone the node itself is, if it is one of the skeleton's.
    pub(crate) own: Option<InstanceId>,
}

impl Attachment {
    /// The skeleton does not carry the node.
    const NONE: Self = Self {
        bone: None,
        frame: None,
        own: None,
    };

    /// Climbs from `node` to the first bone of `skeleton` or to the skeleton itself.
    pub(crate) fn find(node: &Gd<Node2D>, skeleton: &Gd<Skeleton2D>) -> Self {
        if !skeleton.is_ancestor_of(node) {
            return Self::NONE;
        }
        let mut frame = node.get_transform();
        let mut below = node.clone();
        let own = |bone: &Gd<Node2D>| {
            let is_own = bone == node && bone.clone().try_cast::<Bone2D>().is_ok();
            is_own.then(|| node.instance_id())
        };
        loop {
            if below.is_set_as_top_level() {
                return Self::NONE;
            }
            let Some(parent) = below.get_parent() else {
                return Self::NONE;
            };
            if parent.instance_id() == skeleton.instance_id() {
                return Self {
                    bone: None,
                    frame: Some(frame),
                    own: own(&below),
                };
            }
            let Ok(parent) = parent.try_cast::<Node2D>() else {
                return Self::NONE;
            };
            if let Ok(bone) = parent.clone().try_cast::<Bone2D>()
                && skeleton_of_bone(&bone).as_ref() == Some(skeleton)
            {
                return Self {
                    bone: Some(bone),
                    frame: Some(frame),
                    own: own(&below),
                };
            }
            frame = parent.get_transform() * frame;
            below = parent;
        }
    }
}
