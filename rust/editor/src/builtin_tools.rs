//! Restores base poses before the editor's own tools read bones: for a rest pose, a key or a copied
//! pose.
//!
//! While a rig is previewed, its bones hold solved poses. What the editor reads from them at a
//! click becomes part of the scene: Overwrite Rest Pose, the keys of the inspector, of the 2D
//! toolbar and of a track's menu, a drag of a bone with the keys that are inserted after it, and
//! Copy Pose. The plugin is called before the engine's own handlers, and restores the base pose. The
//! next pass, in the same frame, solves again, so the user sees nothing of it.
//!
//! For that it connects the handlers of the editor's own controls again, after itself. It does so only in
//! versions of the editor in which a test has seen it work ([`is_tested`]). In others it changes nothing,
//! and says so when a scene with a rig is opened.

use godot::classes::object::ConnectFlags;
use godot::classes::{
    BaseButton, EditorInterface, EditorPlugin, Engine, IEditorPlugin, InputEvent, MenuButton,
    PopupMenu,
};
use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::held_bones::HeldBones;
use crate::selection::{edited_rigs, find_all};
use crate::viewport_event::ViewportEvent;

/// Is called before the tools of the editor that read bones.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonBuiltinTools {
    /// The bones that are selected while the mouse is pressed in the viewport.
    held: HeldBones,
    /// Whether it has warned of tools that it does not find.
    has_warned: bool,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonBuiltinTools {
    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        let on_node_added = match is_tested() {
            true => "come_before_track",
            false => "warn_of_version",
        };
        let on_node_added = Callable::from_object_method(&this, on_node_added);
        this.get_tree().connect("node_added", &on_node_added);
        if is_tested() {
            // When the editor is complete.
            this.call_deferred("come_before_tools", &[]);
        }
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
                Self::restore_base_poses(this);
                held.tell();
            }
            _ => {}
        }
        false
    }
}

#[godot_api]
impl TendonBuiltinTools {
    #[func(gd_self)]
    fn restore_base_poses(this: Gd<Self>) {
        edited_rigs(&this)
            .into_iter()
            .for_each(TendonRig2D::restore_pose);
    }

    /// Each track of the animation editor has a control of its own, whose menu inserts keys.
    #[func(gd_self)]
    fn come_before_track(this: Gd<Self>, node: Gd<Node>) {
        if node.is_class(TRACK) {
            Self::connect_first(&this, &node.upcast(), "insert_key", 1);
        }
    }

    /// Warns, once, when a rig is edited in a version of the editor that was not tested.
    #[func(gd_self)]
    fn warn_of_version(mut this: Gd<Self>, node: Gd<Node>) {
        if !this.bind().has_warned && node.try_cast::<TendonRig2D>().is_ok() {
            this.bind_mut().has_warned = true;
            godot_warn!(
                "Tendon: in this version of Godot's editor, its tools that read bones were not tested. \
                 While a rig is previewed, Overwrite Rest Pose, the keys of bones and Copy Pose take \
                 the solved pose, and not the base pose. Switch the preview off before you use them: \
                 Tendon > Preview in Editor."
            );
        }
    }

    /// Connects to all tools, and warns of those that it does not find: these then read the solved
    /// pose.
    #[func(gd_self)]
    fn come_before_tools(mut this: Gd<Self>) {
        let tools = [
            (Self::come_before_rest_menu(&this), "Overwrite Rest Pose"),
            (
                Self::come_before_inspector(&this),
                "the key symbols of the inspector",
            ),
            (Self::come_before_key_bar(&this), "Insert Key and Copy Pose"),
            (
                Self::come_before_tracks(&this),
                "Insert Key in the menu of a track",
            ),
        ];
        let missing = tools.iter().filter(|(found, _)| found.is_none());
        let missing: Vec<_> = missing.map(|(_, tool)| *tool).collect();
        if !missing.is_empty() && !this.bind().has_warned {
            this.bind_mut().has_warned = true;
            godot_warn!(
                "Tendon: this version of Godot's editor has other tools than Tendon knows. While a \
                 rig is previewed, these read the solved pose, and not the base pose: {}. Switch \
                 the preview off before you use them: Tendon > Preview in Editor.",
                missing.join(", ")
            );
        }
    }
}

/// Each of these functions returns something if the editor has the tool that it looks for.
impl TendonBuiltinTools {
    fn come_before_rest_menu(this: &Gd<Self>) -> Option<()> {
        let screen = EditorInterface::singleton().get_editor_main_screen()?;
        let mut found = None;
        for popup in find_all::<PopupMenu>(&screen.upcast(), "PopupMenu") {
            let object = popup.upcast();
            if calls(&object, "id_pressed", "Skeleton2DEditor", "") {
                Self::connect_first(this, &object, "id_pressed", 1);
                found = Some(());
            }
        }
        found
    }

    fn come_before_inspector(this: &Gd<Self>) -> Option<()> {
        let inspector = EditorInterface::singleton().get_inspector()?.upcast();
        let (signal, keys) = ("property_keyed", "AnimationPlayerEditorPlugin");
        let found = calls(&inspector, signal, keys, "");
        found.then(|| Self::connect_first(this, &inspector, signal, 3))
    }

    /// The part of the 2D toolbar that inserts keys, and copies poses.
    fn come_before_key_bar(this: &Gd<Self>) -> Option<()> {
        let screen = EditorInterface::singleton().get_editor_main_screen()?;
        let (mut has_menu, mut has_button) = (false, false);
        for menu in find_all::<MenuButton>(&screen.upcast(), "MenuButton") {
            let Some(bar) = menu.get_parent().filter(is_key_bar) else {
                continue;
            };
            if let Some(popup) = menu.get_popup() {
                Self::connect_first(this, &popup.upcast(), "id_pressed", 1);
                has_menu = true;
            }
            for button in buttons_of(&bar) {
                let object = button.clone().upcast();
                if !button.is_toggle_mode() && commands(&object) {
                    Self::connect_first(this, &object, "pressed", 0);
                    has_button = true;
                }
            }
        }
        (has_menu && has_button).then_some(())
    }

    /// The tracks that exist already when the extension is reloaded.
    fn come_before_tracks(this: &Gd<Self>) -> Option<()> {
        let base = EditorInterface::singleton().get_base_control()?.upcast();
        for track in find_all::<Node>(&base, TRACK) {
            Self::come_before_track(this.clone(), track);
        }
        (!find_all::<Node>(&base, TRACKS).is_empty()).then_some(())
    }

    /// Connects to `signal` of `object` so that base poses are restored before the present handlers
    /// of the signal run. The signal has `arguments` arguments.
    fn connect_first(this: &Gd<Self>, object: &Gd<Object>, signal: &str, arguments: usize) {
        let mut object = object.clone();
        let own = Callable::from_object_method(this, "restore_base_poses");
        let own = match arguments {
            0 => own,
            _ => own.unbind(arguments),
        };
        if object.is_connected(signal, &own) {
            return;
        }
        let others = connections(&object, signal);
        for (other, _) in &others {
            object.disconnect(signal, other);
        }
        object.connect(signal, &own);
        for (other, flags) in &others {
            object.connect_flags(signal, other, *flags);
        }
    }
}

/// Whether `editor_tools_driver.gd` has seen this work in the present version of the editor: Godot 4.6.3.
fn is_tested() -> bool {
    let version = Engine::singleton().get_version_info();
    let part = |key: &str| version.get(key).and_then(|part| part.try_to::<i64>().ok());
    ["major", "minor", "patch"].map(part) == [Some(4), Some(6), Some(3)]
}

/// The engine's class of the controls of tracks.
const TRACK: &str = "AnimationTrackEdit";

/// The engine's class of the editor that contains these controls. It exists before any track does.
const TRACKS: &str = "AnimationTrackEditor";

/// The callables that are connected to `signal` of `object`, in the order in which they are called.
fn connections(object: &Gd<Object>, signal: &str) -> Vec<(Callable, ConnectFlags)> {
    let list = object.get_signal_connection_list(signal);
    let connections = list.iter_shared().filter_map(|connection| {
        let callable = connection.get("callable")?.try_to::<Callable>().ok()?;
        let flags = connection.get("flags")?.try_to::<i64>().ok()?;
        Some((callable, ConnectFlags::from_ord(flags as u64)))
    });
    connections.collect()
}

/// Whether `signal` of `object` calls `method` of an object of `class`. If `method` is empty, any
/// method counts.
pub(super) fn calls(object: &Gd<Object>, signal: &str, class: &str, method: &str) -> bool {
    connections(object, signal).iter().any(|(callable, _)| {
        let is_class = callable
            .object()
            .is_some_and(|object| object.is_class(class));
        let name = callable.method_name().unwrap_or_default().to_string();
        is_class && name.ends_with(method)
    })
}

/// The buttons in `bar`, other than those that open menus.
pub(super) fn buttons_of(bar: &Gd<Node>) -> Vec<Gd<BaseButton>> {
    let children = bar.get_children();
    let buttons = children
        .iter_shared()
        .filter(|child| !child.is_class("MenuButton"));
    let buttons = buttons.filter_map(|child| child.try_cast().ok());
    buttons.collect()
}

/// Whether `bar` is the part of the 2D toolbar that inserts keys. Its buttons give commands, those
/// that choose what is keyed, too; other buttons that can be toggled choose a tool.
pub(super) fn is_key_bar(bar: &Gd<Node>) -> bool {
    buttons_of(bar)
        .iter()
        .any(|button| button.is_toggle_mode() && commands(&button.clone().upcast()))
}

/// Whether a button gives the 2D editor a command.
fn commands(button: &Gd<Object>) -> bool {
    calls(button, "pressed", "CanvasItemEditor", "_popup_callback")
}
