//! Keeps solved poses out of saved scenes.

use godot::classes::notify::NodeNotification;
use godot::prelude::*;

use crate::rig::TendonRig2D;

/// A rig's unseen child in the editor, which hears that the scene is about to be saved and
/// has the rig put the base pose back.
///
/// The rig cannot listen itself: a class that receives notifications receives all of them,
/// and would pay for it in every frame of every game.
#[derive(GodotClass)]
#[class(tool, init, internal, base = Node)]
pub(crate) struct TendonSaveGuard {
    base: Base<Node>,
}

#[godot_api]
impl INode for TendonSaveGuard {
    fn on_notification(&mut self, what: NodeNotification) {
        if what == NodeNotification::EDITOR_PRE_SAVE
            && let Some(parent) = self.base().get_parent()
            && let Ok(rig) = parent.try_cast::<TendonRig2D>()
        {
            TendonRig2D::restore_pose(rig);
        }
    }
}
