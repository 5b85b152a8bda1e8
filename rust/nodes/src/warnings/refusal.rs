//! Why a function that takes a bone does nothing. The text follows the name of the function.

use godot::prelude::*;

use crate::warnings::log::warn;

/// A reason why a script gets nothing of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BoneRefusal {
    /// No bone was passed.
    #[error("was called without a bone. Pass a Bone2D.")]
    NoBone,
    /// No body was passed.
    #[error("was called without a body. Pass a body of the physics.")]
    NoBody,
    /// `_process_modification` is not running.
    #[error("works only while _process_modification() runs.")]
    NotNow,
    /// The bone is not one of the rig's skeleton.
    #[error("was called with a bone that is not one of this rig's skeleton.")]
    ForeignBone,
}

/// The body that `method` of `node` was called with. If there is none, this is told.
pub(crate) fn body_or_warn<N: Inherits<Node>, B: GodotClass>(
    node: &Gd<N>,
    body: Option<Gd<B>>,
    method: &str,
) -> Option<Gd<B>> {
    if body.is_none() {
        let refusal = BoneRefusal::NoBody;
        warn(&node.clone().upcast(), format!("{method} {refusal}"));
    }
    body
}
