//! Which bones move each of the pictures.

use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_skin::glam::DVec2;
use tendon_skin::{Movers, Part};

use crate::refusal::Refusal;
use crate::skin::options::SkinOptions;
use crate::skin::polygon;
use crate::skin::rest;
use crate::skin::selected::Pictures;
use crate::skin::subject::SkinSubject;

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
    let place = |place: Vector2| DVec2::new(f64::from(place.x), f64::from(place.y));
    Ok(Part::movers(&parts, &rest::bones_at_rest(all, place)))
}

/// Returns `true` if `bones` are all those of their skeleton: each picture then chooses its own of them.
pub(crate) fn are_all(bones: &[Gd<godot::classes::Bone2D>]) -> bool {
    let skeleton = rest::skeleton_of(bones);
    skeleton.is_ok_and(|skeleton| bones_of(&skeleton).iter().all(|bone| bones.contains(bone)))
}

/// Returns the message about a picture without a bone in it.
pub(crate) fn told_of_beside(name: &StringName, bone: &StringName) -> String {
    format!(
        "No bone lies inside \"{name}\": it follows \"{bone}\", the nearest one, and stays stiff."
    )
}
