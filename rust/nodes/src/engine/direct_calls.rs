//! The engine's methods that are called in every frame and for every bone, without gdext's checks.
//!
//! The engine returns a method by its name and by the hash of its signature, and each [`Method`] has the
//! types of that signature. A call with arguments of other types does not compile. Only
//! [`crate::engine::frame_calls`] uses what is here; it lists the methods, and knows that the objects are alive.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

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

/// A type of results.
///
/// # Safety
/// The engine has to write nothing else than what is `Encoded` as a result of this type: numbers as `f64` and `i64`, a
/// `RID` as `u64`, truth as a byte of 0 or 1, vectors and transforms as they are.
pub(super) unsafe trait Returned {
    type Encoded: Default;
    fn of(encoded: Self::Encoded) -> Self;
}

macro_rules! returned {
    ($($type:ty, $encoded:ty, $of:expr;)*) => {$(
        // SAFETY: see above. For `()` nothing is written.
        unsafe impl Returned for $type {
            type Encoded = $encoded;
            fn of(encoded: $encoded) -> Self {
                let of: fn($encoded) -> Self = $of;
                of(encoded)
            }
        }
    )*};
}

returned! {
    (), (), |it| it;
    bool, bool, |it| it;
    f64, f64, |it| it;
    f32, f64, |it| it as f32;
    i32, i64, |it| it as i32;
    Rid, u64, Rid::new;
    Vector2, Vector2, |it| it;
    Transform2D, Transform2D, |it| it;
}

/// The argument of a method: one value of the engine's, or none.
pub(super) trait Argument {
    /// Calls with where the value is, encoded; null for none.
    fn pass<R>(&self, call: impl FnOnce(sys::GDExtensionConstTypePtr) -> R) -> R;
}

impl Argument for () {
    fn pass<R>(&self, call: impl FnOnce(sys::GDExtensionConstTypePtr) -> R) -> R {
        call(ptr::null())
    }
}

impl Argument for f32 {
    fn pass<R>(&self, call: impl FnOnce(sys::GDExtensionConstTypePtr) -> R) -> R {
        call(ptr::from_ref(&f64::from(*self)).cast())
    }
}

impl Argument for StringName {
    fn pass<R>(&self, call: impl FnOnce(sys::GDExtensionConstTypePtr) -> R) -> R {
        call(name_of(self).cast())
    }
}

macro_rules! passed_as_it_is {
    ($($type:ty),*) => {$(
        impl Argument for $type {
            fn pass<R>(&self, call: impl FnOnce(sys::GDExtensionConstTypePtr) -> R) -> R {
                call(ptr::from_ref(self).cast())
            }
        }
    )*};
}

passed_as_it_is!(bool, Vector2);

/// Class, name and signature hash of a method. The hashes are those of the engine's `extension_api.json`, which keeps them
/// for as long as a signature lasts.
pub(super) type Signature = (&'static str, &'static str, i64);

/// The engine's own pointers, looked up once.
pub(super) struct Methods {
    binds: Vec<sys::GDExtensionMethodBindPtr>,
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

impl Methods {
    /// # Errors
    /// The first method, as `Class.name`, that the engine lacks.
    pub(super) fn look_up(signatures: &[Signature]) -> Result<Self, String> {
        let interface = interface();
        let bind = |&(class, method, hash): &Signature| {
            let (of, name) = (StringName::from(class), StringName::from(method));
            // SAFETY: both names outlive the call, which only reads them.
            let bind =
                unsafe { (interface.classdb_get_method_bind)(name_of(&of), name_of(&name), hash) };
            match bind.is_null() {
                true => Err(format!("{class}.{method}")),
                false => Ok(bind),
            }
        };
        Ok(Self {
            binds: signatures.iter().map(bind).collect::<Result<_, _>>()?,
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
    pub(super) unsafe fn call<C, A: Argument, R: Returned>(
        &self,
        method: Method<C, A, R>,
        object: sys::GDExtensionObjectPtr,
        argument: &A,
    ) -> R {
        let mut result = R::Encoded::default();
        // SAFETY: see above. The argument and the result live until the call returns, and are encoded
        // as the method's types are. A method without arguments reads none.
        argument.pass(|argument| unsafe {
            (self.call)(
                self.binds[method.index],
                object,
                &raw const argument,
                ptr::from_mut(&mut result).cast(),
            );
        });
        R::of(result)
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
