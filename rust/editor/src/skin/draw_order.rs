//! In which order pictures are drawn, and where a skin has to be put so that it is drawn as its sprite was.
//!
//! A skin is no child of a bone, so it is drawn before or after a whole branch of bones. Skins of one branch keep
//! their order among themselves, and what is drawn both over some and under other pictures that stay is told of.

use godot::classes::{
    AnimatedSprite2D, CanvasItem, Control, CpuParticles2D, GpuParticles2D, Line2D, MeshInstance2D,
    MultiMeshInstance2D, Polygon2D, Sprite2D,
};
use godot::prelude::*;

use crate::drawn::z_of;

/// The items of a skeleton, from the first one that is drawn to the last one.
pub(super) struct DrawOrder {
    items: Vec<Gd<CanvasItem>>,
    /// The sprites that are replaced.
    replaced: Vec<InstanceId>,
}

/// The place of a skin in the tree.
pub(super) struct Spot {
    /// The child of the skeleton that the sprite is in.
    pub(super) branch: Gd<Node>,
    /// `true` if it is drawn before the branch, and not after.
    pub(super) is_before: bool,
    /// The items that it is drawn over although the sprite was drawn below them.
    pub(super) covered: Vec<Gd<CanvasItem>>,
}

impl DrawOrder {
    pub(super) fn of(root: &Gd<Node>, replaced: Vec<InstanceId>) -> Self {
        let mut items = Vec::new();
        collect(root, &mut items);
        Self { items, replaced }
    }

    /// The place of `sprite` in the order.
    pub(super) fn index(&self, sprite: &Gd<Sprite2D>) -> Option<usize> {
        let id = sprite.instance_id();
        self.items.iter().position(|item| item.instance_id() == id)
    }

    /// Returns the place of the skin of `sprite` below `parent`, which is above the sprite.
    pub(super) fn spot(&self, sprite: &Gd<Sprite2D>, parent: &Gd<Node>) -> Spot {
        let mut branch: Gd<Node> = sprite.clone().upcast();
        while let Some(above) = branch.get_parent().filter(|above| above != parent) {
            branch = above;
        }
        let index = self.index(sprite);
        let sprite: Gd<CanvasItem> = sprite.clone().upcast();
        let (mut below, mut above) = (false, Vec::new());
        for (other, item) in self.items.iter().enumerate() {
            let stays = draws(item)
                && item.is_visible_in_tree()
                && !self.replaced.contains(&item.instance_id())
                && branch.is_ancestor_of(item)
                && z_of(item) == z_of(&sprite)
                && overlap(item, &sprite);
            match index {
                Some(index) if stays && other < index => below = true,
                Some(index) if stays && other > index => above.push(item.clone()),
                _ => {}
            }
        }
        let is_before = !below && !above.is_empty();
        if is_before {
            above.clear();
        }
        Spot {
            branch,
            is_before,
            covered: above,
        }
    }
}

/// Adds `node` and what is below it, in the order in which the engine draws them.
fn collect(node: &Gd<Node>, items: &mut Vec<Gd<CanvasItem>>) {
    let item = node.clone().try_cast::<CanvasItem>().ok();
    let children: Vec<_> = node.get_children().iter_shared().collect();
    let is_behind = |child: &Gd<Node>| {
        let item = child.clone().try_cast::<CanvasItem>();
        item.is_ok_and(|item| item.is_draw_behind_parent_enabled())
    };
    let (behind, before): (Vec<_>, Vec<_>) = children.into_iter().partition(is_behind);
    behind.iter().for_each(|child| collect(child, items));
    items.extend(item);
    before.iter().for_each(|child| collect(child, items));
}

/// Returns `true` if `item` draws something in a game.
fn draws(item: &Gd<CanvasItem>) -> bool {
    fn is<T: GodotClass + Inherits<CanvasItem>>(item: &Gd<CanvasItem>) -> bool {
        item.clone().try_cast::<T>().is_ok()
    }
    is::<Sprite2D>(item)
        || is::<AnimatedSprite2D>(item)
        || is::<Polygon2D>(item)
        || is::<Line2D>(item)
        || is::<MeshInstance2D>(item)
        || is::<MultiMeshInstance2D>(item)
        || is::<CpuParticles2D>(item)
        || is::<GpuParticles2D>(item)
        || is::<Control>(item)
}

/// Returns `true` if the boxes of two items overlap, on the canvas. An item of an unknown size is everywhere.
fn overlap(one: &Gd<CanvasItem>, other: &Gd<CanvasItem>) -> bool {
    match (box_of(one), box_of(other)) {
        (Some(one), Some(other)) => one.intersects(other),
        _ => true,
    }
}

fn box_of(item: &Gd<CanvasItem>) -> Option<Rect2> {
    let sprite = item.clone().try_cast::<Sprite2D>().ok()?;
    Some(sprite.get_global_transform() * sprite.get_rect())
}
