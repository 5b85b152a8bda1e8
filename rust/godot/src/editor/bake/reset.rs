//! Tracks of the animation RESET, to which the editor goes back when it saves a scene.

use godot::classes::{Animation, AnimationLibrary, AnimationPlayer};
use godot::prelude::*;

use crate::editor::action::Action;
use crate::editor::bake::playback::resolve;
use crate::editor::bake::tracks::{append_tracks, is_foreign};

const RESET: &str = "RESET";

/// The length of an animation that is one pose, as the editor makes it.
const LENGTH: f32 = 0.001;

/// Gives the animation RESET of `player` a key of what each property of `tracks` is now, unless it
/// has a track for it. Adds that animation, and its library, where they are missing. One of another
/// scene is left as it is.
pub(super) fn add_tracks(
    player: &Gd<AnimationPlayer>,
    tracks: &Gd<Animation>,
    root: &Gd<Node>,
    scene: &Gd<Node>,
    action: &mut Action,
) {
    let present = player
        .has_animation(RESET)
        .then(|| player.get_animation(RESET));
    let present = present.flatten();
    if present
        .as_ref()
        .is_some_and(|reset| is_foreign(reset, scene))
    {
        return;
    }
    let pose = pose_of(tracks, root);
    let is_missing = |track: &i32| {
        let path = pose.track_get_path(*track);
        let kind = pose.track_get_type(*track);
        present
            .as_ref()
            .is_none_or(|reset| reset.find_track(&path, kind) < 0)
    };
    let missing: Vec<_> = (0..pose.get_track_count()).filter(is_missing).collect();
    match present {
        Some(reset) => append_tracks(&pose, &missing, &reset, reset.get_track_count(), action),
        None => add_animation(player, &pose, action),
    }
}

/// An animation with one key for each property of `tracks`.
fn pose_of(tracks: &Gd<Animation>, root: &Gd<Node>) -> Gd<Animation> {
    let mut pose = Animation::new_gd();
    pose.set_length(LENGTH);
    for track in 0..tracks.get_track_count() {
        let path = tracks.track_get_path(track);
        let Some((object, property)) = resolve(root, &path) else {
            continue;
        };
        let added = pose.add_track(tracks.track_get_type(track));
        pose.track_set_path(added, &path);
        pose.track_insert_key(added, 0.0, &object.get_indexed(&property));
    }
    pose
}

fn add_animation(player: &Gd<AnimationPlayer>, pose: &Gd<Animation>, action: &mut Action) {
    let library = match player.has_animation_library("") {
        true => player.get_animation_library(""),
        false => None,
    };
    let library = library.unwrap_or_else(|| {
        let library = AnimationLibrary::new_gd();
        let name = StringName::default().to_variant();
        let arguments = [name, library.to_variant()];
        action.when_done(player, "add_animation_library", &arguments);
        action.when_undone(player, "remove_animation_library", &arguments[..1]);
        library
    });
    let arguments = [StringName::from(RESET).to_variant(), pose.to_variant()];
    action.when_done(&library, "add_animation", &arguments);
    action.when_undone(&library, "remove_animation", &arguments[..1]);
}
