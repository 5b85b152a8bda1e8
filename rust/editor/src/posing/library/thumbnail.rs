//! A picture of a character in its pose.
//!
//! A viewport of its own looks at the canvas of the edited scene for one frame, so that neither the zoom nor
//! what the editor draws over the scene is in the picture.

use godot::classes::image::Interpolation;
use godot::classes::portable_compressed_texture_2d::CompressionMode;
use godot::classes::sub_viewport::UpdateMode;
use godot::classes::{
    DisplayServer, EditorInterface, PortableCompressedTexture2D, RenderingServer, Skeleton2D,
    SubViewport, Texture2D,
};
use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;

use crate::selection::end_of;

/// The sides of a picture, in pixels, and of what is drawn for it.
pub(super) const SIZE: i32 = 96;
const DRAWN: i32 = 4 * SIZE;

/// How much of the character's extent is left free on each side, as bones are in the middle of what they carry.
const MARGIN: f32 = 0.22;

/// A picture of `skeleton` as it is shown. `None` where nothing is drawn, as without a window.
pub(super) fn take_thumbnail(skeleton: &Gd<Skeleton2D>) -> Option<Gd<Texture2D>> {
    if DisplayServer::singleton().get_name() == "headless" {
        return None;
    }
    let mut scene = EditorInterface::singleton().get_editor_viewport_2d()?;
    let shown = extent(skeleton)?;
    let mut viewport = SubViewport::new_alloc();
    viewport.set_size(Vector2i::new(DRAWN, DRAWN));
    viewport.set_transparent_background(true);
    viewport.set_disable_3d(true);
    viewport.set_update_mode(UpdateMode::ONCE);
    viewport.set_world_2d(&scene.find_world_2d()?);
    let zoom = DRAWN as f32 / shown.size.x;
    let view = Transform2D::from_cols(
        Vector2::new(zoom, 0.0),
        Vector2::new(0.0, zoom),
        -shown.position * zoom,
    );
    viewport.set_canvas_transform(view);
    scene.add_child(&viewport);
    RenderingServer::singleton()
        .force_draw_ex()
        .swap_buffers(false)
        .done();
    let image = viewport
        .get_texture()
        .and_then(|texture| texture.get_image());
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

/// The square of the canvas that has all bones, with a margin.
fn extent(skeleton: &Gd<Skeleton2D>) -> Option<Rect2> {
    let bones = bones_of(skeleton);
    let canvas = skeleton.get_canvas_transform();
    let points = bones.iter().flat_map(|bone| {
        let frame = canvas * bone.get_global_transform();
        [frame.origin, frame * end_of(bone)]
    });
    let mut points = points.filter(|point| point.is_finite());
    let first = Rect2::new(points.next()?, Vector2::ZERO);
    let bounds = points.fold(first, |bounds, point| bounds.expand(point));
    let side = bounds.size.x.max(bounds.size.y).max(1.0) * (1.0 + 2.0 * MARGIN);
    let corner = bounds.center() - Vector2::ONE * side / 2.0;
    Some(Rect2::new(corner, Vector2::ONE * side))
}
