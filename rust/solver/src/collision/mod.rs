//! Shapes, and how deep a bone is inside one.
//!
//! | file | what is in it |
//! |---|---|
//! | [`convex`] | convex shapes in a solver's space, with their sides |
//! | [`penetration`] | how deep a bone is inside one |
//! | [`shape`] | the shapes of obstacles |

pub(crate) mod convex;
pub(crate) mod penetration;
pub(crate) mod shape;
