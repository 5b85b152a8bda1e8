//! Nodes that have left the tree, and so may be freed on another thread at any moment.
//!
//! The engine frees nodes of the tree on the main thread only. Of any other node, nobody can say whether it is
//! still there: it may be freed between the question and the use of the answer. So the main thread keeps the
//! IDs of all nodes that have left the tree, with the names that they had, and uses none of these. It looks up the others by their IDs, and
//! so never has a node that it did not ask for.
//!
//! [`crate::engine::tree_watch`] reports who leaves and who enters, as long as a rig is in the tree. Not known
//! are nodes that never were in the tree. A plan finds them once, when it is made, to say that they are outside.
//! Who frees such a node on another thread has to see to it that this is not the moment.

use std::cell::RefCell;
use std::collections::HashMap;

use godot::prelude::*;

#[derive(Default)]
struct Departed {
    nodes: HashMap<i64, StringName>,
    /// The number of nodes that were kept when those that had been freed were last forgotten.
    kept: usize,
}

/// A game that frees what it removes has few.
const FEW: usize = 256;

thread_local! {
    /// That of other threads is empty.
    static DEPARTED: RefCell<Departed> = RefCell::default();
}

/// A node is about to leave the tree.
pub(super) fn leave(node: &Gd<Node>) {
    let (id, name) = (node.instance_id(), node.get_name());
    DEPARTED.with_borrow_mut(|departed| {
        departed.nodes.insert(id.to_i64(), name);
        if departed.nodes.len() > FEW.max(2 * departed.kept) {
            // Asks for the ID alone.
            let exists = |&id: &i64, _: &mut StringName| InstanceId::from_i64(id).lookup_validity();
            departed.nodes.retain(exists);
            departed.kept = departed.nodes.len();
        }
    });
}

/// A node enters the tree.
pub(super) fn enter(node: InstanceId) {
    DEPARTED.with_borrow_mut(|departed| departed.nodes.remove(&node.to_i64()));
}

/// Nobody reports any more who enters.
pub(super) fn forget_all() {
    DEPARTED.take();
}

/// Returns `true` if the node with this ID must not be used: it was freed, or may be at any moment.
pub(crate) fn is_gone(node: InstanceId) -> bool {
    let has_left = DEPARTED.with_borrow(|departed| departed.nodes.contains_key(&node.to_i64()));
    has_left || !node.lookup_validity()
}

/// The name that the node with this ID had when it left the tree, if it has left and was not freed since.
pub(crate) fn name_of(node: InstanceId) -> Option<String> {
    let name = DEPARTED.with_borrow(|departed| departed.nodes.get(&node.to_i64()).cloned());
    let name = name.filter(|_| node.lookup_validity());
    name.map(|name| name.to_string())
}

/// The node with this ID, unless it is gone, or not a `T`.
pub(crate) fn find<T: GodotClass>(node: InstanceId) -> Option<Gd<T>> {
    (!is_gone(node))
        .then(|| Gd::try_from_instance_id(node).ok())
        .flatten()
}
