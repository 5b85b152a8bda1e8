//! Nodes that have left the tree, and so may be freed on another thread at any moment.
//!
//! The engine frees nodes of the tree on the main thread only. Of any other node, nobody can say whether it is
//! still there: it may be freed between the question and the use of the answer. So the main thread keeps the
//! IDs of all nodes that have left the tree, and uses none of these. It looks up the others by their IDs, and
//! so never has a node that it did not ask for.
//!
//! [`crate::engine::tree_watch`] reports who leaves and who enters, as long as a rig is in the tree. Not known
//! are nodes that never were in the tree, apart from those that a property was set to meanwhile. Who frees such
//! a node on another thread has to see to it that no rig makes a plan at that moment.

use std::cell::RefCell;
use std::collections::HashSet;

use godot::prelude::*;

/// The nodes that are known to be outside the tree.
#[derive(Default)]
struct Departed {
    /// Those that are not in here may be anywhere as long as nobody watches.
    is_watched: bool,
    nodes: HashSet<i64>,
    /// How many there may be before those that were freed are forgotten.
    most: usize,
}

/// A game that frees what it removes has few.
const FEW: usize = 256;

thread_local! {
    /// That of other threads is empty.
    static DEPARTED: RefCell<Departed> = RefCell::default();
}

/// From now on all nodes are reported, or no longer.
pub(super) fn watch(is_watched: bool) {
    DEPARTED.set(Departed {
        is_watched,
        most: FEW,
        ..Departed::default()
    });
}

/// A node is about to leave the tree, or is outside it.
fn add(node: InstanceId) {
    DEPARTED.with_borrow_mut(|departed| {
        departed.nodes.insert(node.to_i64());
        if departed.nodes.len() > departed.most {
            // Asks for the ID alone.
            let exists = |&node: &i64| InstanceId::from_i64(node).lookup_validity();
            departed.nodes.retain(exists);
            departed.most = FEW.max(2 * departed.nodes.len());
        }
    });
}

/// A node is about to leave the tree.
pub(super) fn leave(node: InstanceId) {
    add(node);
}

/// A node has entered the tree.
pub(super) fn enter(node: InstanceId) {
    DEPARTED.with_borrow_mut(|departed| departed.nodes.remove(&node.to_i64()));
}

/// A property has been set to `node`, which is alive.
pub(super) fn note<T: Inherits<Node>>(node: &Gd<T>) {
    let is_watched = DEPARTED.with_borrow(|departed| departed.is_watched);
    if is_watched && !node.clone().upcast::<Node>().is_inside_tree() {
        add(node.instance_id());
    }
}

/// Whether the node with this ID must not be used: it was freed, or may be at any moment.
pub(crate) fn is_gone(node: InstanceId) -> bool {
    let has_left = DEPARTED.with_borrow(|departed| departed.nodes.contains(&node.to_i64()));
    has_left || !node.lookup_validity()
}

/// The node with this ID, unless it is gone, or not a `T`.
pub(crate) fn find<T: GodotClass>(node: InstanceId) -> Option<Gd<T>> {
    (!is_gone(node))
        .then(|| Gd::try_from_instance_id(node).ok())
        .flatten()
}
