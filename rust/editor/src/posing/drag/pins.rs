//! Pinned bones. A pin is metadata of the bone, so that it is saved with the scene.

use godot::classes::{Bone2D, EditorInterface};
use godot::prelude::*;

use crate::action::Action;

/// The metadata. What begins with an underscore is not shown in the inspector.
const PIN: &str = "_tendon_pin_";

pub(super) fn is_pinned(bone: &Gd<Bone2D>) -> bool {
    bone.has_meta(PIN)
}

/// Pins `bone`, or releases it, as one undo step.
///
/// # Errors
/// Why that is not possible, in words.
pub(super) fn switch_pin(bone: &Gd<Bone2D>) -> Result<(), String> {
    let scene = EditorInterface::singleton().get_edited_scene_root();
    let scene = scene.ok_or("Open a scene first.")?;
    let (name, is_on) = (bone.get_name(), is_pinned(bone));
    let title = match is_on {
        true => format!("Release \"{name}\""),
        false => format!("Pin \"{name}\""),
    };
    let mut action = Action::begin(&title, &scene)?;
    let set = ("set_meta", vec![PIN.to_variant(), true.to_variant()]);
    let remove = ("remove_meta", vec![PIN.to_variant()]);
    let [(done, with), (undone, without)] = match is_on {
        true => [remove, set],
        false => [set, remove],
    };
    action.when_done(bone, done, &with);
    action.when_undone(bone, undone, &without);
    action.commit();
    Ok(())
}
