//! What a class of modifiers says of itself: what its properties refer to, how a plan finds that, and how
//! a pass reads it. Each class is a file in `nodes/`.

use std::cell::Cell;
use std::hash::Hash;

use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{HandoverSettings, Modifier as SolverModifier, Rig, SolverKind};

use crate::engine::gdext_private::OwnClass;
use crate::engine::shared::Shared;
use crate::plan::locate::{Gather, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::result::PassResult;
use crate::plan::search::Search;
use crate::plan::target::{PlaceToReach, Target};
use crate::warnings::problem::Problem;

/// The properties that all modifiers have. `modifier_node!` implements it.
pub trait ModifierBase: 'static {
    /// Returns `true` if it is switched on.
    fn is_active(&self) -> bool;
    /// 0 to 1; NaN counts as 0.
    fn influence(&self) -> f32;
    /// The settings of its transition to another target.
    fn handover(&self) -> HandoverSettings {
        HandoverSettings::default()
    }
    /// The place that it was told to reach for and has not reached for yet.
    fn exchange(&self) -> Option<&Cell<Option<PlaceToReach>>> {
        None
    }
    /// The node that it is set to reach for.
    fn target(&self) -> Option<InstanceId> {
        None
    }
    /// The place that it reaches for instead, in global coordinates.
    fn target_position(&self) -> Option<Vector2> {
        None
    }
    /// The result of the last pass, which it shares with the plan.
    fn result(&self) -> &Shared<Cell<PassResult>>;
}

/// The class-specific part of a modifier: the nodes that it refers to, and the conversion to the solver's data.
pub(crate) trait ModifierClass: ModifierBase + OwnClass {
    /// The nodes, as a plan knows them.
    type Nodes: Gathered<Self::Solver>;
    /// The solver's data for this class.
    type Solver: SolverKind;
    /// `true` if [`TendonEffector2D`](crate::nodes::effector::TendonEffector2D) nodes belong to it.
    const TAKES_EFFECTORS: bool = false;

    /// Returns what a plan is made of: the nodes that its properties are set to, by their IDs, and what else decides
    /// how they are used. Without a call of the engine.
    fn references(&self) -> impl Hash;

    /// Finds the nodes that it refers to. What is wrong although it works is added to
    /// [`Search::flaws`].
    ///
    /// # Errors
    /// Why it cannot be solved.
    fn find(&self, search: &mut Search<'_>) -> Result<(Self::Nodes, Self::Solver), Problem>;

    /// Takes over its other properties, without a call of the engine. Returns whether that changes
    /// the solver's input.
    fn set(&self, into: &mut Self::Solver) -> bool;

    /// `node`, which is this one, has entered the tree.
    fn enter(&self, _node: &Gd<Node>) {}

    /// Has the nodes take over what only they go by. No call of it runs a script.
    fn configure(&self, _nodes: &Self::Nodes) {}
}

/// The nodes of a modifier that becomes a `Solver`.
pub(crate) trait Gathered<Solver>: PlannedNodes {
    /// Reads the nodes. Returns whether that changes the solver's input.
    ///
    /// # Errors
    /// [`Stale`] if one is gone, or not where the plan has it.
    fn gather(&self, from: &Gather<'_>, into: &mut Solver) -> Result<bool, Stale>;
}

/// The nodes of a modifier that is set up well enough to be solved.
pub trait PlannedNodes: 'static {
    /// The nodes that it refers to besides bones.
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        Vec::new()
    }

    /// The target that it reaches for, if it can be placed or let go of that.
    fn target(&self) -> Option<&Target> {
        None
    }

    /// What it reaches for besides, by the IDs of who does so and of what that is: others are gone over to.
    fn goals(&self) -> Vec<[Option<InstanceId>; 2]> {
        Vec::new()
    }

    /// A bone besides its joints that it turns, too.
    fn turned_besides(&self) -> Option<usize> {
        None
    }

    /// Returns `true` if it takes over the direction of what it reads, and not only the place.
    fn takes_directions(&self) -> bool {
        false
    }

    /// The node that its memory belongs to: what it remembers of another one means nothing.
    fn subject_of_memory(&self) -> Option<InstanceId> {
        None
    }

    /// Returns `true` if it can run here, provided that it is active.
    fn runs(&self) -> bool {
        true
    }

    /// Has `node` work on the pose before modifier `index` of `rig` is applied. Scripts may run.
    fn prepare(&self, _node: &Gd<Node>, _rig: &mut Rig, _index: usize) {}

    /// The modifiers whose targets it sets, in its own order. `None` for one that cannot be.
    fn limbs(&self) -> Vec<Option<InstanceId>> {
        Vec::new()
    }

    /// A physics frame in which the rig does not run: asks the physics server for modifier `index` of `rig`.
    /// `to_global` is the skeleton's, `delta` how long the frame is, in seconds.
    fn sense(&self, _rig: &mut Rig, _index: usize, _to_global: Affine2, _delta: f32) {}

    /// The rig leaves the tree, and the plan is dropped. `solved` is what the next plan may go on from.
    fn part(&self, _solved: &SolverModifier) {}

    /// Hands the nodes that belong to it their results.
    fn publish(&self, _solved: &SolverModifier, _rig: &Rig, _to_global: Affine2) {}
}
