//! All that Tendon uses of gdext beyond its public interface: a port to another gdext is this file. Two names
//! have to stand elsewhere: that of an accessor in `nodes/rig.rs`, and in the editor's `help.rs` the texts, which
//! gdext has only if it is built with them.
//!
//! `sys` is the engine's interface in C, as gdext has translated it. Nothing else names `godot::sys` or
//! `godot::private`.

use std::panic::UnwindSafe;

use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use godot::private::{Storage as _, as_storage, handle_panic};
pub(super) use godot::register::private::constant::{
    ConstantKind, ExportConstant, IntegerConstant,
};
pub use godot::sys;
use godot::sys::GodotFfi as _;

/// A class of this extension. None inherits another, so an object is of one of them only.
pub(crate) trait OwnClass: Inherits<Node> + Bounds<Declarer = bounds::DeclUser> {}

impl<T: Inherits<Node> + Bounds<Declarer = bounds::DeclUser>> OwnClass for T {}

/// The engine's functions. The extension has to be initialized: it is before any of its classes exists.
pub(super) fn interface() -> &'static sys::GDExtensionInterface {
    // SAFETY: gdext has set it before any code of this extension runs.
    unsafe { sys::get_interface() }
}

/// The engine's object. It may have been freed.
pub(super) fn object_of<T: GodotClass>(node: &Gd<T>) -> sys::GDExtensionObjectPtr {
    node.obj_sys()
}

/// The engine's name, for calls that read it.
pub(super) fn name_of(name: &StringName) -> sys::GDExtensionConstStringNamePtr {
    name.string_sys()
}

/// A name of the engine's.
///
/// # Safety
/// There has to be one.
pub(super) unsafe fn read_name(name: sys::GDExtensionConstStringNamePtr) -> StringName {
    // SAFETY: the caller's promise.
    unsafe { StringName::new_from_sys(name.cast()) }
}

/// A value of the engine's.
///
/// # Safety
/// There has to be one.
pub(super) unsafe fn read_variant(value: sys::GDExtensionConstVariantPtr) -> Variant {
    // SAFETY: the caller's promise.
    unsafe { Variant::new_from_sys(value.cast()) }
}

/// The object whose fields gdext has at `fields`, which are not borrowed for that.
///
/// # Safety
/// The object has to be alive, and of the class `T`.
pub(super) unsafe fn owner_of<T: OwnClass + GodotClass<Base = Node>>(
    fields: sys::GDExtensionClassInstancePtr,
) -> Gd<Node> {
    // SAFETY: the caller's promise.
    unsafe { as_storage::<T>(fields) }.base().__constructed_gd()
}

/// The same object, by its own class.
///
/// # Safety
/// As for [`owner_of`].
pub(super) unsafe fn node_of<T: OwnClass + GodotClass<Base = Node>>(
    fields: sys::GDExtensionClassInstancePtr,
) -> Gd<T> {
    // SAFETY: the caller's promise.
    let storage = unsafe { as_storage::<T>(fields) };
    let object = storage.base().obj_sys();
    // gdext's own `get_gd` has the engine compare the names of classes.
    // SAFETY: the object is alive, and of this class. Nodes are not counted.
    let node = unsafe {
        Gd::from_sys_init_opt(|place| place.cast::<sys::GDExtensionObjectPtr>().write(object))
    };
    node.unwrap_or_else(|| storage.get_gd())
}

/// Runs `code`, which the engine has called for a node of the class `T`. A panic ends here, and is printed.
pub(super) fn catch_panic<T: GodotClass>(what: &str, code: impl FnOnce() + UnwindSafe) {
    _ = handle_panic(|| format!("{} of {}", what, T::class_id()), code);
}
