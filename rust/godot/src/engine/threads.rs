//! Which rigs the engine would process on another thread.
//!
//! A node is processed there if it, or a node above it, begins a thread group. A rig must not be:
//! gdext's classes belong to the main thread, and so do the skeleton's bones, as a rule.
//! Both can change at any time. A node whose group changes emits `property_list_changed`, and one
//! that gets other nodes above it enters the tree again.

use godot::classes::node::ProcessThreadGroup;
use godot::prelude::*;

/// Whether `node` is in a thread group, and so would be processed on another thread.
pub(crate) fn leaves_main_thread(node: &Gd<Node>) -> bool {
    let mut line = upwards(node).map(|node| node.get_process_thread_group());
    let group = line.find(|&group| group != ProcessThreadGroup::INHERIT);
    group == Some(ProcessThreadGroup::SUB_THREAD)
}

/// `node` and the nodes above it.
pub(crate) fn upwards(node: &Gd<Node>) -> impl Iterator<Item = Gd<Node>> {
    std::iter::successors(Some(node.clone()), |node| node.get_parent())
}
