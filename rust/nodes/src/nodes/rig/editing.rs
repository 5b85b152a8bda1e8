//! What the editor asks of a rig: undo, copies and warnings of other nodes.

use godot::classes::Bone2D;
use godot::prelude::*;

use super::TendonRig2D;
use super::shared::SharedRig;
use crate::base_pose::bone_pose::BonePose;
use crate::base_pose::copies;
use crate::base_pose::undo_history::UndoHistory;
use crate::engine::children::{all_below, children};
use crate::nodes::rig::skeleton::skeleton_of;
use crate::plan::Plan;
use crate::plan::limit::update_warnings_of_limits_below;

impl TendonRig2D {
    /// Has the editor update the warnings of the rigs of this skeleton, of which only the first
    /// runs, and of the modifiers below them.
    pub(super) fn update_warnings_of_rigs(this: &Gd<Self>) {
        let parent = this.get_parent();
        let Some(parent) = parent.filter(|_| Self::shared(this).in_editor) else {
            return;
        };
        for mut rig in children::<Self, _>(&parent) {
            // Deferred: which is the first is not decided yet.
            rig.call_deferred("update_configuration_warnings", &[]);
            for mut node in all_below::<Node>(&rig.clone().upcast()) {
                node.call_deferred("update_configuration_warnings", &[]);
            }
        }
    }

    /// Has the editor update the warnings of the skeleton's joint limits, which need a rig.
    pub(super) fn update_warnings_of_limits(this: &Gd<Self>) {
        let skeleton = skeleton_of(&this.clone().upcast());
        if let Some(skeleton) = skeleton.filter(|_| Self::shared(this).in_editor) {
            update_warnings_of_limits_below(&skeleton.upcast());
        }
    }

    /// Returns `true` if bones may hold something else than their base pose in the editor.
    pub fn shows_solution(this: &Gd<Self>) -> bool {
        let rig = Self::shared(this);
        rig.active.get() && rig.is_previewed()
    }

    /// An action of the editor has led to `version` of the scene.
    pub fn commit(this: Gd<Self>, version: u64) {
        Self::with_history(&this, |history, plan| {
            history.commit(version, plan.bones.base_poses());
        });
    }

    /// Undo or redo has led to `version` of the scene.
    pub fn go_to_version(this: Gd<Self>, version: u64) {
        Self::with_history(&this, |history, plan| {
            plan.bones
                .claim(&history.go_to(version, plan.bones.poses()));
        });
    }

    /// Notes the base poses that an animation has set since the last action: they are not part of the next one.
    pub fn note_base_poses(this: Gd<Self>) {
        Self::with_history(&this, |history, plan| {
            history.note(plan.bones.base_poses());
        });
    }

    /// Runs `act` on the history and the plan, if there is one, with nothing borrowed.
    fn with_history(this: &Gd<Self>, act: impl FnOnce(&mut UndoHistory, &mut Plan)) {
        Self::with_plan(this, |plan| {
            let rig = Self::shared(this);
            let mut history = rig.undo_history.take().unwrap_or_default();
            act(&mut history, plan);
            rig.undo_history.replace(Some(history));
        });
    }

    /// The base pose of `bone`, if it is a copy of a bone of this rig that holds a solved pose.
    pub fn base_of_copy(&self, bone: &Gd<Bone2D>) -> Option<BonePose> {
        let plan = self.plan()?;
        copies::base_of_copy(&plan.bones, bone)
    }
}

#[godot_api(secondary)]
impl TendonRig2D {
    /// Has the next pass begin from these rotations, which are by the instance IDs of bones. It is
    /// called by an undo step of the editor.
    #[func(rename = _begin_from)]
    fn begin_from(&mut self, rotations: VarDictionary) {
        self.shared.start_rotations.replace(Some(rotations));
    }
}

impl SharedRig {
    /// The base poses that a copy of this rig, which is that of `this`, needs.
    pub(super) fn base_poses_of_copy(&self, this: &Gd<TendonRig2D>) -> VarDictionary {
        let bones = self.bones().zip(skeleton_of(&this.clone().upcast()));
        match bones {
            Some((bones, skeleton)) => copies::to_dictionary(&bones, &skeleton),
            None => self.copied_base_poses.borrow().clone().unwrap_or_default(),
        }
    }

    /// Takes over the base poses of the rig that this one is a copy of. Returns whether they are
    /// of the right type.
    pub(super) fn set_copied_base_poses(&self, value: &Variant) -> bool {
        let base_poses = value.try_to().ok();
        let is_right = base_poses.is_some();
        self.copied_base_poses.replace(base_poses);
        is_right
    }

    /// Gives the bones of `plan`, the first one, the base poses that were copied.
    pub(super) fn claim_copies(&self, plan: &Plan) {
        let base_poses = self.copied_base_poses.take();
        if let Some((base_poses, skeleton)) = base_poses.zip(plan.skeleton.alive()) {
            copies::claim_copies(&plan.bones, skeleton, &base_poses);
        }
    }

    /// Restores the base poses that were copied, if no plan has claimed them yet. `this` is the rig.
    pub(super) fn restore_copies(&self, this: &Gd<TendonRig2D>) {
        let Some(skeleton) = skeleton_of(&this.clone().upcast()) else {
            return;
        };
        if let Some(base_poses) = self.copied_base_poses.take() {
            copies::restore_copies(&skeleton, &base_poses);
        }
    }

    /// The base pose of `bone`, if it was copied and no plan has claimed it yet. `this` is the rig.
    pub(super) fn unclaimed_base_of(
        &self,
        this: &Gd<TendonRig2D>,
        bone: &Gd<Bone2D>,
    ) -> Option<BonePose> {
        let base_poses = self.copied_base_poses.borrow().clone()?;
        let skeleton = skeleton_of(&this.clone().upcast())?;
        copies::unclaimed_base_of(bone, &skeleton, &base_poses)
    }

    /// Remembers the bones of `plan`: an undo of the editor may bring them back.
    pub(super) fn remember_bones_for_undo(&self, plan: &Plan) {
        if self.in_editor {
            let mut history = self.undo_history.borrow_mut();
            let history = history.get_or_insert_default();
            plan.bones.remember_in(history, &plan.rig.bones);
        }
    }
}
