//! The shapes and the gravity of the physics server, as a ragdoll's solver has them.

use godot::classes::area_2d::SpaceOverride;
use godot::classes::physics_server_2d::{
    AreaParameter, BodyMode, BodyParameter, BodyState, ShapeType,
};
use godot::classes::{
    Area2D, PhysicsDirectSpaceState2D, PhysicsPointQueryParameters2D, PhysicsServer2D,
};
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{RagdollTick, Solid, SolidOutline};

use crate::engine::frame_calls::Live;
use crate::engine::space::{frame_of, to_godot, to_solver};
use crate::nodes::world::shape::BodyShape;

/// Adds a shape to `tick` as it is now, as far as it reaches between two corners. `body` is the number of its body.
pub(super) fn push_solid(
    it: &BodyShape,
    body: u32,
    bounds: [Vec2; 2],
    tick: &mut RagdollTick,
) -> Option<()> {
    let rid = it.body;
    let server = Live::server();
    let param = |param| server.body_get_param(rid, param)?.try_to().ok();
    let (kind, data) = it.data()?;
    let place = it.place()?;
    let frame = place * server.body_get_shape_transform(rid, it.index)?;
    let mut solid = Solid {
        body,
        shape: it.index as u32,
        friction: param(BodyParameter::FRICTION).unwrap_or(1.0),
        bounce: param(BodyParameter::BOUNCE).unwrap_or(0.0),
        centre: to_solver(place.origin),
        ..Solid::default()
    };
    if it.is_one_way() {
        solid.one_way = to_solver(-frame.b).normalize_or_zero();
    }
    take_motion(it, tick.delta, &mut solid)?;
    push_outline(kind, &data, frame_of(frame), (solid, bounds), tick)
}

/// Takes over how a body moves.
fn take_motion(it: &BodyShape, delta: f32, solid: &mut Solid) -> Option<()> {
    let velocity = it.state(BodyState::LINEAR_VELOCITY);
    solid.velocity = to_solver(velocity.unwrap_or_default());
    solid.spin = it.state(BodyState::ANGULAR_VELOCITY).unwrap_or_default();
    let mode = Live::server().body_get_mode(it.body)?;
    solid.moves = mode != BodyMode::STATIC;
    if mode != BodyMode::RIGID && mode != BodyMode::RIGID_LINEAR {
        return Some(());
    }
    if let Some(direct) = PhysicsServer2D::singleton().body_get_direct_state(it.body) {
        solid.lightness = Vec2::new(direct.get_inverse_mass(), direct.get_inverse_inertia());
        solid.centre += to_solver(direct.get_center_of_mass());
        // What nothing carries will have fallen by that when the engine moves it, and is as fast after a tick.
        let fall = delta * to_solver(direct.get_total_gravity());
        // What tumbles on a floor moves, but gains no speed as what falls does.
        let before = it.take_velocity(solid.velocity);
        let gained = before.map_or(f32::INFINITY, |it| (solid.velocity - it).dot(fall));
        solid.carried = gained.min(solid.velocity.dot(fall).abs()) < 0.5 * fall.length_squared();
        if !solid.carried {
            solid.velocity += fall;
        }
    }
    Some(())
}

/// Adds a shape of the server's type `kind`, which has `data`, in global space.
fn push_outline(
    kind: ShapeType,
    data: &Variant,
    frame: Affine2,
    (solid, [low, high]): (Solid, [Vec2; 2]),
    tick: &mut RagdollTick,
) -> Option<()> {
    let place = |point: Vec2| frame.transform_point2(point);
    let scale = frame.matrix2.determinant().abs().sqrt();
    let line = |radius: f32| Solid {
        outline: SolidOutline::Line,
        radius: radius * scale,
        ..solid
    };
    match kind {
        ShapeType::CIRCLE => {
            let radius: f32 = data.try_to().ok()?;
            tick.push(line(radius), [place(Vec2::ZERO)]);
        }
        ShapeType::CAPSULE => {
            let size: Vector2 = data.try_to().ok()?;
            let (height, radius) = (size.x.max(size.y), size.x.min(size.y));
            let half = Vec2::Y * (0.5 * height - radius).max(0.0);
            tick.push(line(radius), [place(-half), place(half)]);
        }
        ShapeType::RECTANGLE => {
            let half = to_solver(data.try_to().ok()?);
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            let corners = corners.map(|corner| place(half * Vec2::from(corner)));
            tick.push(solid, corners);
        }
        ShapeType::SEGMENT => {
            let ends: Rect2 = data.try_to().ok()?;
            let ends = [ends.position, ends.size].map(|end| place(to_solver(end)));
            tick.push(line(0.0), ends);
        }
        ShapeType::CONVEX_POLYGON => {
            let corners: PackedVector2Array = data.try_to().ok()?;
            let corners = corners.as_slice().iter();
            tick.push(solid, corners.map(|&corner| place(to_solver(corner))));
        }
        ShapeType::CONCAVE_POLYGON => {
            let ends: PackedVector2Array = data.try_to().ok()?;
            for pair in ends.as_slice().chunks_exact(2) {
                let [from, to] = [pair[0], pair[1]].map(|end| place(to_solver(end)));
                // A map may have thousands.
                if from.min(to).cmple(high).all() && from.max(to).cmpge(low).all() {
                    tick.push(line(0.0), [from, to]);
                }
            }
        }
        ShapeType::WORLD_BOUNDARY => {
            let plane: VarArray = data.try_to().ok()?;
            let normal: Vector2 = plane.get(0)?.try_to().ok()?;
            let distance: f32 = plane.get(1)?.try_to().ok()?;
            // It need not be of length 1.
            let normal = to_solver(normal);
            let start = place(normal * (distance / normal.length_squared()));
            let along = frame.matrix2 * normal.perp();
            let global = -along.perp() * frame.matrix2.determinant().signum();
            let plane = Solid {
                outline: SolidOutline::Plane,
                ..solid
            };
            tick.push(plane, [start, global]);
        }
        _ => {}
    }
    Some(())
}

/// The acceleration of gravity at `place` in the space `world`, and how much bodies lose there per second, of their speed and of their turning:
/// those of the world, and of the areas there, as the engine adds them up for bodies.
pub(super) fn forces_at(world: Rid, areas: &[InstanceId], place: Vec2) -> (Vec2, Vec2) {
    let areas = areas
        .iter()
        .map(|&id| Gd::<Area2D>::try_from_instance_id(id));
    let mut areas: Vec<_> = areas.filter_map(Result::ok).collect();
    areas.sort_by_key(|area| std::cmp::Reverse(area.get_priority()));
    let ask = |parameter| Live::server().area_get_param(world, parameter);
    let number = |parameter| -> f32 { ask(parameter).map_or(0.0, |it| it.try_to().unwrap_or(0.0)) };
    let way = ask(AreaParameter::GRAVITY_VECTOR).and_then(|it| it.try_to().ok());
    let of_world = number(AreaParameter::GRAVITY) * to_solver(way.unwrap_or_default());
    let gravity = added_up(&areas, of_world, |area| {
        let mode = area.get_gravity_space_override_mode();
        (mode, gravity_of(area, place))
    });
    let linear = Vec2::X * number(AreaParameter::LINEAR_DAMP);
    let linear = added_up(&areas, linear, |area| {
        let mode = area.get_linear_damp_space_override_mode();
        (mode, Vec2::X * area.get_linear_damp())
    });
    let angular = Vec2::Y * number(AreaParameter::ANGULAR_DAMP);
    let angular = added_up(&areas, angular, |area| {
        let mode = area.get_angular_damp_space_override_mode();
        (mode, Vec2::Y * area.get_angular_damp())
    });
    (gravity, linear + angular)
}

/// Returns the value that areas, the first of them first, and the world add up to.
fn added_up(
    areas: &[Gd<Area2D>],
    of_world: Vec2,
    of: impl Fn(&Gd<Area2D>) -> (SpaceOverride, Vec2),
) -> Vec2 {
    let mut sum = Vec2::ZERO;
    for (mode, own) in areas.iter().map(of) {
        match mode {
            SpaceOverride::COMBINE => sum += own,
            SpaceOverride::COMBINE_REPLACE => return sum + own,
            SpaceOverride::REPLACE => return own,
            SpaceOverride::REPLACE_COMBINE => sum = own,
            _ => {}
        }
    }
    sum + of_world
}

/// Returns the query for areas that [`areas_at`] takes.
pub(super) fn area_query() -> Gd<PhysicsPointQueryParameters2D> {
    let mut query = PhysicsPointQueryParameters2D::new_gd();
    query.set_collide_with_areas(true);
    query.set_collide_with_bodies(false);
    query
}

/// The areas at `place`.
pub(super) fn areas_at(
    space: &mut Gd<PhysicsDirectSpaceState2D>,
    query: &Gd<PhysicsPointQueryParameters2D>,
    place: Vec2,
) -> Vec<InstanceId> {
    query.clone().set_position(to_godot(place));
    let found = space.intersect_point(query);
    let areas = found.iter_shared().filter_map(|hit| {
        let area: Gd<Object> = hit.get("collider")?.try_to().ok()?;
        Some(area.try_cast::<Area2D>().ok()?.instance_id())
    });
    let mut areas: Vec<_> = areas.collect();
    areas.dedup();
    areas
}

fn gravity_of(area: &Gd<Area2D>, place: Vec2) -> Vec2 {
    let (strength, way) = (area.get_gravity(), area.get_gravity_direction());
    if !area.is_gravity_a_point() {
        return strength * to_solver(way);
    }
    let centre = to_solver(area.get_global_transform() * area.get_gravity_point_center());
    let away = centre - place;
    let unit = area.get_gravity_point_unit_distance();
    let distance = away.length();
    match unit > 0.0 && distance > 0.0 {
        true => away / distance * strength * (unit / distance).powi(2),
        false => away.normalize_or_zero() * strength,
    }
}
