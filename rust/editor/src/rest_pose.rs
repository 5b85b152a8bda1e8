//! Bones without a rest pose, from which poses, limits and motions count.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::skeleton::{bones_of, has_rest};
use tendon_nodes::nodes::rigging::names;

use crate::notice::counted;

/// The engine's property.
pub(super) const REST: &str = "rest";

/// The largest number of bones that are called by their names.
const FEW: usize = 4;

/// The bones of `skeleton` that have no rest pose.
pub(super) fn without_rest(skeleton: &Gd<Skeleton2D>) -> Vec<Gd<Bone2D>> {
    let mut bones = bones_of(skeleton);
    bones.retain(|bone| !has_rest(bone));
    bones
}

/// `bones` in words: by their names if they are few.
pub(super) fn called(bones: &[Gd<Bone2D>]) -> String {
    match bones.len() {
        count if count > FEW => counted(count, "bone"),
        _ => names(bones.iter().cloned()),
    }
}

/// Returns the message that `bones` have no rest pose, and how to give them one.
pub(super) fn advice_for(bones: &[Gd<Bone2D>]) -> Option<String> {
    let called = called(bones);
    (!bones.is_empty()).then(|| {
        format!(
            "There is no rest pose of {called}. Pose the skeleton as it is drawn, select it, and choose \
             Skeleton2D > Overwrite Rest Pose. Until then, poses cannot be copied, reset or stored, and limits have \
             no effect."
        )
    })
}

/// Bones whose present pose is their rest pose for a moment. Dropping it puts everything back.
pub(super) struct PresentRest(Vec<(Gd<Bone2D>, Transform2D)>);

impl PresentRest {
    pub(super) fn of(bones: &[Gd<Bone2D>]) -> Self {
        let before = bones.iter().map(|bone| (bone.clone(), bone.get_rest()));
        let before = before.collect();
        for mut bone in bones.iter().cloned() {
            let pose = bone.get_transform();
            bone.set_rest(pose);
        }
        Self(before)
    }
}

impl Drop for PresentRest {
    fn drop(&mut self) {
        for (bone, rest) in &mut self.0 {
            bone.set_rest(*rest);
        }
    }
}
