//! Nodes of this extension's own classes, read in every frame without a call of the engine.

use std::marker::PhantomData;
use std::ops::Deref;

use godot::prelude::*;

use crate::engine::fields::Fields;
use crate::engine::gdext_private::OwnClass;
use crate::engine::live::Live;
use crate::engine::load_ahead::{touch_at, touch_value};

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
        touch_value(self);
        if let Some(fields) = self.fields {
            touch_at(fields.address());
        }
        let read = |fields: &T| {
            touch_value(fields);
            read(fields)
        };
        Some(match self.fields {
            // SAFETY: the node is alive, and the fields were found for it and `T`.
            Some(fields) => unsafe { fields.read(read) },
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
