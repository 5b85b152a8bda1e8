//! Which pictures and bones are selected.

use godot::classes::{Bone2D, Polygon2D, Sprite2D};
use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;

use crate::refusal::Refusal;
use crate::selection::{Selection, is_edited, selected_nodes};

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
        let nodes = selected_nodes();
        let sprites = all_of(&nodes);
        let polygons = all_of(&nodes);
        if sprites.is_empty() && polygons.is_empty() {
            return Err(
                "Select Sprite2D or Polygon2D nodes, and with them the skeleton or bones.".into(),
            );
        }
        let chosen: Vec<Gd<Bone2D>> = all_of(&nodes);
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

fn all_of<T: Inherits<Node>>(nodes: &[Gd<Node>]) -> Vec<Gd<T>> {
    nodes
        .iter()
        .filter_map(|node| node.clone().try_cast().ok())
        .collect()
}
