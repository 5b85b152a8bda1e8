//! What is seen of skeletons: sprites, polygons and the like, and the bones that they belong to.

use std::collections::HashMap;

use godot::classes::{
    Bone2D, CanvasItem, Control, EditorInterface, Geometry2D, Line2D, Polygon2D, RemoteTransform2D,
    Skeleton2D, Sprite2D,
};
use godot::obj::InstanceId;
use godot::prelude::*;
use tendon_nodes::engine::children::find_all;
use tendon_nodes::engine::skeleton::skeleton_of_bone;
use tendon_nodes::engine::threads::with_ancestors;

use crate::drawn::{around, drawn_rect, points_of, z_of};
use crate::posing::skin::PosedPolygon;
use crate::selection::all_within;

/// Something that is drawn for a skeleton.
pub(super) struct Picture {
    pub(super) item: Gd<CanvasItem>,
    pub(super) skeleton: Gd<Skeleton2D>,
    carrier: PictureMover,
    /// Its outline on the canvas; empty if it is not known.
    outline: Vec<Vector2>,
}

/// The bone or the skin that moves a picture.
enum PictureMover {
    Bone(Gd<Bone2D>),
    /// The bones of a polygon, by weights.
    Skin(PosedPolygon),
}

/// All pictures of the scene that are visible, those in front last.
pub(super) fn pictures_in(scene: &Gd<Node>) -> Vec<Picture> {
    let remote = carried_from_afar(scene);
    let items = all_within::<CanvasItem>(scene).into_iter();
    let pictures = items.filter_map(|item| Picture::of(item, &remote));
    let mut pictures: Vec<_> = pictures.collect();
    // The tree's order decides where this does not.
    pictures.sort_by_key(|picture| z_of(&picture.item));
    pictures
}

impl Picture {
    fn of(item: Gd<CanvasItem>, remote: &HashMap<InstanceId, Gd<Bone2D>>) -> Option<Self> {
        let is_skeletal = item.is_class("Skeleton2D") || item.is_class("Bone2D");
        if is_skeletal || !item.is_visible_in_tree() {
            return None;
        }
        let polygon = item.clone().try_cast::<Polygon2D>().ok();
        if let Some(skin) = polygon.as_ref().and_then(PosedPolygon::of) {
            return Some(Self {
                item,
                skeleton: skin.skeleton.clone(),
                outline: skin.outline(),
                carrier: PictureMover::Skin(skin),
            });
        }
        let node = item.clone().upcast::<Node>();
        let bone = with_ancestors(&node).find_map(|node| {
            let own = node.clone().try_cast::<Bone2D>().ok();
            own.or_else(|| remote.get(&node.instance_id()).cloned())
        })?;
        let frame = item.get_canvas_transform() * item.get_global_transform();
        let outline = outline_of(&item).into_iter().map(|point| frame * point);
        Some(Self {
            item,
            skeleton: skeleton_of_bone(&bone)?,
            carrier: PictureMover::Bone(bone),
            outline: outline.collect(),
        })
    }

    /// The smallest part of the canvas that has all of it.
    pub(super) fn extent(&self) -> Option<Rect2> {
        let points = self.outline.iter().copied();
        around(points.filter(|point| point.is_finite()))
    }

    /// The bone that `place` of the canvas belongs to, if the picture is seen there.
    fn bone_at(&self, place: Vector2) -> Option<Gd<Bone2D>> {
        if !self.outline.iter().all(|point| point.is_finite()) {
            return None;
        }
        let outline: PackedVector2Array = self.outline.iter().copied().collect();
        let is_within = Geometry2D::singleton().is_point_in_polygon(place, &outline);
        if !is_within || !self.is_opaque(place) {
            return None;
        }
        match &self.carrier {
            PictureMover::Bone(bone) => Some(bone.clone()),
            PictureMover::Skin(skin) => skin.bone_at(place),
        }
    }

    fn is_opaque(&self, place: Vector2) -> bool {
        let Ok(sprite) = self.item.clone().try_cast::<Sprite2D>() else {
            return true;
        };
        let frame = sprite.get_canvas_transform() * sprite.get_global_transform();
        sprite.is_pixel_opaque(frame.affine_inverse() * place)
    }
}

/// The bone of the picture in front at `mouse`, in the pixels of the viewport.
pub(super) fn bone_of_picture_at(scene: &Gd<Node>, mouse: Vector2) -> Option<Gd<Bone2D>> {
    let viewport = EditorInterface::singleton().get_editor_viewport_2d()?;
    let canvas = viewport.get_global_canvas_transform();
    let place = canvas.affine_inverse() * mouse;
    let pictures = pictures_in(scene).into_iter().rev();
    pictures
        .into_iter()
        .find_map(|picture| picture.bone_at(place))
}

/// The nodes that bones carry although they are elsewhere in the tree.
fn carried_from_afar(scene: &Gd<Node>) -> HashMap<InstanceId, Gd<Bone2D>> {
    let remotes = find_all::<RemoteTransform2D>(scene, "RemoteTransform2D").into_iter();
    let carried = remotes.filter_map(|remote| {
        let path = remote.get_remote_node();
        let node = remote.get_node_or_null(&path)?;
        let above = remote.upcast::<Node>();
        let bone = with_ancestors(&above).find_map(|node| node.try_cast::<Bone2D>().ok())?;
        Some((node.instance_id(), bone))
    });
    carried.collect()
}

/// The outline of what an item draws, in its own frame; empty if it is not known.
fn outline_of(item: &Gd<CanvasItem>) -> Vec<Vector2> {
    if let Ok(polygon) = item.clone().try_cast::<Polygon2D>() {
        let mut points = points_of(&polygon);
        let inner = usize::try_from(polygon.get_internal_vertex_count()).unwrap_or_default();
        points.truncate(points.len().saturating_sub(inner));
        return points;
    }
    let line = item.clone().try_cast::<Line2D>();
    let margin = line.map_or(0.0, |line| line.get_width() / 2.0);
    let rect = match item.clone().try_cast::<Control>() {
        Ok(control) => Some(Rect2::new(Vector2::ZERO, control.get_size())),
        Err(item) => drawn_rect(&item),
    };
    let rect = rect.unwrap_or_default().grow(margin);
    if !rect.has_area() {
        return Vec::new();
    }
    let (start, end) = (rect.position, rect.end());
    vec![
        start,
        Vector2::new(end.x, start.y),
        end,
        Vector2::new(start.x, end.y),
    ]
}
