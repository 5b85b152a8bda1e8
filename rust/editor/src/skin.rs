//! Skins: pictures that bend with bones.
//!
//! `tendon-skin` makes the mesh and the weights; here is what the engine has to do with it.
//!
//! | file | what is in it |
//! |---|---|
//! | [`class`] | `TendonSkin`, for tools in GDScript |
//! | [`given`] | a dictionary that may be left out |
//! | [`options`] | how a skin is made, from a dictionary |
//! | [`subject`] | one picture with the bones that are to move it |
//! | [`picture`] | what a sprite shows: its pixels, and where they are |
//! | [`rest`] | where bones and nodes are in the rest pose |
//! | [`polygon`] | the `Polygon2D`: made of a skin, or weighed as it is |
//! | [`replacement`] | polygons in the places of sprites, as one undo step |
//! | [`selected`] | which pictures and bones are selected |
//! | [`dialog`] | asks how skins are to be made |

mod class;
pub(crate) mod dialog;
mod given;
mod options;
mod picture;
mod polygon;
mod replacement;
mod rest;
pub(crate) mod selected;
mod subject;
