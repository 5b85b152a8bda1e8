//! What a sprite shows: its pixels, and where they are.

use crate::refusal::Refusal;
use godot::classes::{AtlasTexture, CanvasTexture, Image, Sprite2D, Texture2D, image};
use godot::prelude::*;
use tendon_skin::Alpha;
use tendon_skin::glam::DVec2;

/// The number of places that are sampled along the longer side of a picture.
const PLACES: i32 = 48;

/// Pixels with an alpha of at most this much are hardly seen.
const HARDLY_SEEN: u8 = 8;

/// The part of a texture that a sprite shows. A pixel of it is one of the image, and the origin is the corner of the part.
pub(super) struct SpritePicture {
    /// Not an atlas: a polygon shows the whole of a texture.
    pub(super) texture: Gd<Texture2D>,
    image: Gd<Image>,
    /// The part that is shown, in pixels of the image.
    part: Rect2i,
    /// The size of a pixel of the image in the texture, which may have another size.
    pixel: Vector2,
    /// The rectangle that the sprite shows, in the texture. It may be larger than the part: an atlas may have margins.
    source: Rect2,
    /// The rectangle of it in the space of the sprite.
    target: Rect2,
    flips: [bool; 2],
}

impl SpritePicture {
    /// # Errors
    /// Why there is nothing to show.
    pub(super) fn of(sprite: &Gd<Sprite2D>) -> Result<Self, Refusal> {
        let named = |reason: &str| format!("\"{}\" {reason}", sprite.get_name());
        let shown = sprite
            .get_texture()
            .ok_or_else(|| named("has no texture"))?;
        let mut source = frame(sprite, shown.get_size());
        let size = source.size;
        let mut window = source.abs();
        let mut texture = shown;
        while let Ok(atlas) = texture.clone().try_cast::<AtlasTexture>() {
            let base = atlas
                .get_atlas()
                .ok_or_else(|| named("has an AtlasTexture without an atlas"))?;
            let region = region_of(&atlas, base.get_size());
            let moved = region.position - atlas.get_margin().position;
            source.position += moved;
            window.position += moved;
            window = window.intersect(region.abs()).unwrap_or_default();
            texture = base;
        }
        let window = window
            .intersect(Rect2::new(Vector2::ZERO, texture.get_size()))
            .unwrap_or_default();
        let image =
            image_of(&texture).ok_or_else(|| named("has a texture whose pixels cannot be read"))?;
        let pixel = texture.get_size() / image.get_size().to_vector2();
        let low = (window.position / pixel + Vector2::splat(1e-3)).floor();
        let high = (window.end() / pixel - Vector2::splat(1e-3)).ceil();
        // Also if one of the numbers is not finite.
        if !(low.x < high.x && low.y < high.y && source.is_finite()) {
            return Err(named("shows no part of its texture").into());
        }
        let corner = match sprite.is_centered() {
            true => sprite.get_offset() - size / 2.0,
            false => sprite.get_offset(),
        };
        Ok(Self {
            texture,
            image,
            part: Rect2i::from_position_end(low.to_vector2i(), high.to_vector2i()),
            pixel,
            source,
            target: Rect2::new(corner, size),
            flips: [sprite.is_flipped_h(), sprite.is_flipped_v()],
        })
    }

    /// # Errors
    /// Why there is nothing to cover.
    pub(super) fn alpha(&self, threshold: Option<u8>) -> Result<Alpha, Refusal> {
        alpha_of(&self.image, self.part, threshold)
    }

    /// Returns `true` if something is seen at a place in the picture.
    pub(super) fn is_seen(&self, place: DVec2, threshold: Option<u8>) -> bool {
        let place = Vector2i::new(place.x.floor() as i32, place.y.floor() as i32);
        let is_inside = Rect2i::new(Vector2i::ZERO, self.part.size).contains_point(place);
        is_inside && is_opaque(&self.image, self.part.position + place, threshold)
    }

    /// Some of the places at which there is something to see, all over it.
    pub(super) fn seen_places(&self, threshold: Option<u8>) -> Vec<DVec2> {
        let size = self.part.size;
        let step = (size.x.max(size.y) / PLACES).max(1);
        let rows = (0..size.y).step_by(step as usize);
        let places = rows.flat_map(|y| {
            let columns = (0..size.x).step_by(step as usize);
            columns.map(move |x| DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5))
        });
        let seen: Vec<DVec2> = places.filter(|&it| self.is_seen(it, threshold)).collect();
        if !seen.is_empty() {
            return seen;
        }
        // What is thinner than the steps.
        let used = self
            .image
            .get_region(self.part)
            .map(|it| it.get_used_rect());
        let used = used.filter(|used| used.has_area()).into_iter();
        let ends = used.flat_map(|used| [used.position.to_vector2(), used.end().to_vector2()]);
        ends.map(wide).collect()
    }

    /// The texture, the part of it that is shown, and how many pixels that has.
    pub(super) fn shown(&self) -> (Gd<Texture2D>, Rect2, Vector2) {
        let (corner, size) = (self.part.position.to_vector2(), self.part.size.to_vector2());
        let source = Rect2::new(corner * self.pixel, size * self.pixel);
        (self.texture.clone(), source, size)
    }

    /// A place in the picture as a place in the texture. Nothing beside the part is shown.
    pub(super) fn in_texture(&self, place: DVec2) -> Vector2 {
        let place = (narrow(place) + self.part.position.to_vector2()) * self.pixel;
        // A part with a negative size shows the same.
        let shown = self.source.abs();
        place.clamp(shown.position, shown.end())
    }

    /// A place in the texture as a place in the sprite.
    pub(super) fn in_sprite(&self, place: Vector2) -> Vector2 {
        self.target.position + self.flipped(place - self.source.position)
    }

    /// A place in the sprite as a place in the picture.
    pub(super) fn of_sprite(&self, place: Vector2) -> DVec2 {
        self.of_texture(self.source.position + self.flipped(place - self.target.position))
    }

    fn flipped(&self, within: Vector2) -> Vector2 {
        let (size, [x, y]) = (self.target.size, self.flips);
        Vector2::new(
            if x { size.x - within.x } else { within.x },
            if y { size.y - within.y } else { within.y },
        )
    }

    /// A place in what the sprite shows, from its upper left corner and not flipped, as a place in the picture.
    pub(super) fn of_drawing(&self, place: DVec2) -> DVec2 {
        self.of_texture(self.source.abs().position + narrow(place))
    }

    /// A place in the texture as a place in the picture.
    fn of_texture(&self, place: Vector2) -> DVec2 {
        wide(place / self.pixel - self.part.position.to_vector2())
    }
}

/// A place in the numbers of meshes.
pub(crate) fn wide(place: Vector2) -> DVec2 {
    DVec2::new(f64::from(place.x), f64::from(place.y))
}

/// A place of a mesh in the numbers of the engine.
pub(crate) fn narrow(place: DVec2) -> Vector2 {
    Vector2::new(place.x as f32, place.y as f32)
}

/// The part of its texture, of this size, that a sprite shows in its frame.
fn frame(sprite: &Gd<Sprite2D>, size: Vector2) -> Rect2 {
    let whole = match sprite.is_region_enabled() {
        true => sprite.get_region_rect(),
        false => Rect2::new(Vector2::ZERO, size),
    };
    let counts = Vector2i::new(sprite.get_hframes(), sprite.get_vframes()).to_vector2();
    let size = whole.size / counts;
    Rect2::new(
        whole.position + sprite.get_frame_coords().to_vector2() * size,
        size,
    )
}

/// The part of its atlas that a texture shows. A size of 0 means all of it.
fn region_of(atlas: &Gd<AtlasTexture>, size: Vector2) -> Rect2 {
    let mut region = atlas.get_region();
    if region.size.x == 0.0 {
        region.size.x = size.x;
    }
    if region.size.y == 0.0 {
        region.size.y = size.y;
    }
    region
}

/// Returns `true` if a pixel counts as seen: with an alpha of more than `threshold`.
pub(super) fn is_opaque(image: &Gd<Image>, place: Vector2i, threshold: Option<u8>) -> bool {
    image.get_pixelv(place).a > f32::from(threshold.unwrap_or(HARDLY_SEEN)) / 255.0
}

/// The alpha of a part of an image. See [`Alpha::parted`] for the threshold.
///
/// # Errors
/// Why there is nothing to cover.
pub(crate) fn alpha_of(
    image: &Gd<Image>,
    part: Rect2i,
    threshold: Option<u8>,
) -> Result<Alpha, Refusal> {
    let mut seen = image.get_region(part).ok_or("the pixels cannot be read")?;
    // Their pixels would follow in the data.
    seen.clear_mipmaps();
    seen.convert(image::Format::RGBA8);
    let bytes = seen.get_data();
    let alpha = bytes.as_slice().iter().skip(3).step_by(4);
    let alpha: Vec<u8> = alpha.copied().collect();
    let (width, height) = (part.size.x as usize, part.size.y as usize);
    let alpha = match threshold {
        Some(threshold) => Alpha::parted(width, height, &alpha, threshold),
        None => Alpha::drawn(width, height, &alpha),
    };
    alpha.map_err(|fault| fault.to_string().into())
}

/// The pixels of a texture, as they are before they are compressed. Of one with a normal map, those of its colours.
pub(crate) fn image_of(texture: &Gd<Texture2D>) -> Option<Gd<Image>> {
    let colours = match texture.clone().try_cast::<CanvasTexture>() {
        Ok(layers) => layers.get_diffuse_texture()?,
        Err(texture) => texture,
    };
    let mut image = colours.get_image()?;
    if image.is_compressed() && image.decompress() != godot::global::Error::OK {
        return None;
    }
    (!image.is_empty()).then_some(image)
}
