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

/// Takes over what a pass came to, and has signals emitted after it.
pub(super) fn publish(shared: &Exchange, ragdoll: &Ragdoll, limbs: &Limbs, query: &Query) {
    let phase = ragdoll.memory.last().phase;
    let before = shared.phase.replace(phase);
    let outlook = &ragdoll.outlook;
    let is_simulated = matches!(phase, RagdollPhase::Falling | RagdollPhase::Lying);
    if is_simulated {
        shared.roots.set(Some([outlook.root, outlook.posed_root]));
        let faces_down = outlook.front.dot(shared.down.get()) > 0.0;
        shared.facing.set(if faces_down {
            Facing::Belly
        } else {
            Facing::Back
        });
    } else {
        shared.roots.set(None);
    }
    let Some(node) = query.node() else { return };
    let mut node = node.clone();
    let is_hit = |touch: &&Touch| touch.hit_speed.is_some_and(|speed| speed > LEAST_HIT);
    for touch in outlook.touches.iter().filter(is_hit) {
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
    let signal = match (before, phase) {
        (RagdollPhase::Falling, RagdollPhase::Lying) => "settled",
        (RagdollPhase::Rising, RagdollPhase::Posed) => "recovered",
        _ => return,
    };
    node.call_deferred("emit_signal", &[signal.to_variant()]);
}
