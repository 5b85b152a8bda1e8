//! What Tendon adds to Godot's editor. Nothing here exists in a game.
//!
//! | file | what is in it |
//! |---|---|
//! | [`menu`] | the Tendon menu in the 2D toolbar, its entries and what they do |
//! | [`convert`] | converts a `SkeletonModificationStack2D` to nodes |
//! | [`bake`] | bakes solved poses into an animation |
//! | [`gizmos`] | rigs drawn over the 2D viewport, with handles to drag |
//! | [`inspector`] | what a node does now, in the inspector |
//! | [`saving`] | restores base poses before saving, and keeps them through undo and copies |
//! | [`builtin_tools`] | restores base poses before the editor's own tools read bones |
//! | [`selection`] | the skeleton and the bones that are selected |
//! | [`new_nodes`] | new modifiers, with rig and target, and joint limits |
//! | [`pose`] | commands on poses: reset to rest, apply the solved pose, switch the preview |
//! | [`action`] | one undo step |

mod action;
mod bake;
mod builtin_tools;
mod convert;
mod gizmos;
mod inspector;
mod menu;
mod new_nodes;
mod pose;
mod saving;
mod selection;
