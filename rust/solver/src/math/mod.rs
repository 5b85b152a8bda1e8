//! Plain mathematics: rotations, angles, cubic segments, small dense systems, and numbers that survive JSON.

pub mod angle;
pub(crate) mod cholesky;
pub(crate) mod cubic;
pub(crate) mod matrix;
pub(crate) mod number;
pub mod rotation;
pub(crate) mod trigonometry;
