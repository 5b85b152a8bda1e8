//! Shows in the inspector what a modifier does now.
//!
//! It is a row and not a property: it cannot be saved into the scene, or mark the scene as changed.

mod status_row;

use godot::classes::{EditorInspectorPlugin, EditorPlugin, IEditorInspectorPlugin, IEditorPlugin};
use godot::prelude::*;

use crate::editor::inspector::status_row::TendonStatusRow;

/// Adds the row to the inspector while the extension is loaded.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonInspector {
    rows: Option<Gd<TendonStatusRows>>,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonInspector {
    fn enter_tree(&mut self) {
        let rows = TendonStatusRows::new_gd();
        self.rows = Some(rows.clone());
        self.base_mut().add_inspector_plugin(&rows);
    }

    fn exit_tree(&mut self) {
        if let Some(rows) = self.rows.take() {
            self.base_mut().remove_inspector_plugin(&rows);
        }
    }
}

/// Gives each of Tendon's nodes that has a status its row.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorInspectorPlugin)]
struct TendonStatusRows {
    base: Base<EditorInspectorPlugin>,
}

#[godot_api]
impl IEditorInspectorPlugin for TendonStatusRows {
    fn can_handle(&self, object: Option<Gd<Object>>) -> bool {
        object.is_some_and(|object| TendonStatusRow::suits(&object))
    }

    fn parse_category(&mut self, object: Option<Gd<Object>>, category: GString) {
        let object = object.filter(|object| object.get_class() == category);
        if let Some(node) = object.and_then(|object| object.try_cast::<Node>().ok()) {
            let row = TendonStatusRow::of(node);
            self.base_mut().add_custom_control(&row);
        }
    }
}
