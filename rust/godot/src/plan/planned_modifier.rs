//! A modifier of the plan.

use crate::plan::chain::TipAndTarget;
use crate::plan::effector::PlannedEffector;
use crate::plan::input_node::InputNode;
use crate::plan::modifier::{Modifier, ReadableModifier, is_new_problem};
use crate::plan::obstacle::PlannedObstacle;
use crate::plan::path::PlannedPath;
use crate::plan::references::ReferenceIds;
use crate::plan::result::{PassResult, Subject};
use crate::plan::script::PlannedScript;
use crate::warnings::problem::Problem;

/// A modifier with everything that a pass needs of it.
pub(crate) struct PlannedModifier {
    pub(crate) node: ReadableModifier,
    /// What its properties were set to when the plan was made.
    pub(crate) ids: ReferenceIds,
    pub(crate) solvable: Result<Solvable, Problem>,
    /// What is wrong with a modifier that works all the same.
    pub(super) flaws: Vec<Problem>,
    pub(crate) effectors: Vec<PlannedEffector>,
    pub(crate) obstacles: Vec<PlannedObstacle>,
    /// What does its work, if that is a script.
    pub(crate) script: Option<Box<PlannedScript>>,
}

/// The nodes of a modifier that is set up well enough to be solved.
pub(crate) struct Solvable {
    pub(crate) ends: TipAndTarget,
    pub(crate) pole: Option<InputNode>,
    /// What the chain is laid along.
    pub(crate) path: Option<Box<PlannedPath>>,
    /// What is copied.
    pub(crate) source: Option<InputNode>,
    /// The bone that takes over the target's rotation.
    pub(crate) aligned: Option<usize>,
    /// Index of the modifier in the solver's rig, which has only those that can be solved.
    pub(crate) solver_index: usize,
}

impl PlannedModifier {
    /// Its targets, its pole, its path and its source.
    pub(crate) fn input_nodes(&self) -> impl Iterator<Item = &InputNode> {
        let own = self.solvable.iter();
        let pole = own.clone().flat_map(|solvable| &solvable.pole);
        let paths = own.clone().flat_map(|solvable| &solvable.path);
        let paths = paths.map(|path| &path.input);
        let source = own.clone().flat_map(|solvable| &solvable.source);
        let effectors = self.effectors.iter();
        let effectors = effectors.filter_map(|effector| effector.ends.as_ref().ok());
        let ends = own.map(|solvable| &solvable.ends).chain(effectors);
        ends.filter_map(|ends| ends.target.as_ref())
            .chain(pole)
            .chain(paths)
            .chain(source)
    }

    /// The modifier and what is wrong with it, unless it was freed.
    pub(super) fn subject(&self) -> Option<Subject> {
        self.node.alive()?;
        let obstacles = self.obstacles.iter();
        let obstacles = obstacles.filter_map(|obstacle| obstacle.problem.as_ref());
        Some(Subject {
            node: self.node.gd().clone(),
            is_new: is_new_problem,
            problems: self.own_problems().chain(obstacles).cloned().collect(),
        })
    }

    /// Changes the result that the node holds. `None` if it was freed.
    pub(crate) fn update<R>(&self, change: impl FnOnce(&mut PassResult) -> R) -> Option<R> {
        let update = |node: &dyn Modifier| PassResult::update(node.result(), change);
        self.node.read(update)
    }

    /// The result that the node holds.
    pub(crate) fn result(&self) -> PassResult {
        let result = self.node.read(|node| node.result().get());
        result.unwrap_or_default()
    }

    fn own_problems(&self) -> impl Iterator<Item = &Problem> {
        let solvable = self.solvable.as_ref();
        solvable.err().into_iter().chain(&self.flaws)
    }

    /// Whether a problem of it, or of an effector, may vanish without any notification.
    pub(super) fn may_recover_unnoticed(&self) -> bool {
        let effectors = self.effectors.iter();
        let effectors = effectors.filter_map(|effector| effector.ends.as_ref().err());
        let mut problems = self.own_problems().chain(effectors);
        problems.any(Problem::may_vanish_unnoticed)
    }
}
