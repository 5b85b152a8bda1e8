//! A copy of an animation that gets what is baked.

use godot::classes::{Animation, AnimationPlayer};
use godot::prelude::*;

use crate::editor::action::Action;

/// Adds a copy of `animation`, which `player` has under `name`, to its library: with `tracks` in place of those
/// at the indices `replaced`, and `ending` after its name. Returns its name there.
///
/// # Errors
/// Why that is not possible.
pub(super) fn add_copy(
    player: &Gd<AnimationPlayer>,
    (animation, name): (&Gd<Animation>, &StringName),
    ending: &str,
    tracks: &Gd<Animation>,
    replaced: &[i32],
    action: &mut Action,
) -> Result<String, String> {
    let library = player.find_animation_library(animation);
    let key = library.to_string();
    let library = player.get_animation_library(&library);
    let library = library.ok_or("The animation is in no library of the player.")?;
    let mut copy = animation.duplicate_resource();
    for &track in replaced.iter().rev() {
        copy.remove_track(track);
    }
    for track in 0..tracks.get_track_count() {
        tracks.clone().copy_track(track, &copy);
    }
    let own = name.to_string();
    let stem = own.rsplit('/').next().unwrap_or_default().to_owned() + ending;
    let name = (1..)
        .map(|number| match number {
            1 => stem.clone(),
            _ => format!("{stem}_{number}"),
        })
        .find(|name| !library.has_animation(name.as_str()))
        .unwrap_or(stem);
    let arguments = [StringName::from(&name).to_variant(), copy.to_variant()];
    action.when_done(&library, "add_animation", &arguments);
    action.when_undone(&library, "remove_animation", &arguments[..1]);
    Ok(match key.is_empty() {
        true => name,
        false => format!("{key}/{name}"),
    })
}
