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
//! - When an entry of a menu is chosen. A menu acts before its window tells of the input, so this listener comes
//!   before those of the menu's owner.
//! - In the 2D viewport the mouse takes hold of what is shown. There it is when a drag ends.

use godot::classes::object::ConnectFlags;
use godot::classes::{
    Control, EditorInterface, EditorPlugin, IEditorPlugin, Input, InputEvent, InputEventKey,
    InputEventMouseButton, PopupMenu, Window,
};
use godot::global::MouseButton;
use godot::prelude::*;
use tendon_nodes::engine::children::find_all;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::held_bones::HeldBones;
use crate::selection::edited_rigs;
use crate::toolbar;
use crate::viewport_event::ViewportEvent;

/// Is called before the tools of the editor that read bones.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonBuiltinTools {
    /// The bones that are selected while the mouse is pressed in the viewport.
    held: Option<HeldBones>,
    /// `true` if an animation has set something that is not noted yet.
    is_animated: bool,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonBuiltinTools {
    #[func(gd_self)]
    fn enter_tree(this: Gd<Self>) {
        let mut tree = this.get_tree();
        tree.connect("node_added", &Callable::from_object_method(&this, "watch"));
        if let Some(root) = tree.get_root() {
            let root = root.upcast();
            let nodes = ["Window", "AnimationMixer"].map(|class| find_all::<Node>(&root, class));
            for node in nodes.into_iter().flatten().chain([root]) {
                Self::watch(this.clone(), node);
            }
        }
    }

    /// Notes base poses that an animation has set. While the mouse is pressed, what moves bones may belong to the action
    /// at the end of the drag, which begins with the base poses at the press.
    #[func(gd_self)]
    fn process(mut this: Gd<Self>, _delta: f64) {
        let is_pressed = Input::singleton().is_mouse_button_pressed(MouseButton::LEFT);
        let is_due = this.bind().is_animated && this.bind().held.is_none();
        if is_due && !is_pressed {
            this.bind_mut().is_animated = false;
            let rigs = edited_rigs(&this).into_iter();
            rigs.for_each(TendonRig2D::note_base_poses);
        }
    }

    #[func(gd_self)]
    fn handles(_this: Gd<Self>, object: Gd<Object>) -> bool {
        object.is_class("Bone2D") || object.is_class("MultiNodeEdit")
    }

    #[func(gd_self)]
    fn make_visible(mut this: Gd<Self>, visible: bool) {
        if !visible {
            this.bind_mut().held = None;
        }
    }

    /// The end of a drag comes here before the viewport's own tools compare what has changed, which
    /// decides whether there is an undo step, and insert keys.
    #[func(gd_self)]
    fn forward_canvas_gui_input(mut this: Gd<Self>, event: Option<Gd<InputEvent>>) -> bool {
        match event.and_then(ViewportEvent::of) {
            Some(ViewportEvent::Press(_)) => {
                this.bind_mut().held = Some(HeldBones::of_selection());
            }
            Some(ViewportEvent::Release) => {
                let held = this.bind_mut().held.take();
                restore_base_poses(&this);
                held.iter().for_each(HeldBones::tell);
            }
            _ => {}
        }
        false
    }
}

#[godot_api]
impl TendonBuiltinTools {
    /// Listens to `node` if it is a window, or animates.
    #[func(gd_self)]
    fn watch(this: Gd<Self>, mut node: Gd<Node>) {
        if node.is_class("AnimationMixer") {
            let listener = Callable::from_object_method(&this, "on_animated");
            if !node.is_connected("mixer_applied", &listener) {
                node.connect("mixer_applied", &listener);
            }
        }
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
        if let Ok(menu) = window.try_cast::<PopupMenu>() {
            let listener = Callable::from_object_method(&this, "on_chosen");
            connect_first(menu, "id_pressed", &listener.bind(&[itself]));
        }
    }

    #[func]
    fn on_animated(&mut self) {
        self.is_animated = true;
    }

    #[func(gd_self)]
    fn before_input(this: Gd<Self>, event: Gd<InputEvent>, window: Gd<Window>) {
        let may_act = match event.try_cast::<InputEventMouseButton>() {
            Ok(button) => !is_over_canvas(&button, &window),
            Err(event) => event
                .try_cast::<InputEventKey>()
                .is_ok_and(|key| key.is_pressed()),
        };
        if may_act && !toolbar::is_open() {
            restore_base_poses(&this);
        }
    }

    /// Tendon's own commands know of base poses.
    #[func(gd_self)]
    fn on_chosen(this: Gd<Self>, _id: i64, menu: Gd<PopupMenu>) {
        if !toolbar::contains(&menu.upcast()) {
            restore_base_poses(&this);
        }
    }
}

/// Connects `listener` so that it is called before those that are connected already.
fn connect_first(mut menu: Gd<PopupMenu>, signal: &str, listener: &Callable) {
    if menu.is_connected(signal, listener) {
        return;
    }
    let others = menu.get_signal_connection_list(signal);
    let others = others.iter_shared().map(|other| {
        let flags = other.at("flags").to::<ConnectFlags>();
        (other.at("callable").to::<Callable>(), flags)
    });
    let others: Vec<_> = others.collect();
    for (other, _) in &others {
        menu.disconnect(signal, other);
    }
    menu.connect(signal, listener);
    for (other, flags) in &others {
        menu.connect_flags(signal, other, *flags);
    }
}

fn restore_base_poses(plugin: &Gd<TendonBuiltinTools>) {
    let rigs = edited_rigs(plugin).into_iter();
    rigs.for_each(TendonRig2D::restore_pose);
}

/// Returns `true` if the button was pressed or released over the 2D viewport.
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
