//! Makes what the rig has solved keys of the bones, in the animation that is edited.

use std::f32::consts::TAU;

use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::inspector::driven_bone::DrivenBone;
use crate::notice::{counted, seconds};
use crate::posing::new_keys::NewKeys;
use crate::preview::{NOTHING_SOLVED, base_and_solved};
use crate::refusal::Refusal;
use crate::selection::Selection;

/// A bone that gets keys.
struct KeyedBone {
    base: BoneTransform,
    after: BoneTransform,
    properties: Vec<&'static str>,
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
        for property in &bone.properties {
            let value = bone.after.value_of(property);
            keys.add(&bone.after.bone, property, value, &mut action);
        }
    }
    let count = keys.count;
    let edited = keys.finish(selection, &mut action);
    action.when_undone(rig, "restore_pose", &[]);
    action.commit();
    edited.return_to_time();
    Ok(format!(
        "{} for the solved pose of {}, at {}.",
        counted(count, "key"),
        counted(solved.len(), "bone"),
        seconds(edited.time)
    ))
}

/// The bones that the rig turns, moves or scales, with what is keyed.
fn solved_bones(selection: &Selection, rig: &Gd<TendonRig2D>) -> Vec<KeyedBone> {
    let bones = selection.bones_or_all();
    let [base, after] = base_and_solved(rig, &bones);
    let pairs = base.into_iter().zip(&after);
    let solved = pairs.map(|(base, after)| KeyedBone::of(base, after));
    solved.filter(|it| !it.properties.is_empty()).collect()
}

impl KeyedBone {
    /// Returns the keys for the pose that the rig has made of `base`.
    fn of(base: BoneTransform, after: &BoneTransform) -> Self {
        let after = towards(&base, after);
        let turns = DrivenBone::of(&base.bone).is_some() || base.rotation != after.rotation;
        let changes = [
            ("rotation", turns),
            ("position", base.position != after.position),
            ("scale", base.scale != after.scale),
        ];
        let properties = changes.into_iter().filter(|(_, changes)| *changes);
        Self {
            properties: properties.map(|(property, _)| property).collect(),
            base,
            after,
        }
    }
}

/// Returns the pose that was solved of `base`: turned the shorter way from where the animation is.
pub(super) fn towards(base: &BoneTransform, after: &BoneTransform) -> BoneTransform {
    let turn = (after.rotation - base.rotation) / TAU;
    BoneTransform {
        rotation: base.rotation + (turn - turn.round()) * TAU,
        position: after.position,
        scale: after.scale,
        ..base.clone()
    }
}
