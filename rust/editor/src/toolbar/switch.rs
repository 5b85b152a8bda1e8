//! A switch in the toolbar.

use godot::classes::{Button, EditorInterface, EditorPlugin, StyleBoxFlat};
use godot::prelude::*;

use super::{add, has_skeleton, row, show};
use crate::selection::selected_nodes;

/// Switches that take the mouse in the viewport: one at a time.
const MODES: [&str; 2] = ["Pose", "Weights"];

const ON_TOGGLED: &str = "on_toggled";

/// Is shown as soon as there is a skeleton in the edited scene, or something of one is selected.
#[derive(GodotClass)]
#[class(tool, init, internal, base = Button)]
pub(crate) struct TendonSwitch {
    base: Base<Button>,
}

/// Puts a switch into the toolbar that calls `on_toggled` of `plugin`.
pub(crate) fn add_switch(plugin: &Gd<EditorPlugin>, text: &str, help: &str) -> Gd<TendonSwitch> {
    let mut switch = TendonSwitch::new_alloc();
    switch.set_text(text);
    switch.set_theme_type_variation("FlatButton");
    switch.set_toggle_mode(true);
    show_pressed(&mut switch);
    switch.set_tooltip_text(help);
    add(plugin, &switch);
    let own = switch.callable(ON_TOGGLED);
    switch.connect("toggled", &own);
    switch.connect("toggled", &plugin.callable(ON_TOGGLED));
    let scene = EditorInterface::singleton().get_edited_scene_root();
    TendonSwitch::on_scene_changed(switch.clone(), scene);
    switch
}

#[godot_api]
impl TendonSwitch {
    /// What is switched on can be switched off in any scene.
    #[func(gd_self)]
    fn on_scene_changed(this: Gd<Self>, root: Option<Gd<Node>>) {
        show(&this, has_skeleton(root) || this.is_pressed());
    }

    #[func(gd_self)]
    fn on_selection_changed(this: Gd<Self>) {
        if is_skeleton_selected() {
            show(&this, true);
        }
    }

    /// Ends the mode of any other switch if this one begins one.
    #[func(gd_self)]
    fn on_toggled(this: Gd<Self>, is_on: bool) {
        let Some(row) = row().filter(|_| is_on && is_mode(&this)) else {
            return;
        };
        let others = row.get_children();
        for mut other in others
            .iter_shared()
            .filter_map(|it| it.try_cast::<Self>().ok())
        {
            if other != this && is_mode(&other) {
                other.set_pressed(false);
            }
        }
    }
}

fn is_mode(switch: &Gd<TendonSwitch>) -> bool {
    MODES.contains(&switch.get_text().to_string().as_str())
}

/// Has a flat button show clearly that it is pressed.
fn show_pressed(button: &mut Gd<TendonSwitch>) {
    let Some(theme) = EditorInterface::singleton().get_editor_theme() else {
        return;
    };
    let accent = theme.get_color("accent_color", "Editor");
    let mut style = StyleBoxFlat::new_gd();
    style.set_bg_color(Color { a: 0.35, ..accent });
    style.set_border_color(accent);
    style.set_border_width_all(1);
    style.set_corner_radius_all(3);
    style.set_content_margin_all(4.0 * EditorInterface::singleton().get_editor_scale());
    for state in ["pressed", "hover_pressed"] {
        button.add_theme_stylebox_override(state, &style);
    }
}

/// Whether a skeleton or a bone is selected.
fn is_skeleton_selected() -> bool {
    let nodes = selected_nodes();
    let mut nodes = nodes.iter();
    nodes.any(|node| node.is_class("Skeleton2D") || node.is_class("Bone2D"))
}
