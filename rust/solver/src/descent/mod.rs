//! Iterative solving: the one constrained step, where it starts, and how a pose follows from the
//! last one.

pub(crate) mod deadlock;
pub(crate) mod follow;
pub(crate) mod home;
pub(crate) mod line;
pub(crate) mod reaching;
pub mod reach;
mod restarts;
pub(crate) mod step;

pub use follow::Memory;
pub use step::Workspace;
