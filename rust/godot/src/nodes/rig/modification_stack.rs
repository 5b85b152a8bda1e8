//! The skeleton's own modification stack beside a rig: see [`crate::engine::modification_stack`].

use godot::prelude::*;

use super::TendonRig2D;
use crate::engine::modification_stack::{drop_overrides, is_at_work};
use crate::nodes::rig::skeleton::skeleton_of;
use crate::plan::Plan;
use crate::warnings::rig::BESIDE_STACK;

impl TendonRig2D {
    /// Drops the overrides of the engine's own stack, which would bring bones to wrong places.
    pub(super) fn drop_overrides(this: &Gd<Self>) {
        if let Some(skeleton) = skeleton_of(&this.clone().upcast()) {
            drop_overrides(&skeleton);
        }
    }

    /// In the editor, does not preview while the engine's own stack runs: a bone that both turn
    /// would be saved as the stack has turned it.
    pub(super) fn check_stack(this: &mut Gd<Self>) {
        let skeleton = skeleton_of(&this.clone().upcast());
        let is_beside = skeleton.is_some_and(|skeleton| is_at_work(&skeleton));
        let was_beside = std::mem::replace(&mut this.bind_mut().is_beside_stack, is_beside);
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
        if plan.skeleton.alive().is_some() && is_at_work(plan.skeleton.gd()) {
            Self::warn_once(this, |warned| &mut warned.beside_stack, BESIDE_STACK);
        }
    }
}
