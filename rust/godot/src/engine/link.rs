//! Properties that hold nodes, any of which may be freed.
//!
//! A game may free targets and bones at any time. gdext's accessors for `Option<Gd<T>>` panic after
//! that. Every node that a Tendon node refers to is therefore held in a [`Link`], which then returns
//! `None`, or in [`Links`], which then skip it.

use std::hash::{DefaultHasher, Hash, Hasher};

use godot::meta::shape::GodotShape;
use godot::meta::{ClassId, GodotConvert};
use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use godot::register::property::{Export, Var};

/// A property that holds a node. It may be empty, or its node may have been freed.
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

    /// The id of the node, whether it is alive or not. No node is accessed.
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
/// The array is the engine's own and shared with scripts, so that they can change it in place. Freed
/// nodes are removed before it is returned: the engine crashes when it duplicates a node that has a
/// freed node in such a property.
pub(crate) struct Links<T: GodotClass> {
    nodes: Array<Option<Gd<T>>>,
}

impl<T: GodotClass> Links<T> {
    /// The nodes, in order, without those that are missing or have been freed.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Gd<T>> {
        // As variants: gdext does not return freed nodes as elements.
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

    /// Identifies the nodes and their order, without accessing a node. 0 if there are none.
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
