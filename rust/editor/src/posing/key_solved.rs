//! Makes what the rig has solved the base pose, or keys of the bones in the animation that is edited.

use std::f32::consts::TAU;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::bake::reset as reset_keys;
use crate::inspector::driven_bone::DrivenBone;
use crate::notice::counted;
use crate::posing::new_keys::NewKeys;
use crate::preview::{NOTHING_SOLVED, base_and_solved};
use crate::refusal::Refusal;
use crate::selection::Selection;

/// A bone that gets keys.
struct KeyedBone {
    base: NodePose,
    after: NodePose,
    keys: Vec<(&'static str, Variant)>,
}

/// Inserts keys for the solved pose of the selected bones, or of all that the rig turns, at the time that the
/// animation editor shows. Returns what to tell the user.
///
/// # Errors
/// Why that is not possible, with advice what to do.
pub(crate) fn key_solved(
    selection: &Selection,
    rig: &Gd<TendonRig2D>,
    title: &str,
) -> Result<String, Refusal> {
    let scene = &selection.scene;
    let mut keys = NewKeys::of_editor(scene)?;
    let solved = solved_bones(selection, rig);
    if solved.is_empty() {
        return Err(NOTHING_SOLVED.into());
    }
    let mut action = Action::begin(title, scene)?;
    // The bones get the pose, too: the animation is not played again until another time is chosen.
    action.when_done(rig, "restore_pose", &[]);
    for bone in &solved {
        action.pose(&bone.base, &bone.after);
        for (property, value) in &bone.keys {
            keys.add(&bone.after.node, property, value.clone(), &mut action);
        }
    }
    let [keys, time] = keys.commit(selection, Some(rig), action);
    let bones = counted(solved.len(), "bone");
    Ok(format!("{keys} for the solved pose of {bones}, at {time}."))
}

/// The bones that the rig turns, moves or scales, with what is keyed.
fn solved_bones(selection: &Selection, rig: &Gd<TendonRig2D>) -> Vec<KeyedBone> {
    let bones = selection.bones_or_all();
    let [base, after] = base_and_solved(rig, &bones);
    let poses = bones.iter().zip(base).zip(&after);
    let solved = poses.map(|((bone, base), after)| KeyedBone::of(bone, base, after));
    solved.filter(|it| !it.keys.is_empty()).collect()
}

impl KeyedBone {
    /// Returns the keys for the pose that the rig has made of `base`.
    fn of(bone: &Gd<Bone2D>, base: NodePose, after: &NodePose) -> Self {
        let after = towards(&base, after);
        let turns = DrivenBone::of(bone).is_some() || base.rotation != after.rotation;
        let (moves, scales) = (base.position != after.position, base.scale != after.scale);
        let keys = [
            turns.then(|| ("rotation", after.rotation.to_variant())),
            moves.then(|| ("position", after.position.to_variant())),
            scales.then(|| ("scale", after.scale.to_variant())),
        ];
        Self {
            keys: keys.into_iter().flatten().collect(),
            base,
            after,
        }
    }
}

/// Returns the pose that was solved of `base`: turned the shorter way from where the animation is.
pub(super) fn towards(base: &NodePose, after: &NodePose) -> NodePose {
    let turn = (after.rotation - base.rotation) / TAU;
    NodePose {
        rotation: base.rotation + (turn - turn.round()) * TAU,
        position: after.position,
        scale: after.scale,
        ..base.clone()
    }
}

/// Makes what the rig has solved the base pose, also in animations to which the editor goes back
/// when it saves. Returns what to tell the user.
///
/// # Errors
/// Why there is nothing to apply, in words.
pub(crate) fn apply(
    selection: &Selection,
    rig: &Gd<TendonRig2D>,
    title: &str,
) -> Result<String, Refusal> {
    let bones = bones_of(&selection.skeleton);
    let [base, solved] = base_and_solved(rig, &bones);
    let changed = base.iter().zip(&solved);
    let changed = changed.filter(|(base, solved)| {
        base.rotation != solved.rotation || base.position != solved.position
    });
    // Scale and skew, too: saving rewrites them, depending on the rotation.
    let changed = changed.map(|(base, solved)| NodePose {
        rotation: solved.rotation,
        position: solved.position,
        ..base.clone()
    });
    let after: Vec<_> = changed.collect();
    if after.is_empty() {
        return Err(NOTHING_SOLVED.into());
    }
    let mut action = Action::begin(title, &selection.scene)?;
    action.when_done(rig, "restore_pose", &[]);
    for after in &after {
        action.pose(&NodePose::of(&after.node), after);
    }
    let told = reset_keys::update(&selection.scene, &after, &mut action);
    action.when_undone(rig, "restore_pose", &[]);
    action.commit();
    Ok(format!("The solved pose is the base pose now{told}."))
}
