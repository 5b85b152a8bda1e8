//! Borrows nodes of this extension's own classes without asking the engine where their fields are.
//!
//! gdext asks for that with each new `Gd`. The engine looks it up in memory that is in no cache when a
//! pass begins, and that no hint can name. So a rig remembers it.

use godot::obj::Gd;
use godot::prelude::*;
use godot::private::{Storage, as_storage};
use godot::sys;

use crate::engine::direct_calls::methods;
use crate::engine::readable::OwnClass;

/// Where gdext has the fields of a node.
#[derive(Clone, Copy)]
pub(crate) struct Fields {
    node: InstanceId,
    start: sys::GDExtensionClassInstancePtr,
}

impl Fields {
    /// Those of `node`, which must be alive. `None` if all calls are made through gdext.
    pub(crate) fn find<T: OwnClass>(node: &Gd<T>) -> Option<Self> {
        let start = methods()?.find_fields(node.obj_sys());
        let node = node.instance_id_unchecked();
        Some(Self { node, start })
    }

    /// Has `act` change `node`, which must be alive and is borrowed meanwhile. `known` saves time if it
    /// is of this node.
    pub(crate) fn with_mut<T: OwnClass, R>(
        known: Option<Self>,
        node: &mut Gd<T>,
        act: impl FnOnce(&mut T) -> R,
    ) -> R {
        match known.filter(|known| known.node == node.instance_id_unchecked()) {
            // SAFETY: an ID is that of one node only, so these are its fields, and `T` is its class.
            // They are where they were for as long as the node is alive: only reloading the extension
            // moves them, which drops all plans, and with them what is known.
            Some(known) => act(&mut unsafe { as_storage::<T>(known.start) }.get_mut()),
            None => act(&mut node.bind_mut()),
        }
    }
}
