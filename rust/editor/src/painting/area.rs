//! What takes the mouse over the viewport before the editor's own tools do.
//!
//! The editor gives an event of the viewport to all plugins, also when one of them has taken it: its editor of
//! polygons would move the point at which a stroke begins. A control on top of the viewport comes before all of them. What
//! it does not take goes on to the viewport.

use godot::classes::control::{LayoutPreset, MouseFilter};
use godot::classes::{Control, EditorInterface};
use godot::prelude::*;

/// The distance in pixels at which the editor takes hold of points and edges, where its setting is not to be found.
const GRAB: f32 = 8.0;

/// A control over all of `viewport` that calls `on_area_input` and `on_mouse_exited` of `plugin`.
pub(super) fn new_area(viewport: &Gd<Control>, plugin: &Gd<Object>) -> Gd<Control> {
    let mut area = Control::new_alloc();
    area.set_mouse_filter(MouseFilter::PASS);
    area.set_anchors_and_offsets_preset(LayoutPreset::FULL_RECT);
    area.connect("gui_input", &plugin.callable("on_area_input"));
    area.connect("mouse_exited", &plugin.callable("on_mouse_exited"));
    let mut viewport = viewport.clone();
    viewport.add_child(&area);
    // Under the zoom buttons, which are its children, too.
    viewport.move_child(&area, 0);
    area
}

/// How far from points and edges of a polygon the editor takes hold of them.
pub(super) fn grab_radius() -> f32 {
    let settings = EditorInterface::singleton().get_editor_settings();
    let radius = settings.map(|it| it.get_setting("editors/polygon_editor/point_grab_radius"));
    radius
        .and_then(|radius| radius.try_to::<i32>().ok())
        .map_or(GRAB, |radius| radius as f32)
}
