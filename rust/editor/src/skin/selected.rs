//! Which pictures and bones are selected, and which of the bones move each of the pictures.

use godot::classes::animation::TrackType;
use godot::classes::{Bone2D, Polygon2D, Sprite2D};
use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_skin::{Cover, Movers};

use crate::parts::animations::{SceneTrack, tracks_of};
use crate::refusal::Refusal;
use crate::selection::{Selection, is_edited, selected};
use crate::skin::options::SkinOptions;
use crate::skin::picture::wide;
use crate::skin::subject::SkinSubject;
use crate::skin::{polygon, rest};

/// The properties that change the picture of a sprite.
const PICTURE: &str = "frame frame_coords texture region_rect hframes vframes";

/// The pictures that are to be skinned, and the bones that are to move them.
#[derive(Clone)]
pub(crate) struct Pictures {
    pub(super) scene: Gd<Node>,
    pub(super) sprites: Vec<Gd<Sprite2D>>,
    pub(super) polygons: Vec<Gd<Polygon2D>>,
    pub(super) bones: Vec<Gd<Bone2D>>,
    /// Bones are selected. If not, each picture goes with those of the skeleton that lie inside its drawing.
    pub(super) are_bones_chosen: bool,
}

impl Pictures {
    /// # Errors
    /// Returns an error that names the nodes to select, if there is no picture, or that the skeleton has no bones.
    pub(crate) fn selected(selection: &Selection) -> Result<Self, Refusal> {
        let (sprites, polygons) = (selected(), selected());
        if sprites.is_empty() && polygons.is_empty() {
            return Err(
                "Select Sprite2D or Polygon2D nodes, and with them the skeleton or bones.".into(),
            );
        }
        let chosen: Vec<Gd<Bone2D>> = selected();
        let are_bones_chosen = !chosen.is_empty();
        let bones = if are_bones_chosen {
            chosen
        } else {
            bones_of(&selection.skeleton)
        };
        match bones.is_empty() {
            true => Err("The skeleton has no bones.".into()),
            false => Ok(Self {
                scene: selection.scene.clone(),
                sprites,
                polygons,
                bones,
                are_bones_chosen,
            }),
        }
    }

    /// All pictures: sprites, and then polygons.
    pub(super) fn nodes(&self) -> Vec<Gd<Node2D>> {
        let sprites = self.sprites.iter().map(|it| it.clone().upcast());
        let polygons = self.polygons.iter().map(|it| it.clone().upcast());
        sprites.chain(polygons).collect()
    }

    /// Returns `true` if all of them are still in the edited scene.
    pub(super) fn are_there(&self) -> bool {
        is_edited(&self.scene)
            && self.sprites.iter().all(is_edited)
            && self.polygons.iter().all(is_edited)
            && self.bones.iter().all(is_edited)
    }
}

/// The bones of each picture, of sprites and then of polygons: by their indices in those that may move them.
///
/// # Errors
/// Returns an error if a picture or the bones cannot be used.
pub(super) fn choose(pictures: &Pictures, options: &SkinOptions) -> Result<Vec<Movers>, Refusal> {
    let all = &pictures.bones;
    if pictures.are_bones_chosen {
        let chosen = Movers {
            bones: (0..all.len()).collect(),
            are_beside: false,
        };
        let count = pictures.sprites.len() + pictures.polygons.len();
        return Ok(vec![chosen; count]);
    }
    rest::skeleton_of(all)?;
    let mut parts = Vec::new();
    for sprite in &pictures.sprites {
        let subject = SkinSubject::new(&sprite.clone().upcast(), all.clone())?;
        parts.push(subject.part(options)?);
    }
    for polygon in &pictures.polygons {
        parts.push(polygon::part_of(polygon, all)?);
    }
    Ok(Cover::movers(&parts, &rest::bones_at_rest(all, wide)))
}

/// Returns `true` if `bones` are all those of their skeleton: each picture then chooses its own of them.
pub(crate) fn are_all(bones: &[Gd<Bone2D>]) -> bool {
    let skeleton = rest::skeleton_of(bones);
    skeleton.is_ok_and(|skeleton| bones_of(&skeleton).iter().all(|bone| bones.contains(bone)))
}

/// Returns the message about a picture without a bone in it.
pub(crate) fn told_of_beside(name: &StringName, bone: &StringName) -> String {
    format!(
        "No bone lies inside \"{name}\": it follows \"{bone}\", the nearest one, and stays stiff."
    )
}

/// Returns the message about those of `sprites` that show several pictures in animations of their scene.
pub(crate) fn told_of_animated(scene: &Gd<Node>, sprites: &[Gd<Sprite2D>]) -> Option<String> {
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
