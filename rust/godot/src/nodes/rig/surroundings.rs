//! What is around a rig: the skeleton, the engine's own stack, and thread groups.

use godot::classes::Skeleton2D;
use godot::prelude::*;

use super::TendonRig2D;
use crate::base_pose::tracked_bone::TrackedBone;
use crate::engine::frame_watch::FrameWatch;
use crate::engine::listener::reconnect;
use crate::engine::old_stack::{drop_overrides, is_at_work, stack_of};
use crate::engine::threads::is_in_thread_group;
use crate::engine::threads::is_main_thread;
use crate::engine::tree_watch::TreeWatch;
use crate::nodes::rig::warnings::{BESIDE_STACK, OFF_MAIN_THREAD, SECOND_RIG, WITHOUT_SKELETON};
use crate::plan::limit::check_limits_below;
use crate::plan::planner::Dependencies;

/// The skeleton's signal, and the rig's method that it calls.
const BONES_CHANGED: &str = "bone_setup_changed";
const ON_BONES: &str = "_on_bone_setup_changed";

/// The rig's method that the signals of a plan call.
const ON_PLAN: &str = "_on_plan_outdated";

impl TendonRig2D {
    /// Connects to the skeleton if its bones count in any case, and has the rig checked now and then
    /// for changes that the engine does not report.
    pub(super) fn listen(this: &mut Gd<Self>) {
        Self::hear_bones(this, false);
        let is_watched = this.bind().frame_watch.is_some();
        if !is_watched && is_main_thread() {
            let watch = FrameWatch::add(&this.clone().upcast(), Self::look_around);
            this.bind_mut().frame_watch = Some(watch);
        }
    }

    /// Listens no longer.
    pub(super) fn stop_listening(this: &mut Gd<Self>) {
        let watch = this.bind_mut().frame_watch.take();
        if let Some(watch) = watch {
            watch.remove(this.instance_id());
        }
        Self::depend_on(this, Dependencies::default());
        if let Some(mut skeleton) = skeleton_of(&this.clone().upcast()) {
            let method = Callable::from_object_method(this, ON_BONES);
            if skeleton.is_connected(BONES_CHANGED, &method) {
                skeleton.disconnect(BONES_CHANGED, &method);
            }
        }
        this.bind_mut().hears_bones = false;
    }

    /// Notices changes of `dependencies`, which make the plan stale, and of nothing else.
    pub(super) fn depend_on(this: &mut Gd<Self>, dependencies: Dependencies) {
        let before = std::mem::take(&mut this.bind_mut().dependencies);
        let method = Callable::from_object_method(this, ON_PLAN);
        reconnect(&method, &before.signals, &dependencies.signals);
        let id = this.instance_id();
        let watch = this.bind_mut().tree_watch.take();
        if let Some(watch) = &watch {
            watch.remove(&before.nodes, id);
        }
        if !dependencies.nodes.is_empty() {
            let node = this.clone().upcast();
            let watch = watch.unwrap_or_else(|| TreeWatch::of(&node, Self::on_tree_changed));
            watch.add(&dependencies.nodes, id);
            this.bind_mut().tree_watch = Some(watch);
        }
        Self::hear_bones(this, dependencies.reads_rest);
        this.bind_mut().dependencies = dependencies;
    }

    /// Listens to the skeleton's bones, if `reads_rest` or otherwise needed. The signal tells of rest
    /// poses. The editor shows these, and the engine's own stack needs to be watched closely:
    /// see [`crate::engine::old_stack`]. [`TreeWatch`] notices bones that come or go.
    fn hear_bones(this: &mut Gd<Self>, reads_rest: bool) {
        let (hears, in_editor) = (this.bind().hears_bones, this.bind().in_editor);
        if hears {
            return;
        }
        let Some(mut skeleton) = skeleton_of(&this.clone().upcast()) else {
            return;
        };
        if reads_rest || in_editor || stack_of(&skeleton).is_some() {
            let method = Callable::from_object_method(this, ON_BONES);
            if !skeleton.is_connected(BONES_CHANGED, &method) {
                skeleton.connect(BONES_CHANGED, &method);
            }
            this.bind_mut().hears_bones = true;
        }
    }

    /// A node that the plan of the rig with this ID depends on has entered or left the tree.
    fn on_tree_changed(rig: InstanceId) {
        if let Ok(rig) = Gd::<Self>::try_from_instance_id(rig) {
            rig.bind().plan_again();
        }
    }

    /// Checks what the engine does not report to the rig with this ID: its thread, whether the skeleton was
    /// given a stack, and whether a bone was made top-level.
    fn look_around(rig: InstanceId) {
        if let Ok(mut rig) = Gd::<Self>::try_from_instance_id(rig) {
            Self::hear_bones(&mut rig, false);
            rig.bind().check_bones();
            Self::check_thread(rig);
        }
    }

    /// Keeps the engine's own stack from throwing bones: see [`crate::engine::old_stack`].
    pub(super) fn drop_overrides(this: &Gd<Self>) {
        if let Some(skeleton) = skeleton_of(&this.clone().upcast()) {
            drop_overrides(&skeleton);
        }
    }

    /// Has the editor check the warnings of the skeleton's joint limits, which need a rig.
    pub(super) fn check_limits(this: &Gd<Self>) {
        let skeleton = skeleton_of(&this.clone().upcast());
        if let Some(skeleton) = skeleton.filter(|_| this.bind().in_editor) {
            check_limits_below(&skeleton.upcast());
        }
    }

    /// In the editor, does not preview while the engine's own stack runs: a bone that both turn
    /// would be saved as the stack has turned it.
    pub(super) fn check_stack(this: &mut Gd<Self>) {
        let skeleton = skeleton_of(&this.clone().upcast());
        let is_beside = skeleton.is_some_and(|skeleton| is_at_work(&skeleton));
        let was_beside = std::mem::replace(&mut this.bind_mut().is_beside_stack, is_beside);
        if is_beside && !was_beside {
            Self::pause(this.clone());
        }
        if was_beside != is_beside {
            this.clone()
                .upcast::<Node>()
                .update_configuration_warnings();
        }
    }

    /// Makes the plan again if a bone has become top-level, or no longer is.
    fn check_bones(&self) {
        let plan = self.plan.as_ref();
        if plan.is_some_and(|plan| plan.bones.iter().any(TrackedBone::has_changed_level)) {
            self.plan_again();
        }
    }

    /// Stops processing while the engine would do it on another thread, and resumes afterwards.
    pub(super) fn check_thread(mut this: Gd<Self>) {
        let elsewhere = is_in_thread_group(&this.clone().upcast());
        if this.bind().on_other_thread == elsewhere {
            return;
        }
        let in_editor = {
            let mut rig = this.bind_mut();
            rig.on_other_thread = elsewhere;
            rig.apply_callback_mode();
            rig.in_editor
        };
        if in_editor {
            this.upcast::<Node>().update_configuration_warnings();
        } else if elsewhere {
            Self::warn_once(&this, |warned| &mut warned.on_other_thread, OFF_MAIN_THREAD);
        }
    }

    /// What is wrong around the rig, with advice what to do.
    pub(super) fn advice(this: &Gd<Self>) -> Vec<&'static str> {
        let node = this.clone().upcast();
        let threaded = is_in_thread_group(&node).then_some(OFF_MAIN_THREAD);
        let beside_stack = this.bind().is_beside_stack.then_some(BESIDE_STACK);
        let advice = misplacement(&node).into_iter().chain(threaded);
        advice.chain(beside_stack).collect()
    }
}

/// The skeleton that a rig acts on: its parent.
pub(super) fn skeleton_of(rig: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    rig.get_parent()?.try_cast::<Skeleton2D>().ok()
}

/// The rig of `skeleton`, if it has one: the first.
pub(crate) fn rig_of(skeleton: &Gd<Skeleton2D>) -> Option<Gd<TendonRig2D>> {
    let children = skeleton.get_children();
    let mut children = (0..children.len()).filter_map(|index| children.get(index));
    children.find_map(|child| child.try_cast::<TendonRig2D>().ok())
}

/// What is wrong with the rig's place in the tree, with advice what to do.
pub(crate) fn misplacement(rig: &Gd<Node>) -> Option<&'static str> {
    let Some(skeleton) = skeleton_of(rig) else {
        return Some(WITHOUT_SKELETON);
    };
    let first = rig_of(&skeleton);
    let is_first = first.is_none_or(|first| first.instance_id() == rig.instance_id());
    (!is_first).then_some(SECOND_RIG)
}
