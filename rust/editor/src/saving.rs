//! Restores base poses before the editor saves a scene, and keeps them through undo and copies.
//!
//! For all of these the editor reads the bones, and while a rig is previewed they hold the solved
//! pose. How the base pose is restored: `restore_last_bits` in `base_pose/tracked_bones.rs`.

use godot::classes::{Bone2D, EditorInterface, EditorPlugin, IEditorPlugin, RemoteTransform2D};
use godot::prelude::*;
use tendon_nodes::engine::children::find_all;
use tendon_nodes::engine::space::to_godot;
use tendon_nodes::engine::threads::with_ancestors;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::selection::edited_rigs;

/// Notifies the rigs of the edited scene.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonSaving {
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonSaving {
    #[func(gd_self)]
    fn enter_tree(this: Gd<Self>) {
        let callable = |method| Callable::from_object_method(&this, method);
        let (commit, go_to_version) = (callable("commit"), callable("go_to_version"));
        let on_node_added = callable("set_base_pose_of_copy");
        let mut undo_redo = this.get_undo_redo().expect("an editor has it");
        undo_redo.connect("history_changed", &commit);
        undo_redo.connect("version_changed", &go_to_version);
        this.get_tree().connect("node_added", &on_node_added);
    }

    /// Before saving, after the bones themselves have prepared for it: the engine rewrites their
    /// transforms then, to the last bit.
    #[func(gd_self)]
    fn apply_changes(this: Gd<Self>) {
        for rig in edited_rigs(&this) {
            TendonRig2D::restore_for_saving(rig);
        }
        update_remotes();
    }
}

#[godot_api]
impl TendonSaving {
    #[func(gd_self)]
    fn commit(this: Gd<Self>) {
        for rig in edited_rigs(&this) {
            if let Some(version) = version_of(&rig) {
                TendonRig2D::commit(rig, version);
            }
        }
    }

    #[func(gd_self)]
    fn go_to_version(this: Gd<Self>) {
        for rig in edited_rigs(&this) {
            if let Some(version) = version_of(&rig) {
                TendonRig2D::go_to_version(rig, version);
            }
        }
    }

    /// Gives a copy of a bone that holds a solved pose the base pose of that bone.
    #[func(gd_self)]
    fn set_base_pose_of_copy(this: Gd<Self>, node: Gd<Node>) {
        let Ok(mut bone) = node.try_cast::<Bone2D>() else {
            return;
        };
        let rigs = edited_rigs(&this);
        let base = rigs.iter().find_map(|rig| rig.bind().base_of_copy(&bone));
        if let Some(base) = base {
            bone.set_rotation(base.rotation);
            bone.set_position(to_godot(base.position));
            bone.set_scale(to_godot(base.scale));
        }
    }
}

/// Brings what bones carry from afar to where their base pose has it.
fn update_remotes() {
    let scene = EditorInterface::singleton().get_edited_scene_root();
    let remotes = scene.iter();
    let remotes =
        remotes.flat_map(|scene| find_all::<RemoteTransform2D>(scene, "RemoteTransform2D"));
    for mut remote in remotes {
        if with_ancestors(&remote.clone().upcast()).any(|node| node.is_class("Bone2D")) {
            // A setter that changes something moves the node at once. That a bone has moved is told only after the
            // scene is saved.
            let updates = remote.get_update_position();
            remote.set_update_position(!updates);
            remote.set_update_position(updates);
        }
    }
}

/// The version of the scene that `rig` is in.
fn version_of(rig: &Gd<TendonRig2D>) -> Option<u64> {
    let undo_redo = EditorInterface::singleton().get_editor_undo_redo()?;
    let history = undo_redo.get_object_history_id(rig);
    let history = undo_redo.get_history_undo_redo(history)?;
    Some(history.get_version())
}
