//! What scripts set: see `rig/kinds/custom.rs`.

use serde::{Deserialize, Serialize};

/// The solver of a custom modifier: it has no settings.
pub(super) struct Script;

/// A rotation that a script has set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    /// Index of the bone.
    pub bone: usize,
    /// Radians in the parent's frame.
    #[serde(with = "crate::math::number")]
    pub rotation: f32,
}
