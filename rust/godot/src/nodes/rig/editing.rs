//! What the editor asks of a rig: saving, undo and copies.

use godot::classes::Bone2D;
use godot::prelude::*;

use super::TendonRig2D;
use crate::base_pose::copies;
use crate::base_pose::memory::BonePose;
use crate::base_pose::undo_history::UndoHistory;
use crate::plan::Plan;

impl TendonRig2D {
    /// The base poses that a copy of this rig needs.
    pub(super) fn base_poses_of_copy(&self) -> VarDictionary {
        let plan = self.plan.as_deref();
        match plan.filter(|plan| plan.skeleton.alive().is_some()) {
            Some(plan) => copies::to_dictionary(&plan.bones, plan.skeleton.gd()),
            None => self.copied_base_poses.clone(),
        }
    }

    /// Takes over the base poses of the rig that this one is a copy of. Returns whether they are
    /// of the right type.
    pub(super) fn set_copied_base_poses(&mut self, value: &Variant) -> bool {
        let base_poses = value.try_to().ok();
        let has_type = base_poses.is_some();
        self.copied_base_poses = base_poses.unwrap_or_default();
        has_type
    }

    /// Gives the bones of `plan`, the first one, the base poses that were copied.
    pub(super) fn claim_copies(this: &Gd<Self>, plan: &mut Plan) {
        let base_poses = std::mem::take(&mut this.clone().bind_mut().copied_base_poses);
        let skeleton = plan.skeleton.gd().clone();
        copies::claim_copies(&mut plan.bones, &skeleton, &base_poses);
    }

    /// Puts the base pose back for saving, to the last bit.
    pub(crate) fn restore_for_saving(this: Gd<Self>) {
        Self::with_plan(this, |_, plan| plan.restore());
    }

    /// An action of the editor has led to `version` of the scene.
    pub(crate) fn commit(this: Gd<Self>, version: u64) {
        Self::with_plan(this, |history, plan| {
            history.commit(version, plan.bones.base_poses());
        });
    }

    /// Undo or redo has led to `version` of the scene.
    pub(crate) fn go_to_version(this: Gd<Self>, version: u64) {
        Self::with_plan(this, |history, plan| {
            plan.bones.claim(&history.go_to(version));
        });
    }

    /// Runs `act` on the plan, if there is one, with nothing borrowed.
    fn with_plan(mut this: Gd<Self>, act: impl FnOnce(&mut UndoHistory, &mut Plan)) {
        let (plan, mut history) = {
            let mut rig = this.bind_mut();
            (rig.plan.take(), std::mem::take(&mut rig.undo_history))
        };
        if let Some(mut plan) = plan {
            act(&mut history, &mut plan);
            Self::give_back(&mut this, plan);
        }
        if this.is_instance_valid() {
            this.bind_mut().undo_history = history;
        }
    }

    /// The base pose of `bone`, if it is a copy of a bone of this rig that holds a solved pose.
    pub(crate) fn base_of_copy(&self, bone: &Gd<Bone2D>) -> Option<BonePose> {
        let plan = self.plan.as_ref()?;
        copies::base_of_copy(&plan.bones, bone)
    }
}
