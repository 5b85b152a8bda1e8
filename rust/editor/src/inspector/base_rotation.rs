//! The row in the inspector in which the rotation of a bone is typed.
//!
//! A bone that a modifier turns holds its solved rotation. The engine's row would show that, and a
//! value that is typed into it would jump back at once, since it becomes the base rotation. So this
//! row shows and changes the base rotation of such a bone, and says so. For all other nodes it is
//! what the engine's row is. Where several nodes are selected, it shows the rotation of the first
//! one and changes that of all of them, as the engine's row does.

use godot::classes::{Bone2D, EditorProperty, EditorSpinSlider, IEditorProperty};
use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::inspector::driven_bone::{DrivenBone, rig_above};
use crate::selection::edited_nodes;

/// The property that it edits.
pub(super) const ROTATION: &str = "rotation";

/// Seconds between two updates. No signal reports that a base pose has changed.
const PERIOD: f64 = 0.1;

/// In place of the engine's row for the rotation of a bone.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorProperty)]
pub(super) struct TendonBaseRotation {
    field: Option<Gd<EditorSpinSlider>>,
    /// Seconds since the last update.
    elapsed: f64,
    base: Base<EditorProperty>,
}

#[godot_api]
impl IEditorProperty for TendonBaseRotation {
    #[func(gd_self)]
    fn process(mut this: Gd<Self>, delta: f64) {
        let elapsed = this.bind().elapsed + delta;
        let is_due = elapsed >= PERIOD;
        this.bind_mut().elapsed = if is_due { 0.0 } else { elapsed };
        if is_due {
            Self::refresh(this);
        }
    }

    #[func(gd_self)]
    fn update_property(this: Gd<Self>) {
        Self::refresh(this);
    }

    #[func(gd_self)]
    fn set_read_only(this: Gd<Self>, read_only: bool) {
        let field = this.bind().field.clone();
        if let Some(mut field) = field {
            field.set_read_only(read_only);
        }
    }
}

#[godot_api]
impl TendonBaseRotation {
    /// The rigs restore the base pose first. So undo goes back to the base pose, and the value is a
    /// new base rotation even if it equals the solved one.
    #[func(gd_self)]
    fn on_value_changed(this: Gd<Self>, degrees: f64) {
        for node in Self::nodes(&this) {
            if let Some(driven) = driver_of(&node) {
                TendonRig2D::restore_pose(driven.rig);
            }
        }
        let mut row = this.upcast::<EditorProperty>();
        row.emit_changed(ROTATION, &degrees.to_radians().to_variant());
    }
}

impl TendonBaseRotation {
    /// Returns `true` if `object` of the inspector is, or stands for, a bone of a skeleton with a rig.
    pub(super) fn suits(object: Gd<Object>) -> bool {
        let mut nodes = edited_nodes(object).into_iter();
        nodes.any(|node| {
            let bone = node.try_cast::<Bone2D>();
            bone.is_ok_and(|bone| rig_above(&bone).is_some())
        })
    }

    /// A new row. The inspector tells it what it edits.
    pub(super) fn create() -> Gd<Self> {
        let mut row = Self::new_alloc();
        let mut field = EditorSpinSlider::new_alloc();
        // As Node2D declares it.
        field.set_min(-360.0);
        field.set_max(360.0);
        field.set_step(0.1);
        field.set_allow_greater(true);
        field.set_allow_lesser(true);
        field.set_suffix("°");
        field.set_flat(true);
        let on_value_changed = Callable::from_object_method(&row, "on_value_changed");
        field.connect("value_changed", &on_value_changed);
        row.add_child(&field);
        row.add_focusable(&field);
        row.bind_mut().field = Some(field);
        row.set_process(true);
        row
    }

    fn nodes(this: &Gd<Self>) -> Vec<Gd<Node>> {
        let object = this.get_edited_object().filter(Gd::is_instance_valid);
        object.map_or(Vec::new(), edited_nodes)
    }

    /// Shows the rotation as it is now.
    fn refresh(mut this: Gd<Self>) {
        let nodes = Self::nodes(&this);
        let Some(first) = nodes.first() else {
            return;
        };
        let is_driven = |driven: &DrivenBone| driven.reason_for_idle.is_none();
        let rotation = match driver_of(first).filter(is_driven) {
            Some(driven) => driven.base.rotation,
            None => first.get(ROTATION).try_to().unwrap_or(0.0),
        };
        let mut drivers = nodes.iter().filter_map(driver_of);
        let label = match drivers.any(|driven| is_driven(&driven)) {
            true => "Base Angle",
            false => "Rotation",
        };
        if this.get_label() != label {
            this.set_label(label);
        }
        let field = this.bind().field.clone();
        if let Some(mut field) = field {
            field.set_value_no_signal(f64::from(rotation).to_degrees());
        }
    }
}

/// The driven bone that `node` is, if a modifier turns it.
fn driver_of(node: &Gd<Node>) -> Option<DrivenBone> {
    let bone = node.clone().try_cast::<Bone2D>().ok()?;
    DrivenBone::of(&bone)
}
