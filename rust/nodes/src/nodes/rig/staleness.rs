//! The changes that a rig is notified of: they make its plan stale. What the engine does not report
//! is polled.

use godot::prelude::*;

use super::TendonRig2D;
use super::shared::{SharedRig, in_tree};
use crate::base_pose::tracked_bone::TrackedBone;
use crate::engine::departed::find;
use crate::engine::frame_watch::FrameWatch;
use crate::engine::listener::{SignalSource, reconnect};
use crate::engine::modification_stack::stack_of;
use crate::engine::threads::is_main_thread;
use crate::engine::tree_watch::TreeWatch;
use crate::nodes::rig::skeleton::skeleton_of;
use crate::plan::planner::Dependencies;

/// The skeleton's signal, and the rig's method that it calls.
const BONES_CHANGED: &str = "bone_setup_changed";
const ON_BONES: &str = "_on_bone_setup_changed";

/// The rig's method that the signals of a plan call.
const ON_PLAN: &str = "_on_plan_outdated";

impl TendonRig2D {
    /// Connects to the skeleton if its bones count in any case, and has the rig checked now and
    /// then for changes that the engine does not report.
    pub(super) fn start_listening(this: &Gd<Self>) {
        Self::connect_to_skeleton(this, false);
        let rig = Self::shared(this);
        if rig.tree_watch.borrow().is_none() && is_main_thread() {
            let watch = TreeWatch::of(&this.clone().upcast(), Self::on_tree_changed);
            rig.tree_watch.replace(Some(watch));
        }
        Self::start_or_end_polls(this);
    }

    /// Has the rig polled while it runs passes: one that is off costs nothing.
    pub(super) fn start_or_end_polls(this: &Gd<Self>) {
        let rig = Self::shared(this);
        let may_run = rig.in_tree.get() && (rig.active.get() || rig.in_editor);
        let is_polled = rig.frame_watch.borrow().is_some();
        if may_run && !is_polled && is_main_thread() {
            let node = this.clone();
            let watch = FrameWatch::add(&this.clone().upcast(), move || Self::poll(&node));
            rig.frame_watch.replace(Some(watch));
        } else if !may_run && let Some(watch) = rig.frame_watch.take() {
            watch.remove(this.instance_id());
        }
    }

    /// Listens no longer.
    pub(super) fn stop_listening(this: &Gd<Self>) {
        let rig = Self::shared(this);
        Self::start_or_end_polls(this);
        Self::depend_on(this, Dependencies::default());
        if let Some(skeleton) = skeleton_of(&this.clone().upcast()) {
            let method = Callable::from_object_method(this, ON_BONES);
            reconnect(&method, &[SignalSource::new(&skeleton, BONES_CHANGED)], &[]);
        }
        Self::listen_to_visibility(this, false);
        rig.is_connected_to_skeleton.set(false);
        rig.tree_watch.take();
    }

    /// The method that the signals of a plan call.
    pub(super) fn plan_method(this: &Gd<Self>) -> Callable {
        Callable::from_object_method(this, ON_PLAN)
    }

    /// Notices changes of `dependencies`, which make the plan stale, and of nothing else.
    pub(super) fn depend_on(this: &Gd<Self>, dependencies: Dependencies) {
        let rig = Self::shared(this);
        let before = rig.dependencies.take();
        rig.dependencies.borrow_mut().senses = before.senses;
        let method = Self::plan_method(this);
        reconnect(&method, &before.signals, &dependencies.signals);
        let id = this.instance_id();
        if let Some(watch) = &*rig.tree_watch.borrow() {
            watch.remove(&before.nodes, id);
            watch.add(&dependencies.nodes, id);
        }
        Self::connect_to_skeleton(this, dependencies.reads_rest);
        let senses = dependencies.senses;
        rig.dependencies.replace(dependencies);
        if before.senses != senses {
            rig.apply_callback_mode(&mut this.clone().upcast::<Node>());
        }
    }

    /// Listens to the skeleton's bones, if `reads_rest` or otherwise needed. The signal tells of
    /// rest poses. The editor shows these, and the engine's own stack needs to be watched closely:
    /// see [`crate::engine::modification_stack`]. [`TreeWatch`] notices bones that come or go.
    fn connect_to_skeleton(this: &Gd<Self>, reads_rest: bool) {
        let rig = Self::shared(this);
        if rig.is_connected_to_skeleton.get() {
            return;
        }
        let Some(skeleton) = skeleton_of(&this.clone().upcast()) else {
            return;
        };
        if reads_rest || rig.in_editor || stack_of(&skeleton).is_some() {
            let method = Callable::from_object_method(this, ON_BONES);
            reconnect(&method, &[], &[SignalSource::new(&skeleton, BONES_CHANGED)]);
            rig.is_connected_to_skeleton.set(true);
        }
    }

    /// A node that the plan of the rig with this ID depends on has entered or left the tree.
    fn on_tree_changed(rig: InstanceId) {
        if let Some(rig) = find::<Self>(rig) {
            Self::shared(&rig).stale.set(true);
        }
    }

    /// Checks what the engine does not report to a rig in the tree: whether a bone was made top-level, and in turn its
    /// thread, and whether the skeleton was given a stack.
    fn poll(this: &Gd<Self>) {
        let Some(rig) = in_tree(this.instance_id_unchecked()) else {
            return;
        };
        Self::check_bones(&rig);
        Self::wake_if_visible(this);
        if rig.has_checked_thread.replace(false) && !rig.on_other_thread.get() {
            Self::connect_to_skeleton(this, false);
        } else {
            rig.has_checked_thread.set(true);
            Self::check_thread(this);
        }
    }

    /// Checks all of it, of a rig that was off.
    pub(super) fn catch_up(this: &Gd<Self>) {
        (0..2).for_each(|_| Self::poll(this));
    }

    /// Makes the plan again if a bone has become top-level, or no longer is.
    fn check_bones(rig: &SharedRig) {
        let plan = rig.plan.borrow();
        let mut bones = plan.iter().flat_map(|plan| plan.bones.iter());
        if bones.any(TrackedBone::has_changed_level) {
            rig.stale.set(true);
        }
    }
}

#[godot_api(secondary)]
impl TendonRig2D {
    #[func(gd_self, rename = _on_bone_setup_changed)]
    fn on_bone_setup_changed(this: Gd<Self>) {
        Self::shared(&this).stale.set(true);
        Self::drop_overrides(&this);
    }

    #[func(gd_self, rename = _on_plan_outdated)]
    fn on_plan_outdated(this: Gd<Self>) {
        Self::shared(&this).stale.set(true);
    }
}
