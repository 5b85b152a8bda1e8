//! Tracks that are added to animations, as parts of an undo step.

use godot::classes::Animation;
use godot::prelude::*;

use crate::editor::action::Action;

/// Whether `animation` is saved with another scene than the one whose root is `scene`.
pub(super) fn is_foreign(animation: &Gd<Animation>, scene: &Gd<Node>) -> bool {
    let path = animation.get_path().to_string();
    let file = path
        .split_once("::")
        .map_or(path.as_str(), |(file, _)| file);
    let is_resource = file.is_empty() || file.ends_with(".tres") || file.ends_with(".res");
    !is_resource && scene.get_scene_file_path() != file
}

/// Appends the tracks of `from` at `indices` to `animation`, which then has `first` of its own.
pub(super) fn append_tracks(
    from: &Gd<Animation>,
    indices: &[i32],
    animation: &Gd<Animation>,
    first: i32,
    action: &mut Action,
) {
    for (place, &track) in (first..).zip(indices) {
        let arguments = [track.to_variant(), animation.to_variant()];
        action.when_done(from, "copy_track", &arguments);
        action.when_undone(animation, "remove_track", &[place.to_variant()]);
    }
}
