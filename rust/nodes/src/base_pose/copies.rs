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
    for (path, values) in dictionary.iter_shared() {
        let bone = path.try_to::<NodePath>().ok();
        let bone = bone.and_then(|path| skeleton.try_get_node_as::<Bone2D>(&path));
        let values = values.try_to::<PackedFloat32Array>().unwrap_or_default();
        let poses = values.as_slice().as_chunks().0;
        if let (Some(bone), &[held, base]) = (bone, poses) {
            let [held, base] = [held, base].map(BonePose::from_numbers);
            bones.claim_copy(&bone, held, base);
        }
    }
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
