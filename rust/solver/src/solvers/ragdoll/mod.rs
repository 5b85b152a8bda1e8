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
//! | [`figure`] | where they are in a state |
//! | [`matrix`] | the matrix of inertia, and its factors |
//! | [`forces`] | gravity, turning, springs |
//! | [`course`] | what they make of it in a part in which nothing is in the way |
//! | [`solid`], [`terrain`] | the world around it: as it is given, and as contacts are found on it |
//! | [`contact`] | where it touches that, or soon will |
//! | [`detour`] | limbs that reach into the world, or through it |
//! | [`own`] | where its limbs touch one another |
//! | [`limits`] | how far joints turn |
//! | [`rows`] | what it must not do, and the impulses that prevent it |
//! | [`foreign`] | bodies of the world that are pushed away |
//! | [`momentum`] | how it moves as a whole |
//! | [`motion`] | what is kept from tick to tick |
//! | [`tick`] | a tick in its parts |
//! | [`settings`] | how it behaves, and what is done to it |
//! | [`drive`] | how it follows the pose |
//! | [`rest`] | when it is at rest, and what wakes it |
//! | [`space`] | memory for a pass |
//! | [`memory`] | what is kept from pass to pass, and how it stays in the world while its skeleton moves |

pub(crate) mod body;
mod contact;
mod course;
mod detour;
pub(crate) mod drive;
pub(crate) mod figure;
pub(crate) mod forces;
mod foreign;
pub(crate) mod limits;
mod matrix;
pub(crate) mod memory;
mod momentum;
pub(crate) mod motion;
pub(crate) mod own;
pub(crate) mod rest;
pub(crate) mod rows;
pub(crate) mod settings;
pub(crate) mod solid;
pub(crate) mod space;
mod terrain;
#[cfg(test)]
mod tests;
pub(crate) mod tick;
