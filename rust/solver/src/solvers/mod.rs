//! The named solvers, and what they share.
//!
//! | file | what is in it |
//! |---|---|
//! | [`look_at`] | one bone that points at a target |
//! | [`two_bone`], [`limited_two_bone`] | an arm or a leg, without and with joint limits |
//! | [`ccd`], [`fabrik`] | chains, and with FABRIK also trees |
//! | [`algorithm`] | the choice of one of the two |
//! | [`sweeps`] | the parts that CCD and FABRIK share: when to sweep, and when to stop |
//! | [`full_body`] | a tree of bones whose root may move, with any number of effectors |
//! | [`elasticity`] | soft reach and stretch |
//! | [`stance`] | what stands on ground: feet under an animation, and feet that step by themselves |
//! | [`handover`] | the law by which a goal goes over from one target to another |
//! | [`heading`] | the direction in which a chain's last bone points |
//! | [`spring`], [`modes`] | springs: the solver, and the modes in which a chain oscillates |
//! | [`stepped_spring`] | the oscillator that moves as a spring that is stepped frame by frame |
//! | [`spline`], [`flip`] | chains along paths, and transitions where they flip |
//! | [`copy_transform`] | one channel of a source mapped to one channel of a bone |

pub(crate) mod algorithm;
pub(crate) mod ccd;
pub(crate) mod copy_transform;
pub(crate) mod elasticity;
pub(crate) mod fabrik;
pub(crate) mod flip;
pub(crate) mod full_body;
pub(crate) mod handover;
pub(crate) mod heading;
mod limited_two_bone;
pub(crate) mod look_at;
pub(crate) mod modes;
pub(crate) mod ragdoll;
pub(crate) mod spline;
pub(crate) mod spring;
pub(crate) mod stance;
pub(crate) mod stepped_spring;
pub(crate) mod sweeps;
pub(crate) mod trail;
pub(crate) mod two_bone;
