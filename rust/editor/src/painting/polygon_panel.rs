//! The engine's panel for polygons: it opens at the bottom whenever a polygon is selected, and takes the room in which weights
//! are seen.

use godot::classes::{Control, EditorInterface, EditorPlugin};
use godot::prelude::*;

use crate::selection::find_all;

/// Closes the panel if it is open. Whoever wants it opens it again.
pub(super) fn close(plugin: &Gd<EditorPlugin>) {
    let base = EditorInterface::singleton().get_base_control();
    let panels = base.map_or(Vec::new(), |base| {
        find_all::<Control>(&base.upcast(), "Polygon2DEditor")
    });
    if panels.iter().any(|panel| panel.is_visible_in_tree()) {
        plugin.clone().hide_bottom_panel();
    }
}
