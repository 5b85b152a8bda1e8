//! Runs a pass when a rig is due: locks the rig, replaces a stale plan, runs the plan (`Plan::run` in
//! `pass.rs`), and emits the signals.

use std::any::Any;
use std::rc::Rc;

use godot::prelude::*;

use super::TendonRig2D;
use super::shared::SharedRig;
use crate::engine::load_ahead::touch_value;
use crate::pass::{Outdated, Pass, go_idle, snapshot};
use crate::plan::Plan;
use crate::plan::result::{Change, emit_changes};
use crate::warnings::rig::REENTERED;

impl TendonRig2D {
    /// Runs one pass of `rig`, which is that of `this`, and emits its signals.
    pub(super) fn run_pass(this: Gd<Self>, rig: &Rc<SharedRig>, delta: f64) {
        if rig.in_editor {
            Self::check_stack(&this);
            if !this.is_instance_valid() {
                return;
            }
        }
        // The editor shows an inactive rig, too, and warns of its problems.
        let is_due = rig.active.get() || rig.in_editor;
        if rig.is_locked.get() {
            Self::warn_once(&this, |warned| &mut warned.reentered, REENTERED);
        } else if is_due {
            rig.is_locked.set(true);
            let mut changes = Vec::new();
            let plan = rig.run(&this, delta, &mut changes);
            Self::end_pass(this, rig, plan, changes);
        }
    }

    /// Returns the plan to the rig, emits the signals of the pass, and unlocks the rig. If the rig was
    /// deactivated or left the tree in the meantime, the base pose is restored.
    fn end_pass(
        this: Gd<Self>,
        rig: &SharedRig,
        plan: Option<Box<Plan>>,
        mut changes: Vec<(Gd<Node>, Change)>,
    ) {
        let Some(mut plan) = plan else {
            return rig.is_locked.set(false);
        };
        let Some(has_listeners) = plan.rig_node.has_listeners(&plan.processed_signal) else {
            // The rig was freed during the pass and could not restore the base pose itself.
            return plan.restore();
        };
        match rig.take_plan(plan, has_listeners, !changes.is_empty()) {
            Ok(emits) if !emits => return,
            Ok(_) => {}
            Err(mut plan) => {
                plan.restore();
                go_idle(&mut plan, &mut changes);
                Self::return_plan(&this, plan);
            }
        }
        emit_changes(changes);
        if this.is_instance_valid() {
            this.signals().modification_processed().emit();
        }
        rig.is_locked.set(false);
    }
}

impl SharedRig {
    /// Takes the plan after a pass. Returns whether the rig emits signals, and stays locked until then.
    ///
    /// # Errors
    /// The plan if the rig was deactivated or left the tree during the pass.
    fn take_plan(
        &self,
        mut plan: Box<Plan>,
        has_listeners: bool,
        has_changes: bool,
    ) -> Result<bool, Box<Plan>> {
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
        if !self.in_tree.get() || !self.active.get() && !self.in_editor {
            return Err(plan);
        }
        self.plan.replace(Some(plan));
        let emits = has_listeners && self.active.get() || has_changes;
        self.is_locked.set(emits);
        Ok(emits)
    }

    /// Runs the plan, or a new one where it is stale. Returns the plan for the next pass.
    fn run(
        self: &Rc<Self>,
        this: &Gd<TendonRig2D>,
        delta: f64,
        changes: &mut Vec<(Gd<Node>, Change)>,
    ) -> Option<Box<Plan>> {
        let mut plan = self.plan.take();
        if let Some(plan) = &mut plan {
            plan.begin_pass(|| Rc::clone(self) as Rc<dyn Any>);
            touch_value(&**self);
            self.update_bones(plan);
        }
        // The bones are not moved in the editor without preview, and not by an inactive rig.
        let solves = self.active.get() && (!self.in_editor || self.is_previewed());
        let start = self.start_rotations.take();
        let mut is_stale = self.stale.get();
        let mut cause = None;
        // A second time if the tree has changed without a signal.
        for _ in 0..2 {
            if is_stale || plan.as_deref().is_none_or(Plan::may_recover_unnoticed) {
                if !this.is_instance_valid() {
                    return plan;
                }
                plan = TendonRig2D::replace_plan(this, plan);
            }
            let current = plan.as_mut()?;
            let outcome = match solves {
                true => self.solve(current, start.as_ref(), delta, changes),
                false => self.show_base_pose(current, changes),
            };
            match outcome {
                Ok(()) => return plan,
                Err(outdated) => cause = outdated.modifier,
            }
            is_stale = true;
        }
        TendonRig2D::warn_of_outdated(this, plan.as_deref(), cause);
        plan
    }

    /// Updates the engine's list of bones, which emits a signal if it has changed. The skeleton of a
    /// stale plan may have left the tree, and has no list then.
    fn update_bones(&self, plan: &Plan) {
        if self.is_connected_to_skeleton.get()
            && (!self.stale.get() || plan.skeleton.is_inside_tree() == Some(true))
        {
            plan.skeleton.update_bones();
        }
    }

    /// Solves the pose, from the rotations `start` if there are any, and writes it into the bones.
    fn solve(
        &self,
        plan: &mut Plan,
        start: Option<&VarDictionary>,
        delta: f64,
        changes: &mut Vec<(Gd<Node>, Change)>,
    ) -> Result<(), Outdated> {
        let delta = match start {
            Some(rotations) => {
                snapshot::begin_from(plan, rotations);
                // The pass has to show the pose that it begins from: no time passes.
                0.0
            }
            None => delta,
        };
        let influence = self.influence.get();
        Pass { plan, influence }.run(delta, changes)
    }

    /// Restores the base pose, and reads the nodes for the editor's gizmos.
    fn show_base_pose(
        &self,
        plan: &mut Plan,
        changes: &mut Vec<(Gd<Node>, Change)>,
    ) -> Result<(), Outdated> {
        // Beside the engine's own stack not even that: with each write, the engine would keep the pose of
        // its stack as the animated one.
        if !self.is_beside_stack.get() {
            plan.restore();
        }
        plan.reset();
        go_idle(plan, changes);
        let influence = self.influence.get();
        Pass { plan, influence }.run_without_solving()
    }
}
