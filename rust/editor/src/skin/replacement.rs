//! A polygon in the place of a sprite.

use godot::classes::Sprite2D;
use godot::prelude::*;
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::skin::subject::Subject;

/// What becomes of a sprite that has a skin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterSkin {
    Hide,
    Remove,
}

impl AfterSkin {
    /// What is said when the sprites in `hidden` are.
    pub(super) fn told(self, hidden: &[Gd<Sprite2D>]) -> String {
        match (self, hidden.is_empty()) {
            (Self::Hide, _) => "What they replace is hidden.".into(),
            (Self::Remove, true) => "What they replace is removed.".into(),
            (Self::Remove, false) => format!(
                "What they replace is removed, and hidden where it has children: {}.",
                names(hidden.iter().cloned())
            ),
        }
    }
}

/// Adds `polygon` where it is drawn as its sprite is, and hides or removes the sprite. What has children is hidden.
/// Returns which was done.
pub(super) fn put(
    action: &mut Action,
    subject: &Subject,
    polygon: &Gd<Node>,
    after: AfterSkin,
) -> AfterSkin {
    let (parent, _) = subject.place();
    // Below the skeleton, it is drawn after the branch of bones that the sprite is in.
    let mut branch: Gd<Node> = subject.sprite.clone().upcast();
    while let Some(above) = branch.get_parent().filter(|above| *above != parent) {
        branch = above;
    }
    let mut polygon = polygon.clone();
    polygon.set_name(&format!("{}Skin", subject.sprite.get_name()));
    action.add_after(&branch, &polygon);
    if after == AfterSkin::Remove && subject.sprite.get_child_count() == 0 {
        action.remove(&subject.sprite.clone().upcast());
        return AfterSkin::Remove;
    }
    let before = subject.sprite.get("visible");
    action.set(&subject.sprite, "visible", &before, &false.to_variant());
    AfterSkin::Hide
}
