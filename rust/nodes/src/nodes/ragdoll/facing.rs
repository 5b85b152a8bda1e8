//! On which side a body lies, as scripts know it.

use godot::prelude::*;

use crate::engine::class_enum::class_enum;

class_enum! {
    /// On which side a body lies.
    Facing is TendonRagdoll2D.Facing undocumented {
        #[default]
        Belly: "Belly", FACING_BELLY;
        Back: "Back", FACING_BACK;
    }
}
