//! A leg that is added by a script: its foot, and the modifier that moves it.

use godot::classes::{Bone2D, ClassDb};
use godot::prelude::*;

use crate::engine::bone_lines::{end_of, line_between};
use crate::engine::skeleton::child_bones;
use crate::nodes::foot::TendonFoot2D;
use crate::plan::rest_bend::LimbBones;

/// A bone below the last one that is shorter than this part of it is a foot.
const FOOT: f32 = 0.7;

/// Adds the leg from bone `first` to bone `last`: a foot below `node`, and after it the modifier that moves the leg.
/// `None` if the bones are not one line of two or more, or if `node` has no parent.
pub(in crate::nodes) fn add(
    node: &Gd<Node>,
    first: Gd<Bone2D>,
    last: Gd<Bone2D>,
) -> Option<Gd<TendonFoot2D>> {
    let line = line_between(&first, &last).filter(|line| line.len() > 1);
    let (Some(line), Some(mut parent)) = (line, node.get_parent()) else {
        let text =
            "A leg needs two bones or more, the last one below the first, and this node a parent.";
        godot_error!("{}: {text}", node.get_name());
        return None;
    };
    let is_foot = |bone: &Gd<Bone2D>| end_of(bone).length() < FOOT * end_of(&last).length();
    let foot_bone = child_bones(&last).next().filter(is_foot);
    let limb = new_limb(&line, foot_bone.as_ref())?;
    parent.add_child_ex(&limb).force_readable_name(true).done();
    let mut foot = TendonFoot2D::new_alloc();
    foot.set_name(&format!("{}Foot", first.get_name()));
    foot.set("limb", &limb.to_variant());
    if let Some(bone) = &foot_bone {
        foot.set("foot_bone", &bone.to_variant());
        foot.set("sole_height", &sole_height(bone).to_variant());
    }
    let mut node = node.clone();
    node.add_child_ex(&foot).force_readable_name(true).done();
    Some(foot)
}

/// The modifier of two bones, with the bend that they have, or of more.
fn new_limb(line: &[Gd<Bone2D>], foot: Option<&Gd<Bone2D>>) -> Option<Gd<Node>> {
    let (first, last) = (line.first()?, line.last()?);
    let (class, ends) = match line.len() {
        2 => ("TendonTwoBoneIK2D", ["bone_one", "bone_two"]),
        _ => ("TendonFABRIK2D", ["root_bone", "tip_bone"]),
    };
    let mut limb: Gd<Node> = ClassDb::singleton().instantiate(class).try_to().ok()?;
    limb.set_name(&format!("{}Leg", first.get_name()));
    limb.set(ends[0], &first.to_variant());
    limb.set(ends[1], &last.to_variant());
    if let Some(foot) = foot {
        limb.set("tip", &foot.to_variant());
    }
    if line.len() == 2 {
        let tip = foot.map_or_else(|| end_of(last), |foot| foot.get_position());
        let (upper, lower) = (first, last);
        let flips = LimbBones { upper, lower, tip }.is_flipped();
        limb.set("flip_bend_direction", &flips.to_variant());
    }
    Some(limb)
}

/// The end of a foot is on the ground, or near it.
fn sole_height(foot: &Gd<Bone2D>) -> f32 {
    let end = foot.get_global_transform() * end_of(foot);
    (end - foot.get_global_position()).y.max(0.0)
}
