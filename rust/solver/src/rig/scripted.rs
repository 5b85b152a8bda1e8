//! What scripts set: see [`crate::rig::script`].

use serde::{Deserialize, Serialize};

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
