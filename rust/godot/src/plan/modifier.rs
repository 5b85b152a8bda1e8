//! Modifiers as a plan and a pass use them: the traits of their nodes, whatever the class.

use std::cell::Cell;

use godot::obj::DynGd;
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use tendon_solver::{Modifier as SolverModifier, Solver};

use crate::engine::readable::{OwnClass, Readable};
use crate::plan::references::References;
use crate::plan::result::PassResult;
use crate::plan::script::SharedPose;
use crate::warnings::problem::Problem;

/// A modifier node, whatever its class.
pub(super) type ModifierNode = DynGd<Node, dyn Modifier>;

/// A node that changes the pose. What differs from class to class.
pub(crate) trait Modifier: ModifierBase {
    /// The nodes that it works on.
    fn references(&self) -> References<'_>;
    /// What it solves, as its properties are now.
    fn solver(&self) -> SolverSettings;
    /// Completes `modifier`, whose joints are known, by what stays as it is for as long as the plan
    /// does.
    fn set_up(&self, _modifier: &mut SolverModifier) {}
    /// Whether `property` has no effect as the others are set, and is not shown.
    fn hides(&self, _property: &StringName) -> bool {
        false
    }
    /// Describes `property` to the inspector by what the others are set to.
    fn describe(&self, _property: &mut PropertyInfo) {}
    /// The pose that its script works on, if a script does its work.
    fn script_pose(&self) -> Option<SharedPose> {
        None
    }
    /// Whether effectors below it give it further tips.
    fn takes_effectors(&self) -> bool {
        self.solver().solver.inputs().effectors
    }
}

/// What all modifier classes have in common. `modifier_node!` implements it.
pub(crate) trait ModifierBase: 'static {
    fn is_active(&self) -> bool;
    /// 0 to 1; NaN counts as 0.
    fn influence(&self) -> f32;
    /// The result of the last pass.
    fn result(&self) -> &Cell<PassResult>;
    /// The node itself, [`readable`] for passes.
    fn readable(&self) -> ReadableModifier;
}

/// A solver with the settings that several solvers share.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct SolverSettings {
    pub(crate) solver: Solver,
    /// The part of the reach over which the chain eases; 0 is off.
    pub(crate) softness: f32,
    /// The greatest factor by which the chain is lengthened; 1 is off.
    pub(crate) stretch: f32,
    /// Whether every pass starts from the base pose, without memory of the one before.
    pub(crate) deterministic: bool,
}

impl From<Solver> for SolverSettings {
    fn from(solver: Solver) -> Self {
        Self {
            solver,
            softness: 0.0,
            stretch: 1.0,
            deterministic: false,
        }
    }
}

/// The properties of a modifier that a pass reads.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Settings {
    pub(crate) active: bool,
    pub(crate) influence: f32,
    pub(crate) solver: SolverSettings,
}

impl Settings {
    pub(crate) fn of(modifier: &(impl Modifier + ?Sized)) -> Self {
        Self {
            active: modifier.is_active(),
            influence: modifier.influence(),
            solver: modifier.solver(),
        }
    }
}

/// A modifier node, from which a pass reads what it refers to and its settings, and which it hands
/// the result.
pub(crate) type ReadableModifier = Readable<dyn Modifier>;

/// `node` for passes, which read it by its own class: a borrow through `DynGd` would allocate.
pub(crate) fn readable<T: Modifier + OwnClass>(node: Gd<T>) -> ReadableModifier {
    fn view<T: Modifier>(node: &T) -> &dyn Modifier {
        node
    }
    Readable::new(node, view::<T>)
}

/// Whether `problem` of `node`, a modifier, was not reported to the running game before.
pub(super) fn is_new_problem(node: &Gd<Node>, problem: &Problem) -> bool {
    let modifier = node.clone().try_dynify::<dyn Modifier>();
    modifier.is_ok_and(|modifier| {
        PassResult::update(modifier.dyn_bind().result(), |result| {
            result.is_new(problem)
        })
    })
}
