//! The engine's own `SkeletonModificationStack2D`, where a skeleton has one beside a rig.
//!
//! The engine calls it experimental. So all methods and properties are called by name, and those that
//! an engine does not have count as not set.
//!
//! A stack turns bones by overriding their poses. It sets the overrides in a physics frame, and the
//! skeleton applies them in the next idle frame. If the list of bones changes in between, the engine
//! replaces each override by the bone's rest in the frame of the skeleton, applies it in the frame of
//! the bone's parent, and takes it back one frame later. If a rig writes such a bone in that frame,
//! the wrong pose remains. So a rig drops the overrides whenever the list of bones changes. A stack
//! that runs sets them again.

use godot::classes::{Object, Resource, Skeleton2D};
use godot::prelude::*;

/// The stack of `skeleton`.
pub fn stack_of(skeleton: &Gd<Skeleton2D>) -> Option<Gd<Resource>> {
    ask(skeleton, "get_modification_stack", &[])
}

/// Returns `true` if the engine turns bones of `skeleton`, or would as soon as it runs.
pub(crate) fn is_at_work(skeleton: &Gd<Skeleton2D>) -> bool {
    stack_of(skeleton).is_some_and(|stack| {
        let count: i64 = ask(&stack, "get_modification_count", &[]).unwrap_or(0);
        count > 0 && ask(&stack, "get_enabled", &[]) == Some(true)
    })
}

/// Drops the overrides of a skeleton that has a stack.
pub fn drop_overrides(skeleton: &Gd<Skeleton2D>) {
    if stack_of(skeleton).is_none() {
        return;
    }
    let mut skeleton = skeleton.clone().upcast::<Object>();
    for bone in 0..ask::<i64, _>(&skeleton, "get_bone_count", &[]).unwrap_or(0) {
        skeleton.call(DROP_OVERRIDE, &no_override(bone));
    }
}

/// The method that drops the override of a bone, given what [`no_override`] returns.
pub const DROP_OVERRIDE: &str = "set_bone_local_pose_override";

/// No override for the bone with the index `bone`.
pub fn no_override(bone: i64) -> [Variant; 4] {
    let (none, persistent) = (0.0_f64, false);
    let pose = Transform2D::IDENTITY.to_variant();
    [
        bone.to_variant(),
        pose,
        none.to_variant(),
        persistent.to_variant(),
    ]
}

/// Calls a getter; `None` if there is none, or it answers something else.
pub fn ask<T: FromGodot, O: Inherits<Object>>(
    object: &Gd<O>,
    method: &str,
    arguments: &[Variant],
) -> Option<T> {
    let mut object = object.clone().upcast::<Object>();
    let known = object.has_method(method);
    known.then(|| object.call(method, arguments).try_to::<T>().ok())?
}
