//! The property `callback_mode_process`: in which frames a rig runs. `frames.rs` runs it by that.
//!
//! The engine has no callback for the end of a frame, when everything else has moved, that also comes
//! without a window. Tweens are the last that it runs of a frame. What they defer runs when all of them
//! are done and all nodes were notified of changed transforms, just before drawing. So a tween that never
//! ends calls the node in every frame, and the node defers its work.

use godot::classes::Tween;
use godot::prelude::*;

use crate::engine::class_enum::class_enum;

class_enum! {
    /// The frames in which a rig runs its pass.
    CallbackModeProcess is TendonRig2D.CallbackModeProcess undocumented {
        /// In every physics frame.
        Physics: "Physics", CALLBACK_MODE_PROCESS_PHYSICS;
        /// In every frame.
        #[default]
        Idle: "Idle", CALLBACK_MODE_PROCESS_IDLE;
        /// When `advance` is called.
        Manual: "Manual", CALLBACK_MODE_PROCESS_MANUAL;
        /// At the end of every frame.
        FrameEnd: "Frame End", CALLBACK_MODE_PROCESS_FRAME_END;
    }
}

/// The tween of a node, if there is one.
#[derive(Default)]
pub(super) struct FrameEnd {
    tween: Option<Gd<Tween>>,
}

impl FrameEnd {
    /// Calls `method` in every frame through `tween`, which is bound to the node.
    pub(super) fn new(mut tween: Gd<Tween>, method: &Callable) -> Self {
        let (first, last) = (0.0.to_variant(), FOREVER.to_variant());
        tween.tween_method(method, &first, &last, FOREVER);
        Self { tween: Some(tween) }
    }

    /// Calls `method` at the end of this frame, and no more.
    pub(super) fn once(mut tween: Gd<Tween>, method: &Callable) -> Self {
        tween.tween_callback(method);
        Self { tween: Some(tween) }
    }

    /// Returns `true` if the node is called. A script may have killed the tween.
    pub(super) fn is_running(&self) -> bool {
        self.tween.as_ref().is_some_and(|tween| tween.is_valid())
    }

    /// Stops the calls.
    pub(super) fn stop(self) {
        if let Some(mut tween) = self.tween {
            tween.kill();
        }
    }
}

/// Seconds; some thirty years.
const FOREVER: f64 = 1e9;
