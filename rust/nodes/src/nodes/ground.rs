//! Asks the physics server for ground, in physics frames.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | rays |
//! | [`bearing`] | the support of the character's body |

mod bearing;

use std::cell::{Cell, Ref, RefCell};

use godot::classes::{PhysicsRayQueryParameters2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{Hit, Surface, World};

pub(super) use self::bearing::{Bearing, body_above};
use crate::engine::ray::{Ray, RayAnswer};
use crate::engine::shared::Shared;
use crate::engine::space::{to_godot, to_solver};
use crate::nodes::world::KnownWorld;
use crate::nodes::world::known_shapes::ShapeId;
use crate::nodes::world::own_parts::OwnParts;

/// The greatest number of the character's own parts that a ray finds in a tick.
const MOST_PARTS: usize = 8;

/// The state that a node on ground keeps from plan to plan.
#[derive(Default, Clone)]
pub(super) struct KnownGround {
    world: Shared<KnownWorld>,
    ray: Shared<Cell<Option<InstanceId>>>,
}

impl KnownGround {
    /// Returns the parts of the character, which are no ground.
    pub(super) fn parts(&self) -> &OwnParts {
        &self.world.parts
    }
}

/// The world of a skeleton, as far as it is ground.
pub(super) struct Ground {
    /// The node that asks.
    node: InstanceId,
    ray: RefCell<Option<Ray>>,
    mask: Cell<u32>,
    known: KnownGround,
    /// The nearest body above the skeleton.
    body: Option<InstanceId>,
}

impl Ground {
    /// For feet below `node`.
    pub(super) fn new(skeleton: &Gd<Skeleton2D>, node: &Gd<Node>, known: KnownGround) -> Self {
        known.world.belong_to(skeleton, None);
        let body = body_above(skeleton).map(|body| body.instance_id());
        Self {
            node: node.instance_id(),
            ray: RefCell::default(),
            mask: Cell::new(1),
            known,
            body,
        }
    }

    /// The collision layers on which the ground is.
    pub(super) fn set_mask(&self, mask: u32) {
        if self.mask.replace(mask) != mask
            && let Some(ray) = &*self.ray.borrow()
        {
            ray.set_mask(mask);
        }
    }

    /// Returns the ground as it can be asked in this tick; `None` if there is no ray.
    pub(super) fn open(&self) -> Option<OpenGround<'_>> {
        let ray = self.ray()?;
        if self.known.world.begin_tick() {
            ray.pass_only(&self.known.world.parts.own());
        }
        Some(OpenGround { ground: self, ray })
    }

    /// The ray of the node. It may have been taken out of the tree.
    fn ray(&self) -> Option<Ref<'_, Ray>> {
        let is_there = self.ray.borrow().as_ref().is_some_and(Ray::is_alive);
        if !is_there {
            let node = Gd::try_from_instance_id(self.node).ok()?;
            let ray = Ray::of(&node, self.known.ray.get());
            if let Some(ray) = &ray {
                self.known.ray.set(Some(ray.id()));
                ray.set_mask(self.mask.get());
                ray.pass_only(&self.known.world.parts.own());
            }
            self.ray.replace(ray);
        }
        Ref::filter_map(self.ray.borrow(), Option::as_ref).ok()
    }

    /// Asks the body that was named, or the nearest one above the skeleton.
    pub(super) fn read_bearing(&self, named: Option<InstanceId>, bearing: &mut Bearing) {
        let bodies = [named, self.body].into_iter().flatten();
        let body = bodies
            .filter_map(|body| Gd::try_from_instance_id(body).ok())
            .next();
        bearing.read(body, &self.known.world.shapes);
    }

    /// Returns the node that a surface belongs to.
    pub(super) fn collider(&self, surface: u32) -> Option<InstanceId> {
        self.known.world.shapes.node(surface)
    }
}

/// The ground in a tick.
pub(super) struct OpenGround<'a> {
    ground: &'a Ground,
    ray: Ref<'a, Ray>,
}

impl OpenGround<'_> {
    /// Returns the first hit of the ray with something that is not the character's own.
    fn meet(&self, [from, to]: [Vec2; 2], from_inside: bool) -> Option<RayAnswer> {
        let [from, to] = [from, to].map(to_godot);
        for _ in 0..MOST_PARTS {
            let hit = self.ray.cast(from, to, from_inside)?;
            let parts = &self.ground.known.world.parts;
            if !parts.claims(hit.body, || self.ray.node_met()) {
                return Some(hit);
            }
            self.ray.pass(hit.body);
        }
        None
    }
}

impl World for OpenGround<'_> {
    fn cast(&mut self, from: Vec2, to: Vec2, from_inside: bool) -> Option<Hit> {
        let hit = self.meet([from, to], from_inside)?;
        let shape = ShapeId {
            body: hit.body,
            index: hit.shape,
        };
        let shapes = &self.ground.known.world.shapes;
        let (surface, is_one_way) = shapes.met(shape, || self.ray.node_met())?;
        Some(Hit {
            position: to_solver(hit.position),
            normal: to_solver(hit.normal),
            surface,
            is_one_way,
        })
    }

    fn surface(&mut self, number: u32) -> Option<Surface> {
        self.ground.known.world.shapes.surface(number)
    }
}

/// Returns the place where a ray in the world of `skeleton` meets something, and the normal there: for those who draw
/// it.
pub fn look_for_ground(skeleton: &Gd<Skeleton2D>, mask: u32, ends: [Vec2; 2]) -> Option<[Vec2; 2]> {
    if !skeleton.is_instance_valid() || !skeleton.is_inside_tree() {
        return None;
    }
    let mut space = skeleton.get_world_2d()?.get_direct_space_state()?;
    let [from, to] = ends.map(to_godot);
    let mut ray = PhysicsRayQueryParameters2D::create(from, to)?;
    ray.set_collision_mask(mask);
    let hit = space.intersect_ray(&ray);
    let read = |key: &str| Some(to_solver(hit.get(key)?.try_to().ok()?));
    Some([read("position")?, read("normal")?])
}
