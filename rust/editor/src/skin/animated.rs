//! Sprites whose pictures an animation changes: a skin shows one picture.

use godot::classes::Sprite2D;
use godot::classes::animation::TrackType;
use godot::prelude::*;

use crate::parts::animations::{SceneTrack, tracks_of};

/// The properties that change the picture of a sprite.
const PICTURE: &str = "frame frame_coords texture region_rect hframes vframes";

/// Returns the message about those of `sprites` that show several pictures in animations of their scene.
pub(crate) fn told(scene: &Gd<Node>, sprites: &[Gd<Sprite2D>]) -> Option<String> {
    let tracks = tracks_of(scene);
    let changes = |track: &SceneTrack| {
        let kind = track.animation.track_get_type(track.index);
        matches!(kind, TrackType::VALUE | TrackType::BEZIER)
            && PICTURE
                .split(' ')
                .any(|property| property == track.property())
    };
    let sprites = sprites.iter().filter_map(|sprite| {
        let mut of_sprite = tracks
            .iter()
            .filter(|it| it.node.instance_id() == sprite.instance_id());
        let track = of_sprite.find(|track| changes(track))?;
        Some(format!("\"{}\" ({})", sprite.get_name(), track.property()))
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
