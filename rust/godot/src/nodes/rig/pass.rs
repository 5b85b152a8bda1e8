//! One pass of a rig, from gathering to the signals.

use godot::prelude::*;

use super::TendonRig2D;
use crate::engine::prefetch::Place;
use crate::engine::threads::is_main_thread;
use crate::nodes::rig::signals::emit_changes;
use crate::nodes::rig::warnings::{CALLED_ELSEWHERE, REENTERED};
use crate::plan::Plan;
use crate::plan::result::Change;

impl TendonRig2D {
    /// One pass, from gathering to the signals.
    pub(super) fn run_pass(mut this: Gd<Self>, delta: f64) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        if let Some(run) = Self::begin(&mut this) {
            let mut changes = Vec::new();
            let plan = run.pass(&this, delta, &mut changes);
            Self::end(this, plan, changes);
        }
    }

    /// Claims the rig for a pass. `None` if it has nothing to do or is in a pass already.
    fn begin(this: &mut Gd<Self>) -> Option<Run> {
        let mut rig = this.bind_mut();
        if rig.in_editor {
            drop(rig);
            Self::check_stack(this);
            rig = this.bind_mut();
        }
        if rig.running {
            drop(rig);
            Self::warn_once(this, |warned| &mut warned.reentered, REENTERED);
            return None;
        }
        // The editor shows an inactive rig, too, and warns of its problems.
        if !rig.active && !rig.in_editor {
            return None;
        }
        rig.running = true;
        Some(Run {
            plan: rig.plan.take(),
            stale: rig.stale.get(),
            influence: rig.influence,
            solves: rig.active && (!rig.in_editor || rig.is_previewed()),
            stands_by: rig.is_beside_stack,
            drawn: rig.drawn.take(),
            is_connected_to_skeleton: rig.is_connected_to_skeleton,
        })
    }

    /// Gives the plan back and emits the signals of the pass. If the rig was deactivated or left
    /// the tree in the meantime, the base pose is put back.
    fn end(mut this: Gd<Self>, plan: Option<Box<Plan>>, mut changes: Vec<(Gd<Node>, Change)>) {
        let Some(mut plan) = plan else {
            if this.is_instance_valid() {
                this.bind_mut().running = false;
            }
            return;
        };
        let Some(node) = plan.rig_node.alive() else {
            // The rig was freed during the pass and could not put the base pose back itself.
            return plan.restore();
        };
        let heard = node.has_listeners(&plan.processed);
        let mut rig = this.bind_mut();
        if std::mem::take(&mut rig.forgets) {
            plan.forget();
        }
        if rig.in_editor {
            let history = rig.undo_history.get_or_insert_default();
            for (bone, base) in plan.bones.base_poses() {
                history.add_bone(bone, base);
            }
        }
        if rig.in_tree && (rig.active || rig.in_editor) {
            rig.plan = Some(plan);
            rig.running = heard && rig.active || !changes.is_empty();
            if !rig.running {
                return;
            }
            drop(rig);
        } else {
            drop(rig);
            plan.restore();
            plan.go_idle(&mut changes);
            Self::give_back(&mut this, plan);
        }
        emit_changes(changes);
        if this.is_instance_valid() {
            this.signals().modification_processed().emit();
        }
        if this.is_instance_valid() {
            this.bind_mut().running = false;
        }
    }
}

/// What a pass takes out of the rig.
struct Run {
    plan: Option<Box<Plan>>,
    /// Whether the plan is known to be out of date.
    stale: bool,
    influence: f32,
    /// Whether the bones may be moved: not in the editor without preview, and not by an inactive
    /// rig.
    solves: bool,
    /// Whether they are not even to be put back: the engine would take what its own stack has made
    /// of a bone for what it was given.
    stands_by: bool,
    /// The rotations that the modifiers are to begin from.
    drawn: Option<VarDictionary>,
    /// Whether the engine's list of bones tells of rest poses.
    is_connected_to_skeleton: bool,
}

impl Run {
    /// Runs the plan, or a new one where it is stale. Returns the plan for the next pass.
    fn pass(
        self,
        this: &Gd<TendonRig2D>,
        delta: f64,
        changes: &mut Vec<(Gd<Node>, Change)>,
    ) -> Option<Box<Plan>> {
        let mut plan = self.plan;
        let mut stale = self.stale;
        if let Some(current) = &mut plan {
            current.prefetch(|| Place::of(&*this.bind()));
            // Updates the engine's list of bones, which emits a signal if it has changed. The
            // skeleton of a stale plan may have left the tree, and has no list then.
            if self.is_connected_to_skeleton
                && let Some(skeleton) = current.skeleton.alive()
                && (!stale || skeleton.is_inside_tree())
            {
                skeleton.update_bones();
            }
            stale |= current.is_known_stale();
        }
        // A second time if the tree has changed without a signal.
        for _ in 0..2 {
            if stale || plan.as_deref().is_none_or(Plan::may_recover_unnoticed) {
                if !this.is_instance_valid() {
                    return plan;
                }
                plan = TendonRig2D::replace_plan(this, plan);
            }
            let current = plan.as_mut()?;
            stale = if self.solves {
                // The pass has to show the pose that was drawn: no time passes.
                let delta = if self.drawn.is_some() { 0.0 } else { delta };
                if let Some(drawn) = &self.drawn {
                    current.begin_from(drawn);
                }
                current.run(self.influence, delta, changes).is_err()
            } else {
                if !self.stands_by {
                    current.restore();
                }
                current.forget();
                current.go_idle(changes);
                current.run_without_solving(self.influence).is_err()
            };
            if !stale {
                break;
            }
        }
        plan
    }
}
