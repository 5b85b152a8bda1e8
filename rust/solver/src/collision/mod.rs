//! Shapes, and how deep a bone is inside one.

pub(crate) mod penetration;
pub(crate) mod shape;
