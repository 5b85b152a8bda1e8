//! The main thread, and which nodes the engine processes on another one.
//!
//! A node is processed on another thread if it, or a node above it, starts a thread group. A rig
//! must not be: gdext's classes belong to the main thread, and so do the skeleton's bones, as a
//! rule. Both can change at any time. The engine tells only the node whose thread group changes.

use std::cell::Cell;

use godot::classes::node::ProcessThreadGroup;
use godot::prelude::*;

use crate::engine::frame_calls::thread_group_of;

thread_local! {
    static MAIN: Cell<bool> = const { Cell::new(false) };
}

/// Marks this thread as the engine's main thread.
pub(crate) fn mark_main_thread() {
    MAIN.set(true);
}

/// Returns `true` on the engine's main thread.
pub(crate) fn is_main_thread() -> bool {
    MAIN.get()
}

/// Returns `true` if `node` is in a thread group, and so would be processed on another thread.
pub(crate) fn is_in_thread_group<T: Inherits<Node>>(node: &Gd<T>) -> bool {
    let group = thread_group_of(node).or_else(|| {
        let line = with_ancestors(&node.clone().upcast());
        let mut groups = line.map(|node| node.get_process_thread_group());
        groups.find(|&group| group != ProcessThreadGroup::INHERIT)
    });
    group == Some(ProcessThreadGroup::SUB_THREAD)
}

/// The nearest node of the class `T` above `node`.
pub(crate) fn nearest_above<T: Inherits<Node>, N: Inherits<Node>>(node: &Gd<N>) -> Option<Gd<T>> {
    let node = node.clone().upcast();
    let mut above = with_ancestors(&node).skip(1);
    above.find_map(|node| node.try_cast().ok())
}

/// `node` and the nodes above it.
pub fn with_ancestors(node: &Gd<Node>) -> impl Iterator<Item = Gd<Node>> + use<> {
    std::iter::successors(Some(node.clone()), |node| node.get_parent())
}
