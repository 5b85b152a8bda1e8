//! The property `callback_mode_process`: in which frames a rig runs. `frames.rs` runs it by that.
//!
//! The engine has no callback for the end of a frame, when everything else has moved, that also comes
//! without a window. Tweens are the last that it runs of a frame. What they defer runs when all of them
//! are done and all nodes were notified of changed transforms, just before drawing. So a tween that never
//! ends calls the node in every frame, and the node defers its work.

use godot::classes::Tween;
use godot::prelude::*;

use crate::engine::class_enum::{class_enum, register_enum};

/// When a rig runs its pass.
#[derive(Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum CallbackModeProcess {
    /// In every physics frame.
    Physics = 0,
    /// In every frame.
    #[default]
    Idle = 1,
    /// When [`TendonRig2D::advance`] is called.
    Manual = 2,
    /// At the end of every frame.
    FrameEnd = 3,
}

class_enum!(
    CallbackModeProcess,
    "TendonRig2D.CallbackModeProcess",
    [
        Physics = "Physics",
        Idle = "Idle",
        Manual = "Manual",
        FrameEnd = "Frame End"
    ]
);

/// Registers the enum for the class `C` of the rig.
pub(in crate::nodes) fn register<C: GodotClass>() {
    use CallbackModeProcess::{FrameEnd, Idle, Manual, Physics};
    register_enum::<C>(
        "CallbackModeProcess",
        &[
            ("CALLBACK_MODE_PROCESS_PHYSICS", Physics as i64),
            ("CALLBACK_MODE_PROCESS_IDLE", Idle as i64),
            ("CALLBACK_MODE_PROCESS_MANUAL", Manual as i64),
            ("CALLBACK_MODE_PROCESS_FRAME_END", FrameEnd as i64),
        ],
    );
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

    /// Whether the node is called. A script may have killed the tween.
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
