//! The named solvers, and what they share.

pub mod approach;
pub mod ccd;
pub mod copy_transform;
pub mod elasticity;
pub(crate) mod fabrik;
pub mod flip;
pub mod heading;
mod limited_two_bone;
pub mod look_at;
pub mod modes;
pub(crate) mod oscillator;
pub mod spline;
pub mod spring;
pub mod two_bone;
