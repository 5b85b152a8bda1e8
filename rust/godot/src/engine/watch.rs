//! Hears of changes under a plan, and of thread groups above a rig.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::Skeleton2D;
use godot::prelude::*;

use crate::nodes::rig::TendonRig2D;

/// Marks the plan stale, or has the rig mind its thread, when a signal tells of a change. Freed, it
/// no longer listens.
///
/// An object with a method, and not a closure, since the extension cannot be unloaded under a
/// closure that is connected: gdext would disconnect it then, and warn of that.
#[derive(GodotClass)]
#[class(tool, init, internal, base = RefCounted)]
pub(crate) struct TendonWatch {
    stale: Rc<Cell<bool>>,
    /// Who minds thread groups and the skeleton's bones.
    rig: Option<InstanceId>,
    base: Base<RefCounted>,
}

#[godot_api]
impl TendonWatch {
    #[func]
    fn note(&self) {
        self.stale.set(true);
    }

    /// The skeleton's list of bones has changed.
    #[func(gd_self)]
    fn note_bones(this: Gd<Self>) {
        let rig = {
            let watch = this.bind();
            watch.stale.set(true);
            watch.rig.map(Gd::try_from_instance_id)
        };
        if let Some(Ok(rig)) = rig {
            TendonRig2D::drop_overrides(&rig);
        }
    }

    #[func(gd_self)]
    fn mind_thread(this: Gd<Self>) {
        let rig = this.bind().rig.map(Gd::try_from_instance_id);
        if let Some(Ok(rig)) = rig {
            TendonRig2D::mind_thread(rig);
        }
    }
}

impl TendonWatch {
    /// One that sets `stale`.
    pub(crate) fn new(stale: &Rc<Cell<bool>>) -> Gd<Self> {
        let watch = Self::new_gd();
        watch.clone().bind_mut().stale = Rc::clone(stale);
        watch
    }

    /// Marks the plan stale whenever `node` emits `signal`.
    pub(crate) fn listen<T: Inherits<Object>>(this: &Gd<Self>, node: &Gd<T>, signal: &str) {
        let note = Callable::from_object_method(this, "note");
        let mut node = node.clone().upcast::<Object>();
        if !node.is_connected(signal, &note) {
            node.connect(signal, &note);
        }
    }

    /// Has `rig` plan anew, and mind what the engine does to the bones, when `skeleton` has other
    /// ones.
    pub(crate) fn listen_for_bones(
        this: &Gd<Self>,
        rig: &Gd<TendonRig2D>,
        skeleton: &mut Gd<Skeleton2D>,
    ) {
        this.clone().bind_mut().rig = Some(rig.instance_id());
        let note = Callable::from_object_method(this, "note_bones");
        skeleton.connect("bone_setup_changed", &note);
    }

    /// Has `rig` mind its thread whenever one of `nodes` may have joined another thread group.
    pub(crate) fn listen_for_groups(
        this: &Gd<Self>,
        rig: &Gd<TendonRig2D>,
        nodes: impl Iterator<Item = Gd<Node>>,
    ) {
        this.clone().bind_mut().rig = Some(rig.instance_id());
        let mind = Callable::from_object_method(this, "mind_thread");
        for mut node in nodes {
            node.connect("property_list_changed", &mind);
        }
    }
}
