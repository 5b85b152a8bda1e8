//! Which skeleton a bone belongs to, and whether a bone has a rest pose.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;

/// The skeleton that `bone` is a bone of: above it, with nothing but bones between the two.
pub(crate) fn skeleton_of_bone(bone: &Gd<Bone2D>) -> Option<Gd<Skeleton2D>> {
    let mut next = bone.get_parent()?;
    loop {
        match next.try_cast::<Bone2D>() {
            Ok(bone) => next = bone.get_parent()?,
            Err(node) => return node.try_cast::<Skeleton2D>().ok(),
        }
    }
}

/// Whether `bone` has a rest pose.
pub(crate) fn has_rest(bone: &Gd<Bone2D>) -> bool {
    is_rest(bone.get_rest())
}

/// Whether `rest` is a rest pose: the engine's default is a transform of zeros.
pub(crate) fn is_rest(rest: Transform2D) -> bool {
    rest.is_finite() && rest.a != Vector2::ZERO
}
