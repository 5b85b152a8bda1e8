//! Nodes of this extension's own classes, which a pass reads only if their properties may have changed.
//!
//! To borrow a node of gdext takes a lock, and memory that is in no cache when a pass begins. So a pass
//! borrows none whose properties are as they were read. Only the methods of its class set them, and each
//! that may is counted before it is called: see [`crate::engine::guarded_methods`].

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

use godot::prelude::*;

use crate::engine::frame_calls::Live;
use crate::engine::gdext_private::OwnClass;

thread_local! {
    /// The number of calls that may have changed each node that a plan reads.
    static CALLS: RefCell<HashMap<InstanceId, Rc<Cell<u64>>>> = RefCell::default();
    /// The number of all these calls: where there was none, each node's number is not looked at.
    static ALL_CALLS: Cell<u64> = const { Cell::new(0) };
}

/// A method of the node with this ID is about to be called, which may change its properties.
pub(super) fn count_call(node: InstanceId) {
    CALLS.with_borrow(|nodes| {
        if let Some(calls) = nodes.get(&node) {
            calls.set(calls.get() + 1);
            ALL_CALLS.set(ALL_CALLS.get() + 1);
        }
    });
}

/// A node of the class `T`, which a pass reads when it may have changed, and that anybody may free.
pub(crate) struct Readable<T: GodotClass> {
    live: Live<Node>,
    node: Gd<T>,
    calls: Rc<Cell<u64>>,
    /// The number of calls when it was last read; `None` before.
    read: Cell<Option<u64>>,
    /// The number of all calls when it was last found to be current; `None` before.
    found: Cell<Option<u64>>,
}

impl<T: OwnClass> Readable<T> {
    pub(crate) fn new(node: Gd<T>) -> Self {
        let id = node.instance_id();
        Self {
            live: Live::new(node.clone().upcast()),
            node,
            calls: CALLS.with_borrow_mut(|nodes| Rc::clone(nodes.entry(id).or_default())),
            read: Cell::new(None),
            found: Cell::new(None),
        }
    }

    /// Has `read` read the node if it may have changed. `read` returns whether it is still what the plan
    /// was made for. If not, it is read again the next time. Not current either is a node that was freed.
    pub(crate) fn is_current(&self, read: impl FnOnce(&T) -> bool) -> bool {
        if !self.live.is_alive() {
            return false;
        }
        let all_calls = Some(ALL_CALLS.get());
        if self.found.get() == all_calls {
            return true;
        }
        let calls = Some(self.calls.get());
        if self.read.get() != calls {
            let is_current = read(&self.node.bind());
            self.read.set(calls.filter(|_| is_current));
            if !is_current {
                return false;
            }
        }
        self.found.set(all_calls);
        true
    }
}

impl<T: GodotClass> Deref for Readable<T> {
    type Target = Live<Node>;

    fn deref(&self) -> &Live<Node> {
        &self.live
    }
}

impl<T: GodotClass> Drop for Readable<T> {
    fn drop(&mut self) {
        // The list has one, too.
        if Rc::strong_count(&self.calls) == 2 {
            CALLS.with_borrow_mut(|nodes| nodes.remove(&self.live.id()));
        }
    }
}
