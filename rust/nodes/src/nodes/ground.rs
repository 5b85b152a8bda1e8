//! Asks the physics server for ground, in physics frames.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | rays |
//! | [`surfaces`] | what rays have met, by numbers, and where that is |
//! | [`address`] | numbers by places in the tree |
//! | [`own_parts`] | what is part of the character, and no ground |
//! | [`bearing`] | what the character's body stands on |

pub(super) mod address;
mod bearing;
mod own_parts;
mod surfaces;

use godot::classes::{PhysicsDirectSpaceState2D, PhysicsRayQueryParameters2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{Hit, Surface, World};

pub(super) use self::bearing::Bearing;
use self::bearing::body_above;
pub(super) use self::own_parts::OwnParts;
pub(super) use self::surfaces::Surfaces;
use crate::engine::ray_answer::{RayAnswer, RayKeys};
use crate::engine::shared::Shared;
use crate::engine::space::{to_godot, to_solver};

/// How many of the character's own parts a ray finds in a tick.
const MOST_PARTS: usize = 8;

/// The world of a skeleton, as far as it is ground.
pub(super) struct Ground {
    skeleton: Gd<Skeleton2D>,
    ray: Gd<PhysicsRayQueryParameters2D>,
    keys: RayKeys,
    surfaces: Shared<Surfaces>,
    parts: Shared<OwnParts>,
    /// The nearest body above the skeleton.
    body: Option<InstanceId>,
}

impl Ground {
    pub(super) fn new(
        skeleton: Gd<Skeleton2D>,
        surfaces: Shared<Surfaces>,
        parts: Shared<OwnParts>,
    ) -> Self {
        surfaces.belong_to(&skeleton);
        parts.belong_to(&skeleton);
        let body = body_above(&skeleton).map(|body| body.instance_id());
        Self {
            skeleton,
            body,
            ray: PhysicsRayQueryParameters2D::new_gd(),
            keys: RayKeys::default(),
            surfaces,
            parts,
        }
    }

    /// The collision layers on which the ground is.
    pub(super) fn set_mask(&self, mask: u32) {
        self.ray.clone().set_collision_mask(mask);
    }

    /// What can be asked in this tick.
    pub(super) fn open(&self) -> Option<OpenGround<'_>> {
        let space = space_of(&self.skeleton)?;
        self.surfaces.begin_tick();
        if let Some(excluded) = self.parts.renew() {
            self.ray.clone().set_exclude(&excluded);
        }
        Some(OpenGround {
            ground: self,
            space,
        })
    }

    /// Asks the body that was named, or the nearest one above the skeleton.
    pub(super) fn read_bearing(&self, named: Option<InstanceId>, bearing: &mut Bearing) {
        let bodies = [named, self.body].into_iter().flatten();
        let body = bodies
            .filter_map(|body| Gd::try_from_instance_id(body).ok())
            .next();
        bearing.read(body, &self.surfaces);
    }

    /// How long a physics frame is, in seconds.
    pub(super) fn tick(&self) -> f32 {
        self.skeleton.get_physics_process_delta_time() as f32
    }

    /// What is a surface of.
    pub(super) fn collider(&self, surface: u32) -> Option<InstanceId> {
        self.surfaces.node(surface)
    }
}

/// What can be asked of a skeleton's world in this frame.
fn space_of(skeleton: &Gd<Skeleton2D>) -> Option<Gd<PhysicsDirectSpaceState2D>> {
    if !skeleton.is_instance_valid() || !skeleton.is_inside_tree() {
        return None;
    }
    skeleton.get_world_2d()?.get_direct_space_state()
}

/// The ground in a tick.
pub(super) struct OpenGround<'a> {
    ground: &'a Ground,
    space: Gd<PhysicsDirectSpaceState2D>,
}

impl OpenGround<'_> {
    /// Where the ray meets something that is not the character's own.
    fn meet(&mut self) -> Option<RayAnswer> {
        for _ in 0..MOST_PARTS {
            let hit = self.space.intersect_ray(&self.ground.ray);
            let hit = self.ground.keys.read(&hit)?;
            match self.ground.parts.exclude_if_own(&hit) {
                Some(excluded) => self.ground.ray.clone().set_exclude(&excluded),
                None => return Some(hit),
            }
        }
        None
    }
}

impl World for OpenGround<'_> {
    fn cast(&mut self, from: Vec2, to: Vec2, from_inside: bool) -> Option<Hit> {
        let mut ray = self.ground.ray.clone();
        ray.set_from(to_godot(from));
        ray.set_to(to_godot(to));
        ray.set_hit_from_inside(from_inside);
        let hit = self.meet()?;
        let surfaces = &self.ground.surfaces;
        let number = surfaces.number(&hit)?;
        Some(Hit {
            position: to_solver(hit.position),
            normal: to_solver(hit.normal),
            surface: surfaces.surface(number)?,
            is_one_way: surfaces.is_one_way(number, hit.position - hit.normal),
        })
    }

    fn surface(&mut self, number: u32) -> Option<Surface> {
        self.ground.surfaces.surface(number)
    }
}

/// Where a ray in the world of `skeleton` meets something, and the direction away from it: for those who draw it.
pub fn look_for_ground(skeleton: &Gd<Skeleton2D>, mask: u32, ends: [Vec2; 2]) -> Option<[Vec2; 2]> {
    let mut space = space_of(skeleton)?;
    let [from, to] = ends.map(to_godot);
    let mut ray = PhysicsRayQueryParameters2D::create(from, to)?;
    ray.set_collision_mask(mask);
    let hit = RayKeys::default().read(&space.intersect_ray(&ray))?;
    Some([hit.position, hit.normal].map(to_solver))
}
