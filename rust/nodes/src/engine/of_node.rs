//! What a plan has of a node that others may free: its resources.

use std::cell::{Ref, RefCell};
use std::rc::{Rc, Weak};

use godot::prelude::*;

use crate::engine::frame_calls::{ExitHook, Live};

/// Resources of a node, until it leaves the tree. After that the node may be freed on another thread, and gives
/// them back there. The engine counts owners in a way that two threads may use, but what it does after the count
/// is not: if two give back the last but one and the last share at the same moment, one of them uses what the
/// other has freed. So a plan gives its share back while the node still has one.
pub(crate) struct OfNode<R>(Rc<Slot<R>>);

struct Slot<R>(RefCell<Option<R>>);

impl<R> ExitHook for Slot<R> {
    fn leaves(&self, _node: InstanceId) {
        self.0.take();
    }
}

impl<R: 'static> OfNode<R> {
    pub(crate) fn new<T: GodotClass>(node: &Live<T>, resources: R) -> Self {
        let slot = Rc::new(Slot(RefCell::new(Some(resources))));
        let hook: Weak<Slot<R>> = Rc::downgrade(&slot);
        node.before_leaving(hook);
        Self(slot)
    }

    /// Nothing, once the node has left the tree.
    pub(crate) fn get(&self) -> Option<Ref<'_, R>> {
        Ref::filter_map(self.0.0.borrow(), Option::as_ref).ok()
    }
}
