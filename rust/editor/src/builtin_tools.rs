//! Restores base poses before the editor's own tools read bones: for a rest pose, a key or a copied
//! pose.
//!
//! While a rig is previewed, its bones hold solved poses. What the editor reads from them at a
//! click becomes part of the scene: Overwrite Rest Pose, the keys of the inspector, of the 2D
//! toolbar and of a track's menu, a drag of a bone with the keys that are inserted after it, and
//! Copy Pose. So the bones hold their base poses whenever such a tool may act:
//!
//! - Before a pressed key or a button of the mouse comes to any control. The next pass, in the same
//!   frame, solves again, so the user sees nothing of it.
//! - While a menu of the engine's is open, which shows the base pose for so long: a menu acts before a
//!   window tells of its input.
//! - In the 2D viewport the mouse takes hold of what is shown. There it is when a drag ends.

use godot::classes::{
    Control, EditorInterface, EditorPlugin, IEditorPlugin, InputEvent, InputEventKey,
    InputEventMouseButton, PopupMenu, Window,
};
use godot::prelude::*;
use tendon_nodes::nodes::rig::{TendonRig2D, preview};

use crate::held_bones::HeldBones;
use crate::selection::{edited_rigs, find_all};
use crate::toolbar;
use crate::viewport_event::ViewportEvent;

/// Is called before the tools of the editor that read bones.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonBuiltinTools {
    /// The bones that are selected while the mouse is pressed in the viewport.
    held: HeldBones,
    /// The menus that are open.
    open: Vec<Gd<PopupMenu>>,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonBuiltinTools {
    #[func(gd_self)]
    fn enter_tree(this: Gd<Self>) {
        let mut tree = this.get_tree();
        tree.connect("node_added", &Callable::from_object_method(&this, "watch"));
        if let Some(root) = tree.get_root() {
            let windows = find_all::<Node>(&root.clone().upcast(), "Window");
            for window in windows.into_iter().chain([root.upcast()]) {
                Self::watch(this.clone(), window);
            }
        }
    }

    fn exit_tree(&mut self) {
        preview::hold(false);
    }

    #[func(gd_self)]
    fn handles(_this: Gd<Self>, object: Gd<Object>) -> bool {
        object.is_class("Bone2D") || object.is_class("MultiNodeEdit")
    }

    /// The end of a drag comes here before the viewport's own tools compare what has changed, which
    /// decides whether there is an undo step, and insert keys.
    #[func(gd_self)]
    fn forward_canvas_gui_input(mut this: Gd<Self>, event: Option<Gd<InputEvent>>) -> bool {
        match event.and_then(ViewportEvent::of) {
            Some(ViewportEvent::Press(_)) => this.bind_mut().held = HeldBones::of_selection(),
            Some(ViewportEvent::Release) => {
                let held = std::mem::take(&mut this.bind_mut().held);
                restore_base_poses(&this);
                held.tell();
            }
            _ => {}
        }
        false
    }
}

#[godot_api]
impl TendonBuiltinTools {
    /// Listens to `node` if it is a window.
    #[func(gd_self)]
    fn watch(this: Gd<Self>, node: Gd<Node>) {
        let Ok(mut window) = node.try_cast::<Window>() else {
            return;
        };
        let itself = window.to_variant();
        let listen = |window: &mut Gd<Window>, signal: &str, method: &str| {
            let listener =
                Callable::from_object_method(&this, method).bind(std::slice::from_ref(&itself));
            if !window.is_connected(signal, &listener) {
                window.connect(signal, &listener);
            }
        };
        listen(&mut window, "window_input", "before_input");
        if window.is_class("PopupMenu") {
            listen(&mut window, "visibility_changed", "on_menu");
            // One that is freed while it is open does not say that it is closed.
            listen(&mut window, "tree_exited", "on_menu");
        }
    }

    #[func(gd_self)]
    fn before_input(this: Gd<Self>, event: Gd<InputEvent>, window: Gd<Window>) {
        let may_act = match event.try_cast::<InputEventMouseButton>() {
            Ok(button) => !is_over_canvas(&button, &window),
            Err(event) => event
                .try_cast::<InputEventKey>()
                .is_ok_and(|key| key.is_pressed()),
        };
        if may_act && this.bind().open.is_empty() {
            restore_base_poses(&this);
        }
    }

    /// Has the base poses shown while a menu is open that may read bones.
    #[func(gd_self)]
    fn on_menu(mut this: Gd<Self>, menu: Gd<PopupMenu>) {
        let mut own = this.bind_mut();
        own.open
            .retain(|other| other.is_instance_valid() && *other != menu);
        if menu.is_inside_tree() && menu.is_visible() {
            own.open.push(menu);
        }
        let holds = own.open.iter().any(may_read_bones);
        drop(own);
        preview::hold(holds);
        if holds && this.is_inside_tree() {
            restore_base_poses(&this);
        }
    }
}

fn restore_base_poses(plugin: &Gd<TendonBuiltinTools>) {
    let rigs = edited_rigs(plugin).into_iter();
    rigs.for_each(TendonRig2D::restore_pose);
}

/// Whether the button was pressed or released over the 2D viewport.
fn is_over_canvas(button: &Gd<InputEventMouseButton>, window: &Gd<Window>) -> bool {
    let viewport = EditorInterface::singleton().get_editor_viewport_2d();
    let control = viewport.and_then(|viewport| viewport.get_parent()?.try_cast::<Control>().ok());
    control.is_some_and(|control| {
        control.is_visible_in_tree()
            && control.get_window().as_ref() == Some(window)
            && control
                .get_global_rect()
                .contains_point(button.get_global_position())
    })
}

/// Tendon's own commands know of base poses. A field's list of values, and the bar of the window, have nothing
/// that reads bones.
fn may_read_bones(menu: &Gd<PopupMenu>) -> bool {
    let parent = menu.get_parent();
    let is_of = |class: &str| parent.as_ref().is_some_and(|parent| parent.is_class(class));
    !(is_of("OptionButton") || is_of("MenuBar") || toolbar::contains(&menu.clone().upcast()))
}
