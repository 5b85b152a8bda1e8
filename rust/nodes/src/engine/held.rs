//! Properties that hold a resource.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use godot::classes::Resource;
use godot::meta::shape::GodotShape;
use godot::meta::{ClassId, GodotConvert};
use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use godot::register::property::{Export, Var};

use crate::engine::afterwards::release;

/// A property that holds a resource, or nothing.
///
/// If nobody else has the resource that it held before, the engine frees that, and a script of it may run. So
/// it is kept until the setter, which borrows the node, has returned.
pub(crate) struct Held<T: GodotClass>(Option<Gd<T>>);

impl<T: GodotClass> Hash for Held<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ref().map(Gd::instance_id_unchecked).hash(state);
    }
}

impl<T: GodotClass> Deref for Held<T> {
    type Target = Option<Gd<T>>;

    fn deref(&self) -> &Option<Gd<T>> {
        &self.0
    }
}

impl<T: GodotClass> Default for Held<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: GodotClass> GodotConvert for Held<T> {
    type Via = Option<Gd<T>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl<T: Inherits<Resource>> Var for Held<T> {
    type PubType = Option<Gd<T>>;

    fn var_get(field: &Self) -> Self::Via {
        field.0.clone()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        let before = std::mem::replace(&mut field.0, value);
        before
            .into_iter()
            .for_each(|before| release(before.upcast()));
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        Self::var_get(field)
    }

    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        Self::var_set(field, value);
    }
}

impl<T> Export for Held<T>
where
    T: Inherits<Resource> + Bounds<Exportable = bounds::Yes>,
    Option<Gd<T>>: Export,
{
    fn as_node_class() -> Option<ClassId> {
        <Option<Gd<T>> as Export>::as_node_class()
    }
}
