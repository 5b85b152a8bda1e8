//! Where a character is put when its ragdoll gets up: onto what the ragdoll lies on, out of walls.

use godot::classes::{
    CollisionObject2D, Node2D, PhysicsDirectSpaceState2D, PhysicsRayQueryParameters2D,
    PhysicsShapeQueryParameters2D,
};
use godot::prelude::*;
use tendon_solver::Whereabouts;
use tendon_solver::glam::Vec2;

use super::shared::Exchange;
use crate::engine::space::{to_godot, to_solver};

/// The greatest distance below a body of what carries it, in pixels.
const BELOW: f32 = 8.0;

/// In so many places below the body what carries it is looked for.
const PLACES: usize = 9;

/// Room is looked for in steps of this, in pixels, and so many of them to either side and up.
const STEP: f32 = 4.0;
const STEPS: [i32; 2] = [24, 8];

/// The greatest depth of a character in what it stands on, in pixels.
const SLACK: f32 = 0.5;

/// Moves `body` so that the animation's root is where that of the ragdoll lies, and stands on what carries that.
pub(super) fn move_to(mut body: Gd<Node2D>, shared: &Exchange) {
    if let Some((place, _)) = find(&body, shared) {
        body.set_global_position(to_godot(place));
    }
}

/// Returns `true` if there is room for `body` there.
pub(super) fn has_room(body: Gd<Node2D>, shared: &Exchange) -> bool {
    find(&body, shared).is_none_or(|(_, has_room)| has_room)
}

/// The place where `body` is put, and whether there is room.
fn find(body: &Gd<Node2D>, shared: &Exchange) -> Option<(Vec2, bool)> {
    let it = shared.simulated().filter(|_| body.is_inside_tree())?;
    let from = to_solver(body.get_global_position());
    let place = from + it.root - it.posed_root;
    let Some(space) = body
        .get_world_2d()
        .and_then(|world| world.get_direct_space_state())
    else {
        return Some((place, true));
    };
    let shapes = shapes_of(body);
    let mut landing = PlaceSearch {
        space,
        down: shared.down.get().try_normalize().unwrap_or(Vec2::Y),
        excluded: shared.world.parts.own().iter().copied().collect(),
        mask: 0,
    };
    let object = body.clone().try_cast::<CollisionObject2D>().ok();
    if let Some(object) = &object {
        landing.excluded.push(object.get_rid());
        landing.mask = object.get_collision_mask();
    }
    landing.mask |= shared.mask.get();
    let sole = landing.sole(&shapes, from).unwrap_or_else(|| {
        let below = corners([it.posed_low, it.posed_high]).map(|it| landing.down.dot(it - from));
        below.into_iter().fold(f32::NEG_INFINITY, f32::max)
    });
    let stands = landing.support(&it, sole + landing.down.dot(from - it.posed_root));
    let place = match stands {
        Some(ground) => {
            let across = landing.down.perp();
            let beside = across * across.dot(ground - it.root);
            let place = place + beside;
            place + landing.down * (landing.down.dot(ground - place) - sole)
        }
        None => place,
    };
    if object.is_none() || shapes.is_empty() {
        return Some((place, true));
    }
    let free = landing.nearest_free(&shapes, (from, place), it.root);
    Some((free.unwrap_or(place), free.is_some()))
}

/// The corners of a box, of which two are known.
fn corners([low, high]: [Vec2; 2]) -> [Vec2; 4] {
    let others = [Vec2::new(low.x, high.y), Vec2::new(high.x, low.y)];
    [low, high, others[0], others[1]]
}

/// A shape of a character, and its frame.
type ShapeInFrame = (Gd<godot::classes::Shape2D>, Transform2D);

fn shapes_of(body: &Gd<Node2D>) -> Vec<ShapeInFrame> {
    let Ok(body) = body.clone().try_cast::<CollisionObject2D>() else {
        return Vec::new();
    };
    let to_global = body.get_global_transform();
    let mut shapes = Vec::new();
    for owner in body.get_shape_owners().as_slice().to_vec() {
        let owner = owner as u32;
        if body.is_shape_owner_disabled(owner) {
            continue;
        }
        let frame = to_global * body.shape_owner_get_transform(owner);
        for index in 0..body.shape_owner_get_shape_count(owner) {
            shapes.extend(
                body.shape_owner_get_shape(owner, index)
                    .map(|shape| (shape, frame)),
            );
        }
    }
    shapes
}

/// Looks for the place.
struct PlaceSearch {
    space: Gd<PhysicsDirectSpaceState2D>,
    down: Vec2,
    excluded: Array<Rid>,
    mask: u32,
}

impl PlaceSearch {
    /// Returns the depth below `origin` at which a character stands: the bottom of its shapes, if it has any.
    fn sole(&self, shapes: &[ShapeInFrame], origin: Vec2) -> Option<f32> {
        let lowest = shapes.iter().map(|(shape, frame)| {
            let rect = shape.get_rect();
            let corners = corners([rect.position, rect.end()].map(to_solver));
            let place = |corner: Vec2| to_solver(*frame * to_godot(corner));
            let below = corners.map(|corner| self.down.dot(place(corner) - origin));
            below.into_iter().fold(f32::NEG_INFINITY, f32::max)
        });
        lowest.reduce(f32::max)
    }

    /// Returns the first place of the world on the way to `to`.
    fn ray(&mut self, from: Vec2, to: Vec2) -> Option<Vec2> {
        let mut ray = PhysicsRayQueryParameters2D::new_gd();
        ray.set_from(to_godot(from));
        ray.set_to(to_godot(to));
        ray.set_collision_mask(self.mask);
        ray.set_exclude(&self.excluded);
        let hit = self.space.intersect_ray(&ray);
        let place: Vector2 = hit.get("position")?.try_to().ok()?;
        Some(to_solver(place))
    }

    /// The place that carries the body which is nearest to its root: not farther below that than the body itself reaches,
    /// or than a character that stands, of which the root is `height` above the sole.
    fn support(&mut self, it: &Whereabouts, height: f32) -> Option<Vec2> {
        let (down, across) = (self.down, self.down.perp());
        let corners = corners([it.low, it.high]);
        let below = corners.map(|corner| down.dot(corner - it.root));
        let reach = below.into_iter().fold(height.max(0.0), f32::max) + BELOW;
        let beside = corners.map(|corner| across.dot(corner - it.root));
        let left = beside.into_iter().fold(0.0, f32::min);
        let right = beside.into_iter().fold(0.0, f32::max);
        let mut places: Vec<f32> = (0..PLACES)
            .map(|number| left + (right - left) * number as f32 / (PLACES - 1) as f32)
            .collect();
        places.push(0.0);
        places.sort_by(|one, other| one.abs().total_cmp(&other.abs()));
        // Seen from the root, and if nothing carries that, as where it hangs in a gap, from the height of the highest limb.
        let top = below.into_iter().fold(0.0, f32::min) * down;
        [Vec2::ZERO, top].into_iter().find_map(|top| {
            let seen = it.root + top;
            places.iter().find_map(|beside| {
                let from = seen + beside * across;
                // What is behind a wall does not carry it.
                let is_hidden = self.ray(it.root, seen).or_else(|| self.ray(seen, from));
                match is_hidden {
                    Some(_) => None,
                    None => self.ray(from, from + reach * down - top),
                }
            })
        })
    }

    /// The nearest place to the second one where there is room for `shapes`, which are there when the character is at the
    /// first one. No wall is between it and `root`.
    fn nearest_free(
        &mut self,
        shapes: &[ShapeInFrame],
        (from, place): (Vec2, Vec2),
        root: Vec2,
    ) -> Option<Vec2> {
        let (down, across) = (self.down, self.down.perp());
        let [beside, up] = STEPS;
        for step in 0..=beside {
            for height in 0..=up {
                for side in [1, -1] {
                    let along = across * (side * step) as f32 * STEP;
                    let tried = place + along - down * height as f32 * STEP;
                    // Seen at the height of the root.
                    let seen = root + along + across * across.dot(place - root);
                    let is_free = self.is_free(shapes, tried - from - SLACK * down);
                    if is_free && self.ray(root, seen).is_none() {
                        return Some(tried);
                    }
                }
            }
        }
        None
    }

    /// Returns `true` if there is room for `shapes`, moved by `way`.
    fn is_free(&mut self, shapes: &[ShapeInFrame], way: Vec2) -> bool {
        shapes.iter().all(|(shape, frame)| {
            let mut query = PhysicsShapeQueryParameters2D::new_gd();
            query.set_shape(shape);
            query.set_transform(Transform2D {
                origin: frame.origin + to_godot(way),
                ..*frame
            });
            query.set_collision_mask(self.mask);
            query.set_exclude(&self.excluded);
            self.space
                .intersect_shape_ex(&query)
                .max_results(1)
                .done()
                .is_empty()
        })
    }
}
