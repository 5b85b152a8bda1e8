//! References to nodes that somebody else may free.
//!
//! A game frees targets and bones whenever it likes. gdext's own accessors for
//! `Option<Gd<T>>` panic once that has happened; every node that a Tendon node refers to is
//! therefore held in a [`Link`], which answers `None` instead, or in [`Links`], which pass over
//! it.

use std::hash::{DefaultHasher, Hash, Hasher};

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

/// A property that holds an array of nodes, any of which may be missing, or freed since.
///
/// The array is the engine's own, shared with whoever asks for the property, so that a script
/// can add to it in place. Nobody is handed a freed node in it: the engine itself crashes on one
/// when it duplicates a node with such a property.
pub(crate) struct Links<T: GodotClass> {
    nodes: Array<Option<Gd<T>>>,
}

impl<T: GodotClass> Links<T> {
    /// The nodes, in order, without those that are missing or have been freed.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Gd<T>> {
        // By way of variants: the array's own elements cannot be freed nodes.
        let nodes: &AnyArray = &self.nodes;
        let nodes = nodes.iter_shared();
        nodes.filter_map(|node| node.try_to::<Gd<T>>().ok())
    }

    /// The array, with nothing in the places of nodes that have been freed.
    fn share(&self) -> Array<Option<Gd<T>>> {
        let mut nodes = self.nodes.clone();
        for index in 0..nodes.len() {
            let any: &AnyArray = &nodes;
            if any.at(index).try_to::<Option<Gd<T>>>().is_err() {
                nodes.set(index, None::<&Gd<T>>);
            }
        }
        nodes
    }

    fn take(&mut self, nodes: Array<Option<Gd<T>>>) {
        self.nodes = match nodes.is_read_only() {
            true => nodes.duplicate_shallow(),
            false => nodes,
        };
    }

    /// Identifies what is set, without touching a node: another number for other nodes, or for
    /// another order. 0 for none.
    pub(crate) fn hash(&self) -> u64 {
        let nodes: &AnyArray = &self.nodes;
        if nodes.is_empty() {
            return 0;
        }
        let mut hasher = DefaultHasher::new();
        for node in nodes.iter_shared() {
            let id = node.object_id_unchecked();
            id.map_or(0, |id| id.to_i64()).hash(&mut hasher);
        }
        hasher.finish()
    }
}

impl<T: GodotClass> Default for Links<T> {
    fn default() -> Self {
        Self {
            nodes: Array::new(),
        }
    }
}

impl<T: GodotClass> GodotConvert for Links<T> {
    type Via = Array<Option<Gd<T>>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl<T: GodotClass> Var for Links<T> {
    type PubType = Array<Option<Gd<T>>>;

    fn var_get(field: &Self) -> Self::Via {
        field.share()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        field.take(value);
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.share()
    }

    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        field.take(value);
    }
}

impl<T> Export for Links<T>
where
    T: GodotClass + Bounds<Exportable = bounds::Yes>,
    Option<Gd<T>>: Export,
{
    fn as_node_class() -> Option<ClassId> {
        <Option<Gd<T>> as Export>::as_node_class()
    }
}
