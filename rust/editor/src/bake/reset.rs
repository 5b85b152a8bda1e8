//! Tracks of the animation RESET, to which the editor goes back when it saves a scene.

use godot::classes::animation::TrackType;
use godot::classes::{Animation, AnimationLibrary, AnimationPlayer};
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::bake::playback::resolved_tracks;
use crate::bake::tracks::{append_tracks, is_foreign};
use crate::selection::all_within;

const RESET: &str = "RESET";

/// The length of an animation that is one pose, as the editor makes it.
const LENGTH: f32 = 0.001;

/// Gives the animation RESET of `player` a key of what each property of `tracks` is now, unless it
/// has a track for it. Adds that animation, and its library, where they are missing. One of another
/// scene is left as it is.
pub(crate) fn add_tracks(
    player: &Gd<AnimationPlayer>,
    tracks: &Gd<Animation>,
    root: &Gd<Node>,
    scene: &Gd<Node>,
    action: &mut Action,
) {
    let has_reset = player.has_animation(RESET);
    let present = has_reset.then(|| player.get_animation(RESET)).flatten();
    match present {
        Some(reset) if is_foreign(&reset, scene) => {}
        Some(reset) => {
            let pose = pose_of(tracks, root);
            let is_missing = |track: &i32| {
                let path = pose.track_get_path(*track);
                reset.find_track(&path, pose.track_get_type(*track)) < 0
            };
            let missing: Vec<_> = (0..pose.get_track_count()).filter(is_missing).collect();
            append_tracks(&pose, &missing, &reset, reset.get_track_count(), action);
        }
        None => add_animation(player, &pose_of(tracks, root), action),
    }
}

/// An animation with one key for each property of `tracks`.
fn pose_of(tracks: &Gd<Animation>, root: &Gd<Node>) -> Gd<Animation> {
    let mut pose = Animation::new_gd();
    pose.set_length(LENGTH);
    for (track, object, property) in resolved_tracks(tracks, root) {
        let added = pose.add_track(tracks.track_get_type(track));
        pose.track_set_path(added, &tracks.track_get_path(track));
        // The engine warns of tracks that differ in that.
        let interpolation = tracks.track_get_interpolation_type(track);
        pose.track_set_interpolation_type(added, interpolation);
        pose.track_insert_key(added, 0.0, &object.get_indexed(&property));
    }
    pose
}

fn add_animation(player: &Gd<AnimationPlayer>, pose: &Gd<Animation>, action: &mut Action) {
    let has_library = player.has_animation_library("");
    let library = has_library.then(|| player.get_animation_library(""));
    let library = library.flatten().unwrap_or_else(|| {
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

/// Gives the keys of the animations RESET of `scene` the poses `after`, as parts of an undo step.
/// Otherwise the editor would go back to the keys when it saves the scene. The bones hold their
/// base pose. Returns what was done, as the end of a sentence.
pub(crate) fn update(scene: &Gd<Node>, after: &[NodePose], action: &mut Action) -> String {
    let base = after.iter().map(|after| NodePose::of(&after.node));
    let base: Vec<_> = base.collect();
    after.iter().for_each(NodePose::restore);
    let (mut updated, mut foreign) = (Vec::new(), Vec::new());
    for player in resetting_players(scene) {
        let Some(keys) = keys_of(&player, after).filter(|keys| !keys.is_empty()) else {
            continue;
        };
        if keys.iter().any(|key| is_foreign(&key.animation, scene)) {
            foreign.push(player);
            continue;
        }
        keys.iter().for_each(|key| key.set(action));
        updated.push(player);
    }
    base.iter().for_each(NodePose::restore);
    let mut told = String::new();
    if !updated.is_empty() {
        told += &format!(", and in the animation RESET of {}", names(updated));
    }
    if !foreign.is_empty() {
        told += &format!(
            ". But saving goes back to the animation RESET of {}, which belongs to another scene",
            names(foreign)
        );
    }
    told
}

/// The players of `scene` that go back to RESET when it is saved.
fn resetting_players(scene: &Gd<Node>) -> Vec<Gd<AnimationPlayer>> {
    let mut players = all_within::<AnimationPlayer>(scene);
    players.retain(|player| player.is_reset_on_save_enabled() && player.has_animation(RESET));
    players
}

/// The first key of a track, and what it is to be.
struct Key {
    animation: Gd<Animation>,
    track: i32,
    method: &'static str,
    before: Variant,
    after: Variant,
}

impl Key {
    fn set(&self, action: &mut Action) {
        let arguments = |value: &Variant| [self.track.to_variant(), 0.to_variant(), value.clone()];
        action.when_done(&self.animation, self.method, &arguments(&self.after));
        action.when_undone(&self.animation, self.method, &arguments(&self.before));
    }
}

/// The keys in the animation RESET of `player` for the bones of `after`, which hold these poses.
fn keys_of(player: &Gd<AnimationPlayer>, after: &[NodePose]) -> Option<Vec<Key>> {
    let animation = player.get_animation(RESET)?;
    let root = player.get_node_or_null(&player.get_root_node())?;
    let keys = resolved_tracks(&animation, &root).filter_map(|(track, object, property)| {
        let id = object.instance_id();
        let is_meant = after.iter().any(|after| after.node.instance_id() == id);
        if !is_meant || animation.track_get_key_count(track) == 0 {
            return None;
        }
        let (method, before) = match animation.track_get_type(track) {
            TrackType::VALUE => (
                "track_set_key_value",
                animation.track_get_key_value(track, 0),
            ),
            TrackType::BEZIER => (
                "bezier_track_set_key_value",
                animation.bezier_track_get_key_value(track, 0).to_variant(),
            ),
            _ => return None,
        };
        Some(Key {
            animation: animation.clone(),
            track,
            method,
            before,
            after: object.get_indexed(&property),
        })
    });
    Some(keys.collect())
}
