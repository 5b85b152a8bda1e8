//! Which rigs are shown: those that the selected nodes belong to, as they are after the last pass.

use std::collections::HashSet;

use godot::classes::{Bone2D, EditorInterface, Skeleton2D};
use godot::prelude::*;
use tendon_solver::Status;

use crate::editor::gizmos::geometry::Geometry;
use crate::engine::skeleton::skeleton_of_bone;
use crate::nodes::joint_limit::{TendonJointLimit2D, bone_of, limit_on};
use crate::nodes::rig::{EDITED_RIGS, TendonRig2D};
use crate::plan::Plan;
use crate::plan::chain::TipSource;
use crate::plan::planned_modifier::PlannedModifier;

/// The nodes that are selected.
pub(super) type Selected = HashSet<InstanceId>;

/// A modifier after the last pass.
pub(super) struct ShownModifier {
    pub(super) node: InstanceId,
    pub(super) status: Status,
    pub(super) is_penetrated: bool,
    pub(super) geometry: Geometry,
    /// The bones that it turns.
    pub(super) joints: Vec<InstanceId>,
    /// The nodes that can be dragged: targets, and the pole.
    pub(super) targets: Vec<InstanceId>,
    pub(super) pole: Option<InstanceId>,
    /// Other nodes that it refers to.
    others: Vec<InstanceId>,
}

impl ShownModifier {
    fn of(plan: &Plan, planned: &PlannedModifier) -> Option<Self> {
        let solvable = planned.solvable.as_ref().ok()?;
        let modifier = &plan.rig.modifiers[solvable.solver_index];
        let result = planned.result();
        let bone = |&index: &usize| plan.bones.get(index).id();
        let effectors = planned.effectors.iter();
        let ends = effectors.filter_map(|effector| effector.ends.as_ref().ok());
        let targets = std::iter::once(&solvable.ends).chain(ends);
        let tip = match &solvable.ends.tip {
            TipSource::Node(node) => Some(node.id()),
            TipSource::Bone { .. }
            | TipSource::Child { .. }
            | TipSource::Axis { .. }
            | TipSource::Skeleton => None,
        };
        let source = solvable.source.as_ref().map(|source| source.node.id());
        let others = planned.effectors.iter().map(|effector| effector.id());
        let obstacles = planned.obstacles.iter();
        let others = others.chain(obstacles.map(|obstacle| obstacle.node.id()));
        let path = solvable.path.as_ref().map(|path| path.node.id());
        let others = others.chain(path);
        Some(Self {
            node: planned.node.id(),
            status: result.status,
            is_penetrated: result.penetration > 0.0,
            geometry: Geometry::of(&plan.rig, solvable.solver_index),
            joints: modifier.joints.iter().map(bone).collect(),
            targets: targets
                .filter_map(|ends| Some(ends.target.as_ref()?.node.id()))
                .collect(),
            pole: solvable.pole.as_ref().map(|pole| pole.node.id()),
            others: others.chain(tip).chain(source).collect(),
        })
    }

    /// Whether one of its nodes is selected.
    pub(super) fn concerns(&self, selected: &Selected) -> bool {
        let own = [self.node];
        let nodes = own.iter().chain(&self.joints).chain(&self.targets);
        let mut nodes = nodes.chain(&self.pole).chain(&self.others);
        nodes.any(|node| selected.contains(node))
    }
}

/// A rig after the last pass.
pub(super) struct ShownRig {
    rig_node: InstanceId,
    pub(super) skeleton: Gd<Skeleton2D>,
    pub(super) bones: Vec<InstanceId>,
    pub(super) modifiers: Vec<ShownModifier>,
}

impl ShownRig {
    fn of(rig: &Gd<TendonRig2D>) -> Option<Self> {
        let bound = rig.bind();
        let plan = bound.plan()?;
        // Not before a pass was completed, and not while the base pose is restored.
        plan.to_global?;
        plan.skeleton.alive()?;
        let modifiers = plan.modifiers.iter();
        Some(Self {
            rig_node: rig.instance_id(),
            skeleton: plan.skeleton.gd().clone(),
            bones: plan.bones.iter().map(|bone| bone.id()).collect(),
            modifiers: modifiers
                .filter_map(|modifier| ShownModifier::of(plan, modifier))
                .collect(),
        })
    }

    /// Whether any of it is to be shown.
    pub(super) fn concerns(&self, selected: &Selected, skeletons: &Selected) -> bool {
        let skeleton = self.skeleton.instance_id();
        selected.contains(&self.rig_node)
            || selected.contains(&skeleton)
            || skeletons.contains(&skeleton)
            || self
                .modifiers
                .iter()
                .any(|modifier| modifier.concerns(selected))
    }
}

/// The rigs of the edited scene.
pub(super) fn shown_rigs(root: &Gd<Node>) -> Vec<ShownRig> {
    if !root.is_inside_tree() {
        return Vec::new();
    }
    let rigs = root.get_tree().get_nodes_in_group(EDITED_RIGS);
    let rigs = rigs.iter_shared();
    let rigs = rigs.filter_map(|node| node.try_cast::<TendonRig2D>().ok());
    rigs.filter_map(|rig| ShownRig::of(&rig)).collect()
}

/// Whether gizmos are shown when `node` is selected.
pub(super) fn is_shown(node: &Gd<Node>) -> bool {
    if node.clone().try_cast::<TendonJointLimit2D>().is_ok() {
        return true;
    }
    let Some(root) = EditorInterface::singleton().get_edited_scene_root() else {
        return false;
    };
    let selected = HashSet::from([node.instance_id()]);
    let skeletons = skeletons_of(std::slice::from_ref(node));
    let has_limit = as_bone(node).is_some_and(|bone| limit_on(&bone).is_some());
    let mut shown_rigs = shown_rigs(&root).into_iter();
    has_limit || shown_rigs.any(|rig| rig.concerns(&selected, &skeletons))
}

pub(super) fn as_bone(node: &Gd<Node>) -> Option<Gd<Bone2D>> {
    node.clone().try_cast().ok()
}

/// The skeletons whose bones or limits are among `nodes`.
pub(super) fn skeletons_of(nodes: &[Gd<Node>]) -> Selected {
    let skeletons = nodes.iter().filter_map(|node| {
        let limit = node.clone().try_cast::<TendonJointLimit2D>().ok();
        let bone = as_bone(node).or_else(|| limit.and_then(|limit| bone_of(&limit)))?;
        skeleton_of_bone(&bone).map(|skeleton| skeleton.instance_id())
    });
    skeletons.collect()
}
