//! Sees what comes near a body at rest, and what leaves it, without a query in each tick.
//!
//! It is an area of the physics server, which tells of what begins or ceases to overlap it. What stays and moves in
//! it is asked where it is: see [`super::query`].

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::PhysicsServer2D;
use godot::prelude::*;
use tendon_solver::glam::Vec2;

use crate::engine::space::to_godot;

/// The number of ticks after which it asks for a look around though nothing was told: nothing is told of a body whose
/// layers have changed.
const PATIENCE: u32 = 30;

pub(super) struct Witness {
    area: Rid,
    shape: Rid,
    /// Set by the physics server.
    has_news: Arc<AtomicBool>,
    /// Ticks without a look around.
    waited: Cell<u32>,
}

impl Witness {
    /// Over a box between two corners.
    pub(super) fn new(space: Rid, [low, high]: [Vec2; 2]) -> Self {
        let mut server = PhysicsServer2D::singleton();
        let has_news = Arc::new(AtomicBool::new(false));
        let shape = server.rectangle_shape_create();
        server.shape_set_data(shape, &to_godot(0.5 * (high - low)).to_variant());
        let area = server.area_create();
        server.area_add_shape(area, shape);
        let place = Transform2D::from_angle_origin(0.0, to_godot(0.5 * (low + high)));
        server.area_set_transform(area, place);
        // It is on no layer: nobody meets it. One that could not be met would not meet what stands still.
        server.area_set_collision_layer(area, 0);
        server.area_set_collision_mask(area, u32::MAX);
        server.area_set_monitorable(area, true);
        let hears = |name: &'static str| {
            let has_news = Arc::clone(&has_news);
            let hear = move |_: &[&Variant]| has_news.store(true, Ordering::Relaxed);
            // The physics may run on a thread of its own, but not on the web.
            #[cfg(feature = "threads")]
            let heard = Callable::from_sync_fn(name, hear);
            #[cfg(not(feature = "threads"))]
            let heard = Callable::from_fn(name, hear);
            heard
        };
        server.area_set_monitor_callback(area, &hears("body beside a ragdoll"));
        server.area_set_area_monitor_callback(area, &hears("area beside a ragdoll"));
        server.area_set_space(area, space);
        Self {
            area,
            shape,
            has_news,
            waited: Cell::new(0),
        }
    }

    /// Returns `true` if what was found in the last look around is all there is. Asked once in a tick.
    pub(super) fn is_calm(&self) -> bool {
        let has_news = self.has_news.swap(false, Ordering::Relaxed);
        let waited = self.waited.get() + 1;
        let is_calm = !has_news && waited < PATIENCE;
        self.waited.set(if is_calm { waited } else { 0 });
        is_calm
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let mut server = PhysicsServer2D::singleton();
        server.free_rid(self.area);
        server.free_rid(self.shape);
    }
}
