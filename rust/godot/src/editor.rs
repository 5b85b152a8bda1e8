//! What Tendon adds to Godot's editor. Nothing here exists in a game.
//!
//! | file | what is in it |
//! |---|---|
//! | [`menu`] | the Tendon menu in the 2D toolbar |
//! | [`command`] | its entries: whether each fits the selection, and what it does |
//! | [`selection`] | the skeleton and the bones that are selected |
//! | [`action`] | one undo step |
//! | [`add_nodes`] | new modifiers, with rig and target, and joint limits |
//! | [`pose`] | base poses: reset to rest, and the solved pose as the new base |
//! | [`convert`], [`stack`], [`old_limit`] | from a `SkeletonModificationStack2D` to nodes |
//! | [`bake`], [`playback`], [`bake_dialog`] | from what a rig does to the keys of an animation |
//! | [`gizmos`] | rigs drawn over the 2D viewport, with handles to drag |
//! | [`notice`] | tells the user how it went |

mod action;
mod add_nodes;
mod bake;
mod bake_dialog;
mod command;
mod convert;
mod gizmos;
mod menu;
mod notice;
mod old_limit;
mod playback;
mod pose;
mod selection;
mod stack;
