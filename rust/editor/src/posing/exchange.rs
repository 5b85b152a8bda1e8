//! Poses are copied, pasted, also mirrored, and reset: of the selected bones, or of the whole skeleton.
//!
//! A pose counts from the rest pose, so that it fits characters of other proportions. While a rig is
//! previewed, the bones hold the solved pose: the base pose is restored before anything is read.
//!
//! | file | what is in it |
//! |---|---|
//! | [`text`] | a pose as data and as text, and the clipboard |
//! | [`sides`] | left and right in names |
//! | [`mirror`] | the bone on the other side, and its pose there |
//! | [`mirrored_targets`] | the same for targets |

mod mirror;
mod mirrored_targets;
pub(super) mod sides;
pub(crate) mod text;

use std::collections::BTreeMap;

use godot::builtin::math::ApproxEq;
use godot::classes::{Bone2D, Node2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{end_of, parent_bone};
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::{has_rest, rest_or_pose};
use tendon_nodes::engine::space::{frame_of, to_solver};
use tendon_nodes::nodes::pose_library::deviation::{Deviation, named_bones};
use tendon_nodes::nodes::pose_library::held_nodes::{
    Flip, HeldNode, Placement, followers_of_paths, held_nodes,
};
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::restore_base_pose;
use tendon_nodes::nodes::rigging::names;

use crate::notice::counted;
use crate::posing::exchange::mirror::{RestBone, SkeletonSides};
use crate::posing::exchange::mirrored_targets::MirroredTargets;
use crate::posing::exchange::sides::SideNames;
use crate::posing::exchange::text::NamedPose;
use crate::posing::posture::{PoseGoals, Posture};
use crate::posing::step::set_base_poses;
use crate::reach::ReachingLimb;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// The selected bones that have a rest pose; all of the skeleton if none is selected.
///
/// # Errors
/// Why there are none, with advice what to do.
pub(crate) fn bones_with_rest(selection: &Selection) -> Result<Vec<Gd<Bone2D>>, Refusal> {
    let mut bones = selection.bones_or_all();
    bones.retain(has_rest);
    match bones.is_empty() {
        true => Err(
            "No rest pose was set for these bones. Select the Skeleton2D and choose \
                     Skeleton2D > Overwrite Rest Pose."
                .into(),
        ),
        false => Ok(bones),
    }
}

/// Copies the base pose of `bones`. Returns what to tell the user.
pub(crate) fn copy(bones: &[Gd<Bone2D>], selection: &Selection) -> String {
    restore_base_pose(&selection.skeleton);
    let named = named_bones(&selection.skeleton).into_iter();
    let poses = named.filter(|(_, bone)| bones.contains(bone));
    let poses = poses.map(|(name, bone)| (name, Deviation::of(&bone)));
    let held = held_nodes(&selection.skeleton).into_iter();
    let held = held.filter(|held| selection.includes_held(held));
    let targets = held.map(|held| (held.name.clone(), Placement::of(&held)));
    let pose = NamedPose::new(poses.collect(), targets.collect());
    text::write_clipboard(&pose.to_text());
    let left_out = what_is_left_out(&selection.skeleton).unwrap_or_default();
    let what = taken(bones, selection);
    format!("Copied the base pose of {what}. {left_out}")
}

/// Returns the bones and targets of a pose that the selection means, in words.
pub(crate) fn taken(bones: &[Gd<Bone2D>], selection: &Selection) -> String {
    let mut held = held_nodes(&selection.skeleton);
    held.retain(|held| selection.includes_held(held));
    told(bones, held.iter().map(|held| &held.node))
}

/// Bones and targets in words: by their names if there are few.
pub(super) fn told<'a>(
    bones: &[Gd<Bone2D>],
    targets: impl ExactSizeIterator<Item = &'a Gd<Node2D>>,
) -> String {
    let of = |what: &str, nodes: Vec<Gd<Node2D>>| match nodes.len() {
        count @ 1..=FEW => format!("{} ({})", counted(count, what), names(nodes)),
        count => counted(count, what),
    };
    let bones = of("bone", bones.iter().map(|it| it.clone().upcast()).collect());
    match targets.len() {
        0 => bones,
        _ => format!("{bones} and {}", of("target", targets.cloned().collect())),
    }
}

/// Returns the bones and targets that have another pose in `posture`, in words.
fn told_of(posture: &Posture) -> String {
    let bones: Vec<_> = posture.poses.iter().filter_map(NodePose::bone).collect();
    let targets = posture.poses[bones.len()..].iter().map(|it| &it.node);
    told(&bones, targets)
}

/// As many names fit into a message.
const FEW: usize = 4;

/// Returns the message about what a pose of `skeleton` does not have.
pub(super) fn what_is_left_out(skeleton: &Gd<Skeleton2D>) -> Option<String> {
    let followers = followers_of_paths(skeleton);
    let is_any = !followers.is_empty();
    is_any.then(|| {
        let names = names(followers);
        format!("The pose does not have the path that {names} lies along.")
    })
}

/// Gives bones the poses that `pose` has for their names. Returns what to tell the user.
///
/// # Errors
/// Why that changes nothing, in words.
pub(crate) fn paste(
    pose: &NamedPose,
    selection: &Selection,
    title: &str,
) -> Result<String, Refusal> {
    let goals = PoseGoals::named(selection, &pose.bones, &pose.targets);
    let after = posture_of(goals, &selection.skeleton)?;
    let done = format!("The pose is pasted: {}.", told_of(&after));
    let words = [&*done, "The bones have this pose already."];
    set(&after, words, selection, title)
}

/// Gives bones the poses that `pose` has for those of the other side. Returns what to tell the user.
///
/// # Errors
/// Why that changes nothing, in words.
pub(crate) fn paste_mirrored(
    pose: &NamedPose,
    selection: &Selection,
    title: &str,
) -> Result<String, Refusal> {
    let named = named_bones(&selection.skeleton);
    let sides = SideNames::of_project()?;
    let mirror = SkeletonSides::of(&rest_bones(&named), &sides);
    let copied = named.iter().enumerate();
    let poses = copied.filter_map(|(bone, (name, source))| {
        let (other, pose) = mirror.mirrored(bone, pose.bones.get(name)?)?;
        Some((source.clone(), named[other].1.clone(), pose))
    });
    let poses: Vec<_> = poses.collect();
    let is_selected = |bone: &Gd<Bone2D>| selection.bones.contains(bone);
    // Who has copied an arm and has it selected still means the other one.
    let is_target_selected = poses.iter().any(|(_, target, _)| is_selected(target));
    let meant = poses.into_iter().filter(|(source, target, _)| {
        let all = selection.bones.is_empty();
        all || is_selected(if is_target_selected { target } else { source })
    });
    let poses = meant.map(|(_, target, pose)| (target, pose));
    let held = held_nodes(&selection.skeleton);
    let targets = MirroredTargets {
        held: &held,
        bones: &named,
        mirror: &mirror,
        names: &sides,
    };
    let placed = held.iter().enumerate().filter_map(|(index, source)| {
        let placement = pose.targets.get(&source.name)?;
        let (other, placement) = targets.mirrored(index, placement)?;
        let meant = if is_target_selected { other } else { index };
        let is_meant = selection.includes_held(&held[meant]);
        is_meant.then_some((other, placement))
    });
    let placed: BTreeMap<_, _> = placed.collect();
    let goals = PoseGoals {
        bones: poses.collect(),
        targets: pick(held, &placed),
    };
    let after = posture_of(goals, &selection.skeleton)?;
    let done = format!("The mirrored pose is pasted: {}.", told_of(&after));
    let words = [&*done, "The bones have the mirrored pose already."];
    set(&after, words, selection, title)
}

/// Those of `held` with a number in `placed`, and where they go.
fn pick(held: Vec<HeldNode>, placed: &BTreeMap<usize, Placement>) -> Vec<(HeldNode, Placement)> {
    let held = held.into_iter().enumerate();
    held.filter_map(|(index, held)| Some((held, *placed.get(&index)?)))
        .collect()
}

/// Sets the base pose of `bones` to their rest pose, and brings the targets of limbs there to where they end then.
/// Returns what to tell the user.
///
/// # Errors
/// Why that changes nothing, in words.
pub(crate) fn reset(
    bones: &[Gd<Bone2D>],
    selection: &Selection,
    title: &str,
) -> Result<String, Refusal> {
    let poses = bones.iter().map(|bone| (bone.clone(), Deviation::NONE));
    let goals = PoseGoals {
        bones: poses.collect(),
        targets: Vec::new(),
    };
    let mut after = posture_of(goals, &selection.skeleton)?;
    let before = NodePose::of_all(bones);
    after.poses.iter().for_each(NodePose::restore);
    let reaches = reaches_meant(selection);
    let moved = places_of_targets(&reaches);
    let bends = reaches.iter().filter_map(|reach| {
        let (modifier, flips) = (reach.modifier.clone(), reach.flips()?);
        Some(Flip { modifier, flips })
    });
    after.bends = bends.collect();
    before.iter().for_each(NodePose::restore);
    let targets = names(moved.iter().map(|it| it.node.clone()));
    after.poses.extend(moved);
    let moved = match targets.is_empty() {
        true => String::new(),
        false => format!(" Targets are where the limbs end then: {targets}."),
    };
    let bent = match after.bends.is_empty() {
        true => String::new(),
        false => {
            let modifiers = names(after.bends.iter().map(|it| it.modifier.clone()));
            format!(" Limbs bend to the side of their rest pose again: {modifiers}.")
        }
    };
    let done = format!("The bones are in their rest pose.{moved}{bent}");
    let words = [&*done, "The bones are in their rest pose already."];
    set(&after, words, selection, title)
}

/// The limbs that are meant.
fn reaches_meant(selection: &Selection) -> Vec<ReachingLimb> {
    let mut held = held_nodes(&selection.skeleton);
    held.retain(|held| selection.includes_held(held));
    let is_meant = |reach: &ReachingLimb| {
        let target = reach.target();
        held.iter().any(|held| Some(&held.node) == target.as_ref())
    };
    let reaches = selection
        .rig()
        .map_or_else(Vec::new, |rig| ReachingLimb::of_rig(&rig));
    reaches.into_iter().filter(is_meant).collect()
}

/// Returns the places that the targets of `reaches`, and their poles, need for the pose that the bones hold.
fn places_of_targets(reaches: &[ReachingLimb]) -> Vec<NodePose> {
    let mut places: Vec<NodePose> = Vec::new();
    for place in reaches.iter().flat_map(ReachingLimb::places) {
        let now = NodePose::of(&place.node);
        let stays =
            place.position.approx_eq(&now.position) && place.rotation.approx_eq(&now.rotation);
        let is_place = place.position.is_finite() && place.rotation.is_finite();
        if is_place && !stays && places.iter().all(|other| other.node != place.node) {
            places.push(place);
        }
    }
    places
}

/// Returns the changes on the way to `goals`.
///
/// # Errors
/// That there is nothing to pose.
fn posture_of(mut goals: PoseGoals, skeleton: &Gd<Skeleton2D>) -> Result<Posture, Refusal> {
    goals.bones.retain(|(bone, _)| has_rest(bone));
    if goals.bones.is_empty() && goals.targets.is_empty() {
        return Err("The pose that was copied has no bones with the names of these.".into());
    }
    restore_base_pose(skeleton);
    let now = goals.now();
    Ok(goals.blended(&now, 1.0).without(&now))
}

/// Sets base poses, while the bones hold those of before. Says that it has done so with the first of `words`, and with
/// the second that there was nothing to do.
fn set(
    poses: &Posture,
    [done, nothing]: [&str; 2],
    selection: &Selection,
    title: &str,
) -> Result<String, Refusal> {
    let rig = selection.rig().filter(TendonRig2D::shows_solution);
    let shown = rig.map_or("", |_| SHOWN);
    if poses.is_empty() {
        return Err(format!("{nothing}{shown}").into());
    }
    let notice = set_base_poses(title, &selection.scene, selection.rig().as_slice(), poses)?;
    let notice = notice.map_or(String::new(), |notice| format!(" {notice}"));
    Ok(format!("{done}{notice}{shown}"))
}

/// The end of a message about bones whose rig is previewed.
const SHOWN: &str = " Preview in Editor shows what the rig makes of it.";

/// For each bone the one on the other side, which may be the bone itself.
///
/// # Errors
/// Returns an error that says what is wrong with the words for the sides.
pub(crate) fn other_sides(bones: &[Gd<Bone2D>]) -> Result<Vec<Option<usize>>, Refusal> {
    let names = SideNames::of_project()?;
    let named: Vec<_> = bones
        .iter()
        .map(|bone| (bone.get_name().to_string(), bone.clone()))
        .collect();
    let mirror = SkeletonSides::of(&rest_bones(&named), &names);
    Ok((0..bones.len()).map(|bone| mirror.other(bone)).collect())
}

/// The bones at rest, for the mirror. Those without a rest pose stand where they are.
fn rest_bones(named: &[(String, Gd<Bone2D>)]) -> Vec<RestBone> {
    let bones = named.iter().map(|(name, bone)| {
        let parent = parent_bone(bone);
        RestBone {
            name: name.clone(),
            parent: parent.and_then(|parent| named.iter().position(|(_, other)| *other == parent)),
            rest: frame_of(rest_or_pose(bone)),
            end: to_solver(end_of(bone)),
        }
    });
    bones.collect()
}
