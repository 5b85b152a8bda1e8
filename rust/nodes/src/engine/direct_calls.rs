//! The engine's methods that are called in every frame and for every bone, without gdext's checks.
//!
//! The engine returns a method by its name and by the hash of its signature, and each [`Method`] has the
//! types of that signature. A call with arguments of other types does not compile. Only
//! [`crate::engine::frame_calls`] uses what is here; it lists the methods, and knows that the objects are alive.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

use godot::classes::node::ProcessThreadGroup;
use godot::classes::physics_server_2d::{
    AreaParameter, BodyMode, BodyParameter, BodyState, ShapeType,
};
use godot::prelude::*;

use crate::engine::freed::Freed;
use crate::engine::gdext_private::{interface, name_of, sys};

/// A method of the engine's class `C`, which takes an `A` and returns an `R`.
pub(super) struct Method<C, A, R> {
    index: usize,
    signature: PhantomData<fn(C, A) -> R>,
}

impl<C, A, R> Method<C, A, R> {
    /// The one with this place among the [signatures](Methods::look_up).
    pub(super) const fn numbered(index: usize) -> Self {
        Self {
            index,
            signature: PhantomData,
        }
    }
}

/// A type of arguments and results.
///
/// # Safety
/// The engine has to read and write nothing else than what is `Encoded` for this type: numbers as `f64` and `i64`, a
/// `RID` as `u64`, truth as a byte of 0 or 1, objects, vectors, transforms and variants as they are.
pub(super) unsafe trait Value: Sized {
    type Encoded: Default;
    fn encode(self) -> Self::Encoded;
    fn of(encoded: Self::Encoded) -> Self;
}

macro_rules! values {
    ($($($type:ty),+ => $encoded:ty, $encode:expr, $of:expr;)*) => {$($(
        // SAFETY: see above. For `()` nothing is written.
        unsafe impl Value for $type {
            type Encoded = $encoded;
            fn encode(self) -> $encoded {
                let encode: fn(Self) -> $encoded = $encode;
                encode(self)
            }
            fn of(encoded: $encoded) -> Self {
                let of: fn($encoded) -> Self = $of;
                of(encoded)
            }
        }
    )+)*};
}

values! {
    (), bool, f64, Vector2, Transform2D, Variant, sys::GDExtensionObjectPtr => Self, |it| it, |it| it;
    f32 => f64, f64::from, |it| it as f32;
    i32 => i64, i64::from, |it| it as i32;
    u32 => i64, i64::from, |it| it as u32;
    Rid => u64, Rid::to_u64, Rid::new;
    BodyState, BodyParameter, BodyMode, ShapeType, AreaParameter, ProcessThreadGroup
        => i64, |it| it.ord().into(), |it| Self::from_ord(it as i32);
}

/// The arguments of a method.
pub(super) trait Arguments {
    /// Calls with the places of the encoded values; null if there are none.
    fn pass<R>(self, call: impl FnOnce(*const sys::GDExtensionConstTypePtr) -> R) -> R;
}

impl Arguments for () {
    fn pass<R>(self, call: impl FnOnce(*const sys::GDExtensionConstTypePtr) -> R) -> R {
        call(ptr::null())
    }
}

impl<A: Value> Arguments for (A,) {
    fn pass<R>(self, call: impl FnOnce(*const sys::GDExtensionConstTypePtr) -> R) -> R {
        let value = self.0.encode();
        call([ptr::from_ref(&value).cast()].as_ptr())
    }
}

impl<A: Value, B: Value> Arguments for (A, B) {
    fn pass<R>(self, call: impl FnOnce(*const sys::GDExtensionConstTypePtr) -> R) -> R {
        let (one, two) = (self.0.encode(), self.1.encode());
        call([ptr::from_ref(&one).cast(), ptr::from_ref(&two).cast()].as_ptr())
    }
}

/// Class, name and signature hash of a method. The hashes are those of the engine's `extension_api.json`, which keeps them
/// for as long as a signature lasts.
pub(super) type Signature = (&'static str, &'static str, i64);

/// The engine's own pointers, looked up once.
pub(super) struct Methods<const COUNT: usize> {
    binds: [sys::GDExtensionMethodBindPtr; COUNT],
    call: unsafe extern "C" fn(
        sys::GDExtensionMethodBindPtr,
        sys::GDExtensionObjectPtr,
        *const sys::GDExtensionConstTypePtr,
        sys::GDExtensionTypePtr,
    ),
    call_variant: unsafe extern "C" fn(
        sys::GDExtensionMethodBindPtr,
        sys::GDExtensionObjectPtr,
        *const sys::GDExtensionConstVariantPtr,
        sys::GDExtensionInt,
        sys::GDExtensionUninitializedVariantPtr,
        *mut sys::GDExtensionCallError,
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
unsafe impl<const COUNT: usize> Send for Methods<COUNT> {}
// SAFETY: as above; nothing in it can be changed.
unsafe impl<const COUNT: usize> Sync for Methods<COUNT> {}

impl<const COUNT: usize> Methods<COUNT> {
    /// # Errors
    /// The first method, as `Class.name`, that the engine lacks.
    pub(super) fn look_up(signatures: &[Signature; COUNT]) -> Result<Self, String> {
        let interface = interface();
        let mut binds = [ptr::null(); COUNT];
        for (bind, &(class, method, hash)) in binds.iter_mut().zip(signatures) {
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
            call_variant: interface.object_method_bind_call,
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
    pub(super) unsafe fn call<C, A: Arguments, R: Value>(
        &self,
        method: Method<C, A, R>,
        object: sys::GDExtensionObjectPtr,
        arguments: A,
    ) -> R {
        let mut result = R::Encoded::default();
        // SAFETY: see above. The arguments and the result live until the call returns, and are encoded
        // as the method's types are. A method without arguments reads none.
        arguments.pass(|arguments| unsafe {
            (self.call)(
                self.binds[method.index],
                object,
                arguments,
                ptr::from_mut(&mut result).cast(),
            );
        });
        R::of(result)
    }

    /// Calls `method`, which takes any number of arguments, on `object` with one.
    ///
    /// # Safety
    /// It has to be alive, and of the class `C` or one that inherits it.
    pub(super) unsafe fn call_with<C>(
        &self,
        method: Method<C, Variant, ()>,
        object: sys::GDExtensionObjectPtr,
        argument: &Variant,
    ) {
        let mut result = MaybeUninit::<Variant>::uninit();
        let mut error = sys::default_call_error();
        // SAFETY: see above. The engine makes a variant of the result, also where there is an error.
        unsafe {
            (self.call_variant)(
                self.binds[method.index],
                object,
                &raw const argument as *const _,
                1,
                result.as_mut_ptr().cast(),
                &raw mut error,
            );
            result.assume_init_drop();
        }
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
