//! A switch in the toolbar.

use godot::classes::{
    Button, ButtonGroup, EditorInterface, EditorPlugin, Skeleton2D, StyleBoxFlat,
};
use godot::prelude::*;

use super::{add, has_skeleton, row, show};
use crate::notice::toast;
use crate::rest_pose::{advice_for, without_rest};
use crate::selection::{all_within, edited_scene, selected_nodes};

/// Switches that take the mouse in the viewport: one at a time.
const MODES: [&str; 2] = ["Pose", "Weights"];

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
    if MODES.contains(&text) {
        switch.set_button_group(&modes());
    }
    add(plugin, &switch);
    switch.connect("toggled", &plugin.callable("on_toggled"));
    if text == MODES[0] {
        let tell = switch.callable("tell_of_rest");
        switch.connect("toggled", &tell);
    }
    let scene = EditorInterface::singleton().get_edited_scene_root();
    TendonSwitch::on_scene_changed(switch.clone(), scene);
    switch
}

#[godot_api]
impl TendonSwitch {
    /// Shows the switch if the scene has a skeleton. If it is on, it can be switched off in any scene.
    #[func(gd_self)]
    fn on_scene_changed(this: Gd<Self>, root: Option<Gd<Node>>) {
        show(&this, has_skeleton(root) || this.is_pressed());
    }

    /// Says early that there are bones without a rest pose: without one, a pose can be made, but not be copied or reset.
    #[func(gd_self)]
    fn tell_of_rest(_this: Gd<Self>, is_on: bool) {
        let scene = edited_scene().ok().filter(|_| is_on);
        let skeletons = scene.iter().flat_map(all_within::<Skeleton2D>);
        let bones: Vec<_> = skeletons.flat_map(|it| without_rest(&it)).collect();
        if let Some(advice) = advice_for(&bones) {
            toast(&advice);
        }
    }

    #[func(gd_self)]
    fn on_selection_changed(this: Gd<Self>) {
        if is_skeleton_selected() {
            show(&this, true);
        }
    }
}

/// The group of the switches that are modes: the engine ends one where another begins.
fn modes() -> Gd<ButtonGroup> {
    let row = row().map(|row| row.get_children()).unwrap_or_default();
    let others = row
        .iter_shared()
        .filter_map(|it| it.try_cast::<TendonSwitch>().ok());
    others
        .filter_map(|it| it.get_button_group())
        .next()
        .unwrap_or_else(|| {
            let mut group = ButtonGroup::new_gd();
            group.set_allow_unpress(true);
            group
        })
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

/// Returns `true` if a skeleton or a bone is selected.
fn is_skeleton_selected() -> bool {
    let nodes = selected_nodes();
    let mut nodes = nodes.iter();
    nodes.any(|node| node.is_class("Skeleton2D") || node.is_class("Bone2D"))
}
