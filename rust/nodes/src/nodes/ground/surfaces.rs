//! What rays have met: shapes of bodies, by numbers, and where each is in a tick.
//!
//! The numbers come from the places of the bodies in the tree (see [`super::address`]). One that no ray has met came
//! with a state: its surface is looked for in the tree.

use std::cell::{Cell, RefCell};

use godot::classes::{PhysicsBody2D, PhysicsServer2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::Surface;

use crate::engine::body_shape::shape_of;
use crate::engine::ray::RayAnswer;
use crate::nodes::ground::address::Address;
use crate::nodes::ground::shape::Shape;

/// When more surfaces are known, all are forgotten, also those that are gone.
const MOST: usize = 1024;

/// For how many ticks a surface that was found to be one-way, or not, is taken to be so.
const RENEWED: u32 = 4;

/// A surface.
struct Known {
    number: u32,
    /// That of its body.
    body_number: u32,
    shape: Shape,
    /// Whether it holds only what comes from above, and as of which tick that is to be asked for again.
    is_one_way: Cell<bool>,
    due: Cell<u32>,
}

/// A surface in a tick.
#[derive(Clone, Copy)]
struct Seen {
    /// Its index among those that are known.
    known: usize,
    body: Rid,
    index: i32,
    /// `None` if it is gone.
    surface: Option<Surface>,
}

/// All surfaces that were met so far.
#[derive(Default)]
pub(in crate::nodes) struct Surfaces {
    /// From where their places are seen.
    skeleton: Cell<Option<InstanceId>>,
    /// One that is gone keeps its number: what comes to its place is another one.
    known: RefCell<Vec<Known>>,
    bodies: RefCell<Vec<(Rid, u32)>>,
    /// Numbers that were looked for and not found.
    missing: RefCell<Vec<u32>>,
    /// What was asked for in this tick.
    seen: RefCell<Vec<Seen>>,
    ticks: Cell<u32>,
}

impl Surfaces {
    /// They are ground for the feet of this skeleton.
    pub(super) fn belong_to(&self, skeleton: &Gd<Skeleton2D>) {
        self.skeleton.set(Some(skeleton.instance_id()));
    }

    /// Surfaces may have moved.
    pub(super) fn begin_tick(&self) {
        self.seen.borrow_mut().clear();
        self.ticks.set(self.ticks.get().wrapping_add(1));
        if self.known.borrow().len() > MOST {
            self.known.borrow_mut().clear();
            self.bodies.borrow_mut().clear();
            self.missing.borrow_mut().clear();
        }
    }

    fn skeleton(&self) -> Option<Gd<Skeleton2D>> {
        Gd::try_from_instance_id(self.skeleton.get()?).ok()
    }

    /// The number of a body of `node`.
    pub(super) fn number_of_body(&self, body: Rid, node: &Gd<Node>) -> u32 {
        let mut bodies = self.bodies.borrow_mut();
        if let Some(&(_, number)) = bodies.iter().find(|(known, _)| *known == body) {
            return number;
        }
        let address = Address::of_body(body, node, self.skeleton().as_ref());
        let number = address.free(|number| bodies.iter().any(|&(_, other)| other == number));
        bodies.push((body, number));
        number
    }

    /// What a ray has hit at `place`, and whether that holds only what comes from above. `node` is asked for what it
    /// is of, if that is not known.
    pub(super) fn met(
        &self,
        hit: &RayAnswer,
        place: Vector2,
        node: impl FnOnce() -> Option<Gd<Node>>,
    ) -> Option<(Surface, bool)> {
        let is_it = |seen: &Seen| {
            seen.body == hit.body && seen.index == hit.shape && seen.surface.is_some()
        };
        let seen = self.seen.borrow().iter().copied().find(is_it);
        let seen = match seen {
            Some(seen) => seen,
            None => self.see(self.index(hit, node)?),
        };
        let is_one_way = self.known.borrow()[seen.known].is_one_way(place, self.ticks.get());
        Some((seen.surface?, is_one_way))
    }

    /// The index of what a ray has hit.
    fn index(&self, hit: &RayAnswer, node: impl FnOnce() -> Option<Gd<Node>>) -> Option<usize> {
        let rid = shape_of(hit.body, hit.shape)?;
        let is_it = |known: &Known| {
            let shape = &known.shape;
            shape.body == hit.body && shape.index == hit.shape && shape.rid == rid
        };
        let known = self.known.borrow().iter().position(is_it);
        known.or_else(|| self.know(hit.body, (hit.shape, rid), &node()?))
    }

    /// Gives a number to a shape of a body of `node`. Returns its index.
    fn know(&self, body: Rid, shape: (i32, Rid), node: &Gd<Node>) -> Option<usize> {
        let shape = Shape::of(body, shape, node)?;
        let body_number = self.number_of_body(body, node);
        let mut known = self.known.borrow_mut();
        let address = Address(body_number).part(shape.index);
        let number = address.free(|number| known.iter().any(|other| other.number == number));
        known.push(Known {
            number,
            body_number,
            shape,
            is_one_way: Cell::default(),
            due: Cell::new(self.ticks.get()),
        });
        Some(known.len() - 1)
    }

    /// The index of the surface with this number, if there is one.
    fn index_of(&self, number: u32) -> Option<usize> {
        let find = || {
            let known = self.known.borrow();
            known.iter().position(|it| it.number == number)
        };
        find().or_else(|| {
            self.search(number);
            find()
        })
    }

    /// Looks for a surface in the whole tree. Those of tile maps are not among them: rays meet them.
    fn search(&self, number: u32) {
        if self.missing.borrow().contains(&number) {
            return;
        }
        self.missing.borrow_mut().push(number);
        let Some(skeleton) = self.skeleton() else {
            return;
        };
        let Some(root) = skeleton.get_tree_or_null().and_then(|tree| tree.get_root()) else {
            return;
        };
        let server = PhysicsServer2D::singleton();
        let bodies = root
            .find_children_ex("*")
            .type_("PhysicsBody2D")
            .owned(false)
            .done();
        for node in bodies.iter_shared() {
            let body = node.clone().cast::<PhysicsBody2D>().get_rid();
            let address = Address::of_body(body, &node, Some(&skeleton));
            let shapes = 0..server.body_get_shape_count(body);
            if let Some(index) = { shapes }.find(|&index| address.part(index).0 == number) {
                self.know(body, (index, server.body_get_shape(body, index)), &node);
                return;
            }
        }
    }

    /// What a surface is of.
    pub(super) fn node(&self, number: u32) -> Option<InstanceId> {
        let index = self.index_of(number)?;
        Some(self.known.borrow()[index].shape.node())
    }

    /// A surface in this tick; `None` if it is gone.
    pub(super) fn surface(&self, number: u32) -> Option<Surface> {
        self.see(self.index_of(number)?).surface
    }

    /// Looks where a surface is, once in a tick.
    fn see(&self, index: usize) -> Seen {
        let is_it = |seen: &&Seen| seen.known == index;
        let seen = self.seen.borrow().iter().find(is_it).copied();
        seen.unwrap_or_else(|| {
            let seen = self.known.borrow()[index].see(index);
            self.seen.borrow_mut().push(seen);
            seen
        })
    }
}

impl Known {
    /// Looks where it is, the one with this index.
    fn see(&self, index: usize) -> Seen {
        let find = || self.shape.find(self.number, self.body_number);
        Seen {
            known: index,
            body: self.shape.body,
            index: self.shape.index,
            surface: self.shape.is_there().then(find).flatten(),
        }
    }

    /// Whether it holds only what comes from above, at a place in it.
    fn is_one_way(&self, place: Vector2, tick: u32) -> bool {
        let left = self.due.get().wrapping_sub(tick);
        if self.shape.has_parts() || !(1..=RENEWED).contains(&left) {
            self.is_one_way.set(self.shape.is_one_way(place));
            self.due.set(tick.wrapping_add(RENEWED));
        }
        self.is_one_way.get()
    }
}
