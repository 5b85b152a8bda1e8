//! Tells when something that is held leaves the tree.

use godot::classes::object::ConnectFlags;
use godot::prelude::*;

use crate::selection::is_edited;

/// Calls a plugin when a node has left the tree that is held: it is deleted or moved, or its scene is closed, loaded
/// again or left by its tab. Whatever is held ends then, and is as before. The calls end with this.
pub(crate) struct Watch {
    nodes: Vec<Gd<Node>>,
    told: Callable,
}

impl Watch {
    /// The method `on_held_leaves` of `plugin` is called for `nodes`.
    pub(crate) fn new<P: Inherits<Object>>(
        plugin: &Gd<P>,
        nodes: impl IntoIterator<Item = Gd<Node>>,
    ) -> Self {
        let told = Callable::from_object_method(plugin, "on_held_leaves");
        let nodes = Vec::from_iter(nodes);
        for node in &nodes {
            // One that is held twice, as a target and by the other plugin, tells each.
            if !node.is_connected(LEAVES, &told) {
                let mut node = node.clone();
                // Later: what leaves the tree just now is in no state to be set or selected.
                node.connect_flags(LEAVES, &told, ConnectFlags::DEFERRED);
            }
        }
        Self { nodes, told }
    }

    /// Returns `true` if all nodes are still there.
    pub(crate) fn is_whole(&self) -> bool {
        self.nodes.iter().all(is_edited)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for node in self
            .nodes
            .iter_mut()
            .filter(|node| node.is_instance_valid())
        {
            if node.is_connected(LEAVES, &self.told) {
                node.disconnect(LEAVES, &self.told);
            }
        }
    }
}

const LEAVES: &str = "tree_exiting";
