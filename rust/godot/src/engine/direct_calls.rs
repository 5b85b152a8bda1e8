//! The engine's methods, called without gdext's checks.
//!
//! The engine returns a method by its name and by the hash of its signature. A call with arguments
//! of other types is therefore impossible. If an engine lacks a method, all calls are made through
//! gdext. Only [`crate::engine::live`] and [`crate::engine::readable`] use what is here; they explain
//! why the objects are alive.

use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;

use godot::prelude::*;
use godot::sys;

use crate::engine::freed::Freed;

/// The engine's methods that are called directly.
#[derive(Clone, Copy)]
pub(super) enum Method {
    IsInsideTree,
    HasConnections,
    IsVisibleInTree,
    GetTransform,
    GetPosition,
    GetRotation,
    GetScale,
    GetSkew,
    GetGlobalTransform,
    SetPosition,
    SetRotation,
    SetScale,
    GetAutocalculate,
    GetLength,
    GetBoneAngle,
    GetBoneCount,
}

/// Class, name and signature hash of each [`Method`], in order; the hashes are those of the
/// engine's `extension_api.json`, which keeps them for as long as a signature lasts.
const SIGNATURES: [(&str, &str, i64); 16] = [
    ("Node", "is_inside_tree", 36873697),
    ("Object", "has_connections", 2619796661),
    ("CanvasItem", "is_visible_in_tree", 36873697),
    ("CanvasItem", "get_transform", 3814499831),
    ("Node2D", "get_position", 3341600327),
    ("Node2D", "get_rotation", 1740695150),
    ("Node2D", "get_scale", 3341600327),
    ("Node2D", "get_skew", 1740695150),
    ("CanvasItem", "get_global_transform", 3814499831),
    ("Node2D", "set_position", 743155724),
    ("Node2D", "set_rotation", 373806689),
    ("Node2D", "set_scale", 743155724),
    ("Bone2D", "get_autocalculate_length_and_angle", 36873697),
    ("Bone2D", "get_length", 1740695150),
    ("Bone2D", "get_bone_angle", 1740695150),
    ("Skeleton2D", "get_bone_count", 3905245786),
];

/// The engine's own pointers, looked up once.
pub(super) struct Methods {
    binds: [sys::GDExtensionMethodBindPtr; SIGNATURES.len()],
    call: unsafe extern "C" fn(
        sys::GDExtensionMethodBindPtr,
        sys::GDExtensionObjectPtr,
        *const sys::GDExtensionConstTypePtr,
        sys::GDExtensionTypePtr,
    ),
    get_binding: unsafe extern "C" fn(
        sys::GDExtensionObjectPtr,
        *mut c_void,
        *const sys::GDExtensionInstanceBindingCallbacks,
    ) -> *mut c_void,
    free_binding: unsafe extern "C" fn(sys::GDExtensionObjectPtr, *mut c_void),
}

// SAFETY: the pointers are to the engine's own functions and method binds, which are neither
// changed nor freed while the extension is loaded. Calls are made from the main thread only,
// where the rigs and their plans are: see [`crate::engine::live`].
unsafe impl Send for Methods {}
// SAFETY: as above; nothing in it can be changed.
unsafe impl Sync for Methods {}

/// The methods for direct calls. `None` in debug builds, and if the engine lacks one of them.
pub(super) fn methods() -> Option<&'static Methods> {
    look_up()?.as_ref().ok()
}

/// The method, as `Class.name`, that the engine lacks.
pub(crate) fn missing_method() -> Option<&'static str> {
    look_up()?.as_ref().err().map(String::as_str)
}

/// The methods, or the one that the engine lacks. Looked up once; `None` in debug builds.
fn look_up() -> Option<&'static Result<Methods, String>> {
    static METHODS: OnceLock<Result<Methods, String>> = OnceLock::new();
    if cfg!(debug_assertions) {
        return None;
    }
    Some(METHODS.get_or_init(Methods::look_up))
}

impl Methods {
    /// # Errors
    /// The first method that the engine lacks.
    fn look_up() -> Result<Self, String> {
        // SAFETY: a pass runs, so the extension is initialized, and on the main thread.
        let interface = unsafe { sys::get_interface() };
        let mut binds = [ptr::null(); SIGNATURES.len()];
        for (bind, (class, method, hash)) in binds.iter_mut().zip(SIGNATURES) {
            let names = (StringName::from(class), StringName::from(method));
            // SAFETY: both names outlive the call, which only reads them.
            *bind = unsafe {
                (interface.classdb_get_method_bind)(
                    names.0.string_sys(),
                    names.1.string_sys(),
                    hash,
                )
            };
            if bind.is_null() {
                return Err(format!("{class}.{method}"));
            }
        }
        Ok(Self {
            binds,
            call: interface.object_method_bind_ptrcall,
            get_binding: interface.object_get_instance_binding,
            free_binding: interface.object_free_instance_binding,
        })
    }

    /// Where gdext has the fields of `object`, which is alive and of a class of this extension.
    pub(super) fn find_fields(
        &self,
        object: sys::GDExtensionObjectPtr,
    ) -> sys::GDExtensionClassInstancePtr {
        let callbacks = sys::GDExtensionInstanceBindingCallbacks {
            create_callback: Some(create_no_binding),
            free_callback: None,
            reference_callback: None,
        };
        // SAFETY: the object is alive. gdext has given it a binding with this token when it was
        // made, so none is created.
        unsafe {
            let token = sys::get_library().cast();
            (self.get_binding)(object, token, &raw const callbacks).cast()
        }
    }

    /// Has the engine report when `object`, which is alive, is freed.
    pub(super) fn watch(&self, object: sys::GDExtensionObjectPtr) -> &'static Freed {
        let freed = Freed::take();
        // The token has to be unique while the binding exists: nobody else has this flag.
        let token = ptr::from_ref(freed).cast_mut().cast();
        let callbacks = sys::GDExtensionInstanceBindingCallbacks {
            create_callback: Some(create_binding),
            free_callback: Some(set_freed),
            reference_callback: None,
        };
        // SAFETY: the object is alive; the engine copies the callbacks, which live as long as
        // the extension does, and passes the binding to `set_freed` at the latest when the
        // object is freed. Every `Live` removes its own before the extension is unloaded.
        unsafe { (self.get_binding)(object, token, &raw const callbacks) };
        freed
    }

    /// Removes what [`watch`](Self::watch) added to `object`, which is alive.
    pub(super) fn unwatch(&self, object: sys::GDExtensionObjectPtr, freed: &'static Freed) {
        let token = ptr::from_ref(freed).cast_mut().cast();
        // SAFETY: the object is alive, and the token is that of its binding.
        unsafe { (self.free_binding)(object, token) };
    }

    /// Calls `method` on `object`, which is alive and of the method's class: only
    /// [`Alive`](crate::engine::live::Alive) calls this, with its own object and the encodings of
    /// [`SIGNATURES`].
    pub(super) fn call<R: Default>(
        &self,
        method: Method,
        object: sys::GDExtensionObjectPtr,
        arguments: &[sys::GDExtensionConstTypePtr],
    ) -> R {
        let mut result = R::default();
        // SAFETY: see above. The arguments and the result live on the callers' stack until the
        // call returns; each is encoded as the engine encodes the method's types (numbers as
        // f64 and i64, truth as u8, vectors and transforms as they are).
        unsafe {
            (self.call)(
                self.binds[method as usize],
                object,
                arguments.as_ptr(),
                ptr::from_mut(&mut result).cast(),
            );
        }
        result
    }
}

/// Called by the engine to create a binding: the token is the binding.
unsafe extern "C" fn create_binding(token: *mut c_void, _object: *mut c_void) -> *mut c_void {
    token
}

/// Called by the engine for an object without the binding that was asked for.
unsafe extern "C" fn create_no_binding(_: *mut c_void, _object: *mut c_void) -> *mut c_void {
    ptr::null_mut()
}

/// Called by the engine when the object is freed, and for [`Methods::unwatch`].
unsafe extern "C" fn set_freed(_: *mut c_void, _object: *mut c_void, binding: *mut c_void) {
    // SAFETY: the binding is the address of the flag that `watch` took, and flags are never freed.
    let freed = unsafe { &*binding.cast_const().cast::<Freed>() };
    freed.set();
}
