//! Puts the base pose back: when a rig pauses, is switched off or leaves the tree.

use godot::prelude::*;

use super::TendonRig2D;
use crate::nodes::rig::signals::emit_changes;
use crate::plan::Plan;

/// What happens to a rig after the base pose was put back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// It continues with the next pass.
    Continue,
    /// The same, but its modifiers are idle until then.
    Idle,
    /// It leaves the tree, and the plan is dropped.
    Forget,
}

impl TendonRig2D {
    /// Puts the base pose back. Scripts that run meanwhile may do anything to the rig, but cannot
    /// start a pass: it would read bones of which only some are back.
    fn restore_bones(mut this: Gd<Self>, after: After) {
        let (plan, was_running) = {
            let mut rig = this.bind_mut();
            (rig.plan.take(), rig.running)
        };
        let Some(mut plan) = plan else {
            return;
        };
        this.bind_mut().running = true;
        let mut changes = Vec::new();
        plan.restore();
        if after == After::Idle {
            plan.forget();
            plan.go_idle(&mut changes);
        }
        if this.is_instance_valid() {
            this.bind_mut().running = was_running;
        }
        if after != After::Forget {
            Self::give_back(&mut this, plan);
        }
        emit_changes(changes);
    }

    /// Puts the base pose back, until the next pass.
    pub(super) fn put_back(this: Gd<Self>) {
        Self::restore_bones(this, After::Continue);
    }

    /// Puts the base pose back, with idle modifiers.
    pub(super) fn pause(this: Gd<Self>) {
        Self::restore_bones(this, After::Idle);
    }

    /// Puts the base pose back and forgets it: the base pose is then whatever the bones hold at
    /// the next pass, to the last bit.
    pub(crate) fn forget_pose(this: Gd<Self>) {
        Self::restore_bones(this, After::Forget);
    }

    /// Gives a plan back that was taken out to restore bones, unless the rig has left the tree.
    pub(super) fn give_back(this: &mut Gd<Self>, plan: Box<Plan>) {
        if this.is_instance_valid() && this.is_inside_tree() {
            this.bind_mut().plan = Some(plan);
        }
    }

    /// Stops the calls at the end of the frame, and remembers the bones for an undo that brings them back.
    pub(super) fn leave(&mut self) {
        self.frame_end.stop();
        self.drawn = None;
        if let Some(plan) = self.plan.as_ref().filter(|_| self.in_editor) {
            let history = self.undo_history.get_or_insert_default();
            plan.bones.remember_in(history, &plan.rig.bones);
        }
    }
}
