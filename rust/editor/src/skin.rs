//! Skins: pictures that bend with bones.
//!
//! `tendon-skin` makes the mesh and the weights; here is what the engine has to do with it.
//!
//! | file | what is in it |
//! |---|---|
//! | [`options`] | the settings of a skin, from a dictionary |
//! | [`subject`] | one picture with the bones that are to move it |
//! | [`picture`] | the picture of a sprite: its pixels, and their places |
//! | [`rest`] | the places of bones and nodes in the rest pose |
//! | [`polygon`] | the `Polygon2D`: made of a skin, or weighed as it is |
//! | [`reshape`] | a polygon that gets other vertices |
//! | [`colours`] | the colours of bones over pictures |
//! | [`job`] | the mathematics, on a thread |
//! | [`plan`] | the plan for the selection, and its undo step |
//! | [`draw_order`] | the place of a skin at which it is drawn as its sprite was |
//! | [`replacement`] | a polygon in the place of a sprite |
//! | [`preview`] | a picture with its mesh and weights |
//! | [`selected`] | the selected pictures and bones, and which of these move each picture |
//! | [`bone_list`] | the pictures in the window, with the bones of each |
//! | [`dialog`] | asks how skins are to be made |

mod bone_list;
pub(crate) mod colours;
pub(crate) mod dialog;
mod draw_order;
pub(crate) mod job;
pub(crate) mod options;
pub(crate) mod picture;
mod plan;
pub(crate) mod polygon;
pub(crate) mod preview;
mod replacement;
pub(crate) mod reshape;
pub(crate) mod rest;
pub(crate) mod selected;
pub(crate) mod subject;
