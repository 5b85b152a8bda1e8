//! What the character's body stands on, as the last `move_and_slide()` has found.

use godot::classes::{CharacterBody2D, Skeleton2D};
use godot::prelude::*;

use crate::engine::threads::nearest_above;
use crate::nodes::world::known_shapes::KnownShapes;

/// A floor's normal has at least this part along the direction up.
const FLOOR: f32 = 0.5;

/// The support of a character's body, as the body reports it.
#[derive(Default)]
pub(in crate::nodes) struct Bearing {
    /// `true` if the body is on a floor; `None` if there is no body.
    pub(in crate::nodes) is_on_floor: Option<bool>,
    /// The body and its global frame.
    pub(in crate::nodes) frame: Option<(InstanceId, Transform2D)>,
    /// The bodies that are its floor, by their numbers.
    pub(in crate::nodes) floors: Vec<u32>,
}

impl Bearing {
    /// Asks `body`.
    pub(super) fn read(&mut self, body: Option<Gd<CharacterBody2D>>, shapes: &KnownShapes) {
        self.floors.clear();
        self.frame = body
            .as_ref()
            .map(|body| (body.instance_id(), body.get_global_transform()));
        self.is_on_floor = body.as_ref().map(|body| body.is_on_floor());
        let Some(body) = body.filter(|body| body.is_on_floor()) else {
            return;
        };
        let up = body.get_up_direction();
        for index in 0..body.get_slide_collision_count() {
            let collision = body.get_slide_collision(index);
            let Some(collision) = collision.filter(|it| it.get_normal().dot(up) > FLOOR) else {
                continue;
            };
            let node = collision.get_collider().map(|it| it.try_cast::<Node>());
            let node = node.and_then(Result::ok);
            let body = collision.get_collider_rid();
            self.floors.push(shapes.number_of_body(body, node.as_ref()));
        }
    }
}

/// The nearest `CharacterBody2D` above a skeleton.
pub(in crate::nodes) fn body_above(skeleton: &Gd<Skeleton2D>) -> Option<Gd<CharacterBody2D>> {
    nearest_above(skeleton)
}
