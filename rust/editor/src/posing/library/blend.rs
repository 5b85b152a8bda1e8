//! A pose that is on its way to one of the library: from the pose before, as far as the slider says.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::engine::node_place::NodePlace;
use tendon_nodes::engine::skeleton::has_rest;
use tendon_nodes::nodes::pose_library::StoredPose;
use tendon_nodes::nodes::pose_library::deviation::{Deviation, named_bones};
use tendon_nodes::nodes::pose_library::held_nodes::{HeldNode, Placement, held_nodes};
use tendon_nodes::nodes::rig::skeleton::rig_of;

use crate::posing::posture::Posture;
use crate::posing::step::set_base_poses;
use crate::preview::restore_base_pose;
use crate::refusal::Refusal;
use crate::selection::{Selection, is_edited};

/// A pose of the library, and what it is blended with.
pub(super) struct Blend {
    scene: Gd<Node>,
    skeleton: Gd<Skeleton2D>,
    title: String,
    bones: Vec<(Gd<Bone2D>, Deviation)>,
    nodes: Vec<(HeldNode, Placement)>,
    /// The base pose before.
    start: Posture,
    /// The base pose that the last step has left.
    left: Posture,
    /// The base pose that is shown while the slider is held.
    shown: Option<Posture>,
}

impl Blend {
    /// Begins at the present base pose of the selected bones, or of all that the pose `name` has.
    ///
    /// # Errors
    /// Why the pose cannot be applied, in words.
    pub(super) fn begin(
        name: &str,
        pose: &StoredPose,
        selection: &Selection,
    ) -> Result<Self, Refusal> {
        let bones = named_bones(&selection.skeleton).into_iter();
        let bones = bones.filter_map(|(bone, node)| Some((node, *pose.bone(&bone)?)));
        let bones = bones.filter(|(bone, _)| has_rest(bone) && selection.includes(bone));
        let bones: Vec<_> = bones.collect();
        let nodes = held_nodes(&selection.skeleton).into_iter();
        let nodes = nodes.filter(|held| selection.includes_held(held));
        let nodes = nodes.filter_map(|held| {
            let placement = *pose.target(&held.name)?;
            Some((held, placement))
        });
        let nodes: Vec<_> = nodes.collect();
        if bones.is_empty() && nodes.is_empty() {
            return Err("The pose has no bones with the names of these.".into());
        }
        restore_base_pose(&selection.skeleton);
        let start = Posture {
            bones: bones.iter().map(|(it, _)| BoneTransform::of(it)).collect(),
            nodes: nodes
                .iter()
                .map(|(it, _)| NodePlace::of(&it.node))
                .collect(),
            bends: nodes.iter().flat_map(|(it, _)| it.bends()).collect(),
        };
        Ok(Self {
            scene: selection.scene.clone(),
            skeleton: selection.skeleton.clone(),
            title: format!("Apply Pose \"{name}\""),
            bones,
            nodes,
            left: start.clone(),
            start,
            shown: None,
        })
    }

    /// Returns `true` if everything is still there.
    pub(super) fn is_there(&self) -> bool {
        is_edited(&self.skeleton)
            && self.start.is_there()
            && self.nodes.iter().all(|(it, _)| is_edited(&it.frame))
    }

    /// Shows the blend, without an undo step.
    pub(super) fn show(&mut self, weight: f32) {
        self.go_on();
        let shown = self.blended(weight);
        shown.restore();
        self.shown = Some(shown);
    }

    /// Makes the blend an undo step. Returns what to tell the user.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn commit(&mut self, weight: f32) -> Result<Option<String>, Refusal> {
        self.go_on();
        let after = self.blended(weight);
        self.restore(&self.left);
        let changed = after.without(&self.left);
        self.left = after;
        if changed.is_empty() {
            return Ok(None);
        }
        set_base_poses(
            &self.title,
            &self.scene,
            rig_of(&self.skeleton).as_slice(),
            &changed,
        )
    }

    /// Begins anew if something else has posed the bones since.
    fn go_on(&mut self) {
        restore_base_pose(&self.skeleton);
        let now = self.start.now();
        let shown = self.shown.take();
        let is_shown = shown.is_some_and(|shown| now.is_same(&shown));
        if !is_shown && !now.is_same(&self.left) {
            (self.start, self.left) = (now.clone(), now);
        }
    }

    /// The posture that is `weight` of the way. The bones hold that of the start then.
    fn blended(&self, weight: f32) -> Posture {
        self.restore(&self.start);
        let bones = self.bones.iter().zip(&self.start.bones);
        let bones = bones.map(|((bone, goal), start)| {
            let after = goal.change(bone, weight);
            after.unwrap_or_else(|| start.clone())
        });
        let nodes = self.nodes.iter().zip(&self.start.nodes);
        let nodes = nodes.map(|((held, goal), start)| {
            let after = goal.change(held, weight);
            after.unwrap_or_else(|| start.clone())
        });
        let bends = self.nodes.iter();
        let bends = bends.flat_map(|(held, goal)| goal.bends(held, weight));
        Posture {
            bones: bones.collect(),
            nodes: nodes.collect(),
            bends: bends.collect(),
        }
    }

    fn restore(&self, posture: &Posture) {
        restore_base_pose(&self.skeleton);
        posture.restore();
    }
}
