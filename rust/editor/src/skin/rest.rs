//! Where bones and nodes are in the rest pose, in the space of their skeleton.

use crate::refusal::Refusal;
use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::end_of;
use tendon_nodes::engine::skeleton::{child_bones, has_rest, skeleton_of_bone};
use tendon_nodes::engine::threads::with_ancestors;
use tendon_skin::Bone;
use tendon_skin::glam::DVec2;

/// The suffix that the name of a skin adds to that of its sprite.
pub(super) const SUFFIX: &str = "Skin";

/// The skeleton that all of these bones belong to.
///
/// # Errors
/// Returns an error if there is no bone, one has no skeleton in the tree or no rest pose, or they belong to several
/// skeletons.
pub(crate) fn skeleton_of(bones: &[Gd<Bone2D>]) -> Result<Gd<Skeleton2D>, Refusal> {
    let mut found: Option<Gd<Skeleton2D>> = None;
    for bone in bones {
        let skeleton = skeleton_of_bone(bone).filter(|skeleton| skeleton.is_inside_tree());
        let skeleton = skeleton.ok_or_else(|| {
            format!(
                "bone \"{}\" belongs to no Skeleton2D in the tree",
                bone.get_name()
            )
        })?;
        if let Some(bone) = without_rest(bone) {
            return Err(told_of_rest(&bone));
        }
        if found.as_ref().is_some_and(|other| *other != skeleton) {
            return Err("the bones belong to several skeletons".into());
        }
        found = Some(skeleton);
    }
    found.ok_or_else(|| "there are no bones".into())
}

/// The first of `bone` and the bones above it that has no rest pose: what is below it has no place at rest.
pub(crate) fn without_rest(bone: &Gd<Bone2D>) -> Option<Gd<Bone2D>> {
    let node = bone.clone().upcast();
    let mut bones = with_ancestors(&node).map_while(|node| node.try_cast::<Bone2D>().ok());
    bones.find(|bone| !has_rest(bone))
}

/// Returns the message that `bone` has no rest pose, and how to give it one.
pub(crate) fn told_of_rest(bone: &Gd<Bone2D>) -> Refusal {
    format!(
        "bone \"{}\" has no rest pose. Select the skeleton alone, then Skeleton2D > Overwrite Rest Pose, while it is posed as it is drawn",
        bone.get_name()
    )
    .into()
}

/// The frame of `bone` in its skeleton, at rest.
fn rest_of(bone: &Gd<Bone2D>) -> Transform2D {
    let above = bone
        .get_parent()
        .and_then(|parent| parent.try_cast::<Bone2D>().ok());
    above.map_or(Transform2D::IDENTITY, |above| rest_of(&above)) * bone.get_rest()
}

/// The joint of `bone` and where it ends at rest: at the joints of its child bones, or where its length says.
fn segments(bone: &Gd<Bone2D>) -> Vec<[Vector2; 2]> {
    let frame = rest_of(bone);
    let ends: Vec<Vector2> = child_bones(bone)
        .filter(has_rest)
        .map(|child| frame * child.get_rest().origin)
        .collect();
    match ends.is_empty() {
        true => vec![[frame.origin, frame * end_of(bone)]],
        false => ends.into_iter().map(|end| [frame.origin, end]).collect(),
    }
}

/// Returns `bones` at rest, by `place` from the space of the skeleton to that of a mesh. Each turns with the nearest
/// bone above it that is one of them.
pub(crate) fn bones_at_rest(bones: &[Gd<Bone2D>], place: impl Fn(Vector2) -> DVec2) -> Vec<Bone> {
    let index_of = |node: Gd<Node>| {
        bones
            .iter()
            .position(|bone| bone.instance_id() == node.instance_id())
    };
    let bone = |bone: &Gd<Bone2D>| Bone {
        segments: segments(bone)
            .into_iter()
            .map(|segment| segment.map(&place))
            .collect(),
        parent: with_ancestors(&bone.clone().upcast())
            .skip(1)
            .find_map(index_of),
    };
    bones.iter().map(bone).collect()
}

/// The frame of `node` in `skeleton` when the skeleton is at rest. A node below a bone moves with it.
pub(super) fn frame_in(skeleton: &Gd<Skeleton2D>, node: &Gd<Node2D>) -> Transform2D {
    let global = node.get_global_transform();
    match bone_above(skeleton, node) {
        Some(bone) => rest_of(&bone) * bone.get_global_transform().affine_inverse() * global,
        None => skeleton.get_global_transform().affine_inverse() * global,
    }
}

/// # Errors
/// That bones have no place in `node`.
pub(super) fn check_frame(skeleton: &Gd<Skeleton2D>, node: &Gd<Node2D>) -> Result<(), Refusal> {
    let frame = frame_in(skeleton, node);
    match frame.is_finite() && frame.a.cross(frame.b) != 0.0 {
        true => Ok(()),
        false => Err(format!(
            "\"{}\" or what it belongs to has a scale of 0, or is at no finite place",
            node.get_name()
        )
        .into()),
    }
}

/// The bone of `skeleton` that `node` moves with.
pub(super) fn bone_above(skeleton: &Gd<Skeleton2D>, node: &Gd<Node2D>) -> Option<Gd<Bone2D>> {
    let node = node.clone().upcast();
    let mut above = with_ancestors(&node).skip(1);
    let bone = above.find_map(|node| node.try_cast::<Bone2D>().ok())?;
    (skeleton_of_bone(&bone).as_ref() == Some(skeleton)).then_some(bone)
}

/// Returns the index of the one of `bones` that a sprite or polygon hangs on, and of the one that has its name.
pub(super) fn bones_of_part(
    skeleton: &Gd<Skeleton2D>,
    node: &Gd<Node2D>,
    bones: &[Gd<Bone2D>],
) -> [Option<usize>; 2] {
    let held = bone_above(skeleton, node);
    let name = node.get_name().to_string();
    let name = name.strip_suffix(SUFFIX).unwrap_or(&name);
    let is_namesake = |bone: &Gd<Bone2D>| bone.get_name().to_string().eq_ignore_ascii_case(name);
    let held = held.and_then(|held| bones.iter().position(|bone| *bone == held));
    [held, bones.iter().position(is_namesake)]
}
