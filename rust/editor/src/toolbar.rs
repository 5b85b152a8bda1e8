//! The row of controls that plugins have in the 2D toolbar, first of all [`switch`]es.

pub(crate) mod switch;

use std::cell::Cell;

use godot::classes::editor_plugin::CustomControlContainer;
use godot::classes::{
    Button, Control, EditorInterface, EditorPlugin, HBoxContainer, InputEvent, InputEventKey,
    MenuButton, PopupMenu, Shortcut, Skeleton2D,
};
use godot::global::Key;
use godot::obj::InstanceId;
use godot::prelude::*;
use tendon_nodes::engine::children::{all_below, find_all};

use crate::controls::new_button;
use crate::selection::all_within;

/// The controls by their texts, in the order in which they are shown.
const ORDER: [&str; 5] = ["Tendon", "Pose", "Pin Feet", "Weights", "Poses"];

/// The methods that are called when another scene is edited, and when something else is selected.
const ON_SCENE: &str = "on_scene_changed";
const ON_SELECTION: &str = "on_selection_changed";

thread_local! {
    /// The container of the controls: first in the toolbar, so that the engine's menus, which come and go with the
    /// selection, do not move them.
    static ROW: Cell<Option<InstanceId>> = const { Cell::new(None) };
}

/// Puts `control` into the toolbar. It and `plugin` are called when another scene is edited, and when something
/// else is selected, if they have methods for it.
pub(crate) fn add<C: Inherits<Button>>(plugin: &Gd<EditorPlugin>, control: &Gd<C>) {
    let mut plugin = plugin.clone();
    let mut row = row().unwrap_or_else(|| new_row(&mut plugin));
    let control = control.clone().upcast::<Button>();
    let others = row.get_children();
    let before = others.iter_shared().filter(|other| {
        let text = other.get("text").stringify();
        place_of(&text) < place_of(&control.get_text())
    });
    let place = before.count() as i32;
    row.add_child(&control);
    row.move_child(&control, place);
    for told in [plugin.clone().upcast::<Object>(), control.upcast()] {
        // A plugin may have several controls.
        let on_scene = told.callable(ON_SCENE);
        if told.has_method(ON_SCENE) && !plugin.is_connected("scene_changed", &on_scene) {
            plugin.connect("scene_changed", &on_scene);
        }
        let selection = EditorInterface::singleton().get_selection();
        let on_selection = told.callable(ON_SELECTION);
        let selection = selection.filter(|it| {
            told.has_method(ON_SELECTION) && !it.is_connected("selection_changed", &on_selection)
        });
        if let Some(mut selection) = selection {
            selection.connect("selection_changed", &on_selection);
        }
    }
}

/// Puts a button into the toolbar that calls `method` of `plugin`. It is hidden at first.
pub(crate) fn add_button(
    plugin: &Gd<EditorPlugin>,
    text: &str,
    help: &str,
    method: &str,
) -> Gd<Button> {
    let mut button = new_button(text, help, &plugin.callable(method));
    button.set_theme_type_variation("FlatButton");
    button.set_visible(false);
    add(plugin, &button);
    button
}

/// Returns `true` if `node` belongs to a control that was added.
pub(crate) fn contains(node: &Gd<Node>) -> bool {
    row().is_some_and(|row| row.is_ancestor_of(node))
}

/// Returns `true` if a menu of a control that was added is open.
pub(crate) fn is_open() -> bool {
    let menus = row().map_or(Vec::new(), |row| all_below::<PopupMenu>(&row.upcast()));
    menus.iter().any(|menu| menu.is_visible())
}

/// Frees `control`, and no longer calls `plugin`.
pub(crate) fn remove<C: Inherits<Control>>(plugin: &Gd<EditorPlugin>, control: Option<Gd<C>>) {
    let method = plugin.callable(ON_SELECTION);
    if let Some(mut selection) = EditorInterface::singleton().get_selection()
        && selection.is_connected("selection_changed", &method)
    {
        selection.disconnect("selection_changed", &method);
    }
    if let Some(control) = control.filter(Gd::is_instance_valid) {
        control.upcast::<Control>().free();
    }
    if let Some(row) = row().filter(|row| row.get_child_count() == 0) {
        let container = CustomControlContainer::CANVAS_EDITOR_MENU;
        plugin
            .clone()
            .remove_control_from_container(container, &row);
        row.free();
    }
}

fn place_of(text: &GString) -> Option<usize> {
    let text = text.to_string();
    ORDER.iter().position(|other| text == *other)
}

fn row() -> Option<Gd<HBoxContainer>> {
    Gd::try_from_instance_id(ROW.get()?).ok()
}

fn new_row(plugin: &mut Gd<EditorPlugin>) -> Gd<HBoxContainer> {
    let mut row = HBoxContainer::new_alloc();
    // Otherwise, the toolbar would show a bar with nothing in it.
    row.set_visible(false);
    plugin.add_control_to_container(CustomControlContainer::CANVAS_EDITOR_MENU, &row);
    if let Some(mut toolbar) = row.get_parent() {
        toolbar.move_child(&row, 0);
    }
    ROW.set(Some(row.instance_id()));
    row
}

/// Shows `control`, which is in the toolbar, or hides it.
pub(crate) fn show<C: Inherits<Button>>(control: &Gd<C>, is_shown: bool) {
    control.clone().upcast::<Button>().set_visible(is_shown);
    if let Some(mut row) = row() {
        let controls = row.get_children();
        let mut controls = controls.iter_shared();
        let is_any_shown = controls.any(|it| it.get("visible") == true.to_variant());
        row.set_visible(is_any_shown);
    }
}

/// Returns `true` if `event` is the shortcut of a control that is shown, or of an entry of its menu.
pub(crate) fn has_shortcut(event: &Gd<InputEvent>) -> bool {
    let is_key = |shortcut: Option<Gd<Shortcut>>| {
        shortcut.is_some_and(|shortcut| shortcut.matches_event(event))
    };
    let is_in = |menu: &Gd<PopupMenu>| {
        (0..menu.get_item_count()).any(|item| is_key(menu.get_item_shortcut(item)))
    };
    let controls = row().map_or(Array::new(), |row| row.get_children());
    let mut buttons = controls
        .iter_shared()
        .filter_map(|it| it.try_cast::<Button>().ok());
    buttons.any(|button| {
        let menu = button.clone().try_cast::<MenuButton>().ok();
        let menu = menu.and_then(|menu| menu.get_popup());
        let below =
            |menu: &Gd<PopupMenu>| find_all::<PopupMenu>(&menu.clone().upcast(), "PopupMenu");
        let is_entry = menu.is_some_and(|menu| is_in(&menu) || below(&menu).iter().any(is_in));
        button.is_visible_in_tree() && (is_entry || is_key(button.get_shortcut()))
    })
}

/// Shift, Alt and `key`, for what is called `name`.
pub(crate) fn shortcut(name: &str, key: Key) -> Gd<Shortcut> {
    let mut event = InputEventKey::new_gd();
    event.set_keycode(key);
    event.set_shift_pressed(true);
    event.set_alt_pressed(true);
    let mut shortcut = Shortcut::new_gd();
    // Tooltips begin with it.
    shortcut.set_name(name);
    shortcut.set_events(&varray![&event]);
    shortcut
}

/// Returns `true` if there is a skeleton in the scene whose root is `root`.
pub(crate) fn has_skeleton(root: Option<Gd<Node>>) -> bool {
    root.is_some_and(|root| !all_within::<Skeleton2D>(&root).is_empty())
}
