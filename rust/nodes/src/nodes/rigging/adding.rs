//! How new nodes come into a scene: at once, or as parts of an undo step. What is added is the same for the editor's
//! menu and for scripts.

use godot::classes::{Bone2D, Marker2D, Skeleton2D};
use godot::prelude::*;

use super::draft::Draft;
use crate::engine::bone_lines::{frame_in, parent_bone};
use crate::nodes::new_names::name_after;
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::skeleton::rig_of;

/// Adds nodes to a scene.
pub trait Adding {
    /// Adds `child`, a new node, to `parent`, which may be new, too.
    fn add_child(&mut self, parent: &Gd<Node>, child: &Gd<Node>);
    /// Moves `child` to another place among the children of `parent`.
    fn move_child(&mut self, parent: &Gd<Node>, child: &Gd<Node>, index: i32);
}

/// Adds nodes as they come.
pub(super) struct AtOnce;

impl Adding for AtOnce {
    fn add_child(&mut self, parent: &Gd<Node>, child: &Gd<Node>) {
        let mut parent = parent.clone();
        parent.add_child_ex(child).force_readable_name(true).done();
    }

    fn move_child(&mut self, parent: &Gd<Node>, child: &Gd<Node>, index: i32) {
        parent.clone().move_child(child, index);
    }
}

/// The rig of `skeleton`, which is added if there is none.
pub fn rig_for(skeleton: &Gd<Skeleton2D>, into: &mut dyn Adding) -> Gd<TendonRig2D> {
    rig_of(skeleton).unwrap_or_else(|| {
        let mut rig = TendonRig2D::new_alloc();
        rig.set_name("TendonRig2D");
        into.add_child(&skeleton.clone().upcast(), &rig.clone().upcast());
        rig
    })
}

/// A node that moves with the character of `skeleton` but with no bone: the one above, unless that is above `scene`.
pub fn beside(skeleton: &Gd<Skeleton2D>, scene: Option<&Gd<Node>>) -> Gd<Node> {
    let skeleton = skeleton.clone().upcast::<Node>();
    let parent = skeleton.get_parent();
    let beside = parent.filter(|_| Some(&skeleton) != scene);
    beside.unwrap_or(skeleton)
}

/// Adds a marker to `bone` where it ends, in its own frame: a bone that has no child, and no length of its own, does not
/// say so.
pub fn add_tip(bone: &Gd<Bone2D>, end: Vector2, into: &mut dyn Adding) -> Gd<Marker2D> {
    let mut tip = Marker2D::new_alloc();
    tip.set_name(&name_after(&bone.get_name().to_string(), "Tip"));
    tip.set_position(end);
    into.add_child(&bone.clone().upcast(), &tip.clone().upcast());
    tip
}

/// Adds a target for `draft` to `parent`, a node above its bones, where its tip is now: nothing moves.
pub fn add_target(draft: &Draft, parent: &Gd<Node>, into: &mut dyn Adding) -> Option<Gd<Marker2D>> {
    let (bone, tip) = draft.end()?;
    let mut target = Marker2D::new_alloc();
    target.set_name(&draft.target_name());
    let place = frame_in(bone, Some(parent)) * tip;
    target.set_position(place);
    if let Some(turned) = draft.turned_bone() {
        // Its X axis is to be that of the bone, before the bone's own scale.
        let above = parent_bone(turned)?;
        let axis = Vector2::from_angle(turned.get_rotation());
        let frame = frame_in(&above, Some(parent));
        target.set_rotation(frame.basis_xform(axis).angle());
    }
    into.add_child(parent, &target.clone().upcast());
    Some(target)
}
