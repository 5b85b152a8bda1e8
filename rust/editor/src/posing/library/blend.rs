//! A pose that is on its way to one of the library: from the pose before, as far as the slider says.

use godot::builtin::math::ApproxEq;
use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::engine::skeleton::has_rest;
use tendon_nodes::nodes::pose_library::deviation::{Deviation, named_bones};

use crate::posing::step::set_base_poses;
use crate::preview::restore_base_pose;
use crate::selection::Selection;

/// A pose of the library, and what it is blended with.
pub(super) struct Blend {
    scene: Gd<Node>,
    skeleton: Gd<Skeleton2D>,
    title: String,
    goals: Vec<(Gd<Bone2D>, Deviation)>,
    /// The base pose before.
    start: Vec<BoneTransform>,
    /// The base pose that the last step has left.
    left: Vec<BoneTransform>,
    /// The base pose that is shown while the slider is held.
    shown: Option<Vec<BoneTransform>>,
}

impl Blend {
    /// Begins at the present base pose of the selected bones, or of all that the pose `name` has.
    ///
    /// # Errors
    /// Why the pose cannot be applied, in words.
    pub(super) fn begin(
        name: &str,
        pose: &[(String, Deviation)],
        selection: &Selection,
    ) -> Result<Self, String> {
        let goals = named_bones(&selection.skeleton).into_iter();
        let goals = goals.filter_map(|(bone, node)| {
            let found = pose.iter().find(|(name, _)| *name == bone);
            Some((node, found?.1))
        });
        let goals = goals.filter(|(bone, _)| has_rest(bone) && selection.includes(bone));
        let goals: Vec<_> = goals.collect();
        if goals.is_empty() {
            return Err("The pose has no bones with the names of these.".into());
        }
        let mut blend = Self {
            scene: selection.scene.clone(),
            skeleton: selection.skeleton.clone(),
            title: format!("Apply Pose \"{name}\""),
            goals,
            start: Vec::new(),
            left: Vec::new(),
            shown: None,
        };
        blend.start = blend.now();
        blend.left = blend.start.clone();
        Ok(blend)
    }

    /// Whether everything is still there.
    pub(super) fn is_there(&self) -> bool {
        let mut bones = self.goals.iter();
        self.scene.is_instance_valid()
            && self.skeleton.is_instance_valid()
            && bones.all(|(bone, _)| bone.is_instance_valid())
    }

    /// Shows the blend, without an undo step.
    pub(super) fn show(&mut self, weight: f32) {
        self.go_on();
        let shown = self.blended(weight);
        shown.iter().for_each(BoneTransform::restore);
        self.shown = Some(shown);
    }

    /// Makes the blend an undo step. Returns what to tell the user.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn commit(&mut self, weight: f32) -> Result<Option<String>, String> {
        self.go_on();
        let after = self.blended(weight);
        self.restore(&self.left);
        let changed = after.iter().zip(&self.left);
        let changed = changed.filter(|(after, left)| after.properties() != left.properties());
        let changed: Vec<_> = changed.map(|(after, _)| after.clone()).collect();
        self.left = after;
        if changed.is_empty() {
            return Ok(None);
        }
        set_base_poses(&self.title, &self.scene, &self.skeleton, &changed)
    }

    /// Begins anew if something else has posed the bones since.
    fn go_on(&mut self) {
        let now = self.now();
        let is_now = |poses: &[BoneTransform]| {
            let mut pairs = now.iter().zip(poses);
            pairs.all(|(now, pose)| is_same(now, pose))
        };
        let shown = self.shown.take();
        if !is_now(&self.left) && !shown.is_some_and(|shown| is_now(&shown)) {
            (self.start, self.left) = (now.clone(), now);
        }
    }

    /// The poses that are `weight` of the way. The bones hold the pose of the start then.
    fn blended(&self, weight: f32) -> Vec<BoneTransform> {
        self.restore(&self.start);
        let goals = self.goals.iter().zip(&self.start);
        let poses = goals.map(|((bone, goal), start)| {
            let after = goal.change(bone, weight);
            after.unwrap_or_else(|| start.clone())
        });
        poses.collect()
    }

    fn restore(&self, poses: &[BoneTransform]) {
        restore_base_pose(&self.skeleton);
        poses.iter().for_each(BoneTransform::restore);
    }

    fn now(&self) -> Vec<BoneTransform> {
        restore_base_pose(&self.skeleton);
        let bones = self.goals.iter();
        bones.map(|(bone, _)| BoneTransform::of(bone)).collect()
    }
}

fn is_same(pose: &BoneTransform, other: &BoneTransform) -> bool {
    pose.rotation.approx_eq(&other.rotation)
        && pose.position.approx_eq(&other.position)
        && pose.scale.approx_eq(&other.scale)
        && pose.skew.approx_eq(&other.skew)
}
