//! What the physics server answers to a ray: a dictionary, whose keys are made once. Made for each look, they would
//! take longer than the ray.

use godot::prelude::*;

use crate::engine::gdext_private::value_of;

/// The keys of such a dictionary.
pub(crate) struct RayKeys([Variant; 5]);

/// What a ray has met.
#[derive(Clone, Copy)]
pub(crate) struct RayAnswer {
    pub(crate) position: Vector2,
    /// Zero if the ray began inside.
    pub(crate) normal: Vector2,
    /// The body, its shape by the index, and its node.
    pub(crate) body: Rid,
    pub(crate) shape: i32,
    pub(crate) node: InstanceId,
}

impl Default for RayKeys {
    fn default() -> Self {
        Self(["position", "normal", "rid", "shape", "collider_id"].map(|key| key.to_variant()))
    }
}

impl RayKeys {
    /// Reads `answer`; `None` if nothing was met, or a body without a node.
    pub(crate) fn read(&self, answer: &VarDictionary) -> Option<RayAnswer> {
        if answer.is_empty() {
            return None;
        }
        let [position, normal, body, shape, node] = &self.0;
        let node = value_of(answer, node).try_to().ok()?;
        Some(RayAnswer {
            position: value_of(answer, position).try_to().ok()?,
            normal: value_of(answer, normal).try_to().ok()?,
            body: value_of(answer, body).try_to().ok()?,
            shape: value_of(answer, shape).try_to().ok()?,
            node: InstanceId::try_from_i64(node)?,
        })
    }
}
