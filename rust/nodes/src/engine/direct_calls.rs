//! The engine's methods that are called in every frame and for every bone, without gdext's checks.
//!
//! The engine returns a method by its name and by the hash of its signature, and each [`Method`] has the
//! types of that signature. A call with arguments of other types does not compile. If an engine lacks a
//! method, all calls are made through gdext. Only [`crate::engine::frame_calls`] uses what is here; it knows that
//! the objects are alive.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;
use std::sync::OnceLock;

use godot::classes::{Bone2D, CanvasItem, Object, RayCast2D, Skeleton2D};
use godot::prelude::*;

use crate::engine::freed::Freed;
use crate::engine::gdext_private::{interface, name_of, sys};

/// A method of the engine's class `C`, which takes an `A` and returns an `R`.
pub(super) struct Method<C, A, R> {
    index: usize,
    signature: PhantomData<fn(C, A) -> R>,
}

/// Declares a [`Method`] for each line, and `SIGNATURES` with class, name and signature hash of all. The
/// hashes are those of the engine's `extension_api.json`, which keeps them for as long as a signature
/// lasts.
macro_rules! methods {
    ($($constant:ident: $class:ident.$name:ident($argument:ty) -> $result:ty, $hash:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "named as the constants")]
        enum Index { $($constant),* }

        $(pub(super) const $constant: Method<$class, $argument, $result> = Method {
            index: Index::$constant as usize,
            signature: PhantomData,
        };)*

        const SIGNATURES: &[(&str, &str, i64)] =
            &[$((stringify!($class), stringify!($name), $hash)),*];
    };
}

methods! {
    IS_INSIDE_TREE: Node.is_inside_tree(()) -> bool, 36873697;
    GET_PROCESS_DELTA: Node.get_process_delta_time(()) -> f64, 1740695150;
    GET_PHYSICS_PROCESS_DELTA: Node.get_physics_process_delta_time(()) -> f64, 1740695150;
    HAS_CONNECTIONS: Object.has_connections(StringName) -> bool, 2619796661;
    IS_VISIBLE_IN_TREE: CanvasItem.is_visible_in_tree(()) -> bool, 36873697;
    IS_TOP_LEVEL: CanvasItem.is_set_as_top_level(()) -> bool, 36873697;
    GET_TRANSFORM: CanvasItem.get_transform(()) -> Transform2D, 3814499831;
    GET_POSITION: Node2D.get_position(()) -> Vector2, 3341600327;
    GET_ROTATION: Node2D.get_rotation(()) -> f64, 1740695150;
    GET_SCALE: Node2D.get_scale(()) -> Vector2, 3341600327;
    GET_SKEW: Node2D.get_skew(()) -> f64, 1740695150;
    GET_GLOBAL_TRANSFORM: CanvasItem.get_global_transform(()) -> Transform2D, 3814499831;
    SET_POSITION: Node2D.set_position(Vector2) -> (), 743155724;
    SET_ROTATION: Node2D.set_rotation(f64) -> (), 373806689;
    SET_SCALE: Node2D.set_scale(Vector2) -> (), 743155724;
    GET_AUTOCALCULATE: Bone2D.get_autocalculate_length_and_angle(()) -> bool, 36873697;
    GET_LENGTH: Bone2D.get_length(()) -> f64, 1740695150;
    GET_BONE_ANGLE: Bone2D.get_bone_angle(()) -> f64, 1740695150;
    GET_BONE_COUNT: Skeleton2D.get_bone_count(()) -> i64, 3905245786;
    SET_TARGET_POSITION: RayCast2D.set_target_position(Vector2) -> (), 743155724;
    SET_HIT_FROM_INSIDE: RayCast2D.set_hit_from_inside(bool) -> (), 2586408642;
    FORCE_RAYCAST_UPDATE: RayCast2D.force_raycast_update(()) -> (), 3218959716;
    IS_COLLIDING: RayCast2D.is_colliding(()) -> bool, 36873697;
    GET_COLLISION_POINT: RayCast2D.get_collision_point(()) -> Vector2, 3341600327;
    GET_COLLISION_NORMAL: RayCast2D.get_collision_normal(()) -> Vector2, 3341600327;
    GET_COLLIDER_RID: RayCast2D.get_collider_rid(()) -> u64, 2944877500;
    GET_COLLIDER_SHAPE: RayCast2D.get_collider_shape(()) -> i64, 3905245786;
}

/// A type as the engine encodes it in direct calls.
///
/// # Safety
/// The engine has to write nothing else as a result of this type: numbers as `f64` and `i64`, a `RID` as
/// `u64`, truth as a byte of 0 or 1, vectors and transforms as they are.
pub(super) unsafe trait Encoded: Default {}

// SAFETY: nothing is written.
unsafe impl Encoded for () {}
// SAFETY: see above.
unsafe impl Encoded for bool {}
// SAFETY: see above.
unsafe impl Encoded for f64 {}
// SAFETY: see above.
unsafe impl Encoded for i64 {}
// SAFETY: see above.
unsafe impl Encoded for u64 {}
// SAFETY: see above.
unsafe impl Encoded for Vector2 {}
// SAFETY: see above.
unsafe impl Encoded for Transform2D {}

/// What a method is called with: one value of the engine's, or none.
pub(super) trait Argument {
    /// Where the value is; null for none.
    fn start(&self) -> sys::GDExtensionConstTypePtr;
}

impl Argument for () {
    fn start(&self) -> sys::GDExtensionConstTypePtr {
        ptr::null()
    }
}

impl Argument for bool {
    fn start(&self) -> sys::GDExtensionConstTypePtr {
        ptr::from_ref(self).cast()
    }
}

impl Argument for f64 {
    fn start(&self) -> sys::GDExtensionConstTypePtr {
        ptr::from_ref(self).cast()
    }
}

impl Argument for Vector2 {
    fn start(&self) -> sys::GDExtensionConstTypePtr {
        ptr::from_ref(self).cast()
    }
}

impl Argument for StringName {
    fn start(&self) -> sys::GDExtensionConstTypePtr {
        name_of(self).cast()
    }
}

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
// where the rigs and their plans are: see [`crate::engine::frame_calls`].
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
        let interface = interface();
        let mut binds = [ptr::null(); SIGNATURES.len()];
        for (bind, &(class, method, hash)) in binds.iter_mut().zip(SIGNATURES) {
            let (of, name) = (StringName::from(class), StringName::from(method));
            // SAFETY: both names outlive the call, which only reads them.
            *bind =
                unsafe { (interface.classdb_get_method_bind)(name_of(&of), name_of(&name), hash) };
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

    /// Has the engine report when `object` is freed.
    ///
    /// # Safety
    /// It has to be alive, and [`unwatch`](Self::unwatch) to be called before the extension is unloaded,
    /// unless it is freed.
    pub(super) unsafe fn watch(&self, object: sys::GDExtensionObjectPtr) -> &'static Freed {
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
        // object is freed.
        unsafe { (self.get_binding)(object, token, &raw const callbacks) };
        freed
    }

    /// Removes what [`watch`](Self::watch) added to `object`.
    ///
    /// # Safety
    /// It has to be alive, and `freed` what `watch` returned for it.
    pub(super) unsafe fn unwatch(&self, object: sys::GDExtensionObjectPtr, freed: &'static Freed) {
        let token = ptr::from_ref(freed).cast_mut().cast();
        // SAFETY: the object is alive, and the token is that of its binding.
        unsafe { (self.free_binding)(object, token) };
    }

    /// Calls `method` on `object`.
    ///
    /// # Safety
    /// It has to be alive, and of the class `C` or one that inherits it.
    pub(super) unsafe fn call<C, A: Argument, R: Encoded>(
        &self,
        method: Method<C, A, R>,
        object: sys::GDExtensionObjectPtr,
        argument: &A,
    ) -> R {
        let mut result = R::default();
        let argument = argument.start();
        // SAFETY: see above. The argument and the result live until the call returns, and are encoded
        // as the method's types are. A method without arguments reads none.
        unsafe {
            (self.call)(
                self.binds[method.index],
                object,
                &raw const argument,
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

/// Called by the engine when the object is freed, and for [`Methods::unwatch`].
unsafe extern "C" fn set_freed(_: *mut c_void, _object: *mut c_void, binding: *mut c_void) {
    // SAFETY: the binding is the address of the flag that `watch` took, and flags are never freed.
    let freed = unsafe { &*binding.cast_const().cast::<Freed>() };
    freed.set();
}
