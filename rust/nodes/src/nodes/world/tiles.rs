//! The bodies that a layer makes of its tiles.
//!
//! Since Godot 4.5 a body is made of all tiles of a quadrant that hold alike: their polygons are merged, and then cut
//! into convex ones. So the layer tells the quadrant of a body, and not its cell, and there are several bodies with the
//! same quadrant. The body stands where the cell with the quadrant's coordinates is. Before, a body was that of a cell,
//! and this was the same.

use godot::classes::physics_server_2d::{BodyState, ShapeType};
use godot::classes::{Geometry2D, PhysicsServer2D, TileData, TileMap, TileMapLayer};
use godot::prelude::*;

use crate::engine::body_shape::shape_of;
use crate::engine::children::children;

/// The greatest distance of a tile whose polygon is looked for, in cells.
const FARTHEST: i32 = 8;

/// The turns of a tile in its cell: bits of the number of the alternative.
const FLIP_X: i32 = 4096;
const FLIP_Y: i32 = 8192;
const TRANSPOSE: i32 = 16384;

/// The layer that has `body`, if `node` is one, or a map of layers.
pub(super) fn layer_of(node: Gd<Node>, body: Rid) -> Result<Option<Gd<TileMapLayer>>, Gd<Node>> {
    match node.try_cast::<TileMapLayer>() {
        Ok(layer) => Ok(Some(layer).filter(|layer| layer.has_body_rid(body))),
        Err(node) => {
            let map = node.try_cast::<TileMap>()?;
            let mut layers = children::<TileMapLayer, _>(&map);
            Ok(layers.find(|layer| layer.has_body_rid(body)))
        }
    }
}

/// Returns the place of the body in its layer.
pub(super) fn place_of(layer: &Gd<TileMapLayer>, body: Rid) -> Vector2 {
    layer.map_to_local(layer.get_coords_for_body_rid(body))
}

/// Returns the marks that tell a body from the others of its quadrant, besides the quadrant.
pub(super) fn marks_of(layer: &Gd<TileMapLayer>, body: Rid) -> [i32; 5] {
    let server = PhysicsServer2D::singleton();
    let state = |state| server.body_get_state(body, state);
    let linear: Vector2 = state(BodyState::LINEAR_VELOCITY)
        .try_to()
        .unwrap_or_default();
    let angular: f32 = state(BodyState::ANGULAR_VELOCITY)
        .try_to()
        .unwrap_or_default();
    [
        i32::from(is_one_way(layer, body, 0)),
        server.body_get_collision_layer(body) as i32,
        linear.x.to_bits() as i32,
        linear.y.to_bits() as i32,
        angular.to_bits() as i32,
    ]
}

/// Returns `true` if a shape of the body is one-way: it holds only what comes from above. The server does not tell: the
/// tile is looked for that the shape was made of.
pub(super) fn is_one_way(layer: &Gd<TileMapLayer>, body: Rid, index: i32) -> bool {
    let server = PhysicsServer2D::singleton();
    let Some(shape) = shape_of(body, index) else {
        return false;
    };
    if server.shape_get_type(shape) != ShapeType::CONVEX_POLYGON {
        return false;
    }
    let corners = server.shape_get_data(shape);
    let corners: PackedVector2Array = corners.try_to().unwrap_or_default();
    let corners = corners.as_slice();
    let sum: Vector2 = corners.iter().copied().sum();
    let middle = sum / corners.len().max(1) as f32;
    let mask = server.body_get_collision_layer(body);
    let origin = place_of(layer, body);
    // Where polygons of both kinds lie upon each other, another place of the shape tells.
    let between = corners.iter().map(|&corner| middle.lerp(corner, 0.7));
    let mut places = std::iter::once(middle).chain(between);
    places
        .find_map(|place| is_one_way_at(layer, mask, origin + place))
        .unwrap_or(false)
}

/// Returns `true` if the polygons at a place of the layer are one-way; `None` if there are none, or some of both kinds.
fn is_one_way_at(layer: &Gd<TileMapLayer>, mask: u32, place: Vector2) -> Option<bool> {
    let middle = layer.local_to_map(place);
    let mut found = [false; 2];
    for distance in 0..=FARTHEST {
        for x in -distance..=distance {
            let is_side = x.abs() == distance;
            let step = if is_side { 1 } else { 2 * distance.max(1) };
            for y in (-distance..=distance).step_by(step as usize) {
                look_at_cell(
                    layer,
                    middle + Vector2i::new(x, y),
                    (mask, place),
                    &mut found,
                );
            }
        }
        if found != [false; 2] {
            break;
        }
    }
    (found[0] != found[1]).then_some(found[1])
}

/// Notes which kinds of polygons of a cell, solid and open from below, are at a place.
fn look_at_cell(
    layer: &Gd<TileMapLayer>,
    cell: Vector2i,
    (mask, place): (u32, Vector2),
    found: &mut [bool; 2],
) {
    let Some((tile, set)) = layer.get_cell_tile_data(cell).zip(layer.get_tile_set()) else {
        return;
    };
    let way = layer.get_cell_alternative_tile(cell);
    let local = in_tile(place - layer.map_to_local(cell), way);
    for physics in 0..set.get_physics_layers_count() {
        if set.get_physics_layer_collision_layer(physics) != mask {
            continue;
        }
        for number in 0..tile.get_collision_polygons_count(physics) {
            if has(&tile, (physics, number), local) {
                let is_one_way = tile.is_collision_polygon_one_way(physics, number);
                found[usize::from(is_one_way)] = true;
            }
        }
    }
}

/// A place seen from the middle of a tile that a cell has turned.
fn in_tile(mut place: Vector2, way: i32) -> Vector2 {
    if way & FLIP_X != 0 {
        place.x = -place.x;
    }
    if way & FLIP_Y != 0 {
        place.y = -place.y;
    }
    match way & TRANSPOSE != 0 {
        true => Vector2::new(place.y, place.x),
        false => place,
    }
}

fn has(tile: &Gd<TileData>, (physics, number): (i32, i32), place: Vector2) -> bool {
    let polygon = tile.get_collision_polygon_points(physics, number);
    Geometry2D::singleton().is_point_in_polygon(place, &polygon)
}
