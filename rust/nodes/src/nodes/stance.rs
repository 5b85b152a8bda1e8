//! What `TendonFootPlacement2D` and `TendonGait2D` share: what a plan knows of them, and their properties.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | the plan's side: ticks, and what a pass makes of the feet |
//! | [`properties`] | the properties and functions that both classes have |

pub(super) mod properties;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{Foot, Modifier as SolverModifier, Rig, Solver, Stance, Tick};

use crate::engine::frame_calls::Live;
use crate::engine::link::Link;
use crate::engine::shared::Shared;
use crate::engine::space::{to_godot, to_solver};
use crate::engine::threads::nearest_above;
use crate::nodes::foot::{FootState, PlannedFoot};
use crate::nodes::ground::{Bearing, Ground, KnownGround, body_above};
use crate::plan::class::{Gathered, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

/// A skeleton that has moved by less in its body has not, in pixels.
const STILL: f32 = 1e-3;

/// The state that a node on ground keeps from plan to plan.
#[derive(Default, Clone)]
pub(super) struct KeptStance {
    pub(super) ground: KnownGround,
    /// The velocity of the character against what carries it, in global coordinates per second.
    pub(super) velocity: Shared<Cell<Vector2>>,
    /// The character's body, and where the skeleton was in it at first.
    place: Shared<Cell<Option<(InstanceId, Vector2)>>>,
}

impl KeptStance {
    /// `node`, whose body may be named, enters the tree: notes where the skeleton is in the character's body, before an
    /// animation moves it.
    pub(super) fn enter(&self, node: &Gd<Node>, named: Option<InstanceId>) {
        let Some(skeleton) = nearest_above::<Skeleton2D, _>(node) else {
            return;
        };
        let named = named.and_then(|body| Gd::try_from_instance_id(body).ok());
        if let Some(body) = named.or_else(|| body_above(&skeleton)) {
            let origin = skeleton.get_global_position();
            self.place_in(body.instance_id(), body.get_global_transform(), origin);
        }
    }

    /// Returns the place in this body, at `frame`, where the skeleton was first, and that where it is now.
    fn place_in(&self, body: InstanceId, frame: Transform2D, origin: Vector2) -> [Vector2; 2] {
        let local = frame.affine_inverse() * origin;
        let first = self.place.get().filter(|(of, _)| *of == body);
        let (_, first) = first.unwrap_or((body, local));
        self.place.set(Some((body, first)));
        [first, local]
    }
}

/// The feet and the ground of such a node in a plan.
pub(crate) struct Nodes {
    feet: Vec<Rc<PlannedFoot>>,
    ground: Ground,
    /// The body that is asked whether it stands, if it was named.
    body: Cell<Option<InstanceId>>,
    /// `true` if it is in the air; `None` unless that was set.
    in_air: Cell<Option<bool>>,
    bearing: RefCell<Bearing>,
    standing: KeptStance,
}

impl Nodes {
    /// Finds the feet below `node`, and its pelvis, of which `new` makes what is solved.
    pub(super) fn find(
        new: fn(usize, Vec<Foot>) -> Stance,
        node: &Gd<Node>,
        pelvis: &Link<Bone2D>,
        standing: &KeptStance,
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
            in_air: Cell::default(),
            bearing: RefCell::default(),
            standing: standing.clone(),
        };
        Ok((nodes, solver))
    }

    /// The collision layers on which the ground is, the body that is asked whether it stands, and whether it is known to be
    /// in the air.
    pub(super) fn configure(&self, mask: u32, body: Option<InstanceId>, in_air: Option<bool>) {
        self.ground.set_mask(mask);
        self.body.set(body);
        self.in_air.set(in_air);
    }

    /// Returns the way by which the skeleton at `origin` was moved in the body since it was there first, in global
    /// coordinates.
    fn moved(&self, bearing: &Bearing, origin: Vector2) -> Vector2 {
        let Some((body, frame)) = bearing.frame else {
            return Vector2::ZERO;
        };
        let [first, local] = self.standing.place_in(body, frame, origin);
        match local.distance_to(first) < STILL {
            true => Vector2::ZERO,
            false => frame.basis_xform(local - first),
        }
    }

    /// A tick of modifier `index` of `rig`: if it is about to be solved `now`, or else after the last pass.
    fn tick(&self, rig: &mut Rig, index: usize, to_global: Affine2, delta: f32, now: bool) {
        let Some(mut world) = self.ground.open() else {
            return;
        };
        let mut bearing = self.bearing.borrow_mut();
        self.ground.read_bearing(self.body.get(), &mut bearing);
        let moved = self.moved(&bearing, to_godot(to_global.translation));
        let mut tick = Tick::new(delta, to_global, bearing.is_on_floor);
        (tick.moved, tick.is_in_air) = (to_solver(moved), self.in_air.get());
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
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        self.feet.iter().map(|foot| foot.node_reference()).collect()
    }

    fn limbs(&self) -> Vec<Option<InstanceId>> {
        self.feet.iter().map(|foot| foot.limb()).collect()
    }

    /// In a physics frame this is the tick.
    fn prepare(&self, _: &Gd<Node>, rig: &mut Rig, index: usize) {
        if Live::engine().is_in_physics_frame() == Some(true) {
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
        self.standing.velocity.set(to_godot(memory.velocity()));
        for (index, foot) in self.feet.iter().enumerate() {
            let footing = memory.footing(index).filter(|_| solved.active);
            foot.publish(FootState::on(footing, &self.ground));
        }
    }
}
