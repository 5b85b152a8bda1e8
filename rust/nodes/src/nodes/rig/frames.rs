//! When a rig runs: in which frames, by the property `callback_mode_process`. `pass.rs` runs the pass, and
//! `sleep.rs` pauses a rig that nobody sees. Not on another thread, either: see [`crate::engine::threads`].

use godot::prelude::*;

use super::TendonRig2D;
use super::plan_guard::PlanGuard;
use super::shared::SharedRig;
use crate::engine::frame_calls::Live;
use crate::engine::threads::{is_in_thread_group, is_main_thread};
use crate::nodes::rig::callback_mode::{CallbackModeProcess, FrameEnd};
use crate::warnings::rig::OFF_MAIN_THREAD;

impl TendonRig2D {
    /// Runs a pass if the rig runs in frames of the kind `frame`, which is the present one. `time` is how much
    /// of it counts, in seconds: all of it, if it is not said.
    pub(super) fn run_due_pass(this: Gd<Self>, frame: CallbackModeProcess, time: Option<f64>) {
        // Off the main thread, the rig prints a warning when `FrameWatch` next checks it.
        if !is_main_thread() {
            return;
        }
        let rig = Self::shared(&this);
        // `FrameWatch` may not have checked the rig yet.
        if rig.plan.borrow().is_none() {
            Self::check_thread(&this);
            // A script that listens to the log may free the rig when it gets the warning.
            if !rig.in_tree.get() || rig.on_other_thread.get() {
                return;
            }
        }
        let (own, is_unseen) = (rig.kind_of_frame(), rig.is_unseen());
        if own == Some(frame) && is_unseen {
            Self::fall_asleep(this);
        } else if own == Some(frame) {
            let delta = time.unwrap_or_else(|| rig.length_of(frame, &this));
            Self::run_pass(this, &rig, delta);
        } else if own == Some(CallbackModeProcess::FrameEnd) && frame == CallbackModeProcess::Idle {
            Self::ensure_frame_end(this, &rig);
        } else if own.is_some() && frame == CallbackModeProcess::Physics && !is_unseen {
            // Modifiers may ask the physics server in these frames only.
            rig.sense();
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

    /// Makes sure that the first frame that is drawn shows a solved pose: a rig that enters the tree after its
    /// turn in a frame, as from a timer, or that runs in physics frames, may be drawn before it runs.
    pub(super) fn ensure_first_pose(mut this: Gd<Self>, rig: &SharedRig) {
        if rig.in_editor || !is_main_thread() {
            return;
        }
        if let Some(tween) = this.create_tween() {
            let method = Callable::from_object_method(&this, "_defer_first_pose");
            rig.first_frame.replace(FrameEnd::once(tween, &method));
        }
    }

    /// Stops processing while the engine would do it on another thread, and resumes afterwards.
    pub(super) fn check_thread(this: &Gd<Self>) {
        let rig = Self::shared(this);
        let elsewhere = is_in_thread_group(this);
        if rig.on_other_thread.replace(elsewhere) == elsewhere {
            return;
        }
        let mut node = this.clone().upcast::<Node>();
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

    /// Has the engine call `node`, the rig's, in the frames in which it runs.
    pub(super) fn apply_callback_mode(&self, node: &mut Node) {
        // A rig that is off or asleep costs nothing. The editor shows it, and warns of its problems.
        let is_due = self.active.get() && !self.is_asleep.get() || self.in_editor;
        let frame = self.kind_of_frame();
        let frame = frame.filter(|_| is_due && !self.on_other_thread.get());
        if frame != Some(CallbackModeProcess::FrameEnd) {
            self.frame_end.take().stop();
        }
        let senses = frame.is_some() && self.dependencies.borrow().senses && !self.in_editor;
        let each_frame = [CallbackModeProcess::Idle, CallbackModeProcess::FrameEnd];
        // The internal ones: the others are for the scripts of the node.
        node.set_process_internal(frame.is_some_and(|frame| each_frame.contains(&frame)));
        node.set_physics_process_internal(frame == Some(CallbackModeProcess::Physics) || senses);
    }

    /// Asks the physics server for what the modifiers need to know.
    fn sense(&self) {
        let mut guard = PlanGuard::of(self);
        guard.iter_mut().for_each(|plan| plan.sense());
        self.return_plan(guard);
    }

    /// The length of the present frame, of the kind `frame`, in seconds.
    fn length_of(&self, frame: CallbackModeProcess, node: &Gd<TendonRig2D>) -> f64 {
        let plan = self.plan.borrow();
        let planned = plan.as_deref().map(|plan| &plan.rig_node);
        match frame {
            CallbackModeProcess::Physics => {
                let delta = planned.and_then(Live::get_physics_process_delta_time);
                delta.unwrap_or_else(|| node.get_physics_process_delta_time())
            }
            _ => {
                let delta = planned.and_then(Live::get_process_delta_time);
                delta.unwrap_or_else(|| node.get_process_delta_time())
            }
        }
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

    /// Called among the tweens of the first frame: see
    /// [`ensure_first_pose`](Self::ensure_first_pose).
    #[func(gd_self, rename = _defer_first_pose)]
    fn defer_first_pose(mut this: Gd<Self>) {
        this.call_deferred("_show_first_pose", &[]);
    }

    /// Called at the end of the first frame. No time has passed.
    #[func(gd_self, rename = _show_first_pose)]
    fn show_first_pose(this: Gd<Self>) {
        let rig = Self::shared(&this);
        rig.first_frame.take().stop();
        // It may run at the end of each frame anyway.
        let will_run = rig.frame_end.borrow().is_running();
        let has_run = rig.plan.borrow().is_some() || rig.is_locked.get();
        if let Some(frame) = rig.kind_of_frame()
            && !(has_run || will_run)
            && this.is_inside_tree()
        {
            Self::run_due_pass(this, frame, Some(0.0));
        }
    }

    /// Called at the end of a frame.
    #[func(gd_self, rename = _run_at_frame_end)]
    fn run_at_frame_end(this: Gd<Self>) {
        if this.is_inside_tree() {
            Self::run_due_pass(this, CallbackModeProcess::FrameEnd, None);
        }
    }
}
