//! Base poses for copies of a rig, for copies of single bones, and for the rig itself when the
//! extension is reloaded.
//!
//! A copy of a running character gets the solved poses of its bones. The rig therefore has a
//! hidden property that holds the base poses. A copy of the rig gets it, and so does the rig itself
//! when the extension is reloaded. The property exists only while bones hold solved poses: the
//! editor saves a scene without it.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};

use crate::base_pose::bone_pose::BonePose;
use crate::base_pose::tracked_bones::TrackedBones;
use crate::engine::skeleton::bones_of;

/// The name of the hidden property.
pub(crate) const BASE_POSES: &str = "_base_poses";

/// The hidden property, as the engine lists it.
pub(crate) fn base_poses_property() -> PropertyInfo {
    PropertyInfo {
        usage: PropertyUsageFlags::STORAGE | PropertyUsageFlags::INTERNAL,
        ..PropertyInfo::new_var::<VarDictionary>(BASE_POSES)
    }
}

/// The value of the hidden property. For each bone that holds a solved pose, by its path from the
/// skeleton: what it holds and its base pose, each as rotation, position and scale.
pub(crate) fn to_dictionary(bones: &TrackedBones, skeleton: &Gd<Skeleton2D>) -> VarDictionary {
    let mut dictionary = VarDictionary::new();
    for (tracked, held, base) in bones.solved() {
        if let Some(bone) = tracked.node() {
            let values = PackedFloat32Array::from([held, base].map(BonePose::to_numbers).concat());
            dictionary.set(&skeleton.get_path_to(bone), &values);
        }
    }
    dictionary
}

/// Gives the bones of a copy the base poses in `dictionary`.
pub(crate) fn claim_copies(
    bones: &TrackedBones,
    skeleton: &Gd<Skeleton2D>,
    dictionary: &VarDictionary,
) {
    for (bone, held, base) in found(skeleton, dictionary) {
        bones.claim_copy(&bone, held, base);
    }
}

/// Writes the base poses in `dictionary` into the bones of a copy that has no plan yet.
pub(crate) fn restore_copies(skeleton: &Gd<Skeleton2D>, dictionary: &VarDictionary) {
    // Writing runs scripts, which may free the next bone.
    for (mut bone, held, base) in found(skeleton, dictionary) {
        if bone.is_instance_valid() {
            let own = BonePose::held_by(&bone);
            base.where_kept(&held, &own).set_on(&mut bone, &own);
        }
    }
}

/// The base pose of `bone` in `dictionary`, if it is a bone of a copy that has no plan yet.
pub(crate) fn unclaimed_base_of(
    bone: &Gd<Bone2D>,
    skeleton: &Gd<Skeleton2D>,
    dictionary: &VarDictionary,
) -> Option<BonePose> {
    let mut found = found(skeleton, dictionary).into_iter();
    let (_, held, base) = found.find(|(other, _, _)| other == bone)?;
    Some(base.where_kept(&held, &BonePose::held_by(bone)))
}

/// The bones in `dictionary`, each with what its original held, and its base pose.
fn found(
    skeleton: &Gd<Skeleton2D>,
    dictionary: &VarDictionary,
) -> Vec<(Gd<Bone2D>, BonePose, BonePose)> {
    let mut found = Vec::new();
    let mut strayed = Vec::new();
    for (path, values) in dictionary.iter_shared() {
        let path = path.try_to::<NodePath>().ok();
        let Some((path, [held, base])) = path.zip(poses(&values)) else {
            continue;
        };
        match skeleton.try_get_node_as::<Bone2D>(&path) {
            Some(bone) => found.push((bone, held, base)),
            None => strayed.push((held, base)),
        }
    }
    // Bones that were renamed since, or moved, are known by the pose that they hold.
    let mut others = match strayed.is_empty() {
        true => Vec::new(),
        false => bones_of(skeleton),
    };
    others.retain(|bone| found.iter().all(|(other, _, _)| other != bone));
    for (held, base) in strayed {
        let holds_it = |bone: &Gd<Bone2D>| held.where_kept(&held, &BonePose::held_by(bone)) == held;
        if let Some(place) = others.iter().position(holds_it) {
            found.push((others.remove(place), held, base));
        }
    }
    found
}

/// The pose that a bone held and its base pose, as the dictionary has them.
fn poses(values: &Variant) -> Option<[BonePose; 2]> {
    let values = values.try_to::<PackedFloat32Array>().ok()?;
    let &[held, base] = values.as_slice().as_chunks().0 else {
        return None;
    };
    Some([held, base].map(BonePose::from_numbers))
}

/// The base pose of `bone`, if it is a copy of one of `bones` that holds the same solved pose.
pub(crate) fn base_of_copy(bones: &TrackedBones, bone: &Gd<Bone2D>) -> Option<BonePose> {
    if bones.index_of(bone.instance_id()).is_some() {
        return None;
    }
    let pose = BonePose::held_by(bone);
    let looks_like = |other: &Gd<Bone2D>| other.get_rest() == bone.get_rest();
    let mut solved = bones.solved();
    let original =
        solved.find(|(tracked, held, _)| *held == pose && tracked.node().is_some_and(looks_like));
    original.map(|(_, _, base)| base)
}
