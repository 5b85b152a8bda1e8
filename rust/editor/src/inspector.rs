//! What the inspector shows of Tendon's nodes and of bones, beside their properties.
//!
//! | file | what is in it |
//! |---|---|
//! | [`status_row`] | the present state of a node |
//! | [`base_rotation`] | the rotation of a bone that a modifier turns |
//! | [`driven_bone`] | the modifiers that turn a bone |
//! | [`short_labels`] | labels that fit |

mod base_rotation;
pub(super) mod driven_bone;
mod short_labels;
mod status_row;

use godot::classes::{
    EditorInspector, EditorInspectorPlugin, EditorPlugin, IEditorInspectorPlugin, IEditorPlugin,
};

use godot::prelude::*;
use godot::register::info::{PropertyHint, PropertyUsageFlags};

use crate::inspector::base_rotation::{ROTATION, TendonBaseRotation};
use crate::inspector::short_labels::{SHARE, is_narrow, short_label};
use crate::inspector::status_row::TendonStatusRow;

/// Adds the rows to the inspector while the extension is loaded.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonInspector {
    rows: Option<Gd<TendonRows>>,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonInspector {
    fn enter_tree(&mut self) {
        let rows = TendonRows::new_gd();
        self.base_mut().add_inspector_plugin(&rows);
        self.rows = Some(rows);
    }

    fn exit_tree(&mut self) {
        if let Some(rows) = self.rows.take() {
            self.base_mut().remove_inspector_plugin(&rows);
        }
    }
}

/// Gives each of Tendon's nodes that has a status, and each bone of a skeleton with a rig, a row that shows it; replaces the
/// row for the rotation of such bones, also where several nodes are selected; and gives the engine's own rows of Tendon's
/// nodes labels that fit.
///
/// The status is a row and not a property: it cannot be saved into the scene, or mark the scene as changed.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorInspectorPlugin)]
struct TendonRows {
    /// `true` while the engine makes a row for this plugin. It then asks all plugins again.
    is_asking: bool,
    base: Base<EditorInspectorPlugin>,
}

#[godot_api]
impl IEditorInspectorPlugin for TendonRows {
    fn can_handle(&self, object: Option<Gd<Object>>) -> bool {
        let object = object.filter(|_| !self.is_asking);
        object.is_some_and(|object| {
            is_own(&object)
                || TendonStatusRow::suits(&object)
                || TendonBaseRotation::suits(object.clone())
        })
    }

    fn parse_category(&mut self, object: Option<Gd<Object>>, category: GString) {
        let object = object.filter(|object| object.get_class() == category);
        let object = object.filter(TendonStatusRow::suits);
        if let Some(node) = object.and_then(|object| object.try_cast::<Node>().ok()) {
            let row = TendonStatusRow::of(node);
            self.base_mut().add_custom_control(&row);
        }
    }

    fn parse_property(
        &mut self,
        object: Option<Gd<Object>>,
        kind: VariantType,
        name: GString,
        hint: PropertyHint,
        hint_text: GString,
        usage: PropertyUsageFlags,
        _wide: bool,
    ) -> bool {
        let Some(object) = object else {
            return false;
        };
        if name == ROTATION && TendonBaseRotation::suits(object.clone()) {
            let row = TendonBaseRotation::create();
            self.base_mut().add_property_editor(ROTATION, &row);
            return true;
        }
        let label = short_label(&name.to_string());
        let is_narrow = is_narrow(kind, hint);
        if !is_own(&object) || (label.is_none() && !is_narrow) {
            return false;
        }
        self.is_asking = true;
        let usage = usage.ord() as u32;
        // Lets the engine ask this plugin again meanwhile.
        let this = self.base_mut();
        let row = EditorInspector::instantiate_property_editor(
            &object, kind, &name, hint, &hint_text, usage,
        );
        drop(this);
        self.is_asking = false;
        let Some(mut row) = row else {
            return false;
        };
        if is_narrow {
            // An engine that does not know it keeps half of the row for the label.
            row.set("name_split_ratio", &SHARE.to_variant());
        }
        self.base_mut()
            .add_property_editor_ex(&name, &row)
            .label(label.unwrap_or_default())
            .done();
        true
    }
}

fn is_own(object: &Gd<Object>) -> bool {
    object.get_class().to_string().starts_with("Tendon")
}
