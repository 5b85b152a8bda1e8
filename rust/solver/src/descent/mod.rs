//! Iterative solving: the one constrained step, where it starts, and how a pose follows from the
//! last one.

pub(crate) mod deadlock;
pub(crate) mod follow;
pub(crate) mod home;
pub(crate) mod line;
pub(crate) mod memory;
pub(crate) mod reach;
pub(crate) mod reaching;
mod restarts;
pub(crate) mod step;
pub(crate) mod swing;

pub use memory::{Memory, Order};
pub(crate) use step::Workspace;
