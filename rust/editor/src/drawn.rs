//! Where a node draws, and in which layer.

use godot::classes::{AnimatedSprite2D, CanvasItem, Line2D, Polygon2D, Sprite2D};
use godot::prelude::*;

/// The smallest rectangle that has all of `points`, if there are any.
pub(crate) fn around(points: impl IntoIterator<Item = Vector2>) -> Option<Rect2> {
    let mut points = points.into_iter();
    let first = Rect2::new(points.next()?, Vector2::ZERO);
    Some(points.fold(first, Rect2::expand))
}

/// The rectangle that a drawing covers, in its own space, if that is known.
pub(crate) fn drawn_rect<T: Inherits<CanvasItem>>(item: &Gd<T>) -> Option<Rect2> {
    let item = item.clone().upcast::<CanvasItem>();
    let item = match item.try_cast::<Sprite2D>() {
        Ok(sprite) => return sprite.get_texture().map(|_| sprite.get_rect()),
        Err(item) => item,
    };
    let item = match item.try_cast::<Polygon2D>() {
        Ok(polygon) => return around(points_of(&polygon)),
        Err(item) => item,
    };
    let item = match item.try_cast::<Line2D>() {
        Ok(line) => return around(line.get_points().as_slice().iter().copied()),
        Err(item) => item,
    };
    let sprite = item.try_cast::<AnimatedSprite2D>().ok()?;
    let frames = sprite.get_sprite_frames()?;
    let texture = frames.get_frame_texture(&sprite.get_animation(), sprite.get_frame())?;
    let (size, offset) = (texture.get_size(), sprite.get_offset());
    let corner = match sprite.is_centered() {
        true => offset - size * 0.5,
        false => offset,
    };
    Some(Rect2::new(corner, size))
}

/// The vertices of a polygon, in its own space.
pub(crate) fn points_of(polygon: &Gd<Polygon2D>) -> Vec<Vector2> {
    let (points, offset) = (polygon.get_polygon(), polygon.get_offset());
    points.as_slice().iter().map(|&it| it + offset).collect()
}

/// The z index of `item`, with those of the nodes above it that it counts from.
pub(crate) fn z_of(item: &Gd<CanvasItem>) -> i32 {
    let above = item.get_parent().and_then(|it| it.try_cast().ok());
    match above.filter(|_| item.is_z_relative()) {
        Some(above) => item.get_z_index() + z_of(&above),
        None => item.get_z_index(),
    }
}
