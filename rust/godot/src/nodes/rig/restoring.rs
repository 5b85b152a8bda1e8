//! Restores the base pose: when a rig is deactivated or leaves the tree, and when a script or the
//! editor asks for it.

use godot::prelude::*;

use super::TendonRig2D;
use crate::nodes::rig::signals::emit_changes;
use crate::plan::Plan;

/// What happens to the plan after the base pose was restored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Keep,
    /// It is kept, and its modifiers are idle.
    Idle,
    Drop,
}

impl TendonRig2D {
    /// Restores the base pose. Scripts that run meanwhile may do anything to the rig, but cannot
    /// start a pass: it would read bones of which only some have their base pose.
    fn restore_bones(mut this: Gd<Self>, after: After) {
        let (plan, was_locked) = {
            let mut rig = this.bind_mut();
            (rig.plan.take(), rig.is_locked)
        };
        let Some(mut plan) = plan else {
            return;
        };
        this.bind_mut().is_locked = true;
        let mut changes = Vec::new();
        plan.restore();
        if after == After::Idle {
            plan.reset();
            plan.go_idle(&mut changes);
        }
        if this.is_instance_valid() {
            this.bind_mut().is_locked = was_locked;
        }
        if after != After::Drop {
            Self::return_plan(&mut this, plan);
        }
        emit_changes(changes);
    }

    /// Restores the base pose. The next pass solves again, and goes on from the last one.
    pub(super) fn restore_until_next_pass(this: Gd<Self>) {
        Self::restore_bones(this, After::Keep);
    }

    /// Restores the base pose. The modifiers become idle, and will begin without memory.
    pub(super) fn restore_and_idle(this: Gd<Self>) {
        Self::restore_bones(this, After::Idle);
    }

    /// Restores the base pose and drops the plan: at the next pass, the base pose is whatever the
    /// bones hold then, to the last bit.
    pub(crate) fn restore_and_drop_plan(this: Gd<Self>) {
        Self::restore_bones(this, After::Drop);
    }

    /// Returns a plan that was taken out of the rig, unless the rig has left the tree.
    pub(super) fn return_plan(this: &mut Gd<Self>, plan: Box<Plan>) {
        if this.is_instance_valid() && this.is_inside_tree() {
            this.bind_mut().plan = Some(plan);
        }
    }
}
