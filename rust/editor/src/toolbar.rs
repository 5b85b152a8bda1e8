//! What plugins have in the 2D toolbar.

use godot::classes::editor_plugin::CustomControlContainer;
use godot::classes::{
    Button, Control, EditorInterface, EditorPlugin, InputEventKey, Shortcut, Skeleton2D,
};
use godot::global::Key;
use godot::prelude::*;

use crate::selection::all_within;

/// Puts `control` into the toolbar, and has `plugin` called when another scene is edited and, if it has
/// a method for it, when something else is selected.
pub(super) fn add<C: Inherits<Control>>(plugin: &Gd<EditorPlugin>, control: &Gd<C>) {
    let mut plugin = plugin.clone();
    let control = control.clone().upcast::<Control>();
    plugin.add_control_to_container(CustomControlContainer::CANVAS_EDITOR_MENU, &control);
    let on_scene_changed = Callable::from_object_method(&plugin, "on_scene_changed");
    plugin.connect("scene_changed", &on_scene_changed);
    let selection = EditorInterface::singleton().get_selection();
    if let Some(mut selection) = selection.filter(|_| plugin.has_method(ON_SELECTION)) {
        let method = Callable::from_object_method(&plugin, ON_SELECTION);
        selection.connect("selection_changed", &method);
    }
}

/// Frees `control`, and no longer calls `plugin`.
pub(super) fn remove<C: Inherits<Control>>(plugin: &Gd<EditorPlugin>, control: Option<Gd<C>>) {
    let method = Callable::from_object_method(plugin, ON_SELECTION);
    if let Some(mut selection) = EditorInterface::singleton().get_selection()
        && selection.is_connected("selection_changed", &method)
    {
        selection.disconnect("selection_changed", &method);
    }
    if let Some(control) = control.filter(Gd::is_instance_valid) {
        let control = control.upcast::<Control>();
        let container = CustomControlContainer::CANVAS_EDITOR_MENU;
        plugin
            .clone()
            .remove_control_from_container(container, &control);
        control.free();
    }
}

const ON_SELECTION: &str = "on_selection_changed";

/// A switch, not shown yet, that calls `on_toggled` of `plugin`.
pub(super) fn new_switch(plugin: &Gd<EditorPlugin>, text: &str, help: &str) -> Gd<Button> {
    let mut button = Button::new_alloc();
    button.set_text(text);
    button.set_theme_type_variation("FlatButton");
    button.set_toggle_mode(true);
    button.set_tooltip_text(help);
    button.set_visible(false);
    let on_toggled = Callable::from_object_method(plugin, "on_toggled");
    button.connect("toggled", &on_toggled);
    button
}

/// Shift, Alt and `key`.
pub(super) fn shortcut(key: Key) -> Gd<Shortcut> {
    let mut event = InputEventKey::new_gd();
    event.set_keycode(key);
    event.set_shift_pressed(true);
    event.set_alt_pressed(true);
    let mut shortcut = Shortcut::new_gd();
    shortcut.set_events(&varray![&event]);
    shortcut
}

/// Whether there is a skeleton in the scene whose root is `root`.
pub(super) fn has_skeleton(root: Option<Gd<Node>>) -> bool {
    root.is_some_and(|root| !all_within::<Skeleton2D>(&root).is_empty())
}
