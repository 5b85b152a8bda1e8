//! The named solvers, and what they share.

pub(crate) mod approach;
pub(crate) mod ccd;
pub(crate) mod copy_transform;
pub(crate) mod elasticity;
pub(crate) mod fabrik;
pub(crate) mod flip;
pub(crate) mod heading;
mod limited_two_bone;
pub(crate) mod look_at;
pub(crate) mod modes;
pub(crate) mod oscillator;
pub(crate) mod spline;
pub(crate) mod spring;
pub(crate) mod two_bone;
