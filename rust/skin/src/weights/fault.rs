//! Why there are no weights.

use thiserror::Error;

/// The reason that there are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WeightFault {
    /// Nothing could move the mesh.
    #[error("there are no bones")]
    NoBones,
    /// A bone has no segment, or one that is not finite.
    #[error("bone {0} has no finite position and length")]
    Bone(usize),
    /// A bone turns with one that is not there, or with itself.
    #[error("bone {0} has no parent among the bones, or is its own ancestor")]
    Parent(usize),
    /// The reach is not a positive number.
    #[error("the reach has to be a positive number")]
    Reach,
    /// The equations have no solution in floating point numbers, as with triangles of extreme sizes.
    #[error("the triangles are too thin for weights")]
    Unsolvable,
}
