//! Why a function that takes a bone does nothing. The text follows the name of the function.

use std::fmt;

use godot::prelude::*;

use crate::warnings::log::warn;

/// A reason why a script gets nothing of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoneRefusal {
    /// No bone was passed.
    NoBone,
    /// No body was passed.
    NoBody,
    /// `_process_modification` is not running.
    NotNow,
    /// The bone is not one of the rig's skeleton.
    ForeignBone,
}

impl fmt::Display for BoneRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoBone => "was called without a bone. Pass a Bone2D.",
            Self::NoBody => "was called without a body. Pass a body of the physics.",
            Self::NotNow => "works only while _process_modification() runs.",
            Self::ForeignBone => "was called with a bone that is not one of this rig's skeleton.",
        })
    }
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
