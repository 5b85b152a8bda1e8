//! Runs a pass when a rig is due: locks the rig, replaces a stale plan, runs the plan (`Plan::run` in
//! `pass.rs`), and emits the signals.

use godot::prelude::*;

use super::TendonRig2D;
use crate::engine::fields::Fields;
use crate::engine::load_ahead::{next_rig, touch_value};
use crate::engine::threads::is_main_thread;
use crate::pass::{Outdated, Pass, go_idle, snapshot};
use crate::plan::Plan;
use crate::plan::result::{Change, emit_changes};
use crate::warnings::rig::{CALLED_ELSEWHERE, REENTERED};

impl TendonRig2D {
    /// Runs one pass and emits its signals.
    pub(super) fn run_pass(mut this: Gd<Self>, delta: f64) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        let fields = next_rig();
        if let Some(pass) = Self::begin_pass(&mut this, fields) {
            let mut changes = Vec::new();
            let plan = pass.run(&this, delta, &mut changes);
            Self::end_pass(this, fields, plan, changes);
        }
    }

    /// Locks the rig for a pass. `None` if it has nothing to do or is locked already.
    fn begin_pass(this: &mut Gd<Self>, fields: Option<Fields>) -> Option<StartedPass> {
        // SAFETY: a method of the rig was called, and has called nothing since.
        if unsafe { Fields::with_mut(fields, this, |rig| rig.in_editor) } {
            Self::check_stack(this);
            if !this.is_instance_valid() {
                return None;
            }
        }
        // SAFETY: it is alive still.
        let Ok(pass) = (unsafe { Fields::with_mut(fields, this, Self::lock) }) else {
            Self::warn_once(this, |warned| &mut warned.reentered, REENTERED);
            return None;
        };
        pass
    }

    /// Locks the rig for a pass. `None` if it has nothing to do.
    ///
    /// # Errors
    /// [`Locked`] if it is locked already.
    fn lock(&mut self) -> Result<Option<StartedPass>, Locked> {
        if self.is_locked {
            return Err(Locked);
        }
        // The editor shows an inactive rig, too, and warns of its problems.
        if !self.active && !self.in_editor {
            return Ok(None);
        }
        self.is_locked = true;
        Ok(Some(StartedPass {
            plan: self.plan.take(),
            is_stale: self.stale.get(),
            influence: self.influence,
            solves: self.active && (!self.in_editor || self.is_previewed()),
            is_beside_stack: self.is_beside_stack,
            start_rotations: self.start_rotations.take(),
            is_connected_to_skeleton: self.is_connected_to_skeleton,
        }))
    }

    /// Returns the plan to the rig, emits the signals of the pass, and unlocks the rig. If the rig was
    /// deactivated or left the tree in the meantime, the base pose is restored.
    fn end_pass(
        mut this: Gd<Self>,
        fields: Option<Fields>,
        plan: Option<Box<Plan>>,
        mut changes: Vec<(Gd<Node>, Change)>,
    ) {
        let Some(mut plan) = plan else {
            return Self::unlock(this);
        };
        let Some(has_listeners) = plan.rig_node.has_listeners(&plan.processed_signal) else {
            // The rig was freed during the pass and could not restore the base pose itself.
            return plan.restore();
        };
        let has_changes = !changes.is_empty();
        let take = |rig: &mut Self| rig.take_plan(plan, has_listeners, has_changes);
        // SAFETY: its node has just answered.
        match unsafe { Fields::with_mut(fields, &mut this, take) } {
            Ok(emits) if !emits => return,
            Ok(_) => {}
            Err(mut plan) => {
                plan.restore();
                go_idle(&mut plan, &mut changes);
                Self::return_plan(&mut this, plan);
            }
        }
        emit_changes(changes);
        if this.is_instance_valid() {
            this.signals().modification_processed().emit();
        }
        Self::unlock(this);
    }

    /// Takes the plan after a pass. Returns whether the rig emits signals, and stays locked until then.
    ///
    /// # Errors
    /// The plan if the rig was deactivated or left the tree during the pass.
    fn take_plan(
        &mut self,
        mut plan: Box<Plan>,
        has_listeners: bool,
        has_changes: bool,
    ) -> Result<bool, Box<Plan>> {
        touch_value(self);
        if std::mem::take(&mut self.resets_after_pass) {
            plan.reset();
        }
        if self.in_editor {
            let history = self.undo_history.get_or_insert_default();
            for (bone, base) in plan.bones.base_poses() {
                history.add_bone(bone, base);
            }
        }
        if !self.in_tree || !self.active && !self.in_editor {
            return Err(plan);
        }
        self.plan = Some(plan);
        self.is_locked = has_listeners && self.active || has_changes;
        Ok(self.is_locked)
    }

    /// Lets the rig begin a pass again.
    fn unlock(mut this: Gd<Self>) {
        if this.is_instance_valid() {
            this.bind_mut().is_locked = false;
        }
    }
}

/// The rig is locked: no pass may begin.
struct Locked;

/// A pass that has begun, with what it takes out of the rig: nothing of the rig is borrowed while it
/// runs.
struct StartedPass {
    plan: Option<Box<Plan>>,
    /// Whether the plan is known to be out of date.
    is_stale: bool,
    influence: f32,
    /// Whether the bones may be moved: not in the editor without preview, and not by an inactive
    /// rig.
    solves: bool,
    /// Whether the skeleton's own modification stack turns bones. Then even base poses are not
    /// restored: with each write, the engine would keep the pose of its stack as the animated one.
    is_beside_stack: bool,
    /// The rotations that the modifiers begin from, if the editor has set any.
    start_rotations: Option<VarDictionary>,
    /// Whether the rig hears of changes in the engine's list of bones, and so of rest poses.
    is_connected_to_skeleton: bool,
}

impl StartedPass {
    /// Runs the plan, or a new one where it is stale. Returns the plan for the next pass.
    fn run(
        mut self,
        this: &Gd<TendonRig2D>,
        delta: f64,
        changes: &mut Vec<(Gd<Node>, Change)>,
    ) -> Option<Box<Plan>> {
        let mut plan = self.plan.take();
        let mut is_stale = self.is_stale;
        if let Some(plan) = &mut plan {
            plan.begin_pass(|| Fields::find(this));
            self.update_bones(plan);
            is_stale |= plan.is_known_stale();
        }
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
            let outcome = match self.solves {
                true => self.solve(current, delta, changes),
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
        if self.is_connected_to_skeleton
            && (!self.is_stale || plan.skeleton.is_inside_tree() == Some(true))
        {
            plan.skeleton.update_bones();
        }
    }

    /// Solves the pose and writes it into the bones.
    fn solve(
        &self,
        plan: &mut Plan,
        delta: f64,
        changes: &mut Vec<(Gd<Node>, Change)>,
    ) -> Result<(), Outdated> {
        let delta = match &self.start_rotations {
            Some(rotations) => {
                snapshot::begin_from(plan, rotations);
                // The pass has to show the pose that it begins from: no time passes.
                0.0
            }
            None => delta,
        };
        let influence = self.influence;
        Pass { plan, influence }.run(delta, changes)
    }

    /// Restores the base pose, and reads the nodes for the editor's gizmos.
    fn show_base_pose(
        &self,
        plan: &mut Plan,
        changes: &mut Vec<(Gd<Node>, Change)>,
    ) -> Result<(), Outdated> {
        if !self.is_beside_stack {
            plan.restore();
        }
        plan.reset();
        go_idle(plan, changes);
        let influence = self.influence;
        Pass { plan, influence }.run_without_solving()
    }
}
