//! A shape of a body or of a tile map: where it is, and what it holds.

use std::cell::Cell;

use godot::classes::physics_server_2d::{BodyState, ShapeType};
use godot::classes::{CollisionObject2D, ConvexPolygonShape2D, Engine, StaticBody2D, TileMapLayer};
use godot::prelude::*;
use tendon_solver::Surface;
use tendon_solver::glam::Vec2;

use crate::engine::body_shape::shape_of;
use crate::engine::frame_calls::Live;
use crate::engine::space::{frame_of, to_solver};
use crate::nodes::world::tiles;

/// A shape of a body.
pub(in crate::nodes) struct BodyShape {
    pub(in crate::nodes) body: Rid,
    pub(in crate::nodes) index: i32,
    pub(super) rid: Rid,
    /// That of the body, unless it was made by the server alone.
    node: Option<Live<Node2D>>,
    owner: Owner,
    /// The physics frame in which it was asked for its velocity last, and that.
    velocity: Cell<(u64, Vec2)>,
}

/// The kind of a node. It is found once, since the engine compares the names of classes for that.
enum Owner {
    /// One that may go on under what it carries is also a belt.
    Body(Live<CollisionObject2D>, Option<Live<StaticBody2D>>),
    Tiles(Tiles),
    Other,
}

struct Tiles {
    layer: Live<TileMapLayer>,
    /// The place of the body of these tiles in the layer.
    place: Transform2D,
    is_one_way: bool,
}

impl Owner {
    fn of(node: Gd<Node>, body: Rid, index: i32) -> Option<Self> {
        let node = match tiles::layer_of(node, body) {
            Ok(layer) => {
                let layer = layer?;
                let place = tiles::place_of(&layer, body);
                return Some(Self::Tiles(Tiles {
                    place: Transform2D::from_angle_origin(0.0, place),
                    is_one_way: tiles::is_one_way(&layer, body, index),
                    layer: Live::looked_up(layer),
                }));
            }
            Err(node) => node,
        };
        let belt = node.clone().try_cast().ok().map(Live::looked_up);
        let body = node.try_cast().ok().map(Live::looked_up);
        Some(body.map_or(Self::Other, |body| Self::Body(body, belt)))
    }
}

impl BodyShape {
    /// Shape `index` of a body, which is `rid`. `node` is that of the body, if it has one.
    pub(super) fn of(body: Rid, (index, rid): (i32, Rid), node: Option<&Gd<Node>>) -> Option<Self> {
        let owner = match node {
            Some(node) => Owner::of(node.clone(), body, index)?,
            None => Owner::Other,
        };
        Some(Self {
            body,
            index,
            rid,
            node: node.and_then(|node| Some(Live::looked_up(node.clone().try_cast().ok()?))),
            owner,
            velocity: Cell::default(),
        })
    }

    /// The node that it is of. It may have been freed.
    pub(in crate::nodes) fn node(&self) -> Option<InstanceId> {
        self.node.as_ref().map(Live::id)
    }

    /// Returns `true` if the shape is still there. Of a body without a node that is not known: the engine complains of
    /// a body that is asked for and gone.
    pub(in crate::nodes) fn is_there(&self) -> bool {
        self.has_body() && shape_of(self.body, self.index) == Some(self.rid)
    }

    /// The same of its body.
    pub(in crate::nodes) fn has_body(&self) -> bool {
        let is_in_tree = |node: &Live<Node2D>| node.is_inside_tree() == Some(true);
        let has_body = |tiles: &Tiles| {
            let layer = tiles.layer.alive();
            layer.is_some_and(|layer| layer.has_body_rid(self.body))
        };
        self.node.as_ref().is_some_and(is_in_tree)
            && !matches!(&self.owner, Owner::Tiles(tiles) if !has_body(tiles))
    }

    /// Takes the velocity of its body in this physics frame. Returns that of the frame before, if it was asked for then.
    pub(in crate::nodes) fn take_velocity(&self, velocity: Vec2) -> Option<Vec2> {
        let frame = Engine::singleton().get_physics_frames();
        let (last, before) = self.velocity.replace((frame, velocity));
        (last + 1 == frame).then_some(before)
    }

    /// Returns the place of its body, in global coordinates. It has to be there.
    pub(in crate::nodes) fn place(&self) -> Option<Transform2D> {
        self.state(BodyState::TRANSFORM)
    }

    /// What the server says of its body. It has to be there.
    pub(in crate::nodes) fn state<T: FromGodot>(&self, state: BodyState) -> Option<T> {
        let state = Live::server().body_get_state(self.body, state)?;
        state.try_to().ok()
    }

    /// Returns its surface. It has to be there.
    pub(super) fn find(&self, number: u32, body_number: u32) -> Option<Surface> {
        let shape = Live::server().body_get_shape_transform(self.body, self.index)?;
        let state = self.place()?;
        let drawn = match (&self.owner, &self.node) {
            (Owner::Tiles(tiles), _) => tiles.layer.get_global_transform()? * tiles.place,
            (_, Some(node)) => node.get_global_transform()?,
            (_, None) => state,
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

    /// Returns the velocity of the points of a belt, in pixels per second, and its angular velocity, in radians per
    /// second.
    fn speed(&self) -> (Vector2, f32) {
        match &self.owner {
            Owner::Body(_, Some(belt)) => (
                belt.get_constant_linear_velocity().unwrap_or_default(),
                belt.get_constant_angular_velocity().unwrap_or_default(),
            ),
            Owner::Tiles(_) => {
                let linear = self.state(BodyState::LINEAR_VELOCITY);
                let angular = self.state(BodyState::ANGULAR_VELOCITY);
                (linear.unwrap_or_default(), angular.unwrap_or_default())
            }
            Owner::Body(..) | Owner::Other => Default::default(),
        }
    }

    /// Returns `true` if the shape holds only what comes from above. It has to be there.
    pub(in crate::nodes) fn is_one_way(&self) -> bool {
        match &self.owner {
            Owner::Tiles(tiles) => tiles.is_one_way,
            Owner::Body(body, _) => {
                let owner = body.shape_find_owner(self.index);
                let is = owner.and_then(|it| body.is_shape_owner_one_way_collision_enabled(it));
                is.unwrap_or_default()
            }
            Owner::Other => false,
        }
    }

    /// Returns the kind and the data that the server has of it. It has to be there. `None` for a convex polygon that
    /// has no points yet: the engine complains of one that is asked for them.
    pub(in crate::nodes) fn data(&self) -> Option<(ShapeType, Variant)> {
        let kind = Live::server().shape_get_type(self.rid)?;
        let is_empty = |body: &Gd<CollisionObject2D>| {
            let owner = body.shape_find_owner(self.index);
            let count = body.shape_owner_get_shape_count(owner);
            let of_owner = (0..count)
                .find(|&index| body.shape_owner_get_shape_index(owner, index) == self.index);
            let shape = of_owner.and_then(|index| body.shape_owner_get_shape(owner, index));
            let polygon = shape.map(|shape| shape.try_cast::<ConvexPolygonShape2D>());
            matches!(polygon, Some(Ok(polygon)) if polygon.get_points().is_empty())
        };
        if kind == ShapeType::CONVEX_POLYGON
            && let Owner::Body(body, _) = &self.owner
            && body.alive().is_some_and(is_empty)
        {
            return None;
        }
        Some((kind, Live::server().shape_get_data(self.rid)?))
    }
}

/// Returns `true` if two frames are the same but for rounding.
fn is_near(one: Transform2D, other: Transform2D) -> bool {
    let near = |one: Vector2, other: Vector2, size: f32| (one - other).length() <= 1e-5 * size;
    let size = 1.0 + one.origin.length();
    near(one.a, other.a, 1.0) && near(one.b, other.b, 1.0) && near(one.origin, other.origin, size)
}
