//! Looks for the ground below feet, in physics frames.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use godot::classes::PhysicsDirectSpaceState2D;
use godot::obj::Gd;
use tendon_solver::glam::Affine2;
use tendon_solver::{FootLook, FootPlacement, Footing, Found, Ground, Rig, Solver, Step};

use crate::nodes::bodies::Bodies;
use crate::nodes::ground::World;
use crate::plan::bones::Bones;
use crate::plan::change::set;

/// The ground below the feet of a placement.
pub(super) struct Query {
    pub(super) world: World,
    /// Where to look.
    looks: RefCell<Vec<Option<FootLook>>>,
    /// The bodies on which feet are planted, by their numbers.
    held: RefCell<Vec<Option<u32>>>,
    found: RefCell<Vec<Found>>,
    ticks: Cell<u32>,
}

impl Query {
    /// For `feet` feet of the skeleton that is being planned.
    pub(super) fn new(bones: &Bones, feet: usize, known: &Rc<Bodies>) -> Self {
        Self {
            world: World::with_bodies(bones.skeleton(), known),
            looks: RefCell::default(),
            held: RefCell::default(),
            found: RefCell::new(vec![Found::default(); feet]),
            ticks: Cell::new(0),
        }
    }

    /// Notes where to look for the placement that is modifier `index` of `rig`, which is about to
    /// be applied: `now`, or in the next physics frame.
    pub(super) fn aim(&self, rig: &Rig, index: usize, now: bool) {
        let search = self.world.search();
        rig.foot_looks(index, search, now, &mut self.looks.borrow_mut());
        if let Solver::FootPlacement(placement) = &rig.modifiers[index].solver {
            self.hold(&placement.memory.before);
        }
    }

    /// Notes on which bodies the feet are planted. A foot that has just been planted is held at once.
    pub(super) fn hold(&self, footing: &Footing) {
        let mut held = self.held.borrow_mut();
        let mut found = self.found.borrow_mut();
        held.resize(found.len(), None);
        for (index, (held, found)) in held.iter_mut().zip(found.iter_mut()).enumerate() {
            let plant = footing.feet.get(index).and_then(|foot| foot.plant);
            let body = plant.map(|plant| plant.contact.body);
            if set(held, body) {
                found.held = body.and_then(|body| self.world.frame(body));
            }
        }
    }

    /// Where the body is that a foot is planted on.
    pub(super) fn held(&self, foot: usize) -> Option<Affine2> {
        self.found.borrow().get(foot)?.held
    }

    /// Looks there. Only in physics frames.
    pub(super) fn run(&self, to_global: Affine2) {
        let Some(mut space) = self.world.space() else {
            return;
        };
        self.ticks.set(self.ticks.get().wrapping_add(1));
        let (looks, held) = (self.looks.borrow(), self.held.borrow());
        for (index, found) in self.found.borrow_mut().iter_mut().enumerate() {
            let look = looks.get(index).copied().flatten();
            let look = look.map(|look| look.placed(to_global));
            found.ground = look.and_then(|look| self.world.cast(&mut space, look.here));
            found.step = look.and_then(|look| self.step(&mut space, &look, &found.ground?));
            let body = held.get(index).copied().flatten();
            found.held = body.and_then(|body| self.world.frame(body));
        }
    }

    /// The step ahead of a foot that has the ground `here` below it.
    fn step(
        &self,
        space: &mut Gd<PhysicsDirectSpaceState2D>,
        look: &FootLook,
        here: &Ground,
    ) -> Option<Step> {
        let ahead = self.world.cast(space, look.ahead?)?;
        let (step, ends) = look.step(here, &ahead)?;
        let side = self.world.side(space, ends);
        Some(Step { side, ..step })
    }

    /// Hands over what was found last. Returns whether that changes the solver's input.
    pub(super) fn gather(&self, into: &mut FootPlacement) -> bool {
        let mut changes = set(&mut into.ticks, self.ticks.get());
        for (found, into) in self.found.borrow().iter().zip(&mut into.found) {
            changes |= set(into, *found);
        }
        changes
    }
}
