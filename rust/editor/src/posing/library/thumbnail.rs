//! A picture of a character in its pose.
//!
//! A viewport of its own looks at the canvas of the edited scene for one frame, so that neither the zoom nor
//! what the editor draws over the scene is in the picture.

use godot::classes::image::Interpolation;
use godot::classes::portable_compressed_texture_2d::CompressionMode;
use godot::classes::sub_viewport::UpdateMode;
use godot::classes::{
    CanvasItem, EditorInterface, PortableCompressedTexture2D, RenderingServer, Skeleton2D,
    SubViewport, Texture2D,
};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::end_of;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::engine::threads::with_ancestors;
use tendon_nodes::nodes::rig::skeleton::{restore_base_pose, rig_of};

use crate::posing::pictures::{Picture, pictures_in};
use crate::preview::solve;
use crate::selection::all_within;

/// The sides of a picture, in pixels, and of what is drawn for it.
pub(super) const SIZE: i32 = 96;
const DRAWN: i32 = 4 * SIZE;

/// The part of the character's extent that is left free on each side, and that where only bones are seen.
const MARGIN: f32 = 0.05;
const MARGIN_OF_BONES: f32 = 0.22;

/// The layer in which only the character is while its picture is taken: the last one of the engine's.
const LAYER: u32 = 1 << 31;

/// A picture of `skeleton` in `scene`, solved by its rig: of its sprites and polygons, or of its bones if it has
/// none. `None` where nothing is drawn, as without a window. The bones hold their base pose before and after.
pub(super) fn take_thumbnail(skeleton: &Gd<Skeleton2D>, scene: &Gd<Node>) -> Option<Gd<Texture2D>> {
    if let Some(rig) = rig_of(skeleton) {
        // The mouse has pressed a button: until the next pass bones hold their base pose.
        solve(&rig);
        show_skins(skeleton);
    }
    let texture = take_shown(skeleton, scene);
    restore_base_pose(skeleton);
    texture
}

/// Has the renderer draw skins with the pose of the bones at once: the engine tells it at the end of the frame.
fn show_skins(skeleton: &Gd<Skeleton2D>) {
    let mut server = RenderingServer::singleton();
    let into_skeleton = skeleton.get_global_transform().affine_inverse();
    for index in 0..skeleton.get_bone_count() {
        if let Some(bone) = skeleton.clone().get_bone(index) {
            let pose = into_skeleton * bone.get_global_transform();
            let from_rest = pose * bone.get_skeleton_rest().affine_inverse();
            server.skeleton_bone_set_transform_2d(skeleton.get_skeleton(), index, from_rest);
        }
    }
}

/// A picture of `skeleton` as its bones are now.
fn take_shown(skeleton: &Gd<Skeleton2D>, scene: &Gd<Node>) -> Option<Gd<Texture2D>> {
    let mut pictures = pictures_in(scene);
    pictures.retain(|picture| picture.skeleton == *skeleton);
    let shown = extent(skeleton, &pictures)?;
    let mut viewport = new_viewport(&shown)?;
    if !pictures.is_empty() {
        viewport.set_canvas_cull_mask(LAYER);
    }
    let image = {
        let _alone = Alone::on_layer(&pictures);
        RenderingServer::singleton()
            .force_draw_ex()
            .swap_buffers(false)
            .done();
        viewport
            .get_texture()
            .and_then(|texture| texture.get_image())
    };
    viewport.queue_free();
    let mut image = image.filter(|image| !image.is_empty() && !image.is_invisible())?;
    image
        .resize_ex(SIZE, SIZE)
        .interpolation(Interpolation::LANCZOS)
        .done();
    let mut texture = PortableCompressedTexture2D::new_gd();
    texture.create_from_image(&image, CompressionMode::LOSSLESS);
    Some(texture.upcast())
}

/// A viewport that sees the part `shown` of the edited scene's canvas, in the tree.
fn new_viewport(shown: &Rect2) -> Option<Gd<SubViewport>> {
    let mut scene = EditorInterface::singleton().get_editor_viewport_2d()?;
    let mut viewport = SubViewport::new_alloc();
    viewport.set_size(Vector2i::new(DRAWN, DRAWN));
    viewport.set_transparent_background(true);
    viewport.set_disable_3d(true);
    viewport.set_update_mode(UpdateMode::ONCE);
    viewport.set_world_2d(&scene.find_world_2d()?);
    scene.add_child(&viewport);
    let zoom = DRAWN as f32 / shown.size.x;
    let view = Transform2D::from_cols(
        Vector2::new(zoom, 0.0),
        Vector2::new(0.0, zoom),
        -shown.position * zoom,
    );
    // Only in the tree does it have the canvas.
    viewport.set_canvas_transform(view);
    Some(viewport)
}

/// Pictures that are on [`LAYER`], too, with all that is below and above them. Dropping it puts that back. Only
/// the renderer is told: the nodes of the scene stay as they are.
struct Alone(Vec<Gd<CanvasItem>>);

impl Alone {
    fn on_layer(pictures: &[Picture]) -> Self {
        let mut items = Vec::<Gd<CanvasItem>>::new();
        for picture in pictures {
            items.extend(all_within::<CanvasItem>(&picture.item.clone().upcast()));
            // An item whose parent is not seen is not drawn.
            let node = picture.item.clone().upcast::<Node>();
            items.extend(with_ancestors(&node).filter_map(|node| node.try_cast().ok()));
        }
        let alone = Self(items);
        alone.set_layer(LAYER);
        alone
    }

    /// Has the items drawn on their own layers and on `layer`.
    fn set_layer(&self, layer: u32) {
        let mut server = RenderingServer::singleton();
        for item in self.0.iter().filter(|item| item.is_instance_valid()) {
            let layers = item.get_visibility_layer() | layer;
            server.canvas_item_set_visibility_layer(item.get_canvas_item(), layers);
        }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.set_layer(0);
    }
}

/// The square of the canvas that has all of the character, with a margin.
fn extent(skeleton: &Gd<Skeleton2D>, pictures: &[Picture]) -> Option<Rect2> {
    let canvas = skeleton.get_canvas_transform();
    let bones = bones_of(skeleton);
    let points = bones.iter().flat_map(|bone| {
        let frame = canvas * bone.get_global_transform();
        [frame.origin, frame * end_of(bone)]
    });
    let points = points.filter(|point| point.is_finite());
    let bones = points.map(|point| Rect2::new(point, Vector2::ZERO));
    let seen = pictures.iter().filter_map(Picture::extent);
    let bounds = bones
        .chain(seen)
        .reduce(|bounds, other| bounds.merge(other))?;
    let margin = match pictures.is_empty() {
        true => MARGIN_OF_BONES,
        false => MARGIN,
    };
    let side = bounds.size.x.max(bounds.size.y).max(1.0) * (1.0 + 2.0 * margin);
    let corner = bounds.center() - Vector2::ONE * side / 2.0;
    Some(Rect2::new(corner, Vector2::ONE * side))
}
