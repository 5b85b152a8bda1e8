//! The nodes that a modifier reads: its targets, pole, path and source. The modifier must not move
//! them.

use godot::classes::Skeleton2D;
use godot::prelude::*;

use crate::engine::live::Live;

/// A target, pole, path or source.
pub(crate) struct InputNode {
    pub(crate) node: Live<Node2D>,
    /// Whether it is below the skeleton. If it gets another parent, it enters the tree again, and a
    /// new plan is made.
    pub(crate) is_below_skeleton: bool,
    /// Whether it is drawn on another canvas than the skeleton, in the same viewport.
    pub(crate) is_on_other_canvas: bool,
}

impl InputNode {
    pub(super) fn new(node: Gd<Node2D>, skeleton: &Gd<Skeleton2D>) -> Self {
        Self {
            is_below_skeleton: skeleton.is_ancestor_of(&node),
            is_on_other_canvas: is_on_other_canvas(&node, skeleton),
            node: Live::new(node),
        }
    }
}

/// Whether `node` is drawn on another canvas than the skeleton, in the same viewport.
pub(super) fn is_on_other_canvas(node: &Gd<Node2D>, skeleton: &Gd<Skeleton2D>) -> bool {
    skeleton.is_inside_tree()
        && node.is_inside_tree()
        && node.get_canvas() != skeleton.get_canvas()
        && node.get_viewport() == skeleton.get_viewport()
}
