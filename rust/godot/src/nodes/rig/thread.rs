//! Rigs in thread groups, and calls on other threads: see [`crate::engine::threads`].

use std::sync::atomic::{AtomicBool, Ordering};

use godot::prelude::*;

use super::TendonRig2D;
use crate::engine::threads::is_in_thread_group;
use crate::warnings::log::warn;
use crate::warnings::rig::OFF_MAIN_THREAD;

impl TendonRig2D {
    /// Stops processing while the engine would do it on another thread, and resumes afterwards.
    pub(super) fn check_thread(mut this: Gd<Self>) {
        let elsewhere = is_in_thread_group(&this.clone().upcast());
        if this.bind().on_other_thread == elsewhere {
            return;
        }
        let in_editor = {
            let mut rig = this.bind_mut();
            rig.on_other_thread = elsewhere;
            rig.apply_callback_mode();
            rig.in_editor
        };
        if in_editor {
            this.upcast::<Node>().update_configuration_warnings();
        } else if elsewhere {
            Self::warn_once(&this, |warned| &mut warned.on_other_thread, OFF_MAIN_THREAD);
        }
    }

    /// Warns, once, that nothing can be done on this thread.
    pub(super) fn refuse_thread(this: &Gd<Self>, advice: &str) {
        static TOLD: AtomicBool = AtomicBool::new(false);
        if !TOLD.swap(true, Ordering::Relaxed) {
            warn(&this.clone().upcast(), advice);
        }
    }
}
