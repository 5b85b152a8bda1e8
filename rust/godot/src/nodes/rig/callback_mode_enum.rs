//! The enum of the property `callback_mode_process`. `callback_mode.rs` runs the rig by it.

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
