//! Nodes of this extension's own classes, borrowed without asking the engine where their fields are.
//!
//! gdext asks for that with each new `Gd`. The engine looks it up in memory that is in no cache when a
//! pass begins, and that no hint can name. So a plan remembers it.
//!
//! The fields are where they were for as long as the node is alive: only reloading the extension moves
//! them, which drops all plans, and with them what is known.

use godot::prelude::*;

use crate::engine::direct_calls::methods;
use crate::engine::gdext_private::{OwnClass, change_fields, object_of, read_fields, sys};

/// Where gdext has the fields of a node.
#[derive(Clone, Copy)]
pub(crate) struct Fields {
    node: InstanceId,
    start: sys::GDExtensionClassInstancePtr,
}

impl Fields {
    /// Those of `node`. `None` if it was freed, or if all calls are made through gdext.
    pub(crate) fn find<T: OwnClass>(node: &Gd<T>) -> Option<Self> {
        let methods = methods().filter(|_| node.is_instance_valid())?;
        // SAFETY: the node is alive.
        let start = unsafe { methods.find_fields(object_of(node)) };
        let node = node.instance_id_unchecked();
        Some(Self { node, start })
    }

    /// Where they begin in memory.
    pub(super) fn address(self) -> *const u8 {
        self.start.cast_const().cast()
    }

    /// Has `act` read the node, which is borrowed meanwhile.
    ///
    /// # Safety
    /// The node has to be alive, and of the class `T`.
    pub(super) unsafe fn read<T: OwnClass, R>(self, act: impl FnOnce(&T) -> R) -> R {
        // SAFETY: the caller's promise.
        unsafe { read_fields(self.start, act) }
    }

    /// Has `act` change `node`, which is borrowed meanwhile. `known` saves time if it is of this node.
    ///
    /// # Safety
    /// The node has to be alive.
    pub(crate) unsafe fn with_mut<T: OwnClass, R>(
        known: Option<Self>,
        node: &mut Gd<T>,
        act: impl FnOnce(&mut T) -> R,
    ) -> R {
        match known.filter(|known| known.node == node.instance_id_unchecked()) {
            // SAFETY: the node is alive, as the caller promises. An ID is that of one node only, so these
            // are its fields, and its class is `T`.
            Some(known) => unsafe { change_fields(known.start, act) },
            None => act(&mut node.bind_mut()),
        }
    }
}
