//! What is around a rig: the skeleton, the engine's own stack, and thread groups.

use std::rc::Rc;
use std::sync::atomic::Ordering;

use godot::classes::Skeleton2D;
use godot::prelude::*;

use super::TendonRig2D;
use crate::engine::listener::TendonListener;
use crate::engine::old_stack::{drop_overrides, is_at_work};
use crate::engine::threads::{is_in_thread_group, with_ancestors};
use crate::nodes::rig::warnings::{BESIDE_STACK, OFF_MAIN_THREAD};
use crate::plan::limit::check_limits_below;

impl TendonRig2D {
    /// Listens for changes of the skeleton's bones.
    pub(super) fn listen(this: &mut Gd<Self>) {
        let stale = Rc::clone(&this.bind().stale);
        let rig = this.instance_id();
        let on_bones = TendonListener::new(move || {
            stale.set(true);
            if let Ok(rig) = Gd::try_from_instance_id(rig) {
                Self::drop_overrides(&rig);
            }
        });
        let node = this.clone().upcast();
        if let Some(skeleton) = skeleton_of(&node) {
            TendonListener::listen(&on_bones, &skeleton, "bone_setup_changed");
        }
        this.bind_mut().listeners = vec![on_bones];
        if this.bind().in_editor {
            Self::listen_to_groups(this);
        }
    }

    /// Has the editor check the warnings whenever a thread group above has changed.
    fn listen_to_groups(this: &mut Gd<Self>) {
        let rig = this.instance_id();
        let on_groups = TendonListener::new(move || {
            if let Ok(rig) = Gd::<Self>::try_from_instance_id(rig) {
                rig.upcast::<Node>().update_configuration_warnings();
            }
        });
        for node in with_ancestors(&this.clone().upcast()) {
            TendonListener::listen(&on_groups, &node, "property_list_changed");
        }
        this.bind_mut().listeners.push(on_groups);
    }

    /// Keeps the engine's own stack from throwing bones: see [`crate::engine::old_stack`].
    pub(crate) fn drop_overrides(this: &Gd<Self>) {
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

    /// Warns a running game of a rig that the engine will process on another thread.
    pub(super) fn check_thread(this: &Gd<Self>) {
        if !this.bind().in_editor && is_in_thread_group(&this.clone().upcast()) {
            Self::warn_once(this, |warned| &mut warned.on_other_thread, OFF_MAIN_THREAD);
        }
    }

    /// The engine has called the rig on another thread, where it does nothing.
    pub(super) fn stay_out_of_group(this: &Gd<Self>) {
        let in_editor = {
            let rig = this.bind();
            rig.on_other_thread.store(true, Ordering::Relaxed);
            rig.in_editor
        };
        if !in_editor {
            Self::warn_once(this, |warned| &mut warned.on_other_thread, OFF_MAIN_THREAD);
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
        return Some("Make this node a child of the Skeleton2D whose bones it should move.");
    };
    let first = rig_of(&skeleton);
    let is_first = first.is_none_or(|first| first.instance_id() == rig.instance_id());
    (!is_first).then_some(
        "This Skeleton2D already has a TendonRig2D, and only the first one runs. Move the \
         modifiers below that one and remove this node.",
    )
}
