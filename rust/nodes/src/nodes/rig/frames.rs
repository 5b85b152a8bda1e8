//! When a rig runs: in which frames, by the property `callback_mode_process`, and whether it pauses
//! because the skeleton is not visible. `pass.rs` runs the pass. Not on another thread, either: see
//! [`crate::engine::threads`].

use godot::prelude::*;

use super::TendonRig2D;
use super::shared::SharedRig;
use crate::engine::threads::{is_in_thread_group, is_main_thread};
use crate::nodes::rig::callback_mode::{CallbackModeProcess, FrameEnd};
use crate::warnings::rig::OFF_MAIN_THREAD;

impl TendonRig2D {
    /// Runs a pass if the rig runs in frames of the kind `frame`, which is the present one.
    pub(super) fn run_due_pass(this: Gd<Self>, frame: CallbackModeProcess, delta: f64) {
        if !is_main_thread() {
            // The rig prints a warning when `FrameWatch` next checks it.
            return;
        }
        let rig = Self::shared(&this);
        // `FrameWatch` may not have checked the rig yet.
        if rig.plan.borrow().is_none() {
            Self::check_thread(&this);
            // A script that listens to the log may free the rig when it gets the warning.
            if !this.is_instance_valid() || rig.on_other_thread.get() {
                return;
            }
        }
        let (own, is_skipped) = (rig.kind_of_frame(), rig.is_skipped());
        if own == Some(frame) && is_skipped {
            Self::reset(this);
        } else if own == Some(frame) {
            Self::run_pass(this, &rig, delta);
        } else if own == Some(CallbackModeProcess::FrameEnd) && frame == CallbackModeProcess::Idle {
            Self::ensure_frame_end(this, &rig);
        } else if own.is_some() && frame == CallbackModeProcess::Physics && !is_skipped {
            // Modifiers may ask the physics server in these frames only.
            if let Some(plan) = &mut *rig.plan.borrow_mut() {
                plan.sense();
            }
        }
    }

    /// Makes sure that the rig is called at the end of this frame and of the next ones.
    fn ensure_frame_end(mut this: Gd<Self>, rig: &SharedRig) {
        if rig.frame_end.borrow().is_running() {
            return;
        }
        if let Some(tween) = this.create_tween() {
            let method = Callable::from_object_method(&this, "_defer_to_frame_end");
            rig.frame_end.replace(FrameEnd::new(tween, &method));
        }
    }

    /// Stops processing while the engine would do it on another thread, and resumes afterwards.
    pub(super) fn check_thread(this: &Gd<Self>) {
        let rig = Self::shared(this);
        let mut node = this.clone().upcast();
        let elsewhere = is_in_thread_group(&node);
        if rig.on_other_thread.replace(elsewhere) == elsewhere {
            return;
        }
        rig.apply_callback_mode(&mut node);
        if rig.in_editor {
            node.update_configuration_warnings();
        } else if elsewhere {
            Self::warn_once(this, |warned| &mut warned.on_other_thread, OFF_MAIN_THREAD);
        }
    }
}

impl SharedRig {
    /// The kind of frame in which the rig runs; `None` if scripts run it. The editor has no physics
    /// frames.
    fn kind_of_frame(&self) -> Option<CallbackModeProcess> {
        match self.callback_mode_process.get() {
            _ if self.in_editor => Some(CallbackModeProcess::Idle),
            CallbackModeProcess::Manual => None,
            mode => Some(mode),
        }
    }

    /// Whether the rig pauses because the skeleton is not visible.
    fn is_skipped(&self) -> bool {
        match &*self.plan.borrow() {
            Some(plan) if self.skip_when_invisible.get() && !self.in_editor => {
                plan.skeleton.is_visible_in_tree() == Some(false)
            }
            _ => false,
        }
    }

    /// Has the engine call `node`, the rig's, in the frames in which it runs.
    pub(super) fn apply_callback_mode(&self, node: &mut Node) {
        let frame = self.kind_of_frame().filter(|_| !self.on_other_thread.get());
        if frame != Some(CallbackModeProcess::FrameEnd) {
            self.frame_end.take().stop();
        }
        let senses = frame.is_some() && self.dependencies.borrow().senses && !self.in_editor;
        let each_frame = [CallbackModeProcess::Idle, CallbackModeProcess::FrameEnd];
        node.set_process(frame.is_some_and(|frame| each_frame.contains(&frame)));
        node.set_physics_process(frame == Some(CallbackModeProcess::Physics) || senses);
    }
}

#[godot_api(secondary)]
impl TendonRig2D {
    /// Called among the tweens, the last to move things in a frame: what is deferred here runs
    /// when all of them have.
    #[func(gd_self, rename = _defer_to_frame_end)]
    fn defer_to_frame_end(mut this: Gd<Self>, _elapsed: f64) {
        this.call_deferred("_run_at_frame_end", &[]);
    }

    /// Called at the end of a frame.
    #[func(gd_self, rename = _run_at_frame_end)]
    fn run_at_frame_end(this: Gd<Self>) {
        if this.is_inside_tree() {
            let delta = this.get_process_delta_time();
            Self::run_due_pass(this, CallbackModeProcess::FrameEnd, delta);
        }
    }
}
