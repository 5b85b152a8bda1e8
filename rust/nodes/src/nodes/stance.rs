//! What `TendonFootPlacement2D` and `TendonGait2D` share: what a plan knows of them, and their properties.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | the plan's side: ticks, and what a pass makes of the feet |
//! | [`properties`] | the properties and functions that both classes have |

pub(super) mod properties;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use godot::classes::{Bone2D, Engine};
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{Foot, Modifier as SolverModifier, Rig, Solver, Stance, Tick};

use crate::engine::link::Link;
use crate::engine::shared::Shared;
use crate::engine::space::to_godot;
use crate::nodes::foot::{FootState, PlannedFoot};
use crate::nodes::ground::{Bearing, Ground, KnownGround};
use crate::plan::class::{Gathered, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::mention::Mention;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

/// What a node that stands on ground keeps from plan to plan.
#[derive(Default)]
pub(super) struct Standing {
    pub(super) ground: KnownGround,
    /// How fast the character goes against what carries it, in global coordinates.
    pub(super) velocity: Shared<Cell<Vector2>>,
}

/// What a plan knows of such a node.
pub(crate) struct Nodes {
    feet: Vec<Rc<PlannedFoot>>,
    ground: Ground,
    /// The body that is asked whether it stands, if it was named.
    body: Cell<Option<InstanceId>>,
    bearing: RefCell<Bearing>,
    velocity: Shared<Cell<Vector2>>,
}

impl Nodes {
    /// Finds the feet below `node`, and its pelvis, of which `new` makes what is solved.
    pub(super) fn find(
        new: fn(usize, Vec<Foot>) -> Stance,
        node: &Gd<Node>,
        pelvis: &Link<Bone2D>,
        standing: &Standing,
        search: &mut Search<'_>,
    ) -> Result<(Self, Stance), Problem> {
        let feet = PlannedFoot::all_below(node, search);
        let (_, pelvis) = search.bones.bone_in(("pelvis", pelvis))?;
        if feet.is_empty() {
            return Err(Problem::NoFeet);
        }
        search.bones.reads_rest = true;
        search.bones.senses = true;
        let solver = new(pelvis, vec![Foot::default(); feet.len()]);
        let nodes = Self {
            feet,
            ground: Ground::new(&search.bones.skeleton(), node, standing.ground.clone()),
            body: Cell::default(),
            bearing: RefCell::default(),
            velocity: standing.velocity.clone(),
        };
        Ok((nodes, solver))
    }

    /// The collision layers on which the ground is, and the body that is asked whether it stands.
    pub(super) fn configure(&self, mask: u32, body: Option<InstanceId>) {
        self.ground.set_mask(mask);
        self.body.set(body);
    }

    /// A tick of modifier `index` of `rig`: if it is about to be solved `now`, or else after the last pass.
    fn tick(&self, rig: &mut Rig, index: usize, to_global: Affine2, delta: f32, now: bool) {
        let Some(mut world) = self.ground.open() else {
            return;
        };
        let mut bearing = self.bearing.borrow_mut();
        self.ground.read_bearing(self.body.get(), &mut bearing);
        let tick = Tick::new(delta, to_global, bearing.is_on_floor);
        rig.stand(index, tick, &bearing.floors, now, &mut world);
    }
}

impl Gathered<Stance> for Nodes {
    fn gather(&self, _: &Gather<'_>, into: &mut Stance) -> Result<bool, Stale> {
        let mut changes = false;
        for (foot, into) in self.feet.iter().zip(&mut into.feet) {
            changes |= foot.read(into)?;
        }
        Ok(changes)
    }
}

impl PlannedNodes for Nodes {
    fn mentions(&self) -> Vec<Mention<'_>> {
        self.feet.iter().map(|foot| foot.mention()).collect()
    }

    fn limbs(&self) -> Vec<Option<InstanceId>> {
        self.feet.iter().map(|foot| foot.limb()).collect()
    }

    /// In a physics frame this is the tick.
    fn prepare(&self, _: &Gd<Node>, rig: &mut Rig, index: usize) {
        if Engine::singleton().is_in_physics_frame() {
            self.tick(rig, index, rig.to_global, rig.delta, true);
        }
    }

    fn sense(&self, rig: &mut Rig, index: usize, to_global: Affine2, delta: f32) {
        if rig.modifiers[index].active {
            self.tick(rig, index, to_global, delta, false);
        }
    }

    fn publish(&self, solved: &SolverModifier, _: &Rig, _: Affine2) {
        let Solver::Stance(stance) = &solved.solver else {
            return;
        };
        let memory = stance.memory.last();
        self.velocity.set(to_godot(memory.velocity()));
        for (index, foot) in self.feet.iter().enumerate() {
            let footing = memory.footing(index).filter(|_| solved.active);
            foot.publish(FootState::on(footing, &self.ground));
        }
    }
}
