//! The result of a pass, as each node keeps it: status, distance and tip, and which problems were
//! reported.

use std::cell::Cell;

use godot::classes::Engine;
use godot::prelude::*;
use tendon_solver::{Report, Status};

use crate::engine::departed::is_gone;
use crate::engine::frame_calls::Live;
use crate::engine::shared::Shared;
use crate::warnings::log::warn;
use crate::warnings::problem::Problem;

/// The result of the last pass, for a modifier's `get_…` functions.
#[derive(Clone, Copy, Debug)]
pub struct PassResult {
    /// The status that scripts get.
    pub status: Status,
    /// Skeleton units; infinite while nothing is measured.
    pub distance: f32,
    /// Global position.
    pub(crate) tip: Vector2,
    pub(crate) iterations: u32,
    /// Skeleton units; 0 when no bone is inside an obstacle.
    pub penetration: f32,
    /// `true` while the modifier goes over to another target.
    pub(crate) is_in_transition: bool,
    /// The causes that were reported, as bits of [`Problem::bit`].
    warned: u64,
}

impl Default for PassResult {
    fn default() -> Self {
        Self {
            status: Status::Idle,
            distance: f32::INFINITY,
            tip: Vector2::ZERO,
            iterations: 0,
            penetration: 0.0,
            is_in_transition: false,
            warned: 0,
        }
    }
}

/// A change of status that has a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusChange {
    Reached,
    Lost,
    TransitionFinished,
}

impl StatusChange {
    /// The name of the signal.
    fn signal(self) -> &'static str {
        match self {
            Self::Reached => "target_reached",
            Self::Lost => "target_lost",
            Self::TransitionFinished => "transition_finished",
        }
    }
}

/// Emits the signals of the modifiers whose status has changed.
pub(crate) fn emit_changes(changes: Vec<(Gd<Node>, StatusChange)>) {
    for (mut modifier, change) in changes {
        // One that has left the tree belongs to whoever has removed it.
        if !is_gone(modifier.instance_id_unchecked()) {
            modifier.emit_signal(change.signal(), &[]);
        }
    }
}

impl PassResult {
    /// Changes a shared result.
    pub(crate) fn update<R>(shared: &Cell<Self>, change: impl FnOnce(&mut Self) -> R) -> R {
        let mut result = shared.get();
        let returned = change(&mut result);
        shared.set(result);
        returned
    }

    /// Takes over the report of a pass, with the tip in global coordinates.
    pub(crate) fn publish(&mut self, report: &Report, tip: Vector2) -> Option<StatusChange> {
        self.distance = report.distance;
        self.tip = tip;
        self.iterations = report.iterations;
        self.penetration = report.penetration;
        self.set_status(report.status)
    }

    /// Notes whether the modifier goes over to another target.
    pub(crate) fn set_transition(&mut self, is_in_transition: bool) -> Option<StatusChange> {
        let was = std::mem::replace(&mut self.is_in_transition, is_in_transition);
        (was && !is_in_transition).then_some(StatusChange::TransitionFinished)
    }

    /// Takes over the distance and the tip of an effector, the tip in global coordinates.
    pub(crate) fn set_tip(&mut self, distance: f32, tip: Vector2) {
        self.distance = distance;
        self.tip = tip;
    }

    /// Forgets the last pass: nothing is being solved now.
    pub(crate) fn go_idle(&mut self) -> Option<StatusChange> {
        self.distance = f32::INFINITY;
        self.iterations = 0;
        self.penetration = 0.0;
        self.is_in_transition = false;
        self.set_status(Status::Idle)
    }

    fn set_status(&mut self, status: Status) -> Option<StatusChange> {
        let before = std::mem::replace(&mut self.status, status);
        match (before == Status::Reached, status == Status::Reached) {
            (false, true) => Some(StatusChange::Reached),
            (true, false) => Some(StatusChange::Lost),
            _ => None,
        }
    }

    /// Returns `true` if the running game was told of the cause of `problem`.
    pub(super) fn was_told(&self, problem: &Problem) -> bool {
        self.warned & problem.bit() != 0
    }

    /// Marks the cause of `problem` as reported. Returns `true` if it was not, and is worth a warning.
    fn is_new(&mut self, problem: &Problem) -> bool {
        let seen = self.warned;
        self.warned |= problem.bit();
        problem.is_worth_a_warning() && self.warned != seen
    }
}

/// A node that can have problems.
pub(crate) struct Subject {
    pub(crate) node: Gd<Node>,
    /// The node's own, which remembers what was reported.
    pub(crate) result: Shared<Cell<PassResult>>,
    pub(crate) problems: Vec<Problem>,
}

impl Subject {
    /// `node` with its result and its problems, unless it was freed.
    pub(crate) fn of<'a>(
        node: &Live<Node>,
        result: &Shared<Cell<PassResult>>,
        problems: impl IntoIterator<Item = &'a Problem>,
    ) -> Option<Self> {
        Some(Self {
            node: node.alive()?.clone(),
            result: result.clone(),
            problems: problems.into_iter().cloned().collect(),
        })
    }

    /// Prints in a running game that `node` is in a wrong place, which `problem` says. The editor shows it.
    pub(crate) fn warn_of_place(
        node: Gd<Node>,
        result: Shared<Cell<PassResult>>,
        problem: Problem,
    ) {
        if !Engine::singleton().is_editor_hint() {
            let problems = vec![problem];
            Self {
                node,
                result,
                problems,
            }
            .warn();
        }
    }

    /// Prints a warning for each cause that was not reported before.
    pub(crate) fn warn(self) {
        for problem in &self.problems {
            // A script that listens to the log may free nodes.
            if !is_gone(self.node.instance_id_unchecked())
                && PassResult::update(&self.result, |result| result.is_new(problem))
            {
                warn(&self.node, problem);
            }
        }
    }
}
