//! The children of a node: all of them, also those that a script has added as internal nodes.
//!
//! The functions of the engine leave internal nodes out unless they are asked for. To what is in a tree that makes
//! no difference: the engine poses, draws and simulates an internal bone, body or shape as any other. So every node
//! counts here, whichever way it was added.

use godot::prelude::*;

/// All children of `node`.
pub(crate) fn children_of<T: Inherits<Node>>(
    node: &Gd<T>,
) -> impl Iterator<Item = Gd<Node>> + use<T> {
    let node = node.clone().upcast::<Node>();
    let children = node.get_children_ex().include_internal(true).done();
    (0..children.len()).filter_map(move |index| children.get(index))
}

/// The children of `node` that are of the class `C`.
pub(crate) fn children<C: Inherits<Node>, T: Inherits<Node>>(
    node: &Gd<T>,
) -> impl Iterator<Item = Gd<C>> + use<C, T> {
    children_of(node).filter_map(|child| child.try_cast().ok())
}

/// All nodes of the class that is called `class` below `node`, but for internal ones.
pub fn find_all<T: Inherits<Node>>(node: &Gd<Node>, class: &str) -> Vec<Gd<T>> {
    let nodes = node.find_children_ex("*").type_(class).owned(false).done();
    let nodes = nodes.iter_shared();
    nodes.filter_map(|node| node.try_cast().ok()).collect()
}

/// All nodes of the class `T` below `node`, but for internal ones.
pub fn all_below<T: Inherits<Node>>(node: &Gd<Node>) -> Vec<Gd<T>> {
    find_all(node, &T::class_id().to_string())
}

/// The number of children of `node`.
pub(crate) fn count_children(node: &Gd<Node>) -> i32 {
    let counted = node.get_child_count_ex().include_internal(true);
    counted.done()
}

/// The index of `node` among the children of its parent.
pub(crate) fn index_of(node: &Gd<Node>) -> i32 {
    node.get_index_ex().include_internal(true).done()
}
