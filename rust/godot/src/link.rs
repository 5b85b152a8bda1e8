//! References to nodes that somebody else may free.
//!
//! A game frees targets and bones whenever it likes. gdext's own accessors for
//! `Option<Gd<T>>` panic once that has happened; every node that a Tendon node refers to is
//! therefore held in a [`Link`], which answers `None` instead.

use godot::meta::shape::GodotShape;
use godot::meta::{ClassId, GodotConvert};
use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use godot::register::property::{Export, Var};

/// A property that holds a node, or nothing, or a node that has been freed since.
pub(crate) struct Link<T: GodotClass> {
    node: Option<Gd<T>>,
}

impl<T: GodotClass> Link<T> {
    /// The node, unless there is none or it has been freed.
    pub(crate) fn get(&self) -> Option<Gd<T>> {
        // Validity first: cloning a freed `Gd` panics.
        self.node
            .as_ref()
            .filter(|node| node.is_instance_valid())
            .cloned()
    }

    /// Which node this was set to, alive or not. Compares links without touching a node.
    pub(crate) fn id(&self) -> Option<InstanceId> {
        self.node.as_ref().map(Gd::instance_id_unchecked)
    }
}

impl<T: GodotClass> Default for Link<T> {
    fn default() -> Self {
        Self { node: None }
    }
}

impl<T: GodotClass> GodotConvert for Link<T> {
    type Via = Option<Gd<T>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl<T: GodotClass> Var for Link<T> {
    type PubType = Option<Gd<T>>;

    fn var_get(field: &Self) -> Self::Via {
        field.get()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        field.node = value;
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.get()
    }

    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        field.node = value;
    }
}

impl<T> Export for Link<T>
where
    T: GodotClass + Bounds<Exportable = bounds::Yes>,
    Option<Gd<T>>: Export,
{
    fn as_node_class() -> Option<ClassId> {
        <Option<Gd<T>> as Export>::as_node_class()
    }
}
