//! The plan of a rig: replaces it when it is stale, and answers questions about it.

use std::cell::Ref;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Status;

use super::TendonRig2D;
use super::shared::SharedRig;
use crate::base_pose::tracked_bones::TrackedBones;
use crate::engine::frame_calls::missing_method;
use crate::nodes::rig::skeleton::{misplacement, skeleton_of};
use crate::plan::Plan;
use crate::plan::planner::{Dependencies, make_plan};
use crate::warnings::log::warn;
use crate::warnings::problem::Problem;
use crate::warnings::rig::{OUTDATED, SLOWER};

impl TendonRig2D {
    /// Replaces `plan`. Afterwards there is none if the rig is not where it can run.
    pub(super) fn replace_plan(this: &Gd<Self>, plan: &mut Option<Box<Plan>>) {
        let node = this.clone().upcast::<Node>();
        let rig = Self::shared(this);
        rig.stale.set(false);
        if !rig.in_tree.get() {
            if let Some(old) = plan {
                old.restore();
            }
            *plan = None;
            return;
        }
        // The extension may have been reloaded while the rig was in the tree.
        Self::start_listening(this);
        let misplaced = misplacement(&node);
        let in_editor = rig.in_editor;
        let still = plan.as_deref().map(Plan::bones_on_the_way);
        let (new, dependencies) = Self::new_plan(this, &still.unwrap_or_default()).unzip();
        let mut new = new.map(Box::new);
        Self::depend_on(this, dependencies.unwrap_or_default());
        if let Some(new) = &mut new
            && let Some(history) = &*rig.undo_history.borrow()
        {
            new.bones.recall_from(history, &mut new.rig.bones);
        }
        // From here on scripts run, and may free anything.
        rig.hand_over(plan.as_deref_mut(), new.as_deref_mut());
        let old = std::mem::replace(plan, new);
        rig.note_bones(plan.as_deref());
        if let Some(plan) = &plan {
            plan.report_problems(old.as_deref(), in_editor);
        } else if let Some(advice) = misplaced.filter(|_| !in_editor) {
            Self::warn_once(this, |warned| &mut warned.misplaced, advice);
        }
        if let Some(plan) = plan.as_deref().filter(|_| !in_editor) {
            Self::warn_of_stack(this, plan);
        }
        Self::warn_of_slow_calls(this);
    }

    /// A plan of the modifiers as they are now, which nobody has been told of, with the bones `still`. `None` if the rig
    /// is not where it can run.
    pub(in crate::nodes) fn new_plan(
        this: &Gd<Self>,
        still: &[Gd<Bone2D>],
    ) -> Option<(Plan, Dependencies)> {
        let node = this.clone().upcast::<Node>();
        let skeleton = skeleton_of(&node).filter(|_| misplacement(&node).is_none())?;
        let watch = Self::shared(this).tree_watch.borrow().clone()?;
        let on_change = Self::plan_method(this);
        Some(make_plan(&node, skeleton, still, watch, &on_change))
    }

    /// Warns, once for each modifier, that the plan was out of date as soon as it was made. `modifier`
    /// is the one that could not be read; `None` if it was a bone.
    pub(super) fn warn_of_outdated(
        this: &Gd<Self>,
        plan: Option<&Plan>,
        modifier: Option<InstanceId>,
    ) {
        match (plan, modifier) {
            (Some(plan), Some(modifier)) => plan.warn_of_outdated(modifier),
            _ => Self::warn_once(this, |warned| &mut warned.outdated, OUTDATED),
        }
    }

    /// Warns once, for all rigs, if this engine's methods cannot be called directly.
    fn warn_of_slow_calls(this: &Gd<Self>) {
        static TOLD: AtomicBool = AtomicBool::new(false);
        if let Some(method) = missing_method()
            && !TOLD.swap(true, Ordering::Relaxed)
            && this.is_instance_valid()
        {
            warn(
                &this.clone().upcast(),
                format_args!("This engine has another {method}: {SLOWER}"),
            );
        }
    }

    /// Marks the plan as stale: the modifiers or their order have changed, and the next pass makes
    /// a new plan.
    pub(in crate::nodes) fn mark_plan_stale(&self) {
        self.shared.stale.set(true);
    }

    /// The plan of the last pass. `None` before the first pass and while one is running.
    pub fn plan(&self) -> Option<Ref<'_, Plan>> {
        Ref::filter_map(self.shared.plan.borrow(), Option::as_deref).ok()
    }

    /// The problems of `node`, a modifier or an effector, as of the last plan.
    pub(in crate::nodes) fn problems_of(&self, node: &Gd<Node>) -> Vec<Problem> {
        self.plan()
            .map_or(Vec::new(), |plan| plan.problems_of(node))
    }

    /// Returns `true` if the rig runs in the editor, too.
    pub fn is_previewed(&self) -> bool {
        self.shared.is_previewed()
    }

    /// The status of each modifier, and how much of its result is applied.
    pub fn statuses(&self) -> Vec<(Status, f32)> {
        let Some(plan) = self.plan() else {
            return Vec::new();
        };
        let statuses = plan.pairs().map(|(planned, modifier)| {
            let influence = modifier.map_or(1.0, |modifier| modifier.influence);
            (planned.result().status, influence)
        });
        statuses.collect()
    }
}

impl SharedRig {
    /// The bones of the plan, also while a pass has it.
    pub(super) fn bones(&self) -> Option<Rc<TrackedBones>> {
        self.planned_bones.borrow().upgrade()
    }

    /// Notes which bones `plan` has.
    fn note_bones(&self, plan: Option<&Plan>) {
        let plan = plan.filter(|_| self.in_tree.get());
        let bones = plan.map(|plan| Rc::downgrade(&plan.bones));
        self.planned_bones.replace(bones.unwrap_or_default());
    }

    /// Hands over what the plan `old` remembers to the plan `new`.
    fn hand_over(&self, old: Option<&mut Plan>, new: Option<&mut Plan>) {
        match (new, old) {
            (Some(plan), Some(old)) => {
                self.remember_bones_for_undo(old);
                plan.take_over(old);
            }
            (Some(plan), None) => self.claim_copies(plan),
            (None, Some(old)) => old.restore(),
            (None, None) => {}
        }
    }
}
