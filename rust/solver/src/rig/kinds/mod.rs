//! The kinds of solvers, one file each, as they are listed in `rig/kind_list.rs`, and what they share.
//!
//! | file | what is in it |
//! |---|---|
//! | [`look_at`], [`two_bone`] | solvers in closed form |
//! | [`closed_form`] | the parts that they share: one or two bones, read from the pose and written to it |
//! | [`chain_ik`] | chains and trees, which follow their targets |
//! | [`full_body`] | bodies whose root moves, with any number of effectors |
//! | [`reach`] | reading these, and other chains, from the pose, and writing them to it |
//! | [`spring`], [`spline`], [`copy_transform`], [`trail`], [`wave`] | solvers that reach for no target |
//! | [`slider`] | an animation, at the time that a bone or a node says |
//! | [`ragdoll`] | a body that falls, lies and gets up |
//! | [`stance`] | what stands on ground: it hands limbs what to reach for |
//! | [`foot`] | one of its feet, whose limb is another modifier |
//! | [`custom`] | the transforms that a script has set |
//! | [`chain_space`] | the space that chains are solved in |

pub(crate) mod chain_ik;
mod chain_space;
mod closed_form;
pub(crate) mod copy_transform;
pub(crate) mod custom;
pub(crate) mod foot;
pub(crate) mod full_body;
pub(crate) mod look_at;
pub(crate) mod ragdoll;
mod reach;
pub(crate) mod slider;
pub(crate) mod spline;
pub(crate) mod spring;
pub(crate) mod stance;
pub(crate) mod trail;
pub(crate) mod two_bone;
pub(crate) mod wave;
