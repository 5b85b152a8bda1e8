//! Notices changes of a resource that a node has, until the node leaves the tree.
//!
//! After that the node may be freed on another thread, and its resources with it. The engine does not guard a look-up
//! by ID of what is being freed. So whoever listens to a resource has a share of it, which keeps it alive, and lets
//! go of both in time: see [`of_node`](crate::engine::of_node).

use godot::classes::object::ConnectFlags;
use godot::prelude::*;

use crate::engine::frame_calls::Live;
use crate::engine::of_node::OfNode;

const SIGNAL: &str = "changed";

/// Has a method called when a resource of a node changes. Listens until it is dropped, or the node leaves the tree.
pub(crate) struct ResourceWatch {
    _node: Live<Node>,
    _heard: OfNode<Heard>,
}

/// A connection to a resource.
struct Heard {
    resource: Gd<Resource>,
    method: Callable,
}

impl ResourceWatch {
    /// Has `method` called when `resource`, which `node` has, changes.
    pub(crate) fn new(node: &Gd<Node>, resource: &Gd<Resource>, method: &Callable) -> Self {
        let node = Live::new(node.clone());
        let mut heard = Heard {
            resource: resource.clone(),
            method: method.clone(),
        };
        // Counted: several nodes may have the same resource.
        let counted = ConnectFlags::REFERENCE_COUNTED;
        heard.resource.connect_flags(SIGNAL, method, counted);
        Self {
            _heard: OfNode::new(&node, heard),
            _node: node,
        }
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        // A script may have disconnected everything.
        if self.resource.is_connected(SIGNAL, &self.method) {
            self.resource.disconnect(SIGNAL, &self.method);
        }
    }
}
