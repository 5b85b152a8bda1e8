//! A method that scripts call in each frame, called without gdext.
//!
//! gdext hands a method its node by having the engine compare the names of classes, which takes several times as
//! long as the rest of a call. A class names one method with a number in [`Notified::SHORTCUT`], and
//! [`crate::engine::guarded_methods`] calls it here. Any other argument goes to gdext, which says what is wrong.

use std::panic::AssertUnwindSafe;

use godot::prelude::*;

use crate::engine::gdext_private::{catch_panic, node_of, read_variant, sys};
use crate::engine::notifications::Notified;

/// The method of a class.
#[derive(Clone, Copy)]
pub(super) struct Shortcut {
    name: &'static str,
    call: unsafe fn(sys::GDExtensionClassInstancePtr, f64),
}

impl Shortcut {
    /// That of the class `T`.
    pub(super) fn of<T: Notified>() -> Option<Self> {
        let (name, _) = T::SHORTCUT?;
        Some(Self {
            name,
            call: call::<T>,
        })
    }

    /// Returns `true` if it is the method of this name.
    pub(super) fn is(self, name: &StringName) -> bool {
        *name == self.name
    }

    /// Calls it with arguments of the right types.
    ///
    /// # Safety
    /// `instance` has to be alive and of the class, and there is one argument, a number.
    pub(super) unsafe fn call_encoded(
        self,
        instance: sys::GDExtensionClassInstancePtr,
        arguments: *const sys::GDExtensionConstTypePtr,
    ) {
        // SAFETY: the caller's promise. Numbers are passed as `f64`.
        unsafe { (self.call)(instance, **arguments.cast::<*const f64>()) };
    }

    /// Calls it, if the only one of `count` arguments is a number. Returns whether it is.
    ///
    /// # Safety
    /// `instance` has to be alive and of the class, and there have to be as many arguments.
    pub(super) unsafe fn try_call(
        self,
        instance: sys::GDExtensionClassInstancePtr,
        arguments: *const sys::GDExtensionConstVariantPtr,
        count: sys::GDExtensionInt,
    ) -> bool {
        if count != 1 {
            return false;
        }
        // SAFETY: there is one argument.
        let number = unsafe { read_variant(*arguments) }.try_to::<f64>();
        if let Ok(number) = number {
            // SAFETY: the caller's promise.
            unsafe { (self.call)(instance, number) };
        }
        number.is_ok()
    }
}

/// # Safety
/// `instance` has to be alive, and of the class `T`.
unsafe fn call<T: Notified>(instance: sys::GDExtensionClassInstancePtr, number: f64) {
    let Some((_, method)) = T::SHORTCUT else {
        return;
    };
    // SAFETY: the caller's promise.
    let act = || method(unsafe { node_of::<T>(instance) }, number);
    catch_panic::<T>("a method", AssertUnwindSafe(act));
}
