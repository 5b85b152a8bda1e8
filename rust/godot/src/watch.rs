//! Hears of changes under a plan.

use std::cell::Cell;
use std::rc::Rc;

use godot::prelude::*;

/// Marks the plan stale when a signal tells of a change. Freed, it no longer listens.
///
/// An object with a method, and not a closure, since the extension cannot be unloaded under a
/// closure that is connected: gdext would disconnect it then, and warn of that.
#[derive(GodotClass)]
#[class(tool, init, internal, base = RefCounted)]
pub(crate) struct TendonWatch {
    stale: Rc<Cell<bool>>,
    base: Base<RefCounted>,
}

#[godot_api]
impl TendonWatch {
    #[func]
    fn note(&self) {
        self.stale.set(true);
    }
}

impl TendonWatch {
    /// One that sets `stale`.
    pub(crate) fn new(stale: &Rc<Cell<bool>>) -> Gd<Self> {
        let watch = Self::new_gd();
        watch.clone().bind_mut().stale = Rc::clone(stale);
        watch
    }

    /// Listens to the signal `signal` of `node`.
    pub(crate) fn listen<T: Inherits<Object>>(this: &Gd<Self>, node: &Gd<T>, signal: &str) {
        let note = Callable::from_object_method(this, "note");
        node.clone().upcast::<Object>().connect(signal, &note);
    }
}
