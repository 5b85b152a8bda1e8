//! Sprites whose pictures an animation changes: a skin shows one picture.

use std::collections::BTreeSet;

use godot::classes::animation::TrackType;
use godot::classes::{AnimationPlayer, Sprite2D};
use godot::prelude::*;

use crate::selection::all_within;

/// What changes the picture of a sprite.
const PICTURE: [&str; 6] = [
    "frame",
    "frame_coords",
    "texture",
    "region_rect",
    "hframes",
    "vframes",
];

/// What to say of those of `sprites` that show several pictures in animations of their scene.
pub(crate) fn told(scene: &Gd<Node>, sprites: &[Gd<Sprite2D>]) -> Option<String> {
    let changed = changed_in(scene);
    let sprites = sprites.iter();
    let sprites = sprites.filter_map(|sprite| {
        let (_, property) = changed.iter().find(|(id, _)| *id == sprite.instance_id())?;
        Some(format!("\"{}\" ({property})", sprite.get_name()))
    });
    let sprites: Vec<String> = sprites.collect();
    (!sprites.is_empty()).then(|| {
        format!(
            "Animations change the picture of {}: the skin keeps the one that is seen now. For others, make a skin of \
             each, and let the animation show one at a time.",
            sprites.join(", ")
        )
    })
}

/// The sprites whose pictures animations of a scene change, with the property.
fn changed_in(scene: &Gd<Node>) -> BTreeSet<(InstanceId, String)> {
    let mut changed = BTreeSet::new();
    for player in all_within::<AnimationPlayer>(scene) {
        let Some(root) = player.get_node_or_null(&player.get_root_node()) else {
            continue;
        };
        for name in player.get_animation_list().as_slice() {
            let animation = player.get_animation(&StringName::from(name));
            let Some(animation) = animation else { continue };
            for track in 0..animation.get_track_count() {
                let path = animation.track_get_path(track);
                let property = path.get_concatenated_subnames().to_string();
                let first = property.split(':').next().unwrap_or_default();
                let is_value = animation.track_get_type(track) == TrackType::VALUE
                    || animation.track_get_type(track) == TrackType::BEZIER;
                let sprite = root.get_node_or_null(&path);
                let sprite = sprite.and_then(|node| node.try_cast::<Sprite2D>().ok());
                if let Some(sprite) = sprite.filter(|_| is_value && PICTURE.contains(&first)) {
                    changed.insert((sprite.instance_id(), first.to_string()));
                }
            }
        }
    }
    changed
}
