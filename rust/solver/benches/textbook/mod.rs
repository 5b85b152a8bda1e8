//! FABRIK and CCD as they are published, to be measured beside: no closed form for what is
//! out of reach, no finisher, no way out of a dead-lock, no restarts.
//!
//! They compute in `f64`, so that nothing they miss is rounding, and favour plainness over
//! speed: what counts here is how often they arrive and after how many iterations.
//! `tests/textbook.rs` holds them to the orders of magnitude that others have published.

pub mod ccd;
pub mod fabrik;
pub mod obstacle;
pub mod repeat;
pub mod task;
