//! Makes the base pose of a character or of a limb keys, with its targets.

use godot::builtin::math::ApproxEq;
use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{parent_among, parent_bone};
use tendon_nodes::engine::skeleton::{bones_of, has_rest};
use tendon_nodes::nodes::pose_library::held_nodes::{HeldNode, held_nodes};
use tendon_nodes::nodes::rig::skeleton::restore_base_pose;

use crate::action::Action;
use crate::posing::exchange::told;
use crate::posing::limb::{AngleHold, LimbBone, limb_of};
use crate::posing::new_keys::NewKeys;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// The bones and targets that get keys.
pub(crate) struct KeyedPose {
    bones: Vec<Gd<Bone2D>>,
    targets: Vec<HeldNode>,
}

impl KeyedPose {
    /// All bones of the skeleton, and all that its rig follows.
    pub(crate) fn whole(selection: &Selection) -> Result<Self, Refusal> {
        let bones = bones_of(&selection.skeleton);
        match bones.is_empty() {
            true => Err("This Skeleton2D has no bones.".into()),
            false => Ok(Self {
                bones,
                targets: held_nodes(&selection.skeleton),
            }),
        }
    }

    /// The limbs that the selected bones belong to, as pose mode pulls them, with what is below, and what they
    /// follow.
    pub(crate) fn limb(selection: &Selection) -> Result<Self, Refusal> {
        let chosen = selection.posed();
        if chosen.is_empty() {
            return Err("Select a bone of the limb, or its target.".into());
        }
        let all = bones_of(&selection.skeleton);
        let joints: Vec<_> = all.iter().map(|bone| joint_of(bone, &all)).collect();
        let tops = chosen.iter().filter_map(|bone| {
            let bone = all.iter().position(|other| other == bone)?;
            limb_of(&joints, bone).first().copied()
        });
        let tops: Vec<_> = tops.map(|top| all[top].clone()).collect();
        let is_below = |bone: &Gd<Bone2D>| {
            let mut tops = tops.iter();
            tops.any(|top| top == bone || top.is_ancestor_of(bone))
        };
        let bones: Vec<_> = all.iter().filter(|bone| is_below(bone)).cloned().collect();
        let mut targets = held_nodes(&selection.skeleton);
        targets.retain(|held| bones.iter().any(|bone| held.moves(bone)));
        Ok(Self { bones, targets })
    }

    /// Returns the bones and targets that get keys, in words.
    pub(crate) fn told(&self) -> String {
        told(&self.bones, self.targets.iter().map(|held| &held.node))
    }

    /// Inserts keys at the time that the animation editor shows: rotations of all, positions of root bones and
    /// targets, and what else differs from the rest pose. Returns what to tell the user.
    ///
    /// # Errors
    /// Why that is not possible, with advice what to do.
    pub(crate) fn key(&self, selection: &Selection, title: &str) -> Result<String, Refusal> {
        let scene = &selection.scene;
        let mut keys = NewKeys::of_editor(scene)?;
        restore_base_pose(&selection.skeleton);
        let mut action = Action::begin(title, scene)?;
        for bone in &self.bones {
            for property in properties_of(bone, &keys) {
                keys.add(bone, property, bone.get(property), &mut action);
            }
        }
        for target in &self.targets {
            for property in ["position", "rotation"] {
                let node = &target.node;
                keys.add(node, property, node.get(property), &mut action);
            }
        }
        let [keys, time] = keys.commit(selection, None, action);
        Ok(format!("{keys} for {}, at {time}.", self.told()))
    }
}

/// Returns the properties of `bone` that get keys.
fn properties_of(bone: &Gd<Bone2D>, keys: &NewKeys) -> Vec<&'static str> {
    let rest = has_rest(bone).then(|| bone.get_rest());
    let moves = rest.is_some_and(|rest| !rest.origin.approx_eq(&bone.get_position()));
    let scales = rest.is_some_and(|rest| !rest.scale().approx_eq(&bone.get_scale().abs()));
    let wanted = [
        ("position", moves || parent_bone(bone).is_none()),
        ("rotation", true),
        ("scale", scales),
    ];
    let wanted = wanted.into_iter().filter(|(property, is_wanted)| {
        *is_wanted || keys.edited.track_of(bone, property).is_some()
    });
    wanted.map(|(property, _)| property).collect()
}

fn joint_of(bone: &Gd<Bone2D>, all: &[Gd<Bone2D>]) -> LimbBone {
    LimbBone {
        parent: parent_among(bone, all),
        hold: AngleHold::Free,
    }
}
