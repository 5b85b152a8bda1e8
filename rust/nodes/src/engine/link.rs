//! Properties that hold nodes, any of which may be freed.
//!
//! A game may free targets and bones at any time. gdext's accessors for `Option<Gd<T>>` panic after
//! that. Every node that a Tendon node refers to is therefore held in a [`Link`], which then returns
//! `None`, or in [`Links`], which then skip it. Nothing is asked of a node before it is used: it is looked up,
//! and either there or not. What has left the tree may be freed on another thread, and is returned to scripts
//! only.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use godot::meta::shape::GodotShape;
use godot::meta::{ClassId, GodotConvert};
use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use godot::register::property::{Export, Var};

use crate::engine::afterwards::print_error;
use crate::engine::departed;
use crate::engine::shared::Shared;

/// A property that holds a node. It may be empty, or its node may have been freed.
pub struct Link<T: GodotClass> {
    node: Option<Gd<T>>,
}

impl<T: GodotClass> Link<T> {
    /// One that holds `node`.
    pub(crate) fn to(node: Gd<T>) -> Self {
        Self { node: Some(node) }
    }

    /// The node, unless there is none, or it has been freed, or has left the tree.
    pub(crate) fn get(&self) -> Option<Gd<T>> {
        self.id().and_then(departed::find)
    }

    /// Returns `true` if there is a node, wherever it is.
    pub(crate) fn is_set(&self) -> bool {
        self.id().is_some_and(InstanceId::lookup_validity)
    }

    /// The name that the node had when it left the tree, if it has and was not freed since.
    pub(crate) fn departed(&self) -> Option<String> {
        self.id().and_then(departed::name_of)
    }

    /// The node for a script: the one that it was set to, unless that was freed.
    fn share(&self) -> Option<Gd<T>> {
        self.id().and_then(|id| Gd::try_from_instance_id(id).ok())
    }

    /// The id of the node, whether it is alive or not. No node is accessed.
    pub(crate) fn id(&self) -> Option<InstanceId> {
        self.node.as_ref().map(Gd::instance_id_unchecked)
    }
}

impl<T: GodotClass> Hash for Link<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
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

impl<T: Inherits<Node>> Var for Link<T> {
    type PubType = Option<Gd<T>>;

    fn var_get(field: &Self) -> Self::Via {
        field.share()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        field.node = value;
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.share()
    }

    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        Self::var_set(field, value);
    }
}

impl<T> Export for Link<T>
where
    T: Inherits<Node> + Bounds<Exportable = bounds::Yes>,
    Option<Gd<T>>: Export,
{
    fn as_node_class() -> Option<ClassId> {
        <Option<Gd<T>> as Export>::as_node_class()
    }
}

/// An array of nodes as the engine types it.
pub(crate) type NodeArray<T> = Array<Option<Gd<T>>>;

/// A property that holds an array of nodes, any of which may be missing, or freed since.
///
/// The array is the engine's own and shared with scripts, so that they can change it in place. Freed
/// nodes are removed before it is returned: the engine crashes when it duplicates a node that has a
/// freed node in such a property. A clone is the same property.
pub(crate) struct Links<T: GodotClass> {
    nodes: Shared<RefCell<NodeArray<T>>>,
}

impl<T: GodotClass> Links<T> {
    /// The IDs of the nodes, in order, whether these are alive or not.
    pub(crate) fn ids(&self) -> Vec<InstanceId> {
        // As variants: gdext does not return freed nodes as elements.
        let nodes = self.nodes.borrow().clone().upcast_any_array();
        let nodes = nodes.iter_shared();
        nodes
            .filter_map(|node| node.object_id_unchecked())
            .collect()
    }

    /// The array, with nothing in the places of nodes that have been freed.
    pub(crate) fn share(&self) -> NodeArray<T> {
        let mut nodes = self.nodes.borrow().clone();
        for index in 0..nodes.len() {
            let any: &AnyArray = &nodes;
            if any.at(index).try_to::<Option<Gd<T>>>().is_err() {
                nodes.set(index, None::<&Gd<T>>);
            }
        }
        nodes
    }

    /// Takes over `nodes`, an array of the right type as it is, any other by its elements. If one of
    /// these is something else, an error is printed, and nothing changes.
    fn take(&mut self, nodes: AnyArray) {
        match nodes.try_cast_array().or_else(|nodes| Self::typed(&nodes)) {
            Ok(nodes) if nodes.is_read_only() => {
                *self.nodes.borrow_mut() = nodes.duplicate_shallow()
            }
            Ok(nodes) => *self.nodes.borrow_mut() = nodes,
            Err(index) => {
                let class = T::class_id();
                print_error(format!(
                    "Element {index} is not a {class}. The property keeps the array that it had."
                ));
            }
        }
    }

    /// A typed array of the same nodes, with nothing in the places of those that have been freed.
    ///
    /// # Errors
    /// The index of an element that is something else.
    fn typed(nodes: &AnyArray) -> Result<NodeArray<T>, usize> {
        let mut typed = Array::new();
        for (index, node) in nodes.iter_shared().enumerate() {
            let is_freed = node
                .object_id_unchecked()
                .is_some_and(|id| !id.lookup_validity());
            let node = match is_freed {
                true => None,
                false => node.try_to::<Option<Gd<T>>>().map_err(|_| index)?,
            };
            typed.push(node.as_ref());
        }
        Ok(typed)
    }

    /// Identifies the nodes and their order, without accessing a node. 0 if there are none.
    pub(crate) fn hash(&self) -> u64 {
        let nodes = self.nodes.borrow();
        let nodes: &AnyArray = &nodes;
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

impl<T: GodotClass> Clone for Links<T> {
    fn clone(&self) -> Self {
        Self {
            nodes: self.nodes.clone(),
        }
    }
}

impl<T: GodotClass> Default for Links<T> {
    fn default() -> Self {
        Self {
            nodes: Shared::new(RefCell::new(Array::new())),
        }
    }
}

impl<T: GodotClass> GodotConvert for Links<T> {
    // Scripts that do not know the type of the property set it to an array without a type.
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        NodeArray::<T>::godot_shape()
    }
}

impl<T: GodotClass> Var for Links<T> {
    // What a getter has to return.
    type PubType = NodeArray<T>;

    fn var_get(field: &Self) -> Self::Via {
        field.share().upcast_any_array()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        field.take(value);
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.share()
    }

    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        field.take(value.upcast_any_array());
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
