//! Why a function that takes a bone does nothing. The text follows the name of the function.

use std::fmt;

/// Why a script gets nothing of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No bone was passed.
    NoBone,
    /// `_process_modification` is not running.
    NotNow,
    /// The bone is not one of the rig's skeleton.
    ForeignBone,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoBone => "was called without a bone. Pass a Bone2D.",
            Self::NotNow => "works only while _process_modification() runs.",
            Self::ForeignBone => "was called with a bone that is not one of this rig's skeleton.",
        })
    }
}
