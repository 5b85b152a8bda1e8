//! The bodies of the physics server, as feet and ragdolls meet them.
//!
//! | file | what is in it |
//! |---|---|
//! | [`known_shapes`] | what was met, by numbers |
//! | [`shape`] | a shape of a body or of a tile map: where it is, and what it holds |
//! | [`tiles`] | the bodies that a layer makes of its tiles |
//! | [`address`] | numbers by places in the tree |
//! | [`own_parts`] | what is part of the character, and not met |

mod address;
pub(super) mod known_shapes;
pub(super) mod own_parts;
pub(super) mod shape;
mod tiles;
