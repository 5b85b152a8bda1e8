//! Which skeleton a bone belongs to, the bones of a skeleton, and whether a bone has a rest pose.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;

use crate::engine::children::children;

/// The skeleton that `bone` is a bone of: above it, with nothing but bones between the two.
pub fn skeleton_of_bone(bone: &Gd<Bone2D>) -> Option<Gd<Skeleton2D>> {
    let mut next = bone.get_parent()?;
    loop {
        match next.try_cast::<Bone2D>() {
            Ok(bone) => next = bone.get_parent()?,
            Err(node) => return node.try_cast::<Skeleton2D>().ok(),
        }
    }
}

/// Returns `true` if `bone` has a rest pose.
pub fn has_rest(bone: &Gd<Bone2D>) -> bool {
    is_rest(bone.get_rest())
}

/// Returns `true` if `rest` is a rest pose: the engine's default is a transform of zeros.
pub(crate) fn is_rest(rest: Transform2D) -> bool {
    rest.is_finite() && rest.a != Vector2::ZERO
}

/// The rest pose of `bone`, or its present pose if it has none.
pub fn rest_or_pose(bone: &Gd<Bone2D>) -> Transform2D {
    match has_rest(bone) {
        true => bone.get_rest(),
        false => bone.get_transform(),
    }
}

/// All bones of `skeleton`, in tree order.
pub fn bones_of(skeleton: &Gd<Skeleton2D>) -> Vec<Gd<Bone2D>> {
    bones_below(&skeleton.clone().upcast())
}

/// All bones below `node`, a skeleton or a bone, in tree order.
pub(crate) fn bones_below(node: &Gd<Node>) -> Vec<Gd<Bone2D>> {
    let mut bones = Vec::new();
    collect_bones(node, &mut bones);
    bones
}

fn collect_bones(node: &Gd<Node>, bones: &mut Vec<Gd<Bone2D>>) {
    for bone in child_bones(node) {
        bones.push(bone.clone());
        collect_bones(&bone.upcast(), bones);
    }
}

/// The bones that are children of `node`.
pub fn child_bones<T: Inherits<Node>>(node: &Gd<T>) -> impl Iterator<Item = Gd<Bone2D>> + use<T> {
    children(node)
}
