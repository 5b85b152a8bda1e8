//! A body that falls, lies and is thrown: simulated in reduced coordinates.
//!
//! The state is the place of the root and the absolute angles of all links, so no bone can stretch. A tick is
//! computed in parts of about 1/240 s. Each part takes the free course of the body, exact to the fourth order;
//! springs at its end, so they are stable at any stiffness; and then what the body must not do.
//!
//! All of it is in skeleton space, where bones keep their lengths. Contacts are found in global space; their
//! directions are brought into skeleton space by the transpose of its frame. So mirrored, scaled and skewed
//! characters are no special cases.
//!
//! | file | what is in it |
//! |---|---|
//! | [`body`] | links and their masses |
//! | [`kinematics`] | the places of links in a state |
//! | [`inertia`] | the inertia of its links, and its factor |
//! | [`forces`] | gravity, turning, springs |
//! | [`integrator`] | the free course of the body in a part of a tick |
//! | [`solid`], [`terrain`] | the world around it: as it is given, and as contacts are found on it |
//! | [`contact`] | contacts with that, now or soon |
//! | [`detour`] | limbs that reach into the world, or through it |
//! | [`self_collision`] | contacts between its own limbs |
//! | [`limits`] | limits of its joints |
//! | [`constraints`] | the constraints on it, and the impulses that keep them |
//! | [`dynamic_bodies`] | bodies of the world that are pushed away |
//! | [`momentum`] | its momentum as a whole |
//! | [`motion`] | state kept from tick to tick |
//! | [`tick`] | a tick in its parts |
//! | [`settings`] | settings, impulses and grabs |
//! | [`motor`] | springs that follow the pose |
//! | [`rest`] | coming to rest, and waking |
//! | [`space`] | memory for a pass |
//! | [`memory`] | state kept from pass to pass, and how the body stays in the world while its skeleton moves |

pub(crate) mod body;
pub(crate) mod constraints;
mod contact;
mod detour;
mod dynamic_bodies;
pub(crate) mod forces;
mod inertia;
mod integrator;
pub(crate) mod kinematics;
pub(crate) mod limits;
pub(crate) mod memory;
mod momentum;
pub(crate) mod motion;
pub(crate) mod motor;
pub(crate) mod rest;
pub(crate) mod self_collision;
pub(crate) mod settings;
pub(crate) mod solid;
pub(crate) mod space;
mod terrain;
#[cfg(test)]
mod tests;
pub(crate) mod tick;
