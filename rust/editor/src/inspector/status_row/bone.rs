//! What the row shows of a bone: which modifiers drive it.

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::inspector::driven_bone::{self, DrivenBone};
use crate::inspector::status_row::content::{Content, GREY, Note};

/// What drives `bone`, if its skeleton has a rig.
pub(super) fn bone_content(bone: &Gd<Bone2D>) -> Option<Content> {
    driven_bone::rig_above(bone)?;
    let Some(driven) = DrivenBone::of(bone) else {
        return Some(Content {
            word: "Not driven by a modifier".into(),
            colour: GREY,
            ..Content::default()
        });
    };
    let shown = match driven.reason_for_idle {
        Some(reason) => reason.to_lowercase(),
        None => format!("shown {:.1}°", bone.get_rotation().to_degrees()),
    };
    let text = format!(
        "{}: base {:.1}°, {shown}",
        driven.drivers.join(", "),
        driven.base.rotation.to_degrees()
    );
    Some(Content {
        word: "Driven by a modifier".into(),
        colour: "accent_color",
        note: Note::fact(text),
        ..Content::default()
    })
}
