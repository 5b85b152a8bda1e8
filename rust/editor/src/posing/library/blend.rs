//! A pose that is on its way to one of the library: from the pose before, as far as the slider says.

use godot::classes::Skeleton2D;
use godot::prelude::*;
use tendon_nodes::engine::skeleton::has_rest;
use tendon_nodes::nodes::pose_library::StoredPose;
use tendon_nodes::nodes::rig::skeleton::{restore_base_pose, rig_of};

use crate::posing::posture::{PoseGoals, Posture};
use crate::posing::step::set_base_poses;
use crate::refusal::Refusal;
use crate::selection::{Selection, is_edited};

/// A pose of the library, and what it is blended with.
pub(super) struct Blend {
    scene: Gd<Node>,
    skeleton: Gd<Skeleton2D>,
    title: String,
    goals: PoseGoals,
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
        let mut goals = PoseGoals::named(selection, &pose.bones, &pose.targets);
        goals.bones.retain(|(bone, _)| has_rest(bone));
        if goals.bones.is_empty() && goals.targets.is_empty() {
            return Err("The pose has no bones with the names of these.".into());
        }
        restore_base_pose(&selection.skeleton);
        let start = goals.now();
        Ok(Self {
            scene: selection.scene.clone(),
            skeleton: selection.skeleton.clone(),
            title: format!("Apply Pose \"{name}\""),
            goals,
            left: start.clone(),
            start,
            shown: None,
        })
    }

    /// Returns `true` if everything is still there.
    pub(super) fn is_there(&self) -> bool {
        is_edited(&self.skeleton)
            && self.start.is_there()
            && self
                .goals
                .targets
                .iter()
                .all(|(it, _)| is_edited(&it.frame))
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
        self.goals.blended(&self.start, weight)
    }

    fn restore(&self, posture: &Posture) {
        restore_base_pose(&self.skeleton);
        posture.restore();
    }
}
