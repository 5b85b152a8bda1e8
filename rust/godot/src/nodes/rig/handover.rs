//! What a rig hands to its copies, and keeps for the editor's saving and undoing.
//!
//! Whoever copies a live character reads solved poses from its bones. The rig therefore has a
//! property that nobody sees, with what the bones hold and what they were given. A copy of the rig
//! gets it, and so does the rig itself when the extension is loaded anew. It is there only as long
//! as solved poses are: the editor saves a scene without it.

use godot::classes::Bone2D;
use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use tendon_solver::glam::Vec2;

use super::TendonRig2D;
use crate::base_pose::past::{Given, Past};
use crate::engine::space::to_solver;
use crate::plan::Plan;

/// The property that hands a copy what this rig remembers.
pub(super) const COVERED: &str = "_covered";

impl TendonRig2D {
    /// The property, if there is something to hand over.
    pub(super) fn handed_over(&self) -> Vec<PropertyInfo> {
        if self.covered().is_empty() {
            return Vec::new();
        }
        vec![PropertyInfo {
            usage: PropertyUsageFlags::STORAGE | PropertyUsageFlags::INTERNAL,
            ..PropertyInfo::new_var::<VarDictionary>(COVERED)
        }]
    }

    /// Takes what is handed over, for the first plan. Returns whether it is of the right type.
    pub(super) fn take_over(&mut self, value: &Variant) -> bool {
        let inherited = value.try_to().ok();
        let is_it = inherited.is_some();
        self.inherited = inherited.unwrap_or_default();
        is_it
    }

    /// Each bone whose base pose is covered by a solved one, by its path from the skeleton: what it
    /// holds and what it was given, as rotation, X and Y.
    pub(super) fn covered(&self) -> VarDictionary {
        let Some((plan, skeleton)) = self.plan.as_deref().and_then(|plan| {
            let skeleton = plan.skeleton.alive().map(|_| plan.skeleton.gd());
            skeleton.map(|skeleton| (plan, skeleton))
        }) else {
            return self.inherited.clone();
        };
        let mut covered = VarDictionary::new();
        for (planned, held, base) in plan.covered() {
            let [held, base] = [held, base].map(|it| [it.rotation, it.position.x, it.position.y]);
            let path = skeleton.get_path_to(planned.node.gd());
            let values = PackedFloat32Array::from([held, base].concat());
            covered.set(&path, &values);
        }
        covered
    }

    /// Hands `plan`, the first one, what the rig that this one is a copy of remembered.
    pub(super) fn settle_inheritance(this: &Gd<Self>, plan: &mut Plan) {
        let inherited = std::mem::take(&mut this.clone().bind_mut().inherited);
        let skeleton = plan.skeleton.gd().clone();
        for (path, values) in inherited.iter_shared() {
            let bone = path.try_to::<NodePath>().ok();
            let bone = bone.and_then(|path| skeleton.try_get_node_as::<Bone2D>(&path));
            let values = values.try_to::<PackedFloat32Array>().unwrap_or_default();
            if let (Some(bone), &[turn, x, y, base_turn, base_x, base_y]) =
                (bone, values.as_slice())
            {
                let base_of = |rotation, x, y| Given {
                    rotation,
                    position: Vec2::new(x, y),
                };
                let (held, base) = (base_of(turn, x, y), base_of(base_turn, base_x, base_y));
                plan.inherit(&bone, held, base);
            }
        }
    }

    /// Puts the base pose back for saving, to the last bit.
    pub(crate) fn put_back(this: Gd<Self>) {
        Self::with_plan(this, |_, plan| plan.restore());
    }

    /// An action of the editor has led to `version` of the scene.
    pub(crate) fn commit(this: Gd<Self>, version: u64) {
        Self::with_plan(this, |past, plan| past.commit(version, plan.bases()));
    }

    /// The editor's undo or redo has led to `version` of the scene.
    pub(crate) fn travel(this: Gd<Self>, version: u64) {
        Self::with_plan(this, |past, plan| plan.claim(&past.travel(version)));
    }

    /// Runs `act` on the plan, if there is one, with nothing borrowed.
    fn with_plan(mut this: Gd<Self>, act: impl FnOnce(&mut Past, &mut Plan)) {
        let (plan, mut past) = {
            let mut rig = this.bind_mut();
            (rig.plan.take(), std::mem::take(&mut rig.past))
        };
        if let Some(mut plan) = plan {
            act(&mut past, &mut plan);
            Self::give_back(&mut this, plan);
        }
        if this.is_instance_valid() {
            this.bind_mut().past = past;
        }
    }

    /// The base pose that belongs to the solved one of `bone`, if that is a copy of a bone of this
    /// rig, and none itself.
    pub(crate) fn base_of_copy(&self, bone: &Gd<Bone2D>) -> Option<Given> {
        let plan = self.plan.as_ref()?;
        if plan.index_of(bone.instance_id()).is_some() {
            return None;
        }
        let held = (bone.get_rotation(), to_solver(bone.get_position()));
        let looks_like = |other: &Gd<Bone2D>| {
            other.get_rest() == bone.get_rest() && other.get_scale() == bone.get_scale()
        };
        let mut covered = plan.covered();
        let twin = covered.find(|(planned, present, _)| {
            (present.rotation, present.position) == held && looks_like(planned.node.gd())
        });
        twin.map(|(_, _, base)| base)
    }
}
