//! The skeleton that a rig acts on, the rig of a skeleton, whether the rig is in the right place, and the
//! skeleton's own modification stack beside it: see [`crate::engine::modification_stack`].

use godot::classes::Skeleton2D;
use godot::prelude::*;

use super::TendonRig2D;
use crate::engine::children::children;
use crate::engine::modification_stack::{drop_overrides, is_at_work};
use crate::plan::Plan;
use crate::warnings::rig::{BESIDE_STACK, SECOND_RIG, WITHOUT_SKELETON};

/// The skeleton that a rig acts on: its parent.
pub(super) fn skeleton_of(rig: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    rig.get_parent()?.try_cast::<Skeleton2D>().ok()
}

/// The rig of `skeleton`, if it has one: the first.
pub fn rig_of(skeleton: &Gd<Skeleton2D>) -> Option<Gd<TendonRig2D>> {
    children(skeleton).next()
}

/// Has the rig of `skeleton`, if there is one, restore the base pose.
pub fn restore_base_pose(skeleton: &Gd<Skeleton2D>) {
    if let Some(rig) = rig_of(skeleton) {
        TendonRig2D::restore_pose(rig);
    }
}

/// The problem with the rig's place in the tree, with advice what to do.
pub fn misplacement(rig: &Gd<Node>) -> Option<&'static str> {
    let Some(skeleton) = skeleton_of(rig) else {
        return Some(WITHOUT_SKELETON);
    };
    let first = rig_of(&skeleton);
    let is_first = first.is_none_or(|first| first.instance_id() == rig.instance_id());
    (!is_first).then_some(SECOND_RIG)
}

impl TendonRig2D {
    /// Drops the overrides of the engine's own stack, which would bring bones to wrong places.
    pub(super) fn drop_overrides(this: &Gd<Self>) {
        if let Some(skeleton) = skeleton_of(&this.clone().upcast()) {
            drop_overrides(&skeleton);
        }
    }

    /// In the editor, does not preview while the engine's own stack runs: a bone that both turn
    /// would be saved as the stack has turned it.
    pub(super) fn check_stack(this: &Gd<Self>) {
        let skeleton = skeleton_of(&this.clone().upcast());
        let is_beside = skeleton.is_some_and(|skeleton| is_at_work(&skeleton));
        let rig = Self::shared(this);
        let was_beside = rig.is_beside_stack.replace(is_beside);
        if is_beside && !was_beside {
            Self::restore_and_idle(this.clone());
        }
        if was_beside != is_beside {
            this.clone()
                .upcast::<Node>()
                .update_configuration_warnings();
        }
    }

    /// Warns once of the engine's own stack, which turns the bones of `plan`, too.
    pub(super) fn warn_of_stack(this: &Gd<Self>, plan: &Plan) {
        if plan.skeleton.alive().is_some_and(is_at_work) {
            Self::warn_once(this, |warned| &mut warned.beside_stack, BESIDE_STACK);
        }
    }
}
