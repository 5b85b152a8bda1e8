//! Shapes, and how deep a bone is inside one.
//!
//! | file | what is in it |
//! |---|---|
//! | [`shape`] | the shapes that a chain stays out of |
//! | [`penetration`] | how deep a bone is inside a convex shape |

pub(crate) mod penetration;
pub(crate) mod shape;
