//! What the engine calls a rig for: in every frame, and when it enters or leaves the tree.

use godot::prelude::*;

use super::shared::SharedRig;
use super::{EDITED_RIGS, TendonRig2D};
use crate::engine::notifications::{NamedMethod, Notified};
use crate::nodes::rig::callback_mode::CallbackModeProcess;

impl Notified for TendonRig2D {
    const SHORTCUT: Option<NamedMethod<Self>> = Some(("advance", Self::advance));

    fn on_enter_tree(this: Gd<Self>) {
        let rig = Self::shared(&this);
        SharedRig::set_in_tree(&rig, this.instance_id(), true);
        rig.stale.set(true);
        Self::wake(&this);
        Self::start_listening(&this);
        Self::update_warnings_of_limits(&this);
        Self::update_warnings_of_rigs(&this);
        Self::check_thread(&this);
        if !rig.active.get() {
            // It runs no pass that would give a copy its base pose.
            rig.restore_copies(&this);
        }
        Self::ensure_first_pose(this, &rig);
    }

    fn on_ready(mut this: Gd<Self>) {
        let rig = Self::shared(&this);
        rig.apply_callback_mode(&mut this);
        if rig.in_editor {
            this.add_to_group(EDITED_RIGS);
        }
    }

    fn on_exit_tree(this: Gd<Self>) {
        let rig = Self::shared(&this);
        SharedRig::set_in_tree(&rig, this.instance_id(), false);
        Self::update_warnings_of_limits(&this);
        Self::update_warnings_of_rigs(&this);
        Self::stop_listening(&this);
        rig.frame_end.take().stop();
        rig.first_frame.take().stop();
        rig.start_rotations.take();
        rig.planned_bones.take();
        if let Some(plan) = &*rig.plan.borrow() {
            rig.remember_bones_for_undo(plan);
        }
        Self::restore_and_drop_plan(this);
    }

    fn on_unparented(this: Gd<Self>) {
        // A copy that never was in the tree.
        Self::shared(&this).restore_copies(&this);
    }

    fn on_process(this: Gd<Self>) {
        Self::run_due_pass(this, CallbackModeProcess::Idle, None);
    }

    fn on_physics_process(this: Gd<Self>) {
        Self::run_due_pass(this, CallbackModeProcess::Physics, None);
    }

    fn on_interpolation_reset(this: Gd<Self>) {
        Self::reset(this);
    }
}
