//! Pinned bones. A pin is metadata of the bone, so that it is saved with the scene.

use godot::classes::{Bone2D, EditorInterface};
use godot::prelude::*;

use crate::action::Action;
use crate::refusal::Refusal;

/// The metadata. What begins with an underscore is not shown in the inspector.
const PIN: &str = "_tendon_pin_";

pub(super) fn is_pinned(bone: &Gd<Bone2D>) -> bool {
    bone.has_meta(PIN)
}

/// Pins `bone`, or releases it, as one undo step.
///
/// # Errors
/// Why that is not possible, in words.
pub(super) fn switch_pin(bone: &Gd<Bone2D>) -> Result<(), Refusal> {
    let scene = EditorInterface::singleton().get_edited_scene_root();
    let scene = scene.ok_or("Open a scene first.")?;
    let (name, is_on) = (bone.get_name(), is_pinned(bone));
    let title = match is_on {
        true => format!("Release \"{name}\""),
        false => format!("Pin \"{name}\""),
    };
    let mut action = Action::begin(&title, &scene)?;
    action.mark(bone, PIN, !is_on);
    action.commit();
    Ok(())
}
