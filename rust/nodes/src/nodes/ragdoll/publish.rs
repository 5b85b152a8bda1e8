//! What a pass came to: for scripts, and as signals.

use godot::prelude::*;
use tendon_solver::{Ragdoll, RagdollPhase, Touch};

use super::facing::Facing;
use super::limbs::Limbs;
use super::query::Query;
use super::shared::Exchange;
use crate::engine::space::to_godot;

/// Hits slower than that are not told of, in pixels per second.
const LEAST_HIT: f32 = 30.0;

/// Takes over what a pass came to, and has signals emitted after it. A state that was restored emits none.
pub(super) fn publish(shared: &Exchange, ragdoll: &Ragdoll, limbs: &Limbs, query: &Query) {
    let memory = ragdoll.memory.last();
    let phase = memory.phase;
    let before = shared.phase.replace(phase);
    shared.whereabouts.set(memory.whereabouts);
    query.join(&ragdoll.limbs);
    let bone_of = |link: usize| limbs.bone(link).map(|bone| bone.instance_id());
    let broken = memory.broken.iter();
    *shared.broken.borrow_mut() = broken.filter_map(|&link| bone_of(link as usize)).collect();
    if shared.simulated().is_some() {
        let faces_down = memory.whereabouts.front.dot(shared.down.get()) > 0.0;
        shared.facing.set(if faces_down {
            Facing::Belly
        } else {
            Facing::Back
        });
    }
    if !query.take_solved() {
        return;
    }
    query.push_back(&ragdoll.touches);
    shared.take_pushes(ragdoll.pushes.len() + ragdoll.breaks.len());
    let Some(node) = query.node() else { return };
    let mut node = node.clone();
    let is_hit = |touch: &&Touch| touch.hit_speed.is_some_and(|speed| speed > LEAST_HIT);
    for touch in ragdoll.touches.iter().filter(is_hit) {
        let ends = limbs.bone(touch.link).zip(query.collider(touch.body));
        if let Some((bone, collider)) = ends {
            let impulse = to_godot(touch.impulse);
            let arguments = [
                "hit".to_variant(),
                bone.to_variant(),
                impulse.to_variant(),
                collider.to_variant(),
            ];
            node.call_deferred("emit_signal", &arguments);
        }
    }
    for bone in ragdoll.broke.iter().filter_map(|&link| limbs.bone(link)) {
        let arguments = ["joint_broken".to_variant(), bone.to_variant()];
        node.call_deferred("emit_signal", &arguments);
    }
    let signal = match (before, phase) {
        (RagdollPhase::Falling, RagdollPhase::Lying) => "settled",
        (RagdollPhase::Posed, RagdollPhase::Posed) => return,
        (_, RagdollPhase::Posed) => "recovered",
        _ => return,
    };
    node.call_deferred("emit_signal", &[signal.to_variant()]);
}
