//! What rays have met: shapes of bodies, by numbers, and where each is in a tick.
//!
//! The numbers come from the places of the bodies in the tree (see [`super::address`]). One that no ray has met came
//! with a state: its surface is looked for in the tree.

use std::cell::{Cell, RefCell};

use godot::classes::physics_server_2d::BodyState;
use godot::classes::{
    CollisionObject2D, PhysicsBody2D, PhysicsServer2D, Skeleton2D, StaticBody2D, TileMapLayer,
};
use godot::prelude::*;
use tendon_solver::Surface;
use tendon_solver::glam::Vec2;

use crate::engine::body_shape::shape_of;
use crate::engine::ray_answer::RayAnswer;
use crate::engine::space::{frame_of, to_solver};
use crate::nodes::ground::address::Address;

/// When more surfaces are known, all are forgotten, also those that are gone.
const MOST: usize = 1024;

/// A shape of a body.
struct Known {
    number: u32,
    body: Rid,
    index: i32,
    shape: Rid,
    node: InstanceId,
    /// Where the body of a tile map is in its layer.
    offset: Transform2D,
    /// The number of the body.
    body_number: u32,
}

/// All surfaces that were met so far.
#[derive(Default)]
pub(in crate::nodes) struct Surfaces {
    /// From where their places are seen.
    skeleton: Cell<Option<InstanceId>>,
    /// One that is gone keeps its number: what comes to its place is another one.
    known: RefCell<Vec<Known>>,
    bodies: RefCell<Vec<(Rid, u32)>>,
    /// Numbers that were looked for and not found.
    missing: RefCell<Vec<u32>>,
    /// Where surfaces are in this tick, as far as that was asked for.
    seen: RefCell<Vec<(u32, Option<Surface>)>>,
}

impl Surfaces {
    /// They are ground for the feet of this skeleton.
    pub(super) fn belong_to(&self, skeleton: &Gd<Skeleton2D>) {
        self.skeleton.set(Some(skeleton.instance_id()));
    }

    /// Surfaces may have moved.
    pub(super) fn begin_tick(&self) {
        self.seen.borrow_mut().clear();
        if self.known.borrow().len() > MOST {
            self.known.borrow_mut().clear();
            self.bodies.borrow_mut().clear();
            self.missing.borrow_mut().clear();
        }
    }

    fn skeleton(&self) -> Option<Gd<Skeleton2D>> {
        Gd::try_from_instance_id(self.skeleton.get()?).ok()
    }

    /// The number of a body of `node`.
    pub(super) fn number_of_body(&self, body: Rid, node: &Gd<Node>) -> u32 {
        let mut bodies = self.bodies.borrow_mut();
        if let Some(&(_, number)) = bodies.iter().find(|(known, _)| *known == body) {
            return number;
        }
        let address = Address::of_body(body, node, self.skeleton().as_ref());
        let number = address.free(|number| bodies.iter().any(|&(_, other)| other == number));
        bodies.push((body, number));
        number
    }

    /// The number of what a ray has hit.
    pub(super) fn number(&self, hit: &RayAnswer) -> Option<u32> {
        let (body, index) = (hit.body, hit.shape);
        let shape = shape_of(body, index)?;
        let is_it =
            |known: &&Known| known.body == body && known.index == index && known.shape == shape;
        let known = self.known.borrow().iter().find(is_it).map(|it| it.number);
        if known.is_some() {
            return known;
        }
        let node = Gd::try_from_instance_id(hit.node).ok()?;
        Some(self.know((body, index, shape), &node))
    }

    /// Gives a number to shape `index` of a body of `node`.
    fn know(&self, (body, index, shape): (Rid, i32, Rid), node: &Gd<Node>) -> u32 {
        let tiles = node.clone().try_cast::<TileMapLayer>();
        let offset = tiles.map_or(Transform2D::IDENTITY, |tiles| {
            let cell = tiles.get_coords_for_body_rid(body);
            Transform2D::from_angle_origin(0.0, tiles.map_to_local(cell))
        });
        let body_number = self.number_of_body(body, node);
        let mut known = self.known.borrow_mut();
        let address = Address(body_number).part(index);
        let number = address.free(|number| known.iter().any(|other| other.number == number));
        known.push(Known {
            number,
            body,
            index,
            shape,
            node: node.instance_id(),
            offset,
            body_number,
        });
        number
    }

    /// What `read` says of the surface with this number, if there is one.
    fn with<T>(&self, number: u32, read: impl Fn(&Known) -> T) -> Option<T> {
        let find = || {
            let known = self.known.borrow();
            known.iter().find(|it| it.number == number).map(&read)
        };
        find().or_else(|| {
            self.search(number);
            find()
        })
    }

    /// Looks for a surface in the whole tree. Those of tile maps are not among them: rays meet them.
    fn search(&self, number: u32) {
        if self.missing.borrow().contains(&number) {
            return;
        }
        self.missing.borrow_mut().push(number);
        let Some(skeleton) = self.skeleton() else {
            return;
        };
        let Some(root) = skeleton.get_tree_or_null().and_then(|tree| tree.get_root()) else {
            return;
        };
        let server = PhysicsServer2D::singleton();
        let bodies = root
            .find_children_ex("*")
            .type_("PhysicsBody2D")
            .owned(false)
            .done();
        for node in bodies.iter_shared() {
            let body = node.clone().cast::<PhysicsBody2D>().get_rid();
            let address = Address::of_body(body, &node, Some(&skeleton));
            let shapes = 0..server.body_get_shape_count(body);
            if let Some(index) = { shapes }.find(|&index| address.part(index).0 == number) {
                self.know((body, index, server.body_get_shape(body, index)), &node);
                return;
            }
        }
    }

    /// What a surface is of.
    pub(super) fn node(&self, number: u32) -> Option<InstanceId> {
        self.with(number, |known| known.node)
    }

    /// A surface in this tick; `None` if it is gone.
    pub(super) fn surface(&self, number: u32) -> Option<Surface> {
        let is_it = |seen: &&(u32, Option<Surface>)| seen.0 == number;
        let seen = self.seen.borrow().iter().find(is_it).copied();
        if let Some((_, surface)) = seen {
            return surface;
        }
        let surface = self.with(number, Known::find)?;
        self.seen.borrow_mut().push((number, surface));
        surface
    }

    /// Whether a surface holds only what comes from above, at a place in it.
    pub(super) fn is_one_way(&self, number: u32, place: Vector2) -> bool {
        self.with(number, |known| known.is_one_way(place))
            .unwrap_or(false)
    }
}

impl Known {
    /// Where it is.
    fn find(&self) -> Option<Surface> {
        let node = Gd::<Node2D>::try_from_instance_id(self.node).ok()?;
        if !node.is_inside_tree() {
            return None;
        }
        let tiles = node.clone().try_cast::<TileMapLayer>().ok();
        if tiles.is_some_and(|tiles| !tiles.has_body_rid(self.body)) {
            return None;
        }
        if shape_of(self.body, self.index) != Some(self.shape) {
            return None;
        }
        let server = PhysicsServer2D::singleton();
        let shape = server.body_get_shape_transform(self.body, self.index);
        let state = server.body_get_state(self.body, BodyState::TRANSFORM);
        let state: Transform2D = state.try_to().ok()?;
        let drawn = node.get_global_transform() * self.offset;
        let server = frame_of(state * shape);
        let surface = Surface {
            number: self.number,
            body: self.body_number,
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
