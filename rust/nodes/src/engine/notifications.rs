//! What the engine notifies nodes of, for the classes that act on it.
//!
//! The engine has virtual functions for the same, `_enter_tree` and `_process` among them. But where a
//! script defines one, the engine calls the script's instead of the extension's, and a script cannot call
//! that one: the node would do nothing any more. Notifications come to both. So no class of a scene has
//! these functions. gdext borrows a node for each notification, while scripts run that may free it.
//! Therefore the function that the engine calls is exchanged when a class is registered. `UPSTREAM.md` beside
//! this file says what in gdext would replace that.

use std::panic::AssertUnwindSafe;
use std::sync::OnceLock;

use godot::classes::notify::NodeNotification;
use godot::prelude::*;

use crate::engine::afterwards::tell_after;
use crate::engine::departed;
use crate::engine::gdext_private::{OwnClass, catch_panic, node_of, read_name, sys};

/// A method of `T` that takes a number, by its name.
pub(crate) type NamedMethod<T> = (&'static str, fn(Gd<T>, f64));

/// A class whose nodes act on what the engine notifies them of. Nothing is borrowed meanwhile.
pub(crate) trait Notified: OwnClass + GodotClass<Base = Node> {
    /// A method that takes a number and that scripts call in each frame, by its name: see
    /// [`crate::engine::shortcut`].
    const SHORTCUT: Option<NamedMethod<Self>> = None;

    /// It has entered the tree; its children have not yet.
    fn on_enter_tree(this: Gd<Self>);

    /// It is about to leave the tree, and its children have left it.
    fn on_exit_tree(this: Gd<Self>);

    /// It is about to be taken from its parent.
    fn on_unparented(_this: Gd<Self>) {}

    /// It has entered the tree for the first time, with its children.
    fn on_ready(_this: Gd<Self>) {}

    /// An idle frame, for a node whose internal processing is on.
    fn on_process(_this: Gd<Self>) {}

    /// A physics frame, in the same way.
    fn on_physics_process(_this: Gd<Self>) {}

    /// Its interpolation is reset: what it belongs to was put elsewhere, and is not to be seen on the way there.
    fn on_interpolation_reset(_this: Gd<Self>) {}
}

/// The function that the engine calls for each notification of a class.
pub(super) type Notify =
    unsafe extern "C" fn(sys::GDExtensionClassInstancePtr, i32, sys::GDExtensionBool);

type Register = sys::GDExtensionInterfaceClassdbRegisterExtensionClass4;

/// The engine's function that registers classes, by the name under which gdext asks for it.
pub(super) const REGISTER: &std::ffi::CStr = c"classdb_register_extension_class4";

static REGISTER_CLASS: OnceLock<Register> = OnceLock::new();
static FIND: OnceLock<fn(&StringName) -> Option<Notify>> = OnceLock::new();

/// The function to call instead of `register`, the engine's function [`REGISTER`]. `find` returns the function that the
/// engine is to call for the class of this name.
pub(super) fn exchange(register: Register, find: fn(&StringName) -> Option<Notify>) -> Register {
    // Both are the same when the library is loaded again.
    _ = REGISTER_CLASS.set(register);
    _ = FIND.set(find);
    register_notified
}

/// Called by gdext to register a class.
unsafe extern "C" fn register_notified(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    parent: sys::GDExtensionConstStringNamePtr,
    functions: *const sys::GDExtensionClassCreationInfo4,
) {
    // SAFETY: gdext passes the engine a description that is complete, and a name.
    let (mut functions, name) = unsafe { (*functions, read_name(class)) };
    if let Some(notify) = FIND.get().and_then(|find| find(&name)) {
        functions.notification_func = Some(notify);
    }
    if let Some(register) = REGISTER_CLASS.get() {
        // SAFETY: the engine's own function. It copies the description.
        unsafe { register(library, class, parent, &raw const functions) };
    }
}

/// Called by the engine for each notification of a node of the class `T`.
pub(super) unsafe extern "C" fn notify<T: Notified>(
    instance: sys::GDExtensionClassInstancePtr,
    what: i32,
    _reversed: sys::GDExtensionBool,
) {
    let act = match NodeNotification::from(what) {
        NodeNotification::ENTER_TREE => T::on_enter_tree,
        NodeNotification::EXIT_TREE => T::on_exit_tree,
        NodeNotification::UNPARENTED => T::on_unparented,
        NodeNotification::READY => T::on_ready,
        NodeNotification::INTERNAL_PROCESS => T::on_process,
        NodeNotification::INTERNAL_PHYSICS_PROCESS => T::on_physics_process,
        NodeNotification::RESET_PHYSICS_INTERPOLATION => T::on_interpolation_reset,
        _ => return,
    };
    let act = || {
        // SAFETY: the engine calls it with an instance of `T`, which is alive.
        let node = unsafe { node_of::<T>(instance) };
        if NodeNotification::from(what) == NodeNotification::ENTER_TREE {
            // The tree reports it later.
            departed::enter(node.instance_id());
        }
        tell_after(|| act(node));
    };
    catch_panic::<T>("a notification", AssertUnwindSafe(act));
}
