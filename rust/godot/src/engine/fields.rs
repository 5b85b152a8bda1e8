//! Nodes of this extension's own classes, borrowed without asking the engine where their fields are.
//!
//! gdext asks for that with each new `Gd`. The engine looks it up in memory that is in no cache when a
//! pass begins, and that no hint can name. So a plan remembers it.
//!
//! The fields are where they were for as long as the node is alive: only reloading the extension moves
//! them, which drops all plans, and with them what is known.

use std::marker::PhantomData;
use std::ops::Deref;

use godot::prelude::*;

use crate::engine::direct_calls::methods;
use crate::engine::gdext_private::{OwnClass, change_fields, object_of, read_fields, sys};
use crate::engine::live::Live;
use crate::engine::load_ahead::{touch_at, touch_value};

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

/// A node of the class `T`, which a pass reads in every frame without a call of the engine, and that
/// anybody may free.
pub(crate) struct Readable<T> {
    live: Live<Node>,
    fields: Option<Fields>,
    class: PhantomData<T>,
}

impl<T: OwnClass> Readable<T> {
    pub(crate) fn new(node: Gd<T>) -> Self {
        Self {
            fields: Fields::find(&node),
            live: Live::new(node.upcast()),
            class: PhantomData,
        }
    }

    /// What `read` makes of the node; `None` if the node has been freed. The node is borrowed
    /// meanwhile, so `read` must not call the engine.
    ///
    /// A node frees its fields a little before it counts as freed. Nothing reads it then: it has left the
    /// tree before, which makes its plan stale.
    pub(crate) fn read<R>(&self, read: impl FnOnce(&T) -> R) -> Option<R> {
        let node = self.live.alive()?;
        let read = |fields: &T| {
            touch_value(self);
            touch_value(fields);
            self.fields
                .iter()
                .for_each(|fields| touch_at(fields.start.cast_const().cast()));
            read(fields)
        };
        Some(match self.fields {
            // SAFETY: the node is alive, and the fields were found for it and its class.
            Some(fields) => unsafe { read_fields(fields.start, read) },
            None => read(&node.clone().cast::<T>().bind()),
        })
    }
}

impl<T> Deref for Readable<T> {
    type Target = Live<Node>;

    fn deref(&self) -> &Live<Node> {
        &self.live
    }
}
