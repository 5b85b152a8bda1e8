//! What a surface is: a shape of a body or of a tile map, and where that is in a tick.

use godot::classes::physics_server_2d::BodyState;
use godot::classes::{CollisionObject2D, PhysicsServer2D, StaticBody2D, TileMapLayer};
use godot::prelude::*;
use tendon_solver::Surface;

use crate::engine::body_shape::shape_of;
use crate::engine::space::{frame_of, to_solver};

/// A shape of a body.
pub(super) struct Shape {
    pub(super) body: Rid,
    pub(super) index: i32,
    pub(super) rid: Rid,
    node: Gd<Node2D>,
    owner: Owner,
}

/// What a node is. It is asked for once, since the engine compares the names of classes for that.
enum Owner {
    Body(Gd<CollisionObject2D>),
    /// A body that may go on under what it carries.
    Belt(Gd<StaticBody2D>),
    /// A layer, and where the body of these tiles is in it.
    Tiles(Gd<TileMapLayer>, Transform2D),
    Other,
}

impl Owner {
    fn of(node: Gd<Node2D>, body: Rid) -> Self {
        let node = match node.try_cast::<TileMapLayer>() {
            Ok(tiles) => {
                let cell = tiles.get_coords_for_body_rid(body);
                let place = tiles.map_to_local(cell);
                return Self::Tiles(tiles, Transform2D::from_angle_origin(0.0, place));
            }
            Err(node) => node,
        };
        match node.try_cast::<StaticBody2D>() {
            Ok(belt) => Self::Belt(belt),
            Err(node) => node.try_cast().map_or(Self::Other, Self::Body),
        }
    }
}

impl Shape {
    /// Shape `index` of a body of `node`, which is `rid`.
    pub(super) fn of(body: Rid, (index, rid): (i32, Rid), node: &Gd<Node>) -> Option<Self> {
        let node: Gd<Node2D> = node.clone().try_cast().ok()?;
        Some(Self {
            body,
            index,
            rid,
            owner: Owner::of(node.clone(), body),
            node,
        })
    }

    /// The node that it is of. It may have been freed.
    pub(super) fn node(&self) -> InstanceId {
        self.node.instance_id_unchecked()
    }

    /// Whether it is still there.
    pub(super) fn is_there(&self) -> bool {
        let is_in_tree = self.node.is_instance_valid() && self.node.is_inside_tree();
        let has_body = |tiles: &Gd<TileMapLayer>| tiles.has_body_rid(self.body);
        is_in_tree
            && !matches!(&self.owner, Owner::Tiles(tiles, _) if !has_body(tiles))
            && shape_of(self.body, self.index) == Some(self.rid)
    }

    /// Where it is. It has to be there.
    pub(super) fn find(&self, number: u32, body_number: u32) -> Option<Surface> {
        let server = PhysicsServer2D::singleton();
        let shape = server.body_get_shape_transform(self.body, self.index);
        let state = server.body_get_state(self.body, BodyState::TRANSFORM);
        let state: Transform2D = state.try_to().ok()?;
        let drawn = self.node.get_global_transform();
        let drawn = match &self.owner {
            Owner::Tiles(_, place) => drawn * *place,
            _ => drawn,
        };
        let server = frame_of(state * shape);
        let (linear, angular) = self.speed();
        Some(Surface {
            number,
            body: body_number,
            server,
            // The same bits where the frames are the same.
            drawn: match is_near(drawn, state) {
                true => server,
                false => frame_of(drawn * shape),
            },
            linear_velocity: to_solver(linear),
            angular_velocity: angular,
            pivot: to_solver(state.origin),
        })
    }

    /// How the points of a belt go.
    fn speed(&self) -> (Vector2, f32) {
        match &self.owner {
            Owner::Belt(belt) => (
                belt.get_constant_linear_velocity(),
                belt.get_constant_angular_velocity(),
            ),
            Owner::Tiles(..) => {
                let server = PhysicsServer2D::singleton();
                let state = |state| server.body_get_state(self.body, state);
                let linear = state(BodyState::LINEAR_VELOCITY).try_to();
                let angular = state(BodyState::ANGULAR_VELOCITY).try_to();
                (linear.unwrap_or_default(), angular.unwrap_or_default())
            }
            Owner::Body(_) | Owner::Other => Default::default(),
        }
    }

    /// Whether it holds only what comes from above, at a place in it. It has to be there.
    pub(super) fn is_one_way(&self, place: Vector2) -> bool {
        let is_one_way = |body: &Gd<CollisionObject2D>| {
            let owner = body.shape_find_owner(self.index);
            body.is_shape_owner_one_way_collision_enabled(owner)
        };
        match &self.owner {
            Owner::Body(body) => is_one_way(body),
            Owner::Belt(belt) => is_one_way(&belt.clone().upcast()),
            Owner::Tiles(tiles, _) => has_one_way_tile(tiles, place).unwrap_or(false),
            Owner::Other => false,
        }
    }

    /// Whether that is not the same in all of it.
    pub(super) fn has_parts(&self) -> bool {
        matches!(self.owner, Owner::Tiles(..))
    }
}

/// Whether two frames are the same but for rounding.
fn is_near(one: Transform2D, other: Transform2D) -> bool {
    let near = |one: Vector2, other: Vector2, size: f32| (one - other).length() <= 1e-5 * size;
    let size = 1.0 + one.origin.length();
    near(one.a, other.a, 1.0) && near(one.b, other.b, 1.0) && near(one.origin, other.origin, size)
}

/// Whether the tile at `place` has a one-way polygon.
fn has_one_way_tile(tiles: &Gd<TileMapLayer>, place: Vector2) -> Option<bool> {
    let cell = tiles.local_to_map(tiles.to_local(place));
    let (tile, set) = (tiles.get_cell_tile_data(cell)?, tiles.get_tile_set()?);
    let mut polygons = (0..set.get_physics_layers_count())
        .flat_map(|layer| (0..tile.get_collision_polygons_count(layer)).map(move |n| (layer, n)));
    Some(polygons.any(|(layer, number)| tile.is_collision_polygon_one_way(layer, number)))
}
