//! Reports what is wrong with the rig itself: as configuration warnings in the editor, and once for
//! each cause in the log of a game. The texts are in `warnings/rig.rs`.

use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::PhysicsBody2D;
use godot::prelude::*;

use super::TendonRig2D;
use crate::engine::threads::{is_in_thread_group, is_main_thread, with_ancestors};
use crate::nodes::rig::skeleton::misplacement;
use crate::warnings::log::warn;
use crate::warnings::rig::{
    BESIDE_STACK, CALLED_ELSEWHERE, MIRRORED_BODY, OFF_MAIN_THREAD, Warned,
};

impl TendonRig2D {
    /// The problems of the rig itself, with advice what to do.
    pub(super) fn advice(this: &Gd<Self>) -> Vec<&'static str> {
        let node = this.clone().upcast();
        let threaded = is_in_thread_group(&node).then_some(OFF_MAIN_THREAD);
        let is_beside = Self::shared(this).is_beside_stack.get();
        let beside_stack = is_beside.then_some(BESIDE_STACK);
        let advice = misplacement(&node).into_iter().chain(threaded);
        let mirrored = is_below_mirrored_body(&node).then_some(MIRRORED_BODY);
        advice.chain(beside_stack).chain(mirrored).collect()
    }

    /// Warns of a problem of the rig itself, once for each cause.
    pub(super) fn warn_once(this: &Gd<Self>, cause: fn(&mut Warned) -> &mut bool, advice: &str) {
        if !this.is_instance_valid() {
            return;
        }
        let rig = Self::shared(this);
        let is_printed = std::mem::replace(cause(&mut rig.warned.borrow_mut()), true);
        if !is_printed {
            warn(&this.clone().upcast(), advice);
        }
    }

    /// Returns `true` if nothing can be done on this thread, and warns of that once.
    pub(in crate::nodes) fn is_refused(this: &Gd<Self>) -> bool {
        static TOLD: AtomicBool = AtomicBool::new(false);
        let is_refused = !is_main_thread();
        if is_refused && !TOLD.swap(true, Ordering::Relaxed) {
            warn(&this.clone().upcast(), CALLED_ELSEWHERE);
        }
        is_refused
    }
}

/// Returns `true` if a physics body above the skeleton of `rig` is mirrored by its own scale. Static ones do not move.
fn is_below_mirrored_body(rig: &Gd<Node>) -> bool {
    let bodies = with_ancestors(rig).filter_map(|node| node.try_cast::<PhysicsBody2D>().ok());
    let mut bodies = bodies.filter(|body| !body.is_class("StaticBody2D"));
    bodies.any(|body| body.get_transform().determinant() < 0.0)
}
