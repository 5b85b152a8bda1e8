//! Looks for the ground below feet, in physics frames.

use std::cell::{Cell, RefCell};

use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{FootPlacement, Footing, Found, Rig, Solver};

use crate::nodes::ground::World;
use crate::plan::bones::Bones;
use crate::plan::change::set;

/// The ground below the feet of a placement.
pub(super) struct Query {
    pub(super) world: World,
    /// Where to look, in skeleton space.
    rays: RefCell<Vec<Option<[Vec2; 2]>>>,
    /// The bodies on which feet are planted, by their numbers.
    held: RefCell<Vec<Option<u32>>>,
    found: RefCell<Vec<Found>>,
    ticks: Cell<u32>,
}

impl Query {
    /// For `feet` feet of the skeleton that is being planned.
    pub(super) fn new(bones: &Bones, feet: usize) -> Self {
        Self {
            world: World::new(bones),
            rays: RefCell::default(),
            held: RefCell::default(),
            found: RefCell::new(vec![Found::default(); feet]),
            ticks: Cell::new(0),
        }
    }

    /// Notes where to look for the placement that is modifier `index` of `rig`, which is about to
    /// be applied.
    pub(super) fn aim(&self, rig: &Rig, index: usize, mask: u32, search: [f32; 2]) {
        self.world.set(mask, search);
        rig.foot_rays(index, search, &mut self.rays.borrow_mut());
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

    /// Looks there. Only in physics frames.
    pub(super) fn run(&self, to_global: Affine2) {
        let Some(mut space) = self.world.space() else {
            return;
        };
        self.ticks.set(self.ticks.get().wrapping_add(1));
        let (rays, held) = (self.rays.borrow(), self.held.borrow());
        for (index, found) in self.found.borrow_mut().iter_mut().enumerate() {
            let ray = rays.get(index).copied().flatten();
            found.ground = ray.and_then(|ray| {
                let ends = ray.map(|end| to_global.transform_point2(end));
                self.world.cast(&mut space, ends)
            });
            let body = held.get(index).copied().flatten();
            found.held = body.and_then(|body| self.world.frame(body));
        }
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
