//! Refuses calls on other threads, before any of this extension's code runs.
//!
//! The engine refuses most calls on a node in the tree from other threads. gdext does not, and counts
//! the borrows of a node without a lock: a getter beside a running pass would make it miscount, and a
//! rig might stay borrowed for good. So every method of this extension, the accessors of properties
//! among them, first comes here ([`crate::engine::guarded_methods`]). On other threads a method is only
//! called for a node outside the tree, which belongs to the thread that has it; any other returns its
//! type's default value.

use std::sync::atomic::{AtomicBool, Ordering};

use godot::prelude::*;

use crate::engine::threads::is_main_thread;

/// Returns `true` if nothing may be done with a node on this thread, and warns of that once. `node` returns it, or
/// nothing if it is of a class for the main thread only.
pub(super) fn is_refused(node: impl FnOnce() -> Option<Gd<Node>>) -> bool {
    if is_main_thread() {
        return false;
    }
    let node = node();
    let is_refused = node.as_ref().is_none_or(|node| node.is_inside_tree());
    if is_refused {
        warn_once(node);
    }
    is_refused
}

/// Returns `true` if `node` may be used on this thread: for what the engine calls without a method.
pub(crate) fn is_usable<T: Inherits<Node>>(node: &Gd<T>) -> bool {
    !is_refused(|| Some(node.clone().upcast()))
}

#[cold]
fn warn_once(node: Option<Gd<Node>>) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if !TOLD.swap(true, Ordering::Relaxed) {
        let class = node.map_or("A Tendon object".into(), |node| {
            node.get_class().to_string()
        });
        godot_warn!(
            "{class}: a method was called on another thread, and does nothing there: in the tree, \
             Tendon's nodes belong to the main thread. Use call_deferred()."
        );
    }
}
