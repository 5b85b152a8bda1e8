//! A polygon in the place of a sprite.

use godot::classes::{PackedScene, Sprite2D};
use godot::prelude::*;
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::skin::draw_order::Spot;
use crate::skin::rest::SUFFIX;
use crate::skin::subject::SkinSubject;

/// The way in which a sprite is put away once it has a skin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterSkin {
    Hide,
    Remove,
}

impl AfterSkin {
    /// Returns the message about the replaced sprites, when those in `hidden` are hidden.
    pub(super) fn told(self, hidden: &[Gd<Sprite2D>], count: usize) -> String {
        match (self, hidden.len()) {
            (Self::Hide, _) => "What they replace is hidden.".into(),
            (Self::Remove, 0) => "What they replace is removed.".into(),
            (Self::Remove, kept) => format!(
                "What they replace is {}, because it has children or comes from an inherited or instanced scene: {}.",
                if kept == count {
                    "hidden"
                } else {
                    "removed, and hidden"
                },
                names(hidden.iter().cloned())
            ),
        }
    }
}

/// The nodes of a scene itself. Others come with an inherited or an instanced scene: they would be there again when the
/// scene is loaded, and only what is set in them is saved.
pub(super) struct OwnNodes(Vec<NodePath>);

impl OwnNodes {
    /// Those of the scene whose root is `scene`, as it would be saved.
    pub(super) fn of(scene: &Gd<Node>) -> Self {
        let mut packed = PackedScene::new_gd();
        packed.pack(scene);
        let Some(state) = packed.get_state() else {
            return Self(Vec::new());
        };
        // What is only changed here has no class.
        let own = (0..state.get_node_count()).filter(|&it| !state.get_node_type(it).is_empty());
        Self(own.map(|it| state.get_node_path(it)).collect())
    }

    fn contains(&self, scene: &Gd<Node>, node: &Gd<Node>) -> bool {
        let path = format!("./{}", scene.get_path_to(node));
        self.0.contains(&NodePath::from(&path))
    }
}

/// Adds `polygon` where it is drawn as its sprite is, and hides or removes the sprite. What has children, or is not one
/// of the scene's `own` nodes, is hidden. Returns which was done.
pub(super) fn put(
    action: &mut Action,
    subject: &SkinSubject,
    polygon: &Gd<Node>,
    after: AfterSkin,
    spot: &Spot,
    (scene, own): (&Gd<Node>, &OwnNodes),
) -> AfterSkin {
    let mut polygon = polygon.clone();
    polygon.set_name(&format!("{}{SUFFIX}", subject.sprite.get_name()));
    match spot.is_before {
        true => action.add_before(&spot.branch, &polygon),
        false => action.add_after(&spot.branch, &polygon),
    }
    let sprite: Gd<Node> = subject.sprite.clone().upcast();
    let is_free = sprite.get_child_count() == 0 && own.contains(scene, &sprite);
    if after == AfterSkin::Remove && is_free {
        action.remove(&sprite);
        return AfterSkin::Remove;
    }
    let before = subject.sprite.get("visible");
    action.set(&subject.sprite, "visible", &before, &false.to_variant());
    AfterSkin::Hide
}
