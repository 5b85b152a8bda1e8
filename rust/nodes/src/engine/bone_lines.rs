//! Lines of bones, and where bones end.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::math::rotation::Rotation;

use crate::engine::skeleton::child_bones;

/// The bone above `bone`.
pub fn parent_bone(bone: &Gd<Bone2D>) -> Option<Gd<Bone2D>> {
    bone.get_parent()?.try_cast().ok()
}

/// The index in `bones` of the bone above `bone`.
pub fn parent_among(bone: &Gd<Bone2D>, bones: &[Gd<Bone2D>]) -> Option<usize> {
    let parent = parent_bone(bone)?;
    bones.iter().position(|other| *other == parent)
}

/// The end of `bone`, in its own frame: its first child bone if its length is automatic, else [`own_end`]. Everything
/// that needs the end of a bone asks this, as plans do for the end of a chain, so that what is put there stays there.
pub fn end_of(bone: &Gd<Bone2D>) -> Vector2 {
    match child_bones(bone).next() {
        Some(child) if bone.get_autocalculate_length_and_angle() => child.get_position(),
        _ => own_end_of(bone),
    }
}

/// The end of `bone` by its own length and angle, in its own frame, whatever hangs on it.
pub(crate) fn own_end_of(bone: &Gd<Bone2D>) -> Vector2 {
    let is_automatic = bone.get_autocalculate_length_and_angle();
    let end = own_end(is_automatic, bone.get_length(), bone.get_bone_angle());
    Vector2::new(end.x, end.y)
}

/// The end of a bone of this length and angle, which it has by itself or by hand. Without a child bone, the engine takes
/// whatever rotation a bone had when it entered the tree for its automatic angle: another one after each pose that was
/// saved. So a bone with automatic length points along its X axis then.
pub(crate) fn own_end(is_automatic: bool, length: f32, angle: f32) -> Vec2 {
    match is_automatic {
        true => Vec2::X * length,
        false => Rotation::from_angle(angle).direction() * length,
    }
}

/// The longest line of bones below `node`; of several, the first.
pub fn longest_line(node: &Gd<Node>) -> Vec<Gd<Bone2D>> {
    let mut longest = Vec::new();
    for bone in child_bones(node) {
        let mut line = vec![bone.clone()];
        line.extend(longest_line(&bone.upcast()));
        if line.len() > longest.len() {
            longest = line;
        }
    }
    longest
}

/// The bones from `first` down to `last`, if they are one line.
pub(crate) fn line_between(first: &Gd<Bone2D>, last: &Gd<Bone2D>) -> Option<Vec<Gd<Bone2D>>> {
    let mut line = vec![last.clone()];
    while line.last()? != first {
        let parent = parent_bone(line.last()?)?;
        line.push(parent);
    }
    line.reverse();
    Some(line)
}

/// The global places of the joints of `bones`, and `end`.
pub fn places_along<'a>(
    bones: impl IntoIterator<Item = &'a Gd<Bone2D>>,
    end: Vector2,
) -> Vec<Vector2> {
    let joints = bones.into_iter().map(|bone| bone.get_global_position());
    joints.chain([end]).collect()
}

/// The length of the line through `places`.
pub fn length_of(places: &[Vector2]) -> f32 {
    let pieces = places.windows(2);
    pieces.map(|ends| ends[0].distance_to(ends[1])).sum()
}

/// The transform of `node` in the frame of `above`, which is above it; of the whole tree, if there is none. It
/// is right outside the tree, too.
pub(crate) fn frame_in<T: Inherits<Node2D>>(node: &Gd<T>, above: Option<&Gd<Node>>) -> Transform2D {
    let mut next = node.clone().upcast::<Node2D>();
    let mut frame = next.get_transform();
    while !next.is_set_as_top_level()
        && let Some(parent) = next.get_parent()
        && Some(&parent) != above
        && let Ok(parent) = parent.try_cast::<Node2D>()
    {
        frame = parent.get_transform() * frame;
        next = parent;
    }
    frame
}

/// The point of a line that is nearest to `place`, as a part of its length, from `0.0` at the start to `1.0`.
pub fn share_along([start, end]: [Vector2; 2], place: Vector2) -> f32 {
    let along = end - start;
    match along.length_squared() {
        0.0 => 1.0,
        square => ((place - start).dot(along) / square).clamp(0.0, 1.0),
    }
}
