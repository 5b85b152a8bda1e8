//! Looks for the ground where feet are about to land, in physics frames.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{Gait, GaitLooks, GaitMemory, Held, Probe, Ridge, Rig, Tick};

use crate::nodes::bodies::Bodies;
use crate::nodes::ground::World;
use crate::plan::bones::Bones;

/// What the ticks have found that no pass has taken yet.
pub(super) struct Query {
    pub(super) world: World,
    /// Where to look, for each foot.
    looks: RefCell<GaitLooks>,
    ticks: RefCell<Vec<Tick>>,
    /// For each foot in the first of these ticks, then in the next, and so on.
    probes: RefCell<Vec<Probe>>,
    number: Cell<u32>,
}

/// More ticks than that are not kept: the engine makes at most 8 in a frame, unless it is told to.
const MOST_TICKS: usize = 16;

/// Where there is no ground, it is looked for nearer to the hip: by these parts of the way there.
const NEARER: [f32; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

impl Query {
    /// For the skeleton that is being planned.
    pub(super) fn new(bones: &Bones, known: &Rc<Bodies>) -> Self {
        Self {
            world: World::with_bodies(bones.skeleton(), known),
            looks: RefCell::default(),
            ticks: RefCell::default(),
            probes: RefCell::default(),
            number: Cell::new(0),
        }
    }

    /// Notes where to look for the gait that is modifier `index` of `rig` and goes on from `memory`.
    pub(super) fn aim(&self, rig: &Rig, index: usize, memory: &GaitMemory) {
        rig.gait_looks(
            index,
            memory,
            self.world.search(),
            &mut self.looks.borrow_mut(),
        );
        if let Some(last) = memory.last_tick() {
            // A state may have been restored.
            if self.number.get().wrapping_sub(last) as usize > MOST_TICKS {
                self.number.set(last);
                self.forget(None);
            }
        }
    }

    /// Looks there. Only in physics frames.
    pub(super) fn run(&self, to_global: Affine2) {
        let looks = &self.looks.borrow().of_feet;
        let Some(mut space) = self.world.space().filter(|_| !looks.is_empty()) else {
            return;
        };
        let (mut ticks, mut probes) = (self.ticks.borrow_mut(), self.probes.borrow_mut());
        if ticks.len() >= MOST_TICKS {
            ticks.remove(0);
            probes.drain(..looks.len());
        }
        self.number.set(self.number.get().wrapping_add(1));
        ticks.push(Tick {
            number: self.number.get(),
            delta: self.world.tick(),
            to_global,
        });
        let most = to_global.matrix2.determinant().abs().sqrt() * self.world.search()[0];
        probes.extend(looks.iter().map(|look| {
            let Some(look) = look else {
                return Probe::default();
            };
            let (ray, inward) = match look.is_global {
                true => (look.ray, look.inward),
                false => (
                    look.ray.map(|end| to_global.transform_point2(end)),
                    to_global.transform_vector2(look.inward),
                ),
            };
            let up = (ray[0] - ray[1]).normalize_or_zero() * most;
            let ground = NEARER.into_iter().find_map(|part| {
                let ends = ray.map(|end: Vec2| end + inward * part);
                self.world.cast(&mut space, ends)
            });
            let mut height = |ends| match most > 0.0 {
                true => self.world.obstacle(&mut space, ends, up),
                false => 0.0,
            };
            let ridge = look.way.map(|way| Ridge::find(way, most, &mut height));
            Probe {
                ground,
                held: look.held.map(|body| Held {
                    body,
                    frame: self.world.frame(body),
                }),
                ridge,
            }
        }));
    }

    /// Hands over what was found. Returns whether that changes the solver's input.
    pub(super) fn gather(&self, into: &mut Gait) -> bool {
        let (ticks, probes) = (self.ticks.borrow(), self.probes.borrow());
        let changes = into.ticks != *ticks || into.probes != *probes;
        into.ticks.clone_from(&ticks);
        into.probes.clone_from(&probes);
        changes
    }

    /// Forgets the ticks up to `last`, which a pass has taken; all if there is none.
    pub(super) fn forget(&self, last: Option<u32>) {
        let (mut ticks, mut probes) = (self.ticks.borrow_mut(), self.probes.borrow_mut());
        let is_taken =
            |tick: &&Tick| last.is_none_or(|last| tick.number.wrapping_sub(last) as i32 <= 0);
        let taken = ticks.iter().take_while(is_taken).count();
        if taken > 0 {
            let feet = probes.len() / ticks.len();
            ticks.drain(..taken);
            probes.drain(..taken * feet);
        }
    }
}
