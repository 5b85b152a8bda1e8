//! The skeleton that a rig acts on, the rig of a skeleton, and whether the rig is in the right
//! place.

use godot::classes::Skeleton2D;
use godot::prelude::*;

use super::TendonRig2D;
use crate::warnings::rig::{SECOND_RIG, WITHOUT_SKELETON};

/// The skeleton that a rig acts on: its parent.
pub(super) fn skeleton_of(rig: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    rig.get_parent()?.try_cast::<Skeleton2D>().ok()
}

/// The rig of `skeleton`, if it has one: the first.
pub(crate) fn rig_of(skeleton: &Gd<Skeleton2D>) -> Option<Gd<TendonRig2D>> {
    let children = skeleton.get_children();
    let mut children = (0..children.len()).filter_map(|index| children.get(index));
    children.find_map(|child| child.try_cast::<TendonRig2D>().ok())
}

/// What is wrong with the rig's place in the tree, with advice what to do.
pub(crate) fn misplacement(rig: &Gd<Node>) -> Option<&'static str> {
    let Some(skeleton) = skeleton_of(rig) else {
        return Some(WITHOUT_SKELETON);
    };
    let first = rig_of(&skeleton);
    let is_first = first.is_none_or(|first| first.instance_id() == rig.instance_id());
    (!is_first).then_some(SECOND_RIG)
}
