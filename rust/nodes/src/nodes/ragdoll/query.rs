//! Asks the physics server what is around a ragdoll, in physics frames.

use std::cell::{Cell, RefCell};

use godot::classes::{
    CharacterBody2D, PhysicsDirectSpaceState2D, PhysicsPointQueryParameters2D, PhysicsServer2D,
    PhysicsShapeQueryParameters2D, RectangleShape2D, RigidBody2D, Skeleton2D, World2D,
};
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{
    Kept, Point, Ragdoll, RagdollMemory, RagdollPhase, RagdollTick, Rig, Solver, Touch, Whereabouts,
};

use super::crowd;
use super::shared::Exchange;
use super::surroundings::{area_query, areas_at, forces_at, push_solid};
use super::witness::Witness;
use crate::engine::frame_calls::Live;
use crate::engine::shared::Shared;
use crate::engine::space::{to_godot, to_solver};
use crate::nodes::world::known_shapes::ShapeId;
use crate::nodes::world::shape::BodyShape;
use crate::plan::bones::Bones;

/// More ticks than that are not kept: the engine makes at most 8 in a frame, unless it is told to.
const MOST_TICKS: usize = 16;

/// More shapes than that are not met at once.
const MOST_SHAPES: i32 = 256;

/// The margin of the box in which shapes are looked for, around the body and its way, in pixels. It grows by steps of
/// this, so that it does not change when the body comes to rest.
const MARGIN: f32 = 32.0;

/// The world is known for at least so long, in seconds.
const AHEAD: f32 = 1.0 / 30.0;

/// In so many ticks the world of a body at rest is asked once for more than where its shapes are.
const STILL_TICKS: u32 = 6;

/// The world around a ragdoll.
pub(super) struct Query {
    skeleton: Live<Skeleton2D>,
    node: Live<Node>,
    body: Option<InstanceId>,
    shared: Shared<Exchange>,
    shape: Gd<RectangleShape2D>,
    overlap: Gd<PhysicsShapeQueryParameters2D>,
    point: Gd<PhysicsPointQueryParameters2D>,
    is_on: Cell<bool>,
    mask: Cell<u32>,
    /// The layers of the body itself.
    layer: Cell<u32>,
    /// The ragdolls around, and how often each had moved when it was looked for, and in the last tick that was told.
    others: RefCell<[Vec<(InstanceId, u32)>; 2]>,
    /// The ticks that no pass has taken yet.
    ticks: RefCell<Vec<RagdollTick>>,
    /// The last results: the shapes, the areas, and the tick made of them.
    found: RefCell<Vec<usize>>,
    areas: RefCell<Vec<InstanceId>>,
    last: RefCell<RagdollTick>,
    /// The places of the shapes, for a body at rest, and the number of ticks in which no more than that was asked.
    places: RefCell<Vec<Option<Transform2D>>>,
    still_ticks: Cell<u32>,
    /// There is one while the body is at rest.
    witness: RefCell<Option<Witness>>,
    /// `true` if there was a solve that was not published.
    is_solved: Cell<bool>,
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
        let skeleton = bones.skeleton();
        let body = body.map(|body| body.instance_id());
        shared.world.belong_to(&skeleton, body);
        Self {
            skeleton: Live::new(skeleton),
            node: Live::new(node),
            body,
            shared,
            shape,
            overlap,
            point: area_query(),
            is_on: Cell::new(false),
            mask: Cell::new(1),
            layer: Cell::new(0),
            others: RefCell::default(),
            ticks: RefCell::default(),
            found: RefCell::default(),
            areas: RefCell::default(),
            last: RefCell::default(),
            places: RefCell::default(),
            still_ticks: Cell::new(0),
            witness: RefCell::default(),
            is_solved: Cell::new(false),
        }
    }

    /// The ragdoll's node.
    pub(super) fn node(&self) -> Option<&Gd<Node>> {
        self.node.alive()
    }

    pub(super) fn set(&self, is_on: bool, [layer, mask]: [u32; 2]) {
        let begins = !self.is_on.replace(is_on) && is_on;
        let has_other_mask = self.mask.replace(mask) != mask;
        self.shared.mask.set(mask);
        if begins || has_other_mask {
            // The character may have other exceptions by now, and others are met.
            self.shared.world.parts.look_again();
        }
        self.layer.set(layer);
        if !is_on {
            self.ticks.borrow_mut().clear();
            self.witness.take();
            self.leave();
        }
    }

    /// Other ragdolls meet this one where it is after a pass, or no more.
    pub(super) fn join(&self, limbs: &RagdollTick) {
        let layer = self.layer.get();
        let is_met = self.is_on.get() && layer != 0 && !limbs.solids.is_empty();
        match is_met.then(|| self.space_id()).flatten() {
            Some(space) => crowd::join(self.node.id(), (space, layer), limbs),
            None => self.leave(),
        }
    }

    pub(super) fn leave(&self) {
        crowd::leave(self.node.id());
    }

    pub(super) fn note_solve(&self) {
        self.is_solved.set(true);
    }

    /// Returns `true` if there was a solve since this was asked last.
    pub(super) fn take_solved(&self) -> bool {
        self.is_solved.replace(false)
    }

    /// Returns the length of a physics frame, in seconds.
    pub(super) fn tick(&self) -> f32 {
        let delta = self.skeleton.get_physics_process_delta_time();
        delta.unwrap_or_default() as f32
    }

    /// Notes where the ragdoll is that is modifier `index` of `rig`: as what is `kept` of it says, or as the pose
    /// has it if it is about to be let go.
    pub(super) fn aim(
        &self,
        rig: &Rig,
        index: usize,
        kept: impl Fn(&Kept<RagdollMemory>) -> &RagdollMemory,
    ) {
        let Solver::Ragdoll(ragdoll) = &rig.modifiers[index].solver else {
            return;
        };
        let memory = kept(&ragdoll.memory);
        if matches!(memory.phase, RagdollPhase::Falling | RagdollPhase::Lying) {
            self.shared.whereabouts.set(memory.whereabouts);
            return;
        }
        if !self.is_on.get() {
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
        self.shared.whereabouts.set(Whereabouts {
            low: low - size,
            high: high + size,
            centre: 0.5 * (low + high),
            ..Whereabouts::default()
        });
    }

    /// Finds what is around for a tick of `delta` seconds. Only in physics frames.
    pub(super) fn run(&self, delta: f32) {
        if !self.is_on.get() {
            return;
        }
        let watches = self.shared.lies() && !self.shared.world.parts.is_new() && self.is_of_nodes();
        let is_calm = watches && self.witness.borrow().as_ref().is_some_and(Witness::is_calm);
        let others_stay = self.look_for_others(delta);
        if is_calm && others_stay && self.stands_still() {
            return;
        }
        let Some(world) = self.world() else {
            return;
        };
        let Some(mut space) = world.get_direct_space_state() else {
            return;
        };
        let mut tick = RagdollTick {
            delta,
            ..RagdollTick::default()
        };
        if !is_calm {
            self.exclude();
            self.look_around(&mut space, delta);
            self.watch(delta);
        }
        let place = self.shared.whereabouts.get().centre;
        (tick.gravity, tick.damp) = forces_at(world.get_space(), &self.areas.borrow(), place);
        let down = tick.gravity.try_normalize().unwrap_or(Vec2::Y);
        self.shared.down.set(down);
        if let Some(bounds) = self.bounds(delta) {
            for &found in &*self.found.borrow() {
                let push = |shape: &BodyShape, body| {
                    // One without a node was found in this tick.
                    let is_there = shape.node().is_none() || shape.is_there();
                    is_there.then(|| push_solid(shape, body, bounds, &mut tick))?
                };
                self.shared.world.shapes.with(found, push);
            }
            self.push_others(&mut tick);
        }
        tick.sort();
        if self.shared.lies() {
            let found = self.found.borrow();
            let places = found.iter().map(|&found| self.place(found));
            *self.places.borrow_mut() = places.collect();
        }
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

    /// Finds the ragdolls around. Returns whether they are those of the last tick, where they were.
    fn look_for_others(&self, delta: f32) -> bool {
        let mut others = self.others.borrow_mut();
        let [found, last] = &mut *others;
        if crowd::is_empty() {
            found.clear();
            return last.is_empty();
        }
        match self.bounds(delta).zip(self.space_id()) {
            Some((bounds, space)) => {
                crowd::near(self.node.id(), (space, self.mask.get()), bounds, found)
            }
            None => found.clear(),
        }
        found == last
    }

    /// Adds their limbs.
    fn push_others(&self, tick: &mut RagdollTick) {
        let mut others = self.others.borrow_mut();
        let [found, last] = &mut *others;
        last.clone_from(found);
        for &(id, _) in &*found {
            let Ok(node) = Gd::<Node>::try_from_instance_id(id) else {
                continue;
            };
            if !self.shared.world.parts.have(&node) {
                let number = |limb| self.shared.world.shapes.number_of_limb(&node, limb);
                crowd::push_limbs(id, number, tick);
            }
        }
    }

    /// Returns `true` if all that was found is where it was. A few times a second the rest is asked for, too, such as
    /// gravity and the speed of belts: then it returns `false`.
    fn stands_still(&self) -> bool {
        let ticks = self.still_ticks.get() + 1;
        self.still_ticks.set(ticks % STILL_TICKS);
        let found = self.found.borrow();
        let places = found.iter().map(|&found| self.place(found));
        ticks < STILL_TICKS && places.eq(self.places.borrow().iter().copied())
    }

    /// Returns the place of the body of a shape, if that is there. The witness tells of shapes that are gone.
    fn place(&self, found: usize) -> Option<Transform2D> {
        let place = |shape: &BodyShape, _| shape.has_body().then(|| shape.place())?;
        self.shared.world.shapes.with(found, place)?
    }

    /// Returns `true` if all that was found has nodes, which tell when it is gone.
    fn is_of_nodes(&self) -> bool {
        let shapes = &self.shared.world.shapes;
        let has_node = |&found: &usize| shapes.with(found, |it, _| it.node().is_some());
        let found = self.found.borrow();
        found.iter().all(|found| has_node(found) == Some(true))
    }

    /// Has a body at rest watched.
    fn watch(&self, delta: f32) {
        let mut witness = self.witness.borrow_mut();
        if !self.shared.lies() {
            *witness = None;
        } else if witness.is_none() {
            let place = self.space_id().zip(self.bounds(delta));
            *witness = place.map(|(space, bounds)| Witness::new(space, bounds));
        }
    }

    /// Two corners of the box in which shapes are looked for.
    fn bounds(&self, delta: f32) -> Option<[Vec2; 2]> {
        let it = self.shared.whereabouts.get();
        let pending = self.ticks.borrow().len() as f32 + 1.0;
        let way = it.speed * (delta * pending).max(AHEAD);
        let margin = Vec2::splat(MARGIN * (1.0 + (2.0 * way / MARGIN).floor()));
        let bounds = [it.low - margin, it.high + margin];
        let is_finite = bounds.iter().all(|corner| corner.is_finite());
        is_finite.then_some(bounds)
    }

    /// Returns the velocity of the character, if it is a body that says so.
    pub(super) fn character_velocity(&self) -> Option<Vec2> {
        let body = Gd::<Node>::try_from_instance_id(self.body?).ok()?;
        let velocity = match body.try_cast::<CharacterBody2D>() {
            Ok(body) => match body.get_real_velocity() {
                Vector2::ZERO => body.get_velocity(),
                real => real,
            },
            Err(body) => body.try_cast::<RigidBody2D>().ok()?.get_linear_velocity(),
        };
        Some(to_solver(velocity))
    }

    fn world(&self) -> Option<Gd<World2D>> {
        let is_there = self.skeleton.is_inside_tree() == Some(true);
        is_there.then(|| self.skeleton.alive()?.get_world_2d())?
    }

    /// That of the physics server.
    fn space_id(&self) -> Option<Rid> {
        Some(self.world()?.get_space())
    }

    /// Begins a tick, and has the queries pass by own parts and exceptions.
    fn exclude(&self) {
        if self.shared.world.begin_tick() {
            let excluded: Array<Rid> = self.shared.world.parts.own().iter().copied().collect();
            self.overlap.clone().set_exclude(&excluded);
        }
    }

    /// Finds the shapes and the areas around.
    fn look_around(&self, space: &mut Gd<PhysicsDirectSpaceState2D>, delta: f32) {
        let mut found = self.found.borrow_mut();
        found.clear();
        let Some([low, high]) = self.bounds(delta) else {
            return;
        };
        self.shape.clone().set_size(to_godot(high - low));
        let mut overlap = self.overlap.clone();
        let middle = to_godot(0.5 * (low + high));
        overlap.set_transform(Transform2D::from_angle_origin(0.0, middle));
        overlap.set_collision_mask(self.mask.get());
        let hits = space
            .intersect_shape_ex(&overlap)
            .max_results(MOST_SHAPES)
            .done();
        found.extend(hits.iter_shared().filter_map(|hit| self.find(&hit)));
        let place = self.shared.whereabouts.get().centre;
        *self.areas.borrow_mut() = areas_at(space, &self.point, place);
    }

    /// A shape that a query has found, unless it is a part of the character.
    fn find(&self, hit: &VarDictionary) -> Option<usize> {
        let shape = ShapeId {
            body: hit.get("rid")?.try_to().ok()?,
            index: hit.get("shape")?.try_to().ok()?,
        };
        let node = || {
            let id: i64 = hit.get("collider_id")?.try_to().ok()?;
            Gd::try_from_instance_id(InstanceId::try_from_i64(id)?).ok()
        };
        let is_own = self.shared.world.parts.claims(shape.body, node);
        (!is_own).then(|| self.shared.world.shapes.index(shape, node))?
    }

    /// Returns the node of the body with this number, unless it was freed.
    pub(super) fn collider(&self, number: u32) -> Option<Gd<Node>> {
        let (_, node) = self.shared.world.shapes.body(number)?;
        Gd::try_from_instance_id(node).ok()
    }

    /// Hands over what was found. Returns whether that changes the solver's input.
    pub(super) fn gather(&self, into: &mut Ragdoll) -> bool {
        if self.shared.lies() && Live::engine().is_in_physics_frame() == Some(true) {
            self.run(self.tick());
        }
        let ticks = self.ticks.borrow();
        let changes = into.ticks != *ticks;
        into.ticks.clone_from(&ticks);
        changes
    }

    /// Forgets what the pass has taken.
    pub(super) fn forget(&self) {
        self.ticks.borrow_mut().clear();
    }

    /// Pushes the bodies back that the body has pushed, as far as they give way.
    pub(super) fn push_back(&self, touches: &[Touch]) {
        let mut server = PhysicsServer2D::singleton();
        let last = self.last.borrow();
        let gives_way = |body: u32| {
            let mut solids = last.solids.iter();
            solids.any(|it| it.body == body && it.lightness != Vec2::ZERO)
        };
        for touch in touches.iter().filter(|touch| gives_way(touch.body)) {
            // Another ragdoll's limb is no body.
            if let Some((rid, _)) = self.shared.world.shapes.body(touch.body)
                && rid.is_valid()
            {
                server.body_apply_central_impulse(rid, to_godot(-touch.given));
                server.body_apply_torque_impulse(rid, -touch.turn);
            }
        }
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        self.leave();
    }
}
