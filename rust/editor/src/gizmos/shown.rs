//! Which rigs are shown: those that the selected nodes belong to, as they are after the last pass.

use std::collections::HashSet;

use godot::classes::{AnimationPlayer, Bone2D, EditorInterface, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::children::all_below;
use tendon_nodes::engine::skeleton::skeleton_of_bone;
use tendon_nodes::nodes::joint_limit::{TendonJointLimit2D, bone_of, limit_on};
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::plan::Plan;
use tendon_nodes::plan::modifier::PlannedModifier;
use tendon_nodes::plan::node_reference::NodeReference;
use tendon_solver::Status;

use crate::gizmos::kinds::geometry::Geometry;
use crate::selection::edited_rigs;

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
    /// The nodes that can be dragged: targets, and then the pole.
    pub(super) targets: Vec<InstanceId>,
    pub(super) path: Option<InstanceId>,
    /// Other nodes that it refers to: of a placement and a gait, the feet.
    pub(super) others: Vec<InstanceId>,
}

impl ShownModifier {
    /// The modifier `planned`, the one with the index `index` of those that can be solved.
    fn of(plan: &Plan, index: usize, planned: &PlannedModifier) -> Option<Self> {
        let result = planned.result();
        let joints = plan.rig.modifiers[index].parts().joints().iter();
        let mut shown = Self {
            node: planned.node().id(),
            status: result.status,
            is_penetrated: result.penetration > 0.0,
            geometry: Geometry::of(&plan.rig, index),
            joints: joints.map(|&joint| plan.bones.get(joint).id()).collect(),
            targets: Vec::new(),
            path: None,
            others: Vec::new(),
        };
        for reference in planned.nodes()?.node_references() {
            match reference {
                NodeReference::Target(input) | NodeReference::Pole(input) => {
                    shown.targets.push(input.node.id());
                }
                NodeReference::Path(path) => shown.path = Some(path.node.id()),
                NodeReference::Tip(tip) => shown.others.extend(tip.node()),
                NodeReference::Input(input) => shown.others.push(input.node.id()),
                NodeReference::Node(node) => shown.others.push(node),
            }
        }
        Some(shown)
    }

    /// Returns `true` if one of its nodes is selected.
    pub(super) fn concerns(&self, selected: &Selected) -> bool {
        let own = [self.node];
        let nodes = own.iter().chain(&self.joints).chain(&self.targets);
        let mut nodes = nodes.chain(&self.path).chain(&self.others);
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
        let skeleton = plan.skeleton.alive()?;
        let solvable = plan.pairs().filter(|(_, modifier)| modifier.is_some());
        let modifiers = solvable.enumerate();
        Some(Self {
            rig_node: rig.instance_id(),
            skeleton: skeleton.clone(),
            bones: plan.bones.iter().map(|bone| bone.id()).collect(),
            modifiers: modifiers
                .filter_map(|(index, (planned, _))| ShownModifier::of(&plan, index, planned))
                .collect(),
        })
    }

    /// Returns `true` if any of it is to be shown.
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
    edited_rigs(root).iter().filter_map(ShownRig::of).collect()
}

/// Returns `true` if gizmos are shown when `node` is selected.
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

/// The skeletons whose bones or limits are among `nodes`, and those that a player among them
/// animates.
pub(super) fn skeletons_of(nodes: &[Gd<Node>]) -> Selected {
    let skeletons = nodes.iter().filter_map(|node| {
        let limit = node.clone().try_cast::<TendonJointLimit2D>().ok();
        let bone = as_bone(node).or_else(|| limit.and_then(|limit| bone_of(&limit)))?;
        skeleton_of_bone(&bone).map(|skeleton| skeleton.instance_id())
    });
    let roots = nodes.iter().filter_map(|node| {
        let player = node.clone().try_cast::<AnimationPlayer>().ok()?;
        player.get_node_or_null(&player.get_root_node())
    });
    let animated = roots.flat_map(|root| all_below::<Skeleton2D>(&root));
    skeletons
        .chain(animated.map(|skeleton| skeleton.instance_id()))
        .collect()
}

/// The positions of the bones of all rigs, in global coordinates. The editor marks these, but does not see that a rig
/// moves its bones.
pub(super) fn joints() -> Vec<Vector2> {
    let root = EditorInterface::singleton().get_edited_scene_root();
    let Some(root) = root.filter(|root| root.is_inside_tree()) else {
        return Vec::new();
    };
    let mut nodes = Vec::new();
    for rig in edited_rigs(&root) {
        let rig = rig.bind();
        let plan = rig.plan();
        let bones = plan.iter().flat_map(|plan| plan.bones.iter());
        nodes.extend(bones.filter_map(|bone| bone.node().cloned()));
    }
    nodes
        .iter()
        .map(|bone| bone.get_global_position())
        .collect()
}
