//! Animations that play in the editor now: what they set, they set again in each frame.

use godot::classes::{Animation, AnimationMixer, AnimationPlayer, AnimationTree};
use godot::prelude::*;

use crate::bake::playback::resolved_tracks;
use crate::selection::all_within;

/// Returns the reason that `nodes` would not keep a pose, with advice: an animation that plays sets one of them.
pub(super) fn reason_to_wait<T: Inherits<Node>>(
    scene: &Gd<Node>,
    nodes: &[Gd<T>],
) -> Option<String> {
    let nodes: Vec<_> = nodes.iter().map(Gd::instance_id).collect();
    all_within::<AnimationMixer>(scene)
        .into_iter()
        .find_map(|mixer| {
            let (player, advice) = playing(&mixer)?;
            let root = player.get_node_or_null(&player.get_root_node())?;
            let animations = animations_of(&mixer, &player).into_iter();
            let mut objects = animations.flat_map(|animation| {
                let tracks = resolved_tracks(&animation, &root);
                tracks.map(|(_, object, _)| object).collect::<Vec<_>>()
            });
            let object = objects.find(|object| nodes.contains(&object.instance_id()))?;
            let name = object.get("name").stringify();
            let mixer = mixer.get_name();
            Some(format!(
                "\"{mixer}\" is playing, and sets \"{name}\" again in each frame. {advice}"
            ))
        })
}

/// Returns the node that has the animations that `mixer` plays now, and the advice how to stop it.
fn playing(mixer: &Gd<AnimationMixer>) -> Option<(Gd<AnimationMixer>, &'static str)> {
    match mixer.clone().try_cast::<AnimationTree>() {
        Ok(tree) => {
            let player = tree.get_node_or_null(&tree.get_animation_player());
            let player = player.and_then(|player| player.try_cast().ok());
            let is_playing = tree.is_active();
            is_playing.then(|| {
                let player = player.unwrap_or_else(|| mixer.clone());
                (player, "Switch off its property Active to pose it.")
            })
        }
        Err(mixer) => {
            let player = mixer.clone().try_cast::<AnimationPlayer>().ok()?;
            let is_playing = player.is_playing();
            is_playing.then_some((mixer, "Stop it to pose it."))
        }
    }
}

/// The animations that are played: of a tree, any.
fn animations_of(mixer: &Gd<AnimationMixer>, player: &Gd<AnimationMixer>) -> Vec<Gd<Animation>> {
    let names = match mixer.clone().try_cast::<AnimationPlayer>() {
        Ok(player) => vec![GString::from(&player.get_current_animation().to_string())],
        Err(_) => player.get_animation_list().to_vec(),
    };
    let animations = names.iter();
    let animations = animations.filter_map(|name| player.get_animation(&StringName::from(name)));
    animations.collect()
}
