//! The list of the pictures in the window, each with the bones that may move it.

use godot::classes::control::SizeFlags;
use godot::classes::tree_item::TreeCellMode;
use godot::classes::{EditorInterface, Tree, TreeItem};
use godot::prelude::*;
use tendon_skin::Movers;

use crate::skin::colours::BoneColours;
use crate::skin::picture::SpritePicture;
use crate::skin::polygon;
use crate::skin::selected::Pictures;

/// The side of the picture of a part, in pixels of the editor's design.
const ICON: f32 = 32.0;

/// The largest number of bones that are named beside a part whose list is closed.
const NAMED: usize = 4;

pub(super) struct MoverTree {
    pub(super) tree: Gd<Tree>,
}

impl MoverTree {
    pub(super) fn new(changed: &Callable) -> Self {
        let mut tree = Tree::new_alloc();
        tree.set_hide_root(true);
        tree.set_v_size_flags(SizeFlags::EXPAND_FILL);
        tree.set_tooltip_text(
            "The bones that move each picture, in the colors of the preview. A click on a box changes them.",
        );
        tree.connect("item_edited", changed);
        Self { tree }
    }

    /// Lists the pictures with all bones, of which the `movers` are checked.
    pub(super) fn show(&self, pictures: &Pictures, movers: &[Movers]) {
        let mut tree = self.tree.clone();
        tree.clear();
        let Some(root) = tree.create_item() else {
            return;
        };
        let nodes = pictures.nodes();
        let palette = BoneColours::of(&pictures.bones);
        for (node, movers) in nodes.iter().zip(movers) {
            let Some(mut part) = tree.create_item_ex().parent(&root).done() else {
                continue;
            };
            part.set_selectable(0, false);
            part.set_collapsed(nodes.len() > 1);
            let scale = EditorInterface::singleton().get_editor_scale();
            if let Some((texture, region)) = picture_of(node) {
                part.set_icon(0, &texture);
                part.set_icon_region(0, region);
                let longer = region.size.x.max(region.size.y).max(1.0);
                let width = ICON * scale * region.size.x / longer;
                part.set_icon_max_width(0, width.max(1.0) as i32);
            }
            for (index, bone) in pictures.bones.iter().enumerate() {
                if let Some(mut item) = tree.create_item_ex().parent(&part).done() {
                    item.set_cell_mode(0, TreeCellMode::CHECK);
                    item.set_editable(0, true);
                    item.set_checked(0, movers.bones.contains(&index));
                    item.set_text(0, &bone.get_name().to_string());
                    item.set_custom_color(0, palette.bright(index));
                }
            }
        }
        self.name_parts(pictures);
    }

    /// Names each picture with the bones that are checked.
    pub(super) fn name_parts(&self, pictures: &Pictures) {
        let parts = self.parts().into_iter().zip(pictures.nodes());
        for ((mut part, node), checked) in parts.zip(self.checked()) {
            let names = checked.iter().filter_map(|&it| pictures.bones.get(it));
            let mut names: Vec<String> = names.map(|bone| bone.get_name().to_string()).collect();
            if names.len() > NAMED {
                let more = names.len() - NAMED;
                names.truncate(NAMED);
                names.push(format!("{more} more"));
            }
            part.set_text(0, &format!("{}: {}", node.get_name(), names.join(", ")));
        }
    }

    /// The indices of the bones that are checked, of each picture.
    pub(super) fn checked(&self) -> Vec<Vec<usize>> {
        let of_part = |part: &Gd<TreeItem>| {
            let items = part.get_children();
            let items = items.iter_shared().enumerate();
            let checked = items.filter(|(_, item)| item.is_checked(0));
            checked.map(|(index, _)| index).collect()
        };
        self.parts().iter().map(of_part).collect()
    }

    fn parts(&self) -> Vec<Gd<TreeItem>> {
        let root = self.tree.clone().get_root();
        let parts = root.map(|root| root.get_children());
        parts.map_or(Vec::new(), |parts| parts.iter_shared().collect())
    }
}

/// Returns the texture of a sprite or a polygon, and the part of it that is seen.
fn picture_of(node: &Gd<Node2D>) -> Option<(Gd<godot::classes::Texture2D>, Rect2)> {
    if let Ok(sprite) = node.clone().try_cast() {
        let (texture, region, _) = SpritePicture::of(&sprite).ok()?.shown();
        return Some((texture, region));
    }
    polygon::picture_of(&node.clone().try_cast().ok()?)
}
