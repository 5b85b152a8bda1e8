//! Warnings that are printed once.

use std::sync::atomic::{AtomicBool, Ordering};

use godot::prelude::*;

use super::TendonRig2D;
use crate::engine::warning::warn;
use crate::nodes::rig::warnings::Warned;

impl TendonRig2D {
    /// Warns, once, that nothing can be done on this thread.
    pub(super) fn refuse_thread(this: &Gd<Self>, advice: &str) {
        static TOLD: AtomicBool = AtomicBool::new(false);
        if !TOLD.swap(true, Ordering::Relaxed) {
            warn(&this.clone().upcast(), advice);
        }
    }

    /// Warns of a problem of the rig itself, once for each cause.
    pub(super) fn warn_once(this: &Gd<Self>, cause: fn(&mut Warned) -> &mut bool, advice: &str) {
        if !this.is_instance_valid() {
            return;
        }
        let is_printed = std::mem::replace(cause(&mut this.clone().bind_mut().warned), true);
        if !is_printed {
            warn(&this.clone().upcast(), advice);
        }
    }
}
