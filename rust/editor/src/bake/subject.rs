//! What is baked: an animation and the rig of a skeleton, if it can be.

use godot::classes::{Animation, AnimationPlayer, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::rig_of;

use crate::bake::form::Chosen;
use crate::bake::tracks::is_foreign;
use crate::refusal::Refusal;

/// An animation and a rig.
pub(super) struct BakeSubject {
    pub(super) skeleton: Gd<Skeleton2D>,
    pub(super) rig: Gd<TendonRig2D>,
    pub(super) player: Gd<AnimationPlayer>,
    /// The name that the animation has in the player.
    pub(super) name: StringName,
    pub(super) animation: Gd<Animation>,
    /// The node that the paths of tracks are relative to.
    pub(super) root: Gd<Node>,
}

impl BakeSubject {
    /// # Errors
    /// Why nothing can be baked, with advice what to do.
    pub(super) fn find(chosen: &Chosen, scene: &Gd<Node>) -> Result<Self, Refusal> {
        let (skeleton, player, name) = (&chosen.skeleton, &chosen.player, &chosen.animation);
        let rig = rig_of(skeleton).ok_or("This Skeleton2D has no TendonRig2D.")?;
        if rig.get("active") != true.to_variant() {
            return Err("The rig is not active: there is nothing to bake.".into());
        }
        let animation = player
            .has_animation(name)
            .then(|| player.get_animation(name));
        let animation = animation.flatten().ok_or("Choose an animation.")?;
        if is_foreign(&animation, scene) {
            return Err("The animation belongs to another scene. Bake it there.".into());
        }
        let root = player.get_node_or_null(&player.get_root_node());
        let root = root.ok_or("The AnimationPlayer's root node does not exist.")?;
        Ok(Self {
            skeleton: skeleton.clone(),
            rig,
            player: player.clone(),
            name: name.clone(),
            animation,
            root,
        })
    }
}
