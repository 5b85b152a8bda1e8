//! What Tendon adds to Godot's editor. Nothing here exists in a game.
//!
//! | file | what is in it |
//! |---|---|
//! | [`menu`] | the Tendon menu in the 2D toolbar, its entries and what they do |
//! | [`convert`] | converts a `SkeletonModificationStack2D` to nodes |
//! | [`bake`] | bakes solved poses into an animation |
//! | [`gizmos`] | rigs drawn over the 2D viewport, with handles to drag |
//! | [`inspector`] | what a node does now, in the inspector |
//! | [`saving`] | keeps base poses through saving, undoing and copying |
//! | [`base_reads`] | has rest poses and keys made of base poses |
//! | [`selection`] | the skeleton and the bones that are selected |
//! | [`new_nodes`] | new modifiers, with rig and target, and joint limits |
//! | [`pose`] | base poses: reset to rest, and the solved pose as the new base |
//! | [`action`] | one undo step |

mod action;
mod bake;
mod base_reads;
mod convert;
mod gizmos;
mod inspector;
mod menu;
mod new_nodes;
mod pose;
mod saving;
mod selection;
