//! What rays have met: shapes of bodies, by numbers, and where each is in a tick.
//!
//! The numbers count in the order in which the surfaces were found, other than the engine's own: so they are the
//! same on machines that have gone through the same.

use std::cell::RefCell;

use godot::classes::physics_server_2d::BodyState;
use godot::classes::{CollisionObject2D, PhysicsServer2D, StaticBody2D, TileMapLayer};
use godot::prelude::*;
use tendon_solver::Surface;
use tendon_solver::glam::Vec2;

use crate::engine::space::{frame_of, to_solver};

/// When more surfaces are known, those that are gone are forgotten, with all numbers.
const MOST: usize = 1024;

/// A shape of a body.
struct Known {
    body: Rid,
    index: i32,
    shape: Rid,
    node: InstanceId,
    /// Where the body of a tile map is in its layer.
    offset: Transform2D,
    /// The number of the body.
    number: u32,
}

/// All surfaces that were met so far.
#[derive(Default)]
pub(in crate::nodes) struct Surfaces {
    known: RefCell<Vec<Known>>,
    bodies: RefCell<Vec<Rid>>,
    /// Where surfaces are in this tick, as far as that was asked for.
    seen: RefCell<Vec<(u32, Option<Surface>)>>,
}

impl Surfaces {
    /// Surfaces may have moved.
    pub(super) fn begin_tick(&self) {
        self.seen.borrow_mut().clear();
        if self.known.borrow().len() > MOST {
            self.known.borrow_mut().clear();
            self.bodies.borrow_mut().clear();
        }
    }

    /// The number of a body.
    pub(super) fn number_of_body(&self, body: Rid) -> u32 {
        let mut bodies = self.bodies.borrow_mut();
        let number = bodies.iter().position(|&known| known == body);
        let number = number.unwrap_or_else(|| {
            bodies.push(body);
            bodies.len() - 1
        });
        number as u32
    }

    /// The number of what a ray has hit.
    pub(super) fn number(&self, hit: &VarDictionary) -> Option<u32> {
        let body: Rid = hit.get("rid")?.try_to().ok()?;
        let index: i32 = hit.get("shape")?.try_to().ok()?;
        let shape = PhysicsServer2D::singleton().body_get_shape(body, index);
        let is_it =
            |known: &Known| known.body == body && known.index == index && known.shape == shape;
        let known = self.known.borrow().iter().position(is_it);
        if let Some(known) = known {
            return u32::try_from(known).ok();
        }
        let node: i64 = hit.get("collider_id")?.try_to().ok()?;
        let node = InstanceId::try_from_i64(node)?;
        let tiles = Gd::<TileMapLayer>::try_from_instance_id(node);
        let offset = tiles.map_or(Transform2D::IDENTITY, |tiles| {
            let cell = tiles.get_coords_for_body_rid(body);
            Transform2D::from_angle_origin(0.0, tiles.map_to_local(cell))
        });
        let number = self.number_of_body(body);
        let mut known = self.known.borrow_mut();
        known.push(Known {
            body,
            index,
            shape,
            node,
            offset,
            number,
        });
        u32::try_from(known.len() - 1).ok()
    }

    /// What a surface is of.
    pub(super) fn node(&self, number: u32) -> Option<InstanceId> {
        let known = self.known.borrow();
        known.get(number as usize).map(|known| known.node)
    }

    /// A surface in this tick; `None` if it is gone.
    pub(super) fn surface(&self, number: u32) -> Option<Surface> {
        let is_it = |seen: &&(u32, Option<Surface>)| seen.0 == number;
        let seen = self.seen.borrow().iter().find(is_it).copied();
        if let Some((_, surface)) = seen {
            return surface;
        }
        let surface = self.known.borrow().get(number as usize)?.find(number);
        self.seen.borrow_mut().push((number, surface));
        surface
    }

    /// Whether a surface holds only what comes from above, at a place in it.
    pub(super) fn is_one_way(&self, number: u32, place: Vector2) -> bool {
        let known = self.known.borrow();
        known
            .get(number as usize)
            .is_some_and(|known| known.is_one_way(place))
    }
}

impl Known {
    /// Where it is.
    fn find(&self, number: u32) -> Option<Surface> {
        let node = Gd::<Node2D>::try_from_instance_id(self.node).ok()?;
        if !node.is_inside_tree() {
            return None;
        }
        let tiles = node.clone().try_cast::<TileMapLayer>().ok();
        if tiles.is_some_and(|tiles| !tiles.has_body_rid(self.body)) {
            return None;
        }
        let server = PhysicsServer2D::singleton();
        let is_there = self.index < server.body_get_shape_count(self.body)
            && server.body_get_shape(self.body, self.index) == self.shape;
        if !is_there {
            return None;
        }
        let shape = server.body_get_shape_transform(self.body, self.index);
        let state = server.body_get_state(self.body, BodyState::TRANSFORM);
        let state: Transform2D = state.try_to().ok()?;
        let drawn = node.get_global_transform() * self.offset;
        let server = frame_of(state * shape);
        let surface = Surface {
            number,
            body: self.number,
            server,
            // The same bits where the frames are the same.
            drawn: match is_near(drawn, state) {
                true => server,
                false => frame_of(drawn * shape),
            },
            linear_velocity: Vec2::ZERO,
            angular_velocity: 0.0,
            pivot: to_solver(state.origin),
        };
        Some(self.with_velocity(surface, node))
    }

    /// How the points of a belt go.
    fn with_velocity(&self, surface: Surface, node: Gd<Node2D>) -> Surface {
        let (linear, angular) = match node.try_cast::<StaticBody2D>() {
            Ok(belt) => (
                belt.get_constant_linear_velocity(),
                belt.get_constant_angular_velocity(),
            ),
            Err(node) if node.is_class("TileMapLayer") => {
                let server = PhysicsServer2D::singleton();
                let state = |state| server.body_get_state(self.body, state);
                let linear = state(BodyState::LINEAR_VELOCITY).try_to();
                let angular = state(BodyState::ANGULAR_VELOCITY).try_to();
                (linear.unwrap_or_default(), angular.unwrap_or_default())
            }
            Err(_) => return surface,
        };
        Surface {
            linear_velocity: to_solver(linear),
            angular_velocity: angular,
            ..surface
        }
    }

    fn is_one_way(&self, place: Vector2) -> bool {
        let Ok(node) = Gd::<Node2D>::try_from_instance_id(self.node) else {
            return false;
        };
        match node.try_cast::<CollisionObject2D>() {
            Ok(body) => {
                let owner = body.shape_find_owner(self.index);
                body.is_shape_owner_one_way_collision_enabled(owner)
            }
            Err(node) => has_one_way_tile(node, place).unwrap_or(false),
        }
    }
}

/// Whether two frames are the same but for rounding.
fn is_near(one: Transform2D, other: Transform2D) -> bool {
    let near = |one: Vector2, other: Vector2, size: f32| (one - other).length() <= 1e-5 * size;
    let size = 1.0 + one.origin.length();
    near(one.a, other.a, 1.0) && near(one.b, other.b, 1.0) && near(one.origin, other.origin, size)
}

/// Whether the tile at `place` has a one-way polygon.
fn has_one_way_tile(node: Gd<Node2D>, place: Vector2) -> Option<bool> {
    let tiles = node.try_cast::<TileMapLayer>().ok()?;
    let cell = tiles.local_to_map(tiles.to_local(place));
    let (tile, set) = (tiles.get_cell_tile_data(cell)?, tiles.get_tile_set()?);
    let mut polygons = (0..set.get_physics_layers_count())
        .flat_map(|layer| (0..tile.get_collision_polygons_count(layer)).map(move |n| (layer, n)));
    Some(polygons.any(|(layer, number)| tile.is_collision_polygon_one_way(layer, number)))
}
