//! Runs a pass when a rig is due: locks the rig, replaces a stale plan, runs the plan (`Plan::run` in
//! `pass.rs`), and emits the signals.

use std::rc::Rc;

use godot::prelude::*;

use super::TendonRig2D;
use super::plan_guard::{PassLock, PlanGuard};
use super::shared::SharedRig;
use crate::engine::shared::Shared;
use crate::pass::{Outdated, go_idle, snapshot};
use crate::plan::Plan;
use crate::plan::result::{StatusChange, emit_changes};
use crate::warnings::rig::REENTERED;

impl TendonRig2D {
    /// Runs one pass of `rig`, which is that of `this`, and emits its signals.
    pub(super) fn run_pass(this: Gd<Self>, rig: &Shared<SharedRig>, delta: f64) {
        if rig.in_editor {
            Self::check_stack(&this);
            if !rig.in_tree.get() {
                return;
            }
        }
        // The editor shows an inactive rig, too, and warns of its problems.
        let is_due = rig.active.get() || rig.in_editor;
        if rig.is_locked.get() {
            Self::warn_once(&this, |warned| &mut warned.reentered, REENTERED);
        } else if is_due {
            // Until the signals have been emitted.
            let _lock = PassLock::set(&rig.is_locked);
            let mut changes = Vec::new();
            let mut plan = PlanGuard::of(rig);
            SharedRig::run(rig, &this, delta, &mut plan, &mut changes);
            rig.end_pass(plan, changes);
        }
    }
}

impl SharedRig {
    /// Takes the plan back, and emits the signals of the pass. If the rig was deactivated or left the tree in
    /// the meantime, the base pose is restored.
    fn end_pass(&self, mut guard: PlanGuard<'_>, mut changes: Vec<(Gd<Node>, StatusChange)>) {
        let Some(plan) = &mut *guard else {
            return;
        };
        if !plan.rig_node.is_alive() {
            // The rig was freed during the pass and could not restore the base pose itself.
            return plan.restore();
        }
        // Nodes that leave the tree are let go of for as long as there is the first.
        let (_watch, processed) = (Rc::clone(&plan.tree_watch), Rc::clone(&plan.processed));
        let is_silent = changes.is_empty() && !self.active.get();
        self.note_pass(plan);
        if self.in_tree.get() && (self.active.get() || self.in_editor) {
            self.plan.replace(guard.keep());
            if is_silent {
                return;
            }
        } else {
            plan.restore();
            go_idle(plan, &mut changes);
            self.return_plan(guard);
        }
        emit_changes(changes);
        // Who has removed the rig may free it on another thread.
        if self.in_tree.get() {
            processed.emit();
        }
    }

    /// Does with the plan what was asked for during its pass, and notes base poses for the editor's undo.
    fn note_pass(&self, plan: &mut Plan) {
        if self.resets_after_pass.take() {
            plan.reset();
        }
        if self.in_editor {
            let mut history = self.undo_history.borrow_mut();
            let history = history.get_or_insert_default();
            for (bone, base) in plan.bones.base_poses() {
                history.add_bone(bone, base);
            }
        }
    }

    /// Runs the plan, or replaces it first where it is stale.
    fn run(
        rig: &Shared<Self>,
        this: &Gd<TendonRig2D>,
        delta: f64,
        plan: &mut Option<Box<Plan>>,
        changes: &mut Vec<(Gd<Node>, StatusChange)>,
    ) {
        if let Some(plan) = plan {
            rig.update_bones(plan);
        }
        // The bones are not moved in the editor without preview, and not by an inactive rig.
        let solves = rig.active.get() && (!rig.in_editor || rig.is_previewed());
        let start = rig.start_rotations.take();
        let mut is_stale = rig.stale.get();
        let mut cause = None;
        // A second time if the tree has changed without a signal.
        for _ in 0..2 {
            if is_stale
                || plan
                    .as_deref()
                    .is_none_or(|plan| plan.may_recover_unnoticed)
            {
                if !rig.in_tree.get() {
                    return;
                }
                TendonRig2D::replace_plan(this, plan);
            }
            let Some(current) = plan else {
                return;
            };
            if rig.resets_before_pass.take() {
                current.reset();
            }
            let outcome = match solves {
                true => rig.solve(current, start.as_ref(), delta, changes),
                false => rig.show_base_pose(current, changes),
            };
            match outcome {
                Ok(()) => return,
                Err(outdated) => cause = outdated.modifier,
            }
            is_stale = true;
        }
        TendonRig2D::warn_of_outdated(this, plan.as_deref(), cause);
    }

    /// Updates the engine's list of bones, which emits a signal if it has changed. The skeleton of a
    /// stale plan may have left the tree, and has no list then.
    fn update_bones(&self, plan: &Plan) {
        if self.is_connected_to_skeleton.get()
            && (!self.stale.get() || plan.skeleton.is_inside_tree() == Some(true))
        {
            // It is counted for what that brings up to date.
            _ = plan.skeleton.get_bone_count();
        }
    }

    /// Solves the pose, from the rotations `start` if there are any, and writes it into the bones.
    fn solve(
        &self,
        plan: &mut Plan,
        start: Option<&VarDictionary>,
        delta: f64,
        changes: &mut Vec<(Gd<Node>, StatusChange)>,
    ) -> Result<(), Outdated> {
        let delta = match start {
            Some(rotations) => {
                snapshot::begin_from(plan, rotations);
                // The pass has to show the pose that it begins from: no time passes.
                0.0
            }
            None => delta,
        };
        plan.rig.transition_speeds = self.transition_speeds.get();
        plan.run(self.influence.get(), delta, changes)
    }

    /// Restores the base pose, and reads the nodes for the editor's gizmos.
    fn show_base_pose(
        &self,
        plan: &mut Plan,
        changes: &mut Vec<(Gd<Node>, StatusChange)>,
    ) -> Result<(), Outdated> {
        // Beside the engine's own stack not even that: with each write, the engine would keep the pose of
        // its stack as the animated one.
        if !self.is_beside_stack.get() {
            plan.restore();
        }
        plan.reset();
        go_idle(plan, changes);
        plan.run_without_solving(self.influence.get())
    }
}
