//! Where a character is put when its ragdoll gets up: onto the ground below the root.

use godot::classes::{CollisionObject2D, Node2D};
use godot::prelude::*;

use super::shared::Exchange;
use crate::engine::space::{to_godot, to_solver};

/// Moves `body` so that the animation's root is where that of the ragdoll lies, and stands on the ground below it.
pub(super) fn move_to(mut body: Gd<Node2D>, shared: &Exchange) {
    let Some(it) = shared.simulated().filter(|_| body.is_inside_tree()) else {
        return;
    };
    let place = to_solver(body.get_global_position());
    let mut landed = place + it.root - it.posed_root;
    if let Some(ground) = shared.ground.get() {
        let down = shared.down.get();
        let sole = sole(&body, to_godot(down));
        landed += down * (down.dot(ground - landed) - sole);
    }
    body.set_global_position(to_godot(landed));
}

/// How far below its origin a character stands: at the bottom of its shapes, if it has any.
fn sole(body: &Gd<Node2D>, down: Vector2) -> f32 {
    let Ok(body) = body.clone().try_cast::<CollisionObject2D>() else {
        return 0.0;
    };
    let to_global = body.get_global_transform();
    let mut lowest: Option<f32> = None;
    for owner in body.get_shape_owners().as_slice().to_vec() {
        let owner = owner as u32;
        if body.is_shape_owner_disabled(owner) {
            continue;
        }
        let frame = to_global * body.shape_owner_get_transform(owner);
        for index in 0..body.shape_owner_get_shape_count(owner) {
            let Some(shape) = body.shape_owner_get_shape(owner, index) else {
                continue;
            };
            let rect = shape.get_rect();
            let (low, size) = (rect.position, rect.size);
            let corners = [
                Vector2::ZERO,
                Vector2::new(size.x, 0.0),
                Vector2::new(0.0, size.y),
                size,
            ];
            for corner in corners {
                let below = (frame * (low + corner) - to_global.origin).dot(down);
                lowest = Some(lowest.map_or(below, |lowest| lowest.max(below)));
            }
        }
    }
    lowest.unwrap_or_default()
}
