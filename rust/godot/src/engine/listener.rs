//! Runs Rust code when an object emits a signal.

use std::rc::Rc;

use godot::prelude::*;

/// Calls a function when a signal arrives. Once freed, it no longer listens.
///
/// Signals are connected to a method of this object and not to a closure: the extension cannot be
/// unloaded while a closure of its own is connected. gdext would disconnect it and print a warning.
#[derive(GodotClass)]
#[class(tool, init, internal, base = RefCounted)]
pub(crate) struct TendonListener {
    /// Absent after the extension was reloaded: the owner then makes a new listener.
    on_signal: Option<Rc<dyn Fn()>>,
    base: Base<RefCounted>,
}

#[godot_api]
impl TendonListener {
    #[func(gd_self)]
    fn handle_signal(this: Gd<Self>) {
        let on_signal = this.bind().on_signal.clone();
        if let Some(on_signal) = on_signal {
            on_signal();
        }
    }
}

impl TendonListener {
    /// A listener that calls `on_signal`.
    pub(crate) fn new(on_signal: impl Fn() + 'static) -> Gd<Self> {
        let mut listener = Self::new_gd();
        listener.bind_mut().on_signal = Some(Rc::new(on_signal));
        listener
    }

    /// Connects to `signal` of `object`, unless it is connected already.
    pub(crate) fn listen<T: Inherits<Object>>(this: &Gd<Self>, object: &Gd<T>, signal: &str) {
        let method = Callable::from_object_method(this, "handle_signal");
        let mut object = object.clone().upcast::<Object>();
        if !object.is_connected(signal, &method) {
            object.connect(signal, &method);
        }
    }
}
