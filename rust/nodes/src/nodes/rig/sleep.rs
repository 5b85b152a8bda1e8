//! A rig whose skeleton is not visible, and that is not to run then: the engine calls it in no frame, so that
//! it costs nothing, until the skeleton's visibility changes.

use godot::prelude::*;

use super::TendonRig2D;
use super::shared::SharedRig;
use crate::engine::listener::{SignalSource, reconnect};
use crate::nodes::rig::skeleton::skeleton_of;

/// The skeleton's signal, and the rig's method that it calls.
const VISIBILITY_CHANGED: &str = "visibility_changed";
const ON_VISIBILITY: &str = "_on_visibility_changed";

impl TendonRig2D {
    /// Runs in no frame until [`wake`](Self::wake).
    pub(super) fn fall_asleep(this: Gd<Self>) {
        let rig = Self::shared(&this);
        rig.is_asleep.set(true);
        Self::listen_to_visibility(&this, true);
        rig.apply_callback_mode(&mut this.clone().upcast::<Node>());
        Self::pause(&rig);
    }

    /// Runs again. What swings does so as if for the first time, what lies somewhere lies there.
    pub(super) fn wake(this: &Gd<Self>) {
        let rig = Self::shared(this);
        if rig.is_asleep.replace(false) {
            Self::listen_to_visibility(this, false);
            rig.apply_callback_mode(&mut this.clone().upcast::<Node>());
            Self::pause(&rig);
        }
    }

    /// Wakes if the skeleton is visible although no signal has told of that: a script may have blocked it.
    pub(super) fn wake_if_visible(this: &Gd<Self>) {
        let rig = Self::shared(this);
        if rig.is_asleep.get() && !rig.is_unseen() {
            Self::wake(this);
        }
    }

    pub(super) fn listen_to_visibility(this: &Gd<Self>, listens: bool) {
        if let Some(skeleton) = skeleton_of(&this.clone().upcast()) {
            let method = Callable::from_object_method(this, ON_VISIBILITY);
            let source = [SignalSource::new(&skeleton, VISIBILITY_CHANGED)];
            match listens {
                true => reconnect(&method, &[], &source),
                false => reconnect(&method, &source, &[]),
            }
        }
    }
}

#[godot_api(secondary)]
impl TendonRig2D {
    #[func(gd_self, rename = _on_visibility_changed)]
    fn on_visibility_changed(this: Gd<Self>) {
        Self::wake(&this);
    }
}

impl SharedRig {
    /// Returns `true` if the rig is not to run because the skeleton is not visible.
    pub(super) fn is_unseen(&self) -> bool {
        match &*self.plan.borrow() {
            Some(plan) if self.skip_when_invisible.get() && !self.in_editor => {
                plan.skeleton.is_visible_in_tree() == Some(false)
            }
            _ => false,
        }
    }
}
