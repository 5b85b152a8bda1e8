//! One pass over the nodes of a plan: gather, solve, scatter. `nodes/rig/due_pass.rs` runs it when a rig is
//! due, and makes a new plan where this one is stale.
//!
//! *Gather* reads every bone of the plan and every target once. *Solve* runs on that plain data
//! ([`tendon_solver::Rig`]). Its only engine calls run the scripts of custom modifiers. *Scatter* writes
//! each bone whose rotation, position or scale has changed, once. Nothing global is read between writes:
//! that would make the engine compute every transform again for each.
//!
//! Any engine call may run a user's script, which may free what the plan names. Every node is
//! therefore checked before each use. A node that is gone makes the plan stale.
//!
//! How a modifier is read is in the file of its class, in `nodes/`. [`capture`] is the last pass as text,
//! [`snapshot`] what the next pass goes on from.

pub(crate) mod capture;
pub(crate) mod snapshot;

use std::cell::RefCell;

use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Status, Workspace};

use crate::engine::space::{frame_of, frame_of_space, to_godot};
use crate::plan::limit::changes_of_limits;
use crate::plan::locate::{Gather, Stale};
use crate::plan::result::{PassResult, StatusChange};
use crate::plan::{Plan, pair_up};

thread_local! {
    /// Memory for solving, besides the rigs. All rigs share it, so that it stays in the cache.
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// A plan does not describe the tree: a node is gone, or no longer where the plan has it.
pub(crate) struct Outdated {
    /// The modifier that could not be read, if it was one.
    pub(crate) modifier: Option<InstanceId>,
}

impl From<Stale> for Outdated {
    fn from(_: Stale) -> Self {
        Self { modifier: None }
    }
}

impl Plan {
    /// A pass: gathers, and if anything has changed since the last one, or the pose has not come to rest,
    /// solves, scatters and publishes. `influence` is the rig's own, `delta` the time since the last pass in
    /// seconds. Adds the modifiers whose status has changed to `changes`.
    pub(crate) fn run(
        &mut self,
        influence: f32,
        delta: f64,
        changes: &mut Vec<(Gd<Node>, StatusChange)>,
    ) -> Result<(), Outdated> {
        let gathered = self.gather(influence);
        let solves = matches!(gathered, Ok(has_changed) if has_changed || self.rig.is_moving());
        if solves {
            self.rig.delta = delta as f32;
            self.rig.go_on();
            self.solve();
            self.to_global_when_solved = self.to_global;
            self.scatter();
            self.publish(changes);
        }
        gathered.map(|_| ())
    }

    /// Gathers, and shows the base pose as the solution: for the editor's gizmos of a rig that does
    /// not move its bones.
    pub(crate) fn run_without_solving(&mut self, influence: f32) -> Result<(), Outdated> {
        self.gather(influence)?;
        self.rig.take_base_pose();
        self.solve_again();
        Ok(())
    }

    /// Reads bones, settings, tips and targets. Returns whether anything that the solver depends on
    /// has changed since the last pass.
    fn gather(&mut self, influence: f32) -> Result<bool, Outdated> {
        // Nowhere until all is read: what was read before the plan proves stale counts as changed the next time.
        let before = self.to_global.take();
        let when_solved = self.to_global_when_solved.take();
        let to_global = self.skeleton.get_global_transform().ok_or(Stale)?;
        let mut changes = before != Some(to_global);
        let space = frame_of_space(to_global);
        self.rig.to_global = space;
        let influence_before = std::mem::replace(&mut self.influence, influence);
        changes |= influence_before.to_bits() != influence.to_bits();
        let bones = &mut self.rig.bones;
        changes |= self.bones.read(bones, self.in_editor).ok_or(Stale)?;
        // The side that a bone is mirrored to counts for its limit, too.
        let read_limits = Some(changes_of_limits());
        if changes || self.read_limits != read_limits {
            self.read_limits = read_limits;
            for limit in &self.limits {
                changes |= limit.gather(bones);
            }
        }
        let from = Gather {
            skeleton: &self.skeleton,
            tracked: &self.bones,
            bones: &self.rig.bones,
            from_global: space.inverse(),
            place: None,
        };
        let influence = clamp01(influence);
        for (planned, modifier) in pair_up(&self.modifiers, self.rig.modifiers.iter_mut()) {
            let gathered = planned.gather(&from, influence, modifier);
            changes |= gathered.map_err(|Stale| Outdated {
                modifier: Some(planned.node().id()),
            })?;
        }
        self.to_global = Some(to_global);
        self.to_global_when_solved = when_solved;
        Ok(changes)
    }

    /// Solves modifier by modifier. Before each, its class may work on the pose, and so run a script,
    /// which may free its bones, its node or the rig, or run the pass of another rig: the workspace is
    /// not borrowed meanwhile. The pass goes on with the plan that it has.
    fn solve(&mut self) {
        let Plan { modifiers, rig, .. } = self;
        rig.begin();
        let solvable = modifiers
            .iter()
            .filter_map(|planned| Some((planned, planned.nodes()?)));
        for (index, (planned, nodes)) in solvable.enumerate() {
            if rig.modifiers[index].active
                && let Some(node) = planned.node().alive()
            {
                nodes.prepare(node, rig, index);
            }
            WORKSPACE.with_borrow_mut(|workspace| rig.apply(index, workspace));
        }
        rig.finish();
    }

    /// Writes each bone whose rotation, position or scale differs from the solved one, once. The
    /// engine's setters are called in
    /// [`TrackedBone::write`](crate::base_pose::tracked_bone::TrackedBone::write), which also
    /// remembers what was written.
    fn scatter(&mut self) {
        for (index, bone) in self.bones.iter().enumerate() {
            bone.write(&self.rig, index);
        }
    }

    /// Hands each modifier its report. Adds the modifiers whose status has changed to `changes`.
    fn publish(&self, changes: &mut Vec<(Gd<Node>, StatusChange)>) {
        let to_global = self.to_global.map_or(Affine2::IDENTITY, frame_of);
        for (planned, modifier) in self.pairs() {
            let change = planned.update(|result| {
                let Some(solved) = modifier else {
                    return [result.go_idle(), None];
                };
                let tip = to_global.transform_point2(solved.report.tip);
                let change = result.publish(&solved.report, to_godot(tip));
                if planned.lacks_target() {
                    result.distance = f32::INFINITY;
                }
                [change, result.set_transition(solved.is_in_transition())]
            });
            match planned.nodes().zip(modifier) {
                Some((nodes, solved)) => nodes.publish(solved, &self.rig, to_global),
                None => planned.children.iter().for_each(|child| child.go_idle()),
            }
            if let Some(solved) = modifier
                && solved.report.status == Status::Invalid
            {
                self.warn_of_invalid(planned, solved);
            }
            for change in change.into_iter().flatten() {
                changes.extend(planned.node().alive().map(|node| (node.clone(), change)));
            }
        }
    }
}

/// Sets every modifier to idle.
pub(crate) fn go_idle(plan: &mut Plan, changes: &mut Vec<(Gd<Node>, StatusChange)>) {
    plan.to_global = None;
    for planned in &plan.modifiers {
        let change = planned.update(PassResult::go_idle);
        planned.children.iter().for_each(|child| child.go_idle());
        if let Some(change) = change {
            changes.extend(planned.node().alive().map(|node| (node.clone(), change)));
        }
    }
}
