//! A ray that is kept, and moved for each look.
//!
//! It is an internal `RayCast2D`, which is neither drawn nor processed. `intersect_ray`, the other way to ask, makes
//! a dictionary for each answer, which takes longer than the ray itself.

use std::cell::Cell;

use godot::classes::RayCast2D;
use godot::classes::node::InternalMode;
use godot::prelude::*;

use crate::engine::frame_calls::Live;

/// A ray.
pub(crate) struct Ray {
    node: Live<RayCast2D>,
    /// Whether it meets what it begins in.
    from_inside: Cell<bool>,
}

/// The first thing that a ray has met, in global coordinates.
#[derive(Clone, Copy)]
pub(crate) struct RayAnswer {
    pub(crate) position: Vector2,
    /// Zero if the ray began inside.
    pub(crate) normal: Vector2,
    /// The body, and its shape by the index.
    pub(crate) body: Rid,
    pub(crate) shape: i32,
}

impl Ray {
    /// That of `node`, which has `id` if there is one already. `None` while there can be none.
    pub(crate) fn of(node: &Gd<Node>, id: Option<InstanceId>) -> Option<Self> {
        let is_its = |ray: &Gd<RayCast2D>| ray.get_parent().as_ref() == Some(node);
        let known = id.and_then(|id| Gd::try_from_instance_id(id).ok());
        let ray = known.filter(is_its).or_else(|| Self::add_below(node))?;
        ray.is_inside_tree().then(|| Self {
            from_inside: Cell::new(ray.is_hit_from_inside_enabled()),
            node: Live::new(ray),
        })
    }

    fn add_below(node: &Gd<Node>) -> Option<Gd<RayCast2D>> {
        // The engine adds no node to one whose children it is about to make ready.
        if !node.is_node_ready() {
            return None;
        }
        let mut ray = RayCast2D::new_alloc();
        ray.set_name("Ray");
        ray.set_enabled(false);
        ray.set_visible(false);
        let mut node = node.clone();
        let child = node.add_child_ex(&ray);
        child.internal(InternalMode::BACK).done();
        if ray.get_parent().is_none() {
            ray.free();
            return None;
        }
        Some(ray)
    }

    pub(crate) fn id(&self) -> InstanceId {
        self.node.id()
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.node.is_alive()
    }

    /// The collision layers that it meets.
    pub(crate) fn set_mask(&self, mask: u32) {
        if let Some(ray) = self.node.alive() {
            ray.clone().set_collision_mask(mask);
        }
    }

    /// It passes these bodies, and no others.
    pub(crate) fn pass_only(&self, bodies: &[Rid]) {
        if let Some(ray) = self.node.alive() {
            ray.clone().clear_exceptions();
        }
        bodies.iter().for_each(|&body| self.pass(body));
    }

    /// It passes this body, too.
    pub(crate) fn pass(&self, body: Rid) {
        if let Some(ray) = self.node.alive() {
            ray.clone().add_exception_rid(body);
        }
    }

    /// The first thing between two places. With `from_inside`, what the ray begins in is met there.
    pub(crate) fn cast(&self, from: Vector2, to: Vector2, from_inside: bool) -> Option<RayAnswer> {
        let ray = &self.node;
        ray.set_position(from)?;
        ray.set_target_position(to - from)?;
        if self.from_inside.replace(from_inside) != from_inside {
            ray.set_hit_from_inside(from_inside)?;
        }
        ray.force_raycast_update()?;
        // There is none if it meets nothing.
        let body = ray.get_collider_rid().filter(|body| body.is_valid())?;
        Some(RayAnswer {
            position: ray.get_collision_point()?,
            normal: ray.get_collision_normal()?,
            body,
            shape: ray.get_collider_shape()?,
        })
    }

    /// The node of what was met last; `None` for a body without one.
    pub(crate) fn node_met(&self) -> Option<Gd<Node>> {
        self.node.alive()?.get_collider()?.try_cast().ok()
    }
}
