//! Modifiers of any class: their nodes, and what a plan knows of them. What differs from class to class is
//! behind the traits in [`class`](crate::plan::class).

use std::any::TypeId;
use std::cell::Cell;
use std::rc::Rc;

use godot::obj::DynGd;
use godot::prelude::*;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Modifier as SolverModifier, SolverKind};

use crate::engine::frame_calls::Live;
use crate::engine::readable::Readable;
use crate::engine::shared::Shared;
use crate::plan::bones::Bones;
use crate::plan::change::{digest, set};
use crate::plan::class::{Gathered, ModifierBase, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::result::{PassResult, Subject};
use crate::plan::search::{PlannedChild, Search};
use crate::plan::target::Target;
use crate::warnings::problem::Problem;

/// A modifier node, whatever its class. `modifier_node!` implements it.
pub trait Modifier: ModifierBase {
    /// Returns `true` if effectors below it give it further tips.
    fn takes_effectors(&self) -> bool;
    /// Finds what it refers to.
    fn plan(&self, bones: &mut Bones) -> PlannedModifier;
}

/// A modifier node of the tree.
pub(super) type ModifierNode = DynGd<Node, dyn Modifier>;

/// A modifier with everything that a pass needs of it.
pub struct PlannedModifier {
    class: Box<dyn OfClass>,
    /// The node that it was set to reach for.
    pub(super) target: Option<InstanceId>,
    /// The result of the last pass, which its node returns.
    result: Shared<Cell<PassResult>>,
    /// The solver's modifier, until the plan takes it.
    pub(super) solver: Option<SolverModifier>,
    /// The problem that keeps it from being solved, if there is one.
    problem: Option<Problem>,
    /// The problems of a modifier that works all the same.
    pub(super) flaws: Vec<Problem>,
    /// The nodes that belong to it.
    pub(crate) children: Vec<Rc<dyn PlannedChild>>,
}

/// A modifier, as its class plans it.
struct Planned<T: ModifierClass> {
    node: Readable<T>,
    /// The [`digest`] of its references when the plan was made.
    references: u64,
    is_active: Cell<bool>,
    influence: Cell<f32>,
    /// The nodes that it refers to, if it can be solved.
    nodes: Option<T::Nodes>,
    /// `true` if it is solved to let go of a target that it lacks.
    lacks_target: bool,
    /// The place that it reaches for, which no node marks, in global coordinates.
    place: Cell<Option<Vector2>>,
}

/// [`Planned`], whatever the class.
trait OfClass {
    fn class(&self) -> TypeId;
    fn node(&self) -> &Live<Node>;
    fn nodes(&self) -> Option<&dyn PlannedNodes>;
    fn lacks_target(&self) -> bool;
    /// Returns `true` if the node is there, and refers to the same nodes as when the plan was made.
    fn is_current(&self) -> bool;
    fn gather(
        &self,
        from: &Gather<'_>,
        influence: f32,
        into: &mut SolverModifier,
    ) -> Result<bool, Stale>;
}

impl<T: ModifierClass> Planned<T> {
    /// Returns `true` if `node`, its own, refers to the same nodes as when the plan was made.
    fn still_refers(&self, node: &T) -> bool {
        node.target_position().is_some() == self.place.get().is_some()
            && digest(node.references()) == self.references
    }
}

impl<T: ModifierClass> OfClass for Planned<T> {
    fn class(&self) -> TypeId {
        TypeId::of::<T>()
    }

    fn node(&self) -> &Live<Node> {
        &self.node
    }

    fn nodes(&self) -> Option<&dyn PlannedNodes> {
        self.nodes.as_ref().map(|nodes| nodes as &dyn PlannedNodes)
    }

    fn lacks_target(&self) -> bool {
        self.lacks_target
    }

    fn is_current(&self) -> bool {
        self.node.is_current(|node| self.still_refers(node))
    }

    fn gather(
        &self,
        from: &Gather<'_>,
        influence: f32,
        into: &mut SolverModifier,
    ) -> Result<bool, Stale> {
        let nodes = self.nodes.as_ref().ok_or(Stale)?;
        let mut changes = false;
        let read = |node: &T| {
            changes = into.set_handover(node.handover());
            if !self.still_refers(node) {
                return false;
            }
            self.place.set(node.target_position());
            if let Some(exchange) = node.exchange().and_then(Cell::take) {
                exchange.tell(into, from.from_global);
                changes = true;
            }
            self.is_active.set(node.is_active());
            self.influence.set(clamp01(node.influence()));
            let solver = T::Solver::of(&mut into.solver);
            changes |= solver.is_some_and(|solver| node.set(solver));
            node.configure(nodes);
            true
        };
        if !self.node.is_current(read) {
            return Err(Stale);
        }
        let is_active = self.is_active.get() && nodes.runs() && !self.lacks_target;
        changes |= set(&mut into.active, is_active);
        changes |= set(&mut into.influence, self.influence.get() * influence);
        let solver = T::Solver::of(&mut into.solver).ok_or(Stale)?;
        match self.place.get() {
            Some(place) => Ok(nodes.gather(&from.with_place(place), solver)? | changes),
            None => Ok(nodes.gather(from, solver)? | changes),
        }
    }
}

impl PlannedModifier {
    /// Plans `node`, which is `own`.
    pub(crate) fn new<T: ModifierClass>(own: &T, node: Gd<T>, bones: &mut Bones) -> Self {
        let mut search = Search {
            flaws: Vec::new(),
            children: Vec::new(),
            node: node.clone().upcast(),
            lingers: own.handover().duration > 0.0
                || own.exchange().is_some_and(|it| it.get().is_some())
                || own.result().get().is_in_transition,
            has_place: own.target_position().is_some(),
            is_placed: bones.placed_limbs.contains(&node.instance_id()),
            bones,
        };
        let (nodes, solver, problem) = match own.find(&mut search) {
            Ok((nodes, solver)) => (Some(nodes), Some(solver), None),
            Err(problem) => (None, None, Some(problem)),
        };
        let target = nodes.as_ref().and_then(T::Nodes::target);
        let awaits_goal = target.is_some_and(Target::awaits_goal);
        Self {
            class: Box::new(Planned {
                node: Readable::new(node),
                references: digest(own.references()),
                is_active: Cell::new(false),
                influence: Cell::new(0.0),
                lacks_target: target.is_some_and(Target::is_let_go),
                nodes,
                place: Cell::new(own.target_position()),
            }),
            target: own.target(),
            result: own.result().clone(),
            solver: solver.map(|solver| {
                let mut modifier = SolverModifier::new(solver);
                modifier.awaits_goal = awaits_goal;
                modifier.active = own.is_active();
                modifier.influence = clamp01(own.influence());
                modifier
            }),
            problem,
            flaws: search.flaws,
            children: search.children,
        }
    }

    /// Identifies its class.
    pub(super) fn class(&self) -> TypeId {
        self.class.class()
    }

    /// The modifier itself.
    pub fn node(&self) -> &Live<Node> {
        self.class.node()
    }

    /// The nodes that it refers to, if it can be solved.
    pub fn nodes(&self) -> Option<&dyn PlannedNodes> {
        self.class.nodes()
    }

    /// Returns `true` if it is solved to let go of a target that it lacks.
    pub(crate) fn lacks_target(&self) -> bool {
        self.class.lacks_target()
    }

    /// Reads the modifier with everything that it refers to. `influence` is the rig's own, and `into`
    /// is what is solved, if it can be. Returns whether that changes the solver's input.
    pub(crate) fn gather(
        &self,
        from: &Gather<'_>,
        influence: f32,
        into: Option<&mut SolverModifier>,
    ) -> Result<bool, Stale> {
        if let Some(into) = into {
            return self.class.gather(from, influence, into);
        }
        let mut children = self.children.iter();
        match self.class.is_current() && children.all(|child| child.is_current()) {
            true => Ok(false),
            false => Err(Stale),
        }
    }

    /// Returns `true` if it is `old` of an earlier plan, and what that remembers means something to it, if it can be solved.
    pub(super) fn goes_on_from(&self, old: &Self) -> bool {
        let subject = |planned: &Self| planned.nodes().map(PlannedNodes::subject_of_memory);
        let is_subject = self.nodes().is_none() || subject(self) == subject(old);
        self.node().id() == old.node().id() && is_subject
    }

    /// The modifier and its problems, unless it was freed.
    pub(super) fn subject(&self) -> Option<Subject> {
        Subject::of(
            self.node(),
            &self.result,
            self.problem.iter().chain(&self.flaws),
        )
    }

    /// Changes the result that the node returns.
    pub(crate) fn update<R>(&self, change: impl FnOnce(&mut PassResult) -> R) -> R {
        PassResult::update(&self.result, change)
    }

    /// The result that the node returns.
    pub fn result(&self) -> PassResult {
        self.result.get()
    }

    /// Returns `true` if a problem of it, or of a node that belongs to it, may vanish without any notification.
    pub(super) fn may_recover_unnoticed(&self) -> bool {
        let children = self.children.iter();
        let children = children.filter_map(|child| child.problem());
        let own = self.problem.iter().chain(&self.flaws);
        own.chain(children).any(Problem::may_vanish_unnoticed)
    }
}
