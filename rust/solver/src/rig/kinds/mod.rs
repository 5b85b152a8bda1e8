//! The kinds of solvers, one file each, and what they share.
//!
//! | file | what is in it |
//! |---|---|
//! | [`look_at`], [`two_bone`] | solvers in closed form |
//! | [`limb`] | what they share: one or two bones, read from the pose and written to it |
//! | [`ccd`], [`fabrik`] | solvers that iterate |
//! | [`chain`] | what they share: chains and trees |
//! | [`spring`], [`spline`], [`copy_transform`] | solvers that reach for no target |
//! | [`custom`] | what a script has set |
//! | [`chain_space`] | the space that chains are solved in |

mod ccd;
mod chain;
mod chain_space;
mod copy_transform;
mod custom;
mod fabrik;
mod limb;
mod look_at;
mod spline;
mod spring;
mod two_bone;
