//! Asks the physics server for the ground, in physics frames.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::physics_server_2d::{BodyMode, BodyState};
use godot::classes::{
    CollisionObject2D, PhysicsBody2D, PhysicsDirectSpaceState2D, PhysicsRayQueryParameters2D,
    PhysicsServer2D, PhysicsShapeQueryParameters2D, SegmentShape2D, Skeleton2D, TileMapLayer,
};
use godot::prelude::*;
use tendon_solver::Ground;
use tendon_solver::glam::{Affine2, Vec2};

use crate::engine::departed::find;
use crate::engine::live::Live;
use crate::engine::space::{frame_of, to_godot, to_solver};
use crate::nodes::bodies::Bodies;

/// A one-way platform holds a foot that is no deeper below its surface than this part of how far up
/// the ground is looked for.
const ONE_WAY_DEPTH: f32 = 0.25;

/// How many one-way platforms above a foot are passed by.
const MOST_PLATFORMS: usize = 4;

/// The world of a skeleton, as far as it is ground: all but the bodies above the skeleton.
pub struct World {
    skeleton: Live<Skeleton2D>,
    ray: Gd<PhysicsRayQueryParameters2D>,
    sweep: Gd<PhysicsShapeQueryParameters2D>,
    line: Gd<SegmentShape2D>,
    /// How far above and below a foot the ground is looked for, in units of the skeleton.
    search: Cell<[f32; 2]>,
    /// The part of a ray above which one-way platforms do not count.
    one_way_from: Cell<f32>,
    bodies: Rc<Bodies>,
}

impl World {
    /// The world of `skeleton`, for those who look at it once.
    pub fn new(skeleton: Gd<Skeleton2D>) -> Self {
        Self::with_bodies(skeleton, &Rc::default())
    }

    /// The same for feet that know these bodies.
    pub(super) fn with_bodies(skeleton: Gd<Skeleton2D>, bodies: &Rc<Bodies>) -> Self {
        let mut excluded = Array::new();
        let mut above = skeleton.get_parent();
        while let Some(node) = above {
            above = node.get_parent();
            if let Ok(body) = node.try_cast::<CollisionObject2D>() {
                excluded.push(body.get_rid());
            }
        }
        let mut ray = PhysicsRayQueryParameters2D::new_gd();
        ray.set_exclude(&excluded);
        let line = SegmentShape2D::new_gd();
        let mut sweep = PhysicsShapeQueryParameters2D::new_gd();
        sweep.set_exclude(&excluded);
        sweep.set_shape(&line);
        Self {
            skeleton: Live::new(skeleton),
            ray,
            sweep,
            line,
            search: Cell::default(),
            one_way_from: Cell::default(),
            bodies: Rc::clone(bodies),
        }
    }

    /// The collision layers on which the ground is, and how far rays go up and down from a foot.
    pub fn set(&self, mask: u32, [up, down]: [f32; 2]) {
        let part = (1.0 - ONE_WAY_DEPTH) * up / (up + down);
        self.one_way_from.set(part.clamp(0.0, 1.0));
        self.search.set([up, down]);
        self.ray.clone().set_collision_mask(mask);
        self.sweep.clone().set_collision_mask(mask);
    }

    /// How far rays go up and down from a foot.
    pub(super) fn search(&self) -> [f32; 2] {
        self.search.get()
    }

    /// What can be asked in this physics frame.
    pub fn space(&self) -> Option<Gd<PhysicsDirectSpaceState2D>> {
        let skeleton = self.skeleton.alive()?;
        let world = skeleton.is_inside_tree().then(|| skeleton.get_world_2d());
        let world = world.flatten();
        world.and_then(|world| world.get_direct_space_state())
    }

    /// How long this physics frame is, in seconds.
    pub(super) fn tick(&self) -> f32 {
        self.skeleton.physics_process_delta().unwrap_or_default() as f32
    }

    /// The ground on a ray that goes down, in global space. One-way platforms high above the foot are
    /// passed by: they hold only what comes from above.
    pub fn cast(
        &self,
        space: &mut Gd<PhysicsDirectSpaceState2D>,
        ends: [Vec2; 2],
    ) -> Option<Ground> {
        let way = ends[1] - ends[0];
        let mut start = ends[0];
        for _ in 0..=MOST_PLATFORMS {
            let hit = self.hit(space, [start, ends[1]])?;
            let ground = self.ground(&hit)?;
            let part = (ground.position - ends[0]).dot(way) / way.length_squared();
            if part >= self.one_way_from.get() || is_one_way(&hit) != Some(true) {
                return Some(ground);
            }
            // A ray that begins within a shape does not hit it.
            start = ground.position + way * 0.01;
        }
        None
    }

    /// Where a ray that goes along the ground meets the side of something. One-way platforms have none.
    pub(super) fn side(
        &self,
        space: &mut Gd<PhysicsDirectSpaceState2D>,
        ends: [Vec2; 2],
    ) -> Option<Vec2> {
        let hit = self.hit(space, ends)?;
        let place = to_solver(hit.get("position")?.try_to().ok()?);
        (is_one_way(&hit) != Some(true)).then_some(place)
    }

    /// What a ray hits, in the words of the engine.
    fn hit(
        &self,
        space: &mut Gd<PhysicsDirectSpaceState2D>,
        ends: [Vec2; 2],
    ) -> Option<VarDictionary> {
        let mut ray = self.ray.clone();
        ray.set_from(to_godot(ends[0]));
        ray.set_to(to_godot(ends[1]));
        Some(space.intersect_ray(&ray)).filter(|hit| !hit.is_empty())
    }

    fn ground(&self, hit: &VarDictionary) -> Option<Ground> {
        let id: i64 = hit.get("collider_id")?.try_to().ok()?;
        let id = InstanceId::try_from_i64(id)?;
        let frame = frame_of_body(id)?;
        let ground = Ground {
            position: to_solver(hit.get("position")?.try_to().ok()?),
            normal: to_solver(hit.get("normal")?.try_to().ok()?),
            body: self.bodies.number(id, self.skeleton.alive()?)?,
            frame: frame_in_space(id).unwrap_or(frame),
        };
        Some(ground.carried_to(frame))
    }

    /// How far something reaches above the line between `ends`, if that is less than `up` is long.
    pub(super) fn obstacle(
        &self,
        space: &mut Gd<PhysicsDirectSpaceState2D>,
        ends: [Vec2; 2],
        up: Vec2,
    ) -> f32 {
        let [start, end] = ends.map(|end| to_godot(end + up));
        let (mut line, mut sweep) = (self.line.clone(), self.sweep.clone());
        line.set_a(start);
        line.set_b(end);
        sweep.set_motion(to_godot(-up));
        let free = space.cast_motion(&sweep);
        let free = free.get(1).unwrap_or(1.0);
        up.length() * (1.0 - free)
    }

    /// The body with this number.
    pub(super) fn body(&self, number: u32) -> Option<InstanceId> {
        self.bodies.find(number, self.skeleton.alive()?)
    }

    /// Where the body with this number is; `None` if it was freed.
    pub(super) fn frame(&self, number: u32) -> Option<Affine2> {
        frame_of_body(self.body(number)?)
    }
}

/// Whether a ray has hit a shape that holds only what comes from above.
fn is_one_way(hit: &VarDictionary) -> Option<bool> {
    let node: Gd<Object> = hit.get("collider")?.try_to().ok()?;
    let node = match node.try_cast::<CollisionObject2D>() {
        Ok(body) => {
            let owner = body.shape_find_owner(hit.get("shape")?.try_to().ok()?);
            return Some(body.is_shape_owner_one_way_collision_enabled(owner));
        }
        Err(node) => node,
    };
    let tiles = node.try_cast::<TileMapLayer>().ok()?;
    let cell = tiles.get_coords_for_body_rid(hit.get("rid")?.try_to().ok()?);
    let (tile, set) = (tiles.get_cell_tile_data(cell)?, tiles.get_tile_set()?);
    let mut polygons = (0..set.get_physics_layers_count())
        .flat_map(|layer| (0..tile.get_collision_polygons_count(layer)).map(move |n| (layer, n)));
    Some(polygons.any(|(layer, number)| tile.is_collision_polygon_one_way(layer, number)))
}

/// Where rays meet a body that scripts move. Until the next step of the physics that is where it was before, unless
/// its node waits for that step too, as it does with `sync_to_physics`.
fn frame_in_space(id: InstanceId) -> Option<Affine2> {
    let body = find::<PhysicsBody2D>(id)?;
    let (server, body) = (PhysicsServer2D::singleton(), body.get_rid());
    if server.body_get_mode(body) != BodyMode::KINEMATIC {
        return None;
    }
    let frame = server.body_get_state(body, BodyState::TRANSFORM);
    frame.try_to().ok().map(frame_of)
}

fn frame_of_body(id: InstanceId) -> Option<Affine2> {
    let body = find::<Node2D>(id)?;
    body.is_inside_tree()
        .then(|| frame_of(body.get_global_transform()))
}
