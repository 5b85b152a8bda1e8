//! Nodes of this extension's own classes, read in every frame without a call of the engine.
//!
//! A pass sees such a node as a trait that its class implements. The plan keeps where gdext has the
//! node's fields, and a pointer to the function that reads them for the node's class.
//!
//! Why this is sound: the node is alive, and its fields are where they were for as long as it is.
//! Only reloading the extension moves them, which drops all plans. See also [`crate::engine::live`].

use std::ops::Deref;
use std::ptr;

use godot::obj::{Bounds, Inherits, bounds};
use godot::prelude::*;
use godot::private::{Storage, as_storage};
use godot::sys;

use crate::engine::direct_calls::methods;
use crate::engine::live::Live;
use crate::engine::prefetch::Region;

/// What a pass does with a node that it sees as a `V`.
type Act<'a, V> = &'a mut dyn FnMut(&V);

/// A node of one of this extension's classes, which a pass looks at in every frame as a `V`: a trait
/// that its class implements.
pub(crate) struct Readable<V: ?Sized> {
    live: Live<Node>,
    /// Where gdext has the node's fields; null if it is to be asked.
    fields: sys::GDExtensionClassInstancePtr,
    /// A `fn(&T) -> &V`, where `T` is the node's class.
    view: *const (),
    /// Calls it: [`look_as`] for that class.
    look: fn(&Self, Act<'_, V>),
}

impl<V: ?Sized> Readable<V> {
    /// Keeps `node`, which must be alive, to look at it through `view`.
    pub(crate) fn new<T: OwnClass>(node: Gd<T>, view: fn(&T) -> &V) -> Self {
        let fields = methods().map(|methods| methods.find_fields(node.obj_sys()));
        Self {
            live: Live::new(node.upcast()),
            fields: fields.unwrap_or(ptr::null_mut()),
            view: view as *const (),
            look: look_as::<T, V>,
        }
    }

    /// What reading touches, for hints to the processor.
    pub(crate) fn regions(&self) -> [Option<Region>; 2] {
        [
            self.alive().map(|node| node.region_of_fields()),
            self.read(|node| Region::of(node)),
        ]
    }

    /// What `read` makes of the node; `None` if the node has been freed. The node is borrowed
    /// meanwhile, so `read` must not call the engine.
    pub(crate) fn read<R>(&self, read: impl FnOnce(&V) -> R) -> Option<R> {
        self.live.alive()?;
        let (mut read, mut result) = (Some(read), None);
        (self.look)(self, &mut |node| {
            result = read.take().map(|read| read(node));
        });
        result
    }
}

impl<V: ?Sized> Deref for Readable<V> {
    type Target = Live<Node>;

    fn deref(&self) -> &Live<Node> {
        &self.live
    }
}

/// A class of this extension.
pub(crate) trait OwnClass: Inherits<Node> + Bounds<Declarer = bounds::DeclUser> {}

impl<T: Inherits<Node> + Bounds<Declarer = bounds::DeclUser>> OwnClass for T {}

/// Has `act` look at `node`, which is alive and of the class `T`.
fn look_as<T: OwnClass, V: ?Sized>(node: &Readable<V>, act: Act<'_, V>) {
    // SAFETY: the pointer is that of a function of this type. Only `Readable::new` chooses `T`.
    let view = unsafe { std::mem::transmute::<*const (), fn(&T) -> &V>(node.view) };
    if node.fields.is_null() {
        return act(view(&node.live.gd().clone().cast::<T>().bind()));
    }
    // SAFETY: the node is alive, and its fields are where they were for as long as it is: only
    // reloading the extension moves them, which drops all plans. A node frees its fields a little
    // before it reports that; but it left the tree before, so its plan was stale and is not read.
    let fields = unsafe { as_storage::<T>(node.fields) };
    act(view(&fields.get()));
}
