//! Asks the physics server what is around a ragdoll, in physics frames.

use std::cell::{Cell, RefCell};

use godot::classes::{
    CollisionObject2D, PhysicsBody2D, PhysicsDirectSpaceState2D, PhysicsRayQueryParameters2D,
    PhysicsServer2D, PhysicsShapeQueryParameters2D, RectangleShape2D, Skeleton2D,
};
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{Outlook, Point, Ragdoll, RagdollPhase, RagdollTick, Rig, Solver};

use super::shared::Exchange;
use super::surroundings::{gravity_at, push_shape};
use crate::engine::children::children_of;
use crate::engine::live::Live;
use crate::engine::shared::Shared;
use crate::engine::space::{to_godot, to_solver};
use crate::plan::bones::Bones;

/// More ticks than that are not kept: the engine makes at most 8 in a frame, unless it is told to.
const MOST_TICKS: usize = 16;

/// More shapes than that are not met at once.
const MOST_SHAPES: i32 = 256;

/// How much wider than the body and its way the box is in which shapes are looked for, in pixels. It grows by
/// steps of this, so that it does not change when the body comes to rest.
const MARGIN: f32 = 32.0;

/// How far below the root the ground is looked for, in pixels.
const FAR_DOWN: f32 = 2000.0;

/// The world around a ragdoll.
pub(super) struct Query {
    skeleton: Gd<Skeleton2D>,
    node: Live<Node>,
    body: Option<InstanceId>,
    shared: Shared<Exchange>,
    shape: Gd<RectangleShape2D>,
    overlap: Gd<PhysicsShapeQueryParameters2D>,
    ray: Gd<PhysicsRayQueryParameters2D>,
    is_on: Cell<bool>,
    mask: Cell<u32>,
    /// The changes of exceptions that are in the queries.
    exception_changes: Cell<Option<u32>>,
    /// What no pass has taken yet.
    ticks: RefCell<Vec<RagdollTick>>,
    /// What was found last.
    last: RefCell<RagdollTick>,
    /// The bodies that were met so far. Their numbers are the places here.
    bodies: RefCell<Vec<(Rid, InstanceId)>>,
}

impl Query {
    pub(super) fn new(
        bones: &Bones,
        node: Gd<Node>,
        body: Option<Gd<Node2D>>,
        shared: Shared<Exchange>,
    ) -> Self {
        let shape = RectangleShape2D::new_gd();
        let mut overlap = PhysicsShapeQueryParameters2D::new_gd();
        overlap.set_shape(&shape);
        Self {
            skeleton: bones.skeleton(),
            node: Live::new(node),
            body: body.map(|body| body.instance_id()),
            shared,
            shape,
            overlap,
            ray: PhysicsRayQueryParameters2D::new_gd(),
            is_on: Cell::new(false),
            mask: Cell::new(1),
            exception_changes: Cell::new(None),
            ticks: RefCell::default(),
            last: RefCell::default(),
            bodies: RefCell::default(),
        }
    }

    /// The ragdoll's node.
    pub(super) fn node(&self) -> Option<&Gd<Node>> {
        self.node.alive()
    }

    pub(super) fn set(&self, is_on: bool, mask: u32) {
        if is_on && !self.is_on.get() {
            // The character may have other exceptions by now.
            self.exception_changes.set(None);
        }
        self.is_on.set(is_on);
        self.mask.set(mask);
        if !is_on {
            self.ticks.borrow_mut().clear();
        }
    }

    /// How long a physics frame is, in seconds.
    pub(super) fn tick(&self) -> f32 {
        self.skeleton.get_physics_process_delta_time() as f32
    }

    /// Notes where the ragdoll is that is modifier `index` of `rig` and about to be applied, if it is being let go.
    pub(super) fn aim(&self, rig: &Rig, index: usize) {
        let Solver::Ragdoll(ragdoll) = &rig.modifiers[index].solver else {
            return;
        };
        let phase = ragdoll.memory.before.phase;
        if !self.is_on.get() || matches!(phase, RagdollPhase::Falling | RagdollPhase::Lying) {
            return;
        }
        let mut low = Vec2::splat(f32::INFINITY);
        let mut high = -low;
        for (&bone, shape) in ragdoll.joints.iter().zip(&ragdoll.shapes) {
            for position in [shape.from, shape.to] {
                let bone = Some(bone);
                let place = rig.locate(Point { bone, position });
                let place = rig.to_global.transform_point2(place);
                low = low.min(place);
                high = high.max(place);
            }
        }
        let size = Vec2::splat(0.3 * (high - low).max_element());
        self.shared.bounds.set([low - size, high + size]);
        self.shared.centre.set(0.5 * (low + high));
        self.shared.speed.set(0.0);
    }

    /// Looks around for a tick of `delta` seconds. Only in physics frames.
    pub(super) fn run(&self, delta: f32) {
        let Some(mut space) = self.space().filter(|_| self.is_on.get()) else {
            return;
        };
        self.exclude();
        let mut tick = RagdollTick {
            delta,
            ..RagdollTick::default()
        };
        self.look_around(&mut space, &mut tick);
        tick.gravity = gravity_at(&self.skeleton, &mut space, self.shared.centre.get());
        self.look_down(&mut space, tick.gravity);
        // A body at rest need not hear of what it knows.
        let is_news = !self.shared.lies() || *self.last.borrow() != tick;
        self.last.borrow_mut().clone_from(&tick);
        let mut ticks = self.ticks.borrow_mut();
        if is_news {
            if ticks.len() >= MOST_TICKS {
                ticks.remove(0);
            }
            ticks.push(tick);
        }
    }

    fn space(&self) -> Option<Gd<PhysicsDirectSpaceState2D>> {
        if !self.skeleton.is_instance_valid() || !self.skeleton.is_inside_tree() {
            return None;
        }
        let world = self.skeleton.get_world_2d();
        world.and_then(|world| world.get_direct_space_state())
    }

    /// Has the queries pass by own parts and exceptions.
    fn exclude(&self) {
        let changes = Some(self.shared.exception_changes.get());
        if self.exception_changes.replace(changes) == changes {
            return;
        }
        let mut excluded = Array::new();
        let mut push = |body: &Gd<CollisionObject2D>| excluded.push(body.get_rid());
        let mut above = self.skeleton.get_parent();
        if let Some(Ok(body)) = self.body.map(Gd::<Node>::try_from_instance_id)
            && let Ok(body) = body.try_cast::<CollisionObject2D>()
        {
            push(&body);
            exceptions_of(&body, &mut push);
        }
        while let Some(node) = above {
            above = node.get_parent();
            if let Ok(body) = node.try_cast::<CollisionObject2D>() {
                push(&body);
                exceptions_of(&body, &mut push);
            }
        }
        for_each_below(&self.skeleton.clone().upcast(), &mut push);
        for body in self.shared.exceptions() {
            if let Ok(body) = Gd::<CollisionObject2D>::try_from_instance_id(body) {
                push(&body);
            }
        }
        self.overlap.clone().set_exclude(&excluded);
        self.ray.clone().set_exclude(&excluded);
    }

    fn look_around(&self, space: &mut Gd<PhysicsDirectSpaceState2D>, tick: &mut RagdollTick) {
        let [low, high] = self.shared.bounds.get();
        let pending = self.ticks.borrow().len() as f32 + 1.0;
        let way = self.shared.speed.get() * tick.delta * pending;
        let margin = MARGIN * (1.0 + (2.0 * way / MARGIN).floor());
        let size = high - low + Vec2::splat(2.0 * margin);
        if !size.is_finite() {
            return;
        }
        self.shape.clone().set_size(to_godot(size));
        let mut overlap = self.overlap.clone();
        overlap.set_transform(Transform2D::from_angle_origin(
            0.0,
            to_godot(0.5 * (low + high)),
        ));
        overlap.set_collision_mask(self.mask.get());
        let found = space
            .intersect_shape_ex(&overlap)
            .max_results(MOST_SHAPES)
            .done();
        for hit in found.iter_shared() {
            push_shape(&hit, |rid, id| self.number(rid, id), tick);
        }
        tick.sort();
    }

    fn number(&self, rid: Rid, id: InstanceId) -> u32 {
        let mut bodies = self.bodies.borrow_mut();
        let number = bodies.iter().position(|&(known, _)| known == rid);
        let number = number.unwrap_or_else(|| {
            bodies.push((rid, id));
            bodies.len() - 1
        });
        number as u32
    }

    /// What has this number, unless it was freed.
    pub(super) fn collider(&self, number: u32) -> Option<Gd<Node>> {
        let (_, id) = *self.bodies.borrow().get(number as usize)?;
        Gd::try_from_instance_id(id).ok()
    }

    /// Finds the ground below the root, on which a character would stand.
    fn look_down(&self, space: &mut Gd<PhysicsDirectSpaceState2D>, gravity: Vec2) {
        let down = gravity.try_normalize().unwrap_or(Vec2::Y);
        self.shared.down.set(down);
        let root = self.shared.roots.get().filter(|_| self.body.is_some());
        let ground = root.and_then(|[root, _]| {
            let mut ray = self.ray.clone();
            ray.set_from(to_godot(root));
            ray.set_to(to_godot(root + FAR_DOWN * down));
            ray.set_collision_mask(self.mask.get());
            let hit = space.intersect_ray(&ray);
            let place: Vector2 = hit.get("position")?.try_to().ok()?;
            Some(to_solver(place))
        });
        self.shared.ground.set(ground);
    }

    /// Hands over what was found. Returns whether that changes the solver's input.
    pub(super) fn gather(&self, into: &mut Ragdoll) -> bool {
        if self.shared.lies() && godot::classes::Engine::singleton().is_in_physics_frame() {
            self.run(self.tick());
        }
        let ticks = self.ticks.borrow();
        let changes = into.ticks != *ticks;
        into.ticks.clone_from(&ticks);
        changes
    }

    /// Notes where the body is, and forgets what the pass has taken.
    pub(super) fn forget(&self, ragdoll: &Ragdoll) {
        let outlook = &ragdoll.outlook;
        let phase = ragdoll.memory.last().phase;
        if matches!(phase, RagdollPhase::Falling | RagdollPhase::Lying) {
            self.shared.bounds.set(outlook.bounds);
            self.shared.speed.set(outlook.speed);
            self.shared.centre.set(outlook.centre);
        }
        self.ticks.borrow_mut().clear();
    }

    /// Pushes the bodies back that the body has pushed.
    pub(super) fn push_back(&self, outlook: &Outlook) {
        let mut server = PhysicsServer2D::singleton();
        for touch in &outlook.touches {
            let Some(&(rid, id)) = self.bodies.borrow().get(touch.body as usize) else {
                continue;
            };
            if Gd::<godot::classes::RigidBody2D>::try_from_instance_id(id).is_ok() {
                server.body_apply_central_impulse(rid, to_godot(-touch.impulse));
                server.body_apply_torque_impulse(rid, -touch.turn);
            }
        }
    }
}

/// Calls `push` with the bodies that `body` has as exceptions.
fn exceptions_of(body: &Gd<CollisionObject2D>, push: &mut impl FnMut(&Gd<CollisionObject2D>)) {
    if let Ok(body) = body.clone().try_cast::<PhysicsBody2D>() {
        for other in body.get_collision_exceptions().iter_shared() {
            push(&other.upcast());
        }
    }
}

fn for_each_below(node: &Gd<Node>, push: &mut impl FnMut(&Gd<CollisionObject2D>)) {
    for child in children_of(node) {
        if let Ok(body) = child.clone().try_cast::<CollisionObject2D>() {
            push(&body);
        }
        for_each_below(&child, push);
    }
}
