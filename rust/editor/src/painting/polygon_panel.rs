//! The engine's panel for polygons: it opens at the bottom whenever a polygon is selected, and takes the room in which weights
//! are seen.

use godot::classes::{BaseButton, EditorInterface, EditorPlugin};
use godot::prelude::*;

use crate::engine_controls::calls;
use crate::selection::find_all;

/// Closes the panel if it is open. Whoever wants it opens it again. Returns whether it was open.
pub(super) fn close(plugin: &Gd<EditorPlugin>) -> bool {
    let base = EditorInterface::singleton().get_base_control();
    let bottom = base.map_or(Vec::new(), |base| {
        find_all::<Node>(&base.upcast(), "EditorBottomPanel")
    });
    let is_open = bottom.iter().any(shows_polygon);
    if is_open {
        plugin.clone().hide_bottom_panel();
    }
    is_open
}

/// Whether a button of the editor of polygons is seen there.
fn shows_polygon(bottom: &Gd<Node>) -> bool {
    let buttons = find_all::<BaseButton>(bottom, "BaseButton").into_iter();
    let mut seen = buttons.filter(|button| button.is_visible_in_tree());
    seen.any(|button| calls(&button.upcast(), "pressed", "Polygon2DEditor", ""))
}
