//! Has every method of this extension first ask [`crate::engine::thread_guard`], and every setter of a
//! number, a vector or an enum [`crate::engine::setter_guard`], and every other
//! method with objects [`crate::engine::object_guard`]. Calls that may change what a plan reads are counted for
//! [`crate::engine::readable`].
//!
//! When a method has returned, what it has left to tell is told: see [`crate::engine::afterwards`].
//!
//! gdext registers methods through the functions that the engine offers it when the library is loaded. The
//! one that registers a method is exchanged for [`register_guarded`], which registers a function that asks
//! first. So no class has to do anything for it, and accessors of properties are guarded as well. `UPSTREAM.md`
//! beside this file says what in gdext would replace it, and which tests fail where another gdext registers
//! methods otherwise.

use std::ffi::{CStr, c_char, c_void};
use std::mem::transmute;
use std::ptr;
use std::sync::OnceLock;

use godot::classes::{Node, Resource};
use godot::meta::ClassId;
use godot::prelude::*;

use crate::engine::afterwards::tell_after;
use crate::engine::gdext_private::{interface, owner_of, read_name, read_variant, sys};
use crate::engine::notifications::{self, Notified, Notify, notify};
use crate::engine::object_guard::ObjectParameters;
use crate::engine::readable::count_call;
use crate::engine::setter_guard::SetterGuard;
use crate::engine::shortcut::Shortcut;
use crate::engine::thread_guard::is_refused;

/// A class that other threads may use: nodes outside the tree, and resources, each by the thread that has it.
#[derive(Clone, Copy)]
pub(crate) struct SharedClass {
    id: fn() -> ClassId,
    /// `None` for a resource, which is in no tree.
    node: Option<unsafe fn(sys::GDExtensionClassInstancePtr) -> Gd<Node>>,
    /// `true` if plans read its properties.
    is_readable: bool,
    /// The function that the engine calls for its notifications, if it acts on them.
    notify: Option<Notify>,
    /// The method that is called without gdext.
    shortcut: fn() -> Option<Shortcut>,
}

impl SharedClass {
    pub(crate) const fn of<T: Notified>() -> Self {
        Self {
            id: T::class_id,
            // SAFETY: the engine calls a method of `T` with an instance of it.
            node: Some(|instance| unsafe { owner_of::<T>(instance) }),
            is_readable: false,
            notify: Some(notify::<T>),
            shortcut: Shortcut::of::<T>,
        }
    }

    /// The class `T`, whose properties plans read.
    pub(crate) const fn readable<T: Notified>() -> Self {
        Self {
            is_readable: true,
            ..Self::of::<T>()
        }
    }

    pub(crate) const fn of_resource<T: GodotClass + Inherits<Resource>>() -> Self {
        Self {
            id: T::class_id,
            node: None,
            is_readable: false,
            notify: None,
            shortcut: || None,
        }
    }

    /// The class of this name, if it is one of them.
    fn find(name: &StringName) -> Option<Self> {
        let mut shared = SHARED.get().into_iter().flatten();
        let found = shared.find(|shared| StringName::from(&(shared.id)().to_string()) == *name);
        found.copied()
    }
}

/// A method as gdext has registered it.
struct GuardedMethod {
    method: sys::GDExtensionClassMethodInfo,
    result: sys::GDExtensionVariantType,
    class: Option<SharedClass>,
    setter: Option<SetterGuard>,
    objects: Option<ObjectParameters>,
    /// `true` if it may change the node.
    changes: bool,
    /// The call of it without gdext, if there is one.
    shortcut: Option<Shortcut>,
}

/// The engine's function that returns its others, and the one that registers methods.
static GET_PROC_ADDRESS: OnceLock<GetProcAddress> = OnceLock::new();
static REGISTER: OnceLock<sys::GDExtensionInterfaceClassdbRegisterExtensionClassMethod> =
    OnceLock::new();
static SHARED: OnceLock<Vec<SharedClass>> = OnceLock::new();

type GetProcAddress = unsafe extern "C" fn(*const c_char) -> sys::GDExtensionInterfaceFunctionPtr;

/// Has methods that are registered from now on ask [`is_refused`], and setters [`SetterGuard`].
pub(crate) fn guard(
    get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
    shared: Vec<SharedClass>,
) -> sys::GDExtensionInterfaceGetProcAddress {
    // Both are the same when the library is loaded again.
    _ = get_proc_address.map(|get| GET_PROC_ADDRESS.set(get));
    _ = SHARED.set(shared);
    Some(guarded_proc_address)
}

/// Called by gdext to find the engine's functions.
unsafe extern "C" fn guarded_proc_address(
    name: *const c_char,
) -> sys::GDExtensionInterfaceFunctionPtr {
    // SAFETY: the engine's own function, with the argument that it takes.
    let found = unsafe { GET_PROC_ADDRESS.get()?(name) }?;
    // SAFETY: gdext passes a text that ends with a zero.
    let name = unsafe { CStr::from_ptr(name) };
    if name == notifications::REGISTER {
        type Register = sys::GDExtensionInterfaceClassdbRegisterExtensionClass4;
        // SAFETY: the engine's function of this name has this type.
        let register = unsafe { transmute::<unsafe extern "C" fn(), Register>(found) };
        let register = notifications::exchange(register, |class| SharedClass::find(class)?.notify);
        // SAFETY: gdext calls it as the function of this name.
        return Some(unsafe { transmute::<Register, unsafe extern "C" fn()>(register) });
    }
    if name != c"classdb_register_extension_class_method" {
        return Some(found);
    }
    type Register = sys::GDExtensionInterfaceClassdbRegisterExtensionClassMethod;
    // SAFETY: the engine's function of this name has this type.
    _ = REGISTER.set(unsafe { transmute::<unsafe extern "C" fn(), Register>(found) });
    // SAFETY: gdext calls it as the function of this name.
    Some(unsafe { transmute::<Register, unsafe extern "C" fn()>(register_guarded) })
}

/// Called by gdext to register a method.
unsafe extern "C" fn register_guarded(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    method: *const sys::GDExtensionClassMethodInfo,
) {
    // SAFETY: gdext passes the engine a description that is complete, and a name.
    let (method, name) = unsafe { (*method, read_name(class)) };
    let owner = SharedClass::find(&name);
    let shortcut = owner.and_then(|owner| (owner.shortcut)());
    // SAFETY: the method has a name.
    let is_shortcut =
        |shortcut: &Shortcut| shortcut.is(&unsafe { read_name(method.name.cast_const().cast()) });
    let guarded = GuardedMethod {
        method,
        // SAFETY: it describes the result, if there is one.
        result: match unsafe { method.return_value_info.as_ref() } {
            Some(result) => result.type_,
            None => sys::GDEXTENSION_VARIANT_TYPE_NIL,
        },
        class: owner,
        // SAFETY: the same description.
        setter: unsafe { find_setter(&name, &method) },
        // SAFETY: the same description.
        objects: unsafe { ObjectParameters::find(&name, &method) },
        changes: method.method_flags & sys::GDEXTENSION_METHOD_FLAG_CONST as u32 == 0,
        shortcut: shortcut.filter(is_shortcut),
    };
    let guarded = sys::GDExtensionClassMethodInfo {
        // The engine keeps it for as long as the class.
        method_userdata: Box::into_raw(Box::new(guarded)).cast(),
        call_func: Some(guarded_call),
        ptrcall_func: Some(guarded_ptrcall),
        ..method
    };
    if let Some(register) = REGISTER.get() {
        // SAFETY: the engine's own function. It copies the description.
        unsafe { register(library, class, &raw const guarded) };
    }
}

/// The setter that `method` of `class` is, if it takes a number or a vector.
///
/// # Safety
/// `method` has to be complete.
unsafe fn find_setter(
    class: &StringName,
    method: &sys::GDExtensionClassMethodInfo,
) -> Option<SetterGuard> {
    if method.argument_count != 1 {
        return None;
    }
    // SAFETY: there is one argument, and the method has a name.
    let (argument, name) = unsafe {
        let argument = (*method.arguments_info).type_;
        (argument, read_name(method.name.cast_const().cast()))
    };
    SetterGuard::find(class, &name, argument)
}

impl GuardedMethod {
    /// Returns `true` if the method is not to be called for `instance`.
    ///
    /// # Safety
    /// `instance` is that of the method's class, or null for a static method.
    unsafe fn is_refused(&self, instance: sys::GDExtensionClassInstancePtr) -> bool {
        // A static method asks for the nodes that it is given itself.
        if self
            .class
            .is_some_and(|class| class.node.is_none() || instance.is_null())
        {
            return false;
        }
        is_refused(|| {
            let class = self.class?;
            // SAFETY: the caller's promise.
            Some(unsafe { (class.node?)(instance) })
        })
    }

    /// Counts a call for `instance` that may change it. A pass that begins during the call reads what the
    /// method has set by then: it sets first, and then calls others.
    ///
    /// # Safety
    /// As for [`is_refused`](Self::is_refused).
    unsafe fn count(&self, instance: sys::GDExtensionClassInstancePtr) {
        let counts = self.changes && !instance.is_null();
        let class = self.class.filter(|class| counts && class.is_readable);
        if let Some(node) = class.and_then(|class| class.node) {
            // SAFETY: the caller's promise.
            count_call(unsafe { node(instance) }.instance_id_unchecked());
        }
    }

    /// Returns `true` if the first of `arguments` is not to be stored, or one of them is no object of its class.
    ///
    /// # Safety
    /// There have to be `count` of them.
    unsafe fn refuses(
        &self,
        arguments: *const sys::GDExtensionConstVariantPtr,
        count: sys::GDExtensionInt,
    ) -> bool {
        // SAFETY: the caller's promise.
        let is_wrong =
            |objects: &ObjectParameters| unsafe { objects.are_refused(arguments, count) };
        self.objects.as_ref().is_some_and(is_wrong)
            || count == 1
                && self.setter.as_ref().is_some_and(|setter| {
                    // SAFETY: the caller's promise.
                    setter.is_refused(&unsafe { read_variant(*arguments) })
                })
    }

    /// The same for arguments of the right types.
    ///
    /// # Safety
    /// They have to be those of the method.
    unsafe fn refuses_encoded(&self, arguments: *const sys::GDExtensionConstTypePtr) -> bool {
        // SAFETY: a setter has one argument, which is its own.
        let refuses = |setter: &SetterGuard| unsafe { setter.is_refused(&setter.read(*arguments)) };
        self.setter.as_ref().is_some_and(refuses)
    }
}

/// Called by the engine for a method with arguments of any type.
unsafe extern "C" fn guarded_call(
    method: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: what `register_guarded` has registered.
    let guarded = unsafe { &*method.cast::<GuardedMethod>() };
    // SAFETY: the engine calls a method of the instance's class.
    if unsafe { guarded.is_refused(instance) || guarded.refuses(arguments, count) } {
        let construct = interface().variant_construct;
        // SAFETY: the result is an empty variant, which nothing has to free.
        unsafe {
            construct(guarded.result, result.cast(), ptr::null(), 0, error);
        }
    } else if let Some(call) = guarded.method.call_func {
        let method = guarded.method.method_userdata;
        // SAFETY: gdext's own function, with what the engine calls it with.
        tell_after(|| unsafe {
            guarded.count(instance);
            let shortcut = guarded.shortcut.filter(|_| !instance.is_null());
            if !shortcut.is_some_and(|shortcut| shortcut.try_call(instance, arguments, count)) {
                call(method, instance, arguments, count, result, error);
            }
        });
    }
}

/// Called by the engine for a method with arguments of the right types. The result has a value before.
unsafe extern "C" fn guarded_ptrcall(
    method: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: as in `guarded_call`.
    let guarded = unsafe { &*method.cast::<GuardedMethod>() };
    // SAFETY: as in `guarded_call`.
    if !unsafe { guarded.is_refused(instance) || guarded.refuses_encoded(arguments) }
        && let Some(call) = guarded.method.ptrcall_func
    {
        // SAFETY: as in `guarded_call`.
        tell_after(|| unsafe {
            guarded.count(instance);
            match guarded.shortcut.filter(|_| !instance.is_null()) {
                Some(shortcut) => shortcut.call_encoded(instance, arguments),
                None => call(guarded.method.method_userdata, instance, arguments, result),
            }
        });
    }
}
