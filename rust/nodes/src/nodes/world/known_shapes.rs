//! What was met: shapes of bodies, by numbers, and where each is in a tick.
//!
//! The numbers come from the places of the bodies in the tree (see [`super::address`]). One that was not met came
//! with a state: its surface is looked for in the tree.

use std::cell::{Cell, RefCell};

use godot::classes::{PhysicsBody2D, PhysicsServer2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::Surface;

use crate::engine::body_shape::shape_of;
use crate::nodes::world::address::Address;
use crate::nodes::world::shape::BodyShape;

/// The number of ticks for which a shape that is not met any more is remembered. Until then its number goes to no
/// other.
const REMEMBERED: u32 = 600;

/// Every so many ticks what is not remembered any more is looked for.
const SWEPT: u32 = 32;

/// More numbers than that which were not found are not kept.
const MOST_MISSING: usize = 64;

/// The number of ticks for which a surface that was found to be one-way, or not, is taken to be so.
const RENEWED: u32 = 4;

/// A shape of a body.
#[derive(Clone, Copy)]
pub(in crate::nodes) struct ShapeId {
    pub(in crate::nodes) body: Rid,
    pub(in crate::nodes) index: i32,
}

/// There is room for so many from the beginning, so that no pass asks for memory when it meets the next one.
const ROOM: usize = 32;

/// A shape that was met.
struct Known {
    number: u32,
    /// That of its body.
    body_number: u32,
    shape: BodyShape,
    /// `true` if it holds only what comes from above, and the tick as of which that is to be asked for again.
    is_one_way: Cell<bool>,
    due: Cell<u32>,
    /// The tick in which it was asked for last.
    met: Cell<u32>,
    /// The surface at that time, of a shape without a node.
    last: Cell<Option<Surface>>,
    /// The tick in which its surface was looked for, and that; `None` if it was gone.
    seen: Cell<(u32, Option<Surface>)>,
}

/// A body that was met, or a limb of another ragdoll.
struct KnownBody {
    /// Invalid for limbs.
    rid: Rid,
    limb: u32,
    node: Option<InstanceId>,
    number: u32,
    met: Cell<u32>,
}

/// All shapes that were met in the last time.
#[derive(Default)]
pub(in crate::nodes) struct KnownShapes {
    /// The skeleton from which their places are seen.
    skeleton: Cell<Option<InstanceId>>,
    /// One that is gone keeps its number: what comes to its place is another one.
    known: RefCell<Vec<Known>>,
    bodies: RefCell<Vec<KnownBody>>,
    /// Numbers that were looked for and not found.
    missing: RefCell<Vec<u32>>,
    ticks: Cell<u32>,
}

impl KnownShapes {
    /// They are met by what has this skeleton.
    pub(in crate::nodes) fn belong_to(&self, skeleton: &Gd<Skeleton2D>) {
        self.skeleton.set(Some(skeleton.instance_id()));
        self.known.borrow_mut().reserve(ROOM);
        self.bodies.borrow_mut().reserve(ROOM);
        self.missing.borrow_mut().reserve(MOST_MISSING + 1);
    }

    /// Surfaces may have moved. Indices that were returned before do not hold any more.
    pub(in crate::nodes) fn begin_tick(&self) {
        let now = self.ticks.get().wrapping_add(1);
        self.ticks.set(now);
        if now.is_multiple_of(SWEPT) {
            let is_recent = |met: &Cell<u32>| now.wrapping_sub(met.get()) <= REMEMBERED;
            self.known.borrow_mut().retain(|it| is_recent(&it.met));
            self.bodies.borrow_mut().retain(|it| is_recent(&it.met));
        }
        if self.missing.borrow().len() > MOST_MISSING {
            self.missing.borrow_mut().clear();
        }
    }

    fn skeleton(&self) -> Option<Gd<Skeleton2D>> {
        Gd::try_from_instance_id(self.skeleton.get()?).ok()
    }

    /// The number of a body: that of its place in the tree, so that it is the same on other machines. `node` is that
    /// of the body, if it has one.
    pub(in crate::nodes) fn number_of_body(&self, rid: Rid, node: Option<&Gd<Node>>) -> u32 {
        let address = || Address::of_body(rid, node, self.skeleton().as_ref());
        let is_it = |known: &KnownBody| known.rid == rid && rid.is_valid();
        self.number((rid, 0), node.map(Gd::instance_id), is_it, address)
    }

    /// The number of a limb of the ragdoll `node`.
    pub(in crate::nodes) fn number_of_limb(&self, node: &Gd<Node>, limb: u32) -> u32 {
        let address = || Address::of(node, self.skeleton().as_ref()).part(limb as i32);
        let id = Some(node.instance_id());
        let is_it =
            |known: &KnownBody| known.node == id && known.limb == limb && !known.rid.is_valid();
        self.number((Rid::Invalid, limb), id, is_it, address)
    }

    fn number(
        &self,
        (rid, limb): (Rid, u32),
        node: Option<InstanceId>,
        is_it: impl Fn(&KnownBody) -> bool,
        address: impl FnOnce() -> Address,
    ) -> u32 {
        let mut bodies = self.bodies.borrow_mut();
        if let Some(known) = bodies.iter().find(|known| is_it(known)) {
            known.met.set(self.ticks.get());
            return known.number;
        }
        let address = address();
        let number = address.free(|number| bodies.iter().any(|other| other.number == number));
        bodies.push(KnownBody {
            rid,
            limb,
            node,
            number,
            met: Cell::new(self.ticks.get()),
        });
        number
    }

    /// The body with this number, and its node, if that was not freed.
    pub(in crate::nodes) fn body(&self, number: u32) -> Option<(Rid, InstanceId)> {
        let bodies = self.bodies.borrow();
        let known = bodies.iter().find(|known| known.number == number)?;
        let node = known.node.filter(|node| node.lookup_validity())?;
        Some((known.rid, node))
    }

    /// The shape with this index, and the number of its body.
    pub(in crate::nodes) fn with<T>(
        &self,
        index: usize,
        tell: impl FnOnce(&BodyShape, u32) -> T,
    ) -> Option<T> {
        let known = self.known.borrow();
        let known = known.get(index)?;
        Some(tell(&known.shape, known.body_number))
    }

    /// Returns the surface that a ray has met, and `true` if it holds only what comes from above. `node` is called for
    /// the node of the shape, if that is not known.
    pub(in crate::nodes) fn met(
        &self,
        shape: ShapeId,
        node: impl FnOnce() -> Option<Gd<Node>>,
    ) -> Option<(Surface, bool)> {
        let now = self.ticks.get();
        let seen = self.known.borrow().iter().find_map(|known| {
            let it = &known.shape;
            let (tick, surface) = known.seen.get();
            let is_it = it.body == shape.body && it.index == shape.index && tick == now;
            Some((surface.filter(|_| is_it)?, known.is_one_way(now)))
        });
        seen.or_else(|| {
            let index = self.index(shape, node)?;
            let surface = self.see(index, true)?;
            Some((surface, self.known.borrow()[index].is_one_way(now)))
        })
    }

    /// The index of what was met.
    pub(in crate::nodes) fn index(
        &self,
        it: ShapeId,
        node: impl FnOnce() -> Option<Gd<Node>>,
    ) -> Option<usize> {
        let rid = shape_of(it.body, it.index)?;
        let is_it = |known: &Known| {
            let shape = &known.shape;
            shape.body == it.body && shape.index == it.index && shape.rid == rid
        };
        let index = self.known.borrow().iter().position(is_it);
        if let Some(index) = index {
            self.note(index);
            return Some(index);
        }
        self.know(it.body, (it.index, rid), node().as_ref())
    }

    /// It was asked for in this tick.
    fn note(&self, index: usize) {
        let known = &self.known.borrow()[index];
        known.met.set(self.ticks.get());
        let bodies = self.bodies.borrow();
        if let Some(body) = bodies.iter().find(|it| it.rid == known.shape.body) {
            body.met.set(self.ticks.get());
        }
    }

    /// Gives a number to a shape of a body of `node`. Returns its index.
    fn know(&self, body: Rid, shape: (i32, Rid), node: Option<&Gd<Node>>) -> Option<usize> {
        let shape = BodyShape::of(body, shape, node)?;
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
            met: Cell::new(self.ticks.get()),
            last: Cell::default(),
            seen: Cell::new((self.ticks.get().wrapping_sub(1), None)),
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
        let bodies = root.find_children_ex("*").type_("PhysicsBody2D");
        for node in bodies.owned(false).done().iter_shared() {
            let body = node.clone().cast::<PhysicsBody2D>().get_rid();
            let address = Address::of_body(body, Some(&node), Some(&skeleton));
            let shapes = 0..server.body_get_shape_count(body);
            if let Some(index) = { shapes }.find(|&index| address.part(index).0 == number) {
                let shape = (index, server.body_get_shape(body, index));
                self.know(body, shape, Some(&node));
                return;
            }
        }
    }

    /// Returns the node that a surface belongs to.
    pub(in crate::nodes) fn node(&self, number: u32) -> Option<InstanceId> {
        let index = self.index_of(number)?;
        self.known.borrow()[index].shape.node()
    }

    /// A surface in this tick; `None` if it is gone.
    pub(in crate::nodes) fn surface(&self, number: u32) -> Option<Surface> {
        self.see(self.index_of(number)?, false)
    }

    /// Looks where a surface is, once in a tick. A ray may have met it.
    fn see(&self, index: usize, is_met: bool) -> Option<Surface> {
        let known = &self.known.borrow()[index];
        let now = self.ticks.get();
        match known.seen.get() {
            (tick, surface) if tick == now && (surface.is_some() || !is_met) => surface,
            _ => {
                self.note(index);
                let surface = known.look(is_met);
                known.seen.set((now, surface));
                surface
            }
        }
    }
}

impl Known {
    /// Looks where it is. One that a ray has just met is there.
    fn look(&self, is_met: bool) -> Option<Surface> {
        let find = || self.shape.find(self.number, self.body_number);
        match self.shape.node() {
            Some(_) => (is_met || self.shape.is_there()).then(find).flatten(),
            // It is asked for once more where it was, until a ray tells.
            None if is_met => {
                self.last.set(find());
                self.last.get()
            }
            None => self.last.take(),
        }
    }

    /// Returns `true` if the shape holds only what comes from above.
    fn is_one_way(&self, tick: u32) -> bool {
        let left = self.due.get().wrapping_sub(tick);
        if !(1..=RENEWED).contains(&left) {
            self.is_one_way.set(self.shape.is_one_way());
            self.due.set(tick.wrapping_add(RENEWED));
        }
        self.is_one_way.get()
    }
}
