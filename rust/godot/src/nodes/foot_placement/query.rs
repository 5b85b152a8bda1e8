//! Looks for the ground below feet, in physics frames.

use std::cell::{Cell, RefCell};

use godot::classes::{
    CollisionObject2D, PhysicsDirectSpaceState2D, PhysicsRayQueryParameters2D, Skeleton2D,
};
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{FootPlacement, Footing, Ground, Rig, Solver};

use crate::engine::space::{frame_of, to_godot, to_solver};
use crate::plan::bones::Bones;
use crate::plan::change::set;

/// The ground below the feet of a placement.
pub(super) struct Query {
    skeleton: Gd<Skeleton2D>,
    parameters: RefCell<Gd<PhysicsRayQueryParameters2D>>,
    /// Where to look, in skeleton space.
    rays: RefCell<Vec<Option<[Vec2; 2]>>>,
    /// The bodies on which feet are planted, by their numbers.
    held: RefCell<Vec<Option<u32>>>,
    found: RefCell<Vec<Found>>,
    /// The bodies that were found so far. Their numbers are the places here: the same on all
    /// machines, other than instance IDs.
    bodies: RefCell<Vec<InstanceId>>,
    ticks: Cell<u32>,
}

/// What was found for one foot.
#[derive(Clone, Copy, Default)]
struct Found {
    ground: Option<Ground>,
    /// The frame of the body that it is planted on.
    held: Option<Affine2>,
}

impl Query {
    /// For `feet` feet of the skeleton that is being planned.
    pub(super) fn new(bones: &Bones, feet: usize) -> Self {
        let skeleton = bones.skeleton();
        let mut parameters = PhysicsRayQueryParameters2D::new_gd();
        let mut excluded = Array::new();
        let mut above = skeleton.get_parent();
        while let Some(node) = above {
            above = node.get_parent();
            if let Ok(body) = node.try_cast::<CollisionObject2D>() {
                excluded.push(body.get_rid());
            }
        }
        parameters.set_exclude(&excluded);
        Self {
            skeleton,
            parameters: RefCell::new(parameters),
            rays: RefCell::default(),
            held: RefCell::default(),
            found: RefCell::new(vec![Found::default(); feet]),
            bodies: RefCell::default(),
            ticks: Cell::new(0),
        }
    }

    /// Notes where to look for the placement that is modifier `index` of `rig`, which is about to
    /// be applied.
    pub(super) fn aim(&self, rig: &Rig, index: usize, mask: u32, search: [f32; 2]) {
        self.parameters.borrow_mut().set_collision_mask(mask);
        rig.foot_rays(index, search, &mut self.rays.borrow_mut());
        if let Solver::FootPlacement(placement) = &rig.modifiers[index].solver {
            self.hold(&placement.memory.before);
        }
    }

    /// Notes on which bodies the feet are planted. A foot that has just been planted is held at once.
    pub(super) fn hold(&self, footing: &Footing) {
        let mut held = self.held.borrow_mut();
        let mut found = self.found.borrow_mut();
        held.resize(found.len(), None);
        for (index, (held, found)) in held.iter_mut().zip(found.iter_mut()).enumerate() {
            let plant = footing.feet.get(index).and_then(|foot| foot.plant);
            let body = plant.map(|plant| plant.body);
            if set(held, body) {
                found.held = body.and_then(|body| self.frame_of_body(self.body(body)?));
            }
        }
    }

    /// Looks there. Only in physics frames.
    pub(super) fn run(&self, to_global: Affine2) {
        if !self.skeleton.is_instance_valid() || !self.skeleton.is_inside_tree() {
            return;
        }
        let world = self.skeleton.get_world_2d();
        let Some(mut space) = world.and_then(|world| world.get_direct_space_state()) else {
            return;
        };
        self.ticks.set(self.ticks.get().wrapping_add(1));
        let (rays, held) = (self.rays.borrow(), self.held.borrow());
        for (index, found) in self.found.borrow_mut().iter_mut().enumerate() {
            let ray = rays.get(index).copied().flatten();
            found.ground = ray.and_then(|ray| {
                let ends = ray.map(|end| to_godot(to_global.transform_point2(end)));
                self.cast(&mut space, ends)
            });
            let body = held.get(index).copied().flatten();
            found.held = body.and_then(|body| self.frame_of_body(self.body(body)?));
        }
    }

    /// The ground on a ray.
    fn cast(
        &self,
        space: &mut Gd<PhysicsDirectSpaceState2D>,
        ends: [Vector2; 2],
    ) -> Option<Ground> {
        let parameters = {
            let mut parameters = self.parameters.borrow_mut();
            parameters.set_from(ends[0]);
            parameters.set_to(ends[1]);
            parameters.clone()
        };
        let hit = space.intersect_ray(&parameters);
        let position: Vector2 = hit.get("position")?.try_to().ok()?;
        let normal: Vector2 = hit.get("normal")?.try_to().ok()?;
        let id: i64 = hit.get("collider_id")?.try_to().ok()?;
        let id = InstanceId::try_from_i64(id)?;
        let mut bodies = self.bodies.borrow_mut();
        let number = bodies.iter().position(|&body| body == id);
        let number = number.unwrap_or_else(|| {
            bodies.push(id);
            bodies.len() - 1
        });
        Some(Ground {
            position: to_solver(position),
            normal: to_solver(normal),
            body: u32::try_from(number).ok()?,
            frame: self.frame_of_body(id)?,
        })
    }

    /// Where a body is; `None` if it was freed.
    fn frame_of_body(&self, id: InstanceId) -> Option<Affine2> {
        let body = Gd::<Node2D>::try_from_instance_id(id).ok()?;
        body.is_inside_tree()
            .then(|| frame_of(body.get_global_transform()))
    }

    /// The body with this number.
    pub(super) fn body(&self, number: u32) -> Option<InstanceId> {
        self.bodies.borrow().get(number as usize).copied()
    }

    /// Hands over what was found last. Returns whether that changes the solver's input.
    pub(super) fn gather(&self, into: &mut FootPlacement) -> bool {
        let mut changes = set(&mut into.ticks, self.ticks.get());
        for (found, foot) in self.found.borrow().iter().zip(&mut into.feet) {
            changes |= set(&mut foot.ground, found.ground);
            changes |= set(&mut foot.held, found.held);
        }
        changes
    }
}
