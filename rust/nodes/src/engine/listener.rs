//! Runs Rust code when an object emits a signal.
//!
//! A connection takes 600 to 900 bytes of the engine's memory, and an object that listens 600 more.
//! What every rig needs is therefore connected to a method of the rig itself ([`reconnect`]).

use std::rc::Rc;

use godot::prelude::*;

use crate::engine::departed;

/// Calls a function when a signal arrives. Once freed, it no longer listens.
///
/// Signals are connected to a method of this object and not to a closure: the extension cannot be
/// unloaded while a closure of its own is connected. gdext would disconnect it and print a warning.
#[derive(GodotClass)]
#[class(tool, init, internal, base = RefCounted)]
pub(crate) struct TendonListener {
    /// Absent after the extension was reloaded: the owner then makes a new listener.
    on_signal: Option<Rc<dyn Fn()>>,
    /// Called instead of `on_signal` by signals whose argument is a node.
    on_node: Option<fn(Gd<Node>)>,
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

    #[func(gd_self)]
    fn handle_node(this: Gd<Self>, node: Gd<Node>) {
        let on_node = this.bind().on_node;
        if let Some(on_node) = on_node {
            on_node(node);
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

    /// A listener that calls `on_node` with the node that a signal has as its argument.
    pub(super) fn for_nodes(on_node: fn(Gd<Node>)) -> Gd<Self> {
        let mut listener = Self::new_gd();
        listener.bind_mut().on_node = Some(on_node);
        listener
    }

    /// Connects to `signal` of `object`, unless it is connected already.
    pub(crate) fn listen<T: Inherits<Object>>(this: &Gd<Self>, object: &Gd<T>, signal: &str) {
        Self::connect(this, "handle_signal", object, signal);
    }

    /// Connects to `signal` of `object`, whose argument is a node, unless it is connected already.
    pub(super) fn listen_for_nodes<T: Inherits<Object>>(
        this: &Gd<Self>,
        object: &Gd<T>,
        signal: &str,
    ) {
        Self::connect(this, "handle_node", object, signal);
    }

    fn connect<T: Inherits<Object>>(this: &Gd<Self>, method: &str, object: &Gd<T>, signal: &str) {
        let method = Callable::from_object_method(this, method);
        let mut object = object.clone().upcast::<Object>();
        if !object.is_connected(signal, &method) {
            object.connect(signal, &method);
        }
    }
}

/// A signal of an object, which may have been freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignalSource {
    object: InstanceId,
    signal: &'static str,
}

impl SignalSource {
    pub(crate) fn new<T: Inherits<Object>>(object: &Gd<T>, signal: &'static str) -> Self {
        Self {
            object: object.instance_id(),
            signal,
        }
    }

    /// The object, unless it was freed or has left the tree: then it emits nothing that matters.
    fn object(self) -> Option<Gd<Object>> {
        departed::find(self.object)
    }
}

/// Connects `method` to each of `sources`, and disconnects it from those of `before` that are not
/// among them.
pub(crate) fn reconnect(method: &Callable, before: &[SignalSource], sources: &[SignalSource]) {
    let gone = before.iter().filter(|source| !sources.contains(source));
    for &source in gone {
        if let Some(mut object) = source.object()
            && object.is_connected(source.signal, method)
        {
            object.disconnect(source.signal, method);
        }
    }
    for &source in sources {
        if let Some(mut object) = source.object()
            && !object.is_connected(source.signal, method)
        {
            object.connect(source.signal, method);
        }
    }
}
