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
    Control, EditorInterface, EditorPlugin, IEditorPlugin, Input, InputEvent, InputEventKey,
    InputEventMouseButton, MenuButton, PopupMenu, Window,
};
use godot::global::MouseButton;
use godot::prelude::*;
use tendon_nodes::engine::threads::with_ancestors;
use tendon_nodes::nodes::rig::{TendonRig2D, preview};

use crate::held_bones::HeldBones;
use crate::selection::{edited_rigs, find_all, selected_nodes};
use crate::toolbar;
use crate::viewport_event::ViewportEvent;

/// Is called before the tools of the editor that read bones.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonBuiltinTools {
    /// The bones that are selected while the mouse is pressed in the viewport.
    held: Option<HeldBones>,
    /// Whether an animation has set something that is not noted yet.
    is_animated: bool,
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
            let root = root.upcast();
            let nodes = ["Window", "AnimationMixer"].map(|class| find_all::<Node>(&root, class));
            for node in nodes.into_iter().flatten().chain([root]) {
                Self::watch(this.clone(), node);
            }
        }
    }

    fn exit_tree(&mut self) {
        preview::hold(false);
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
        if window.is_class("PopupMenu") {
            listen(&mut window, "visibility_changed", "on_menu");
            // One that is freed while it is open does not say that it is closed.
            listen(&mut window, "tree_exited", "on_menu");
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

/// Tendon's own commands know of base poses. A field's list of values, the bar of the window, the menus of files and
/// scripts, that of an animation as a whole, and what is seen in the viewport have nothing that reads bones. The menu at
/// the mouse there moves what is selected.
fn may_read_bones(menu: &Gd<PopupMenu>) -> bool {
    let menu = menu.clone().upcast::<Node>();
    let above = || with_ancestors(&menu).skip(1);
    let is_in = |class: &str| above().any(|node| node.is_class(class));
    let parent = menu.get_parent();
    let is_of = |class: &str| parent.as_ref().is_some_and(|parent| parent.is_class(class));
    let is_elsewhere = is_of("OptionButton") || ELSEWHERE.into_iter().any(is_in);
    let is_of_player = is_in("AnimationPlayerEditor") && !is_in("AnimationTrackEditor");
    let is_at_mouse = is_of("CanvasItemEditor");
    let is_view = is_in("CanvasItemEditor") && above().any(|node| is_view_button(&node));
    match is_at_mouse {
        true => selected_nodes().iter().any(|node| node.is_class("Bone2D")),
        false => !(is_elsewhere || is_of_player || is_view || toolbar::contains(&menu)),
    }
}

/// Where no menu has anything that reads bones.
const ELSEWHERE: [&str; 4] = [
    "MenuBar",
    "FileSystemDock",
    "ScriptEditor",
    "EditorSceneTabs",
];

/// Older engines have translated its text.
fn is_view_button(node: &Gd<Node>) -> bool {
    let button = node.clone().try_cast::<MenuButton>();
    button.is_ok_and(|button| {
        let text = button.get_text();
        text == "View" || text == button.tr("View")
    })
}
