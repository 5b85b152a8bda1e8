//! Makes a plan from the nodes below a rig.

use std::rc::Rc;

use godot::classes::{Bone2D, Engine, Skeleton2D};
use godot::prelude::*;
use tendon_solver::Rig;

use crate::engine::children::{children_of, count_children};
use crate::engine::frame_calls::{Live, LiveSignal};
use crate::engine::listener::SignalSource;
use crate::engine::resource_watch::ResourceWatch;
use crate::engine::tree_watch::TreeWatch;
use crate::plan::Plan;
use crate::plan::bones::Bones;
use crate::plan::modifier::{Modifier, ModifierNode, PlannedModifier};

/// The signals and nodes that make a plan stale when they change.
#[derive(Default)]
pub(crate) struct Dependencies {
    pub(crate) signals: Box<[SignalSource]>,
    /// The resources of nodes that make it stale when they change.
    _resources: Box<[ResourceWatch]>,
    /// Nodes that must neither enter nor leave the tree: the skeleton, with all bones, and what its
    /// modifiers refer to.
    pub(crate) nodes: Box<[InstanceId]>,
    /// `true` if the rest poses of bones count.
    pub(crate) reads_rest: bool,
    /// `true` if a modifier asks the physics server.
    pub(crate) senses: bool,
}

/// Plans the modifiers below `rig_node` for `skeleton`, and the bones `still`, which go back to the base pose. Returns what the plan depends on, too,
/// which makes it stale when it changes: of resources it is told by `on_change`. `tree_watch` watches the tree that
/// they are in.
pub(crate) fn make_plan(
    rig_node: &Gd<Node>,
    skeleton: Gd<Skeleton2D>,
    still: &[Gd<Bone2D>],
    tree_watch: Rc<TreeWatch>,
    on_change: &Callable,
) -> (Plan, Dependencies) {
    let mut bones = Bones::new(skeleton);
    let mut nodes = Vec::new();
    let mut parents = Vec::new();
    collect_modifiers(rig_node, &mut nodes, &mut parents);
    let modifiers = nodes.into_iter();
    let mut modifiers: Vec<_> = modifiers
        .map(|node| node.dyn_bind().plan(&mut bones))
        .collect();
    for bone in still {
        bones.index(bone);
    }
    let solvers = modifiers.iter_mut().filter_map(|it| it.solver.take());
    let mut solvers: Vec<_> = solvers.collect();
    let dependencies = Dependencies {
        signals: signals(&bones, &parents),
        _resources: watches(&bones, on_change),
        nodes: nodes_in_tree(&bones),
        reads_rest: bones.reads_rest,
        senses: bones.senses,
    };
    // A crowd has many plans.
    bones.tracked.shrink_to_fit();
    bones.solved.shrink_to_fit();
    solvers.shrink_to_fit();
    let mut plan = Plan {
        rig_node: Live::new(rig_node.clone()),
        skeleton: Live::new(bones.skeleton),
        bones: bones.tracked.watched(),
        limits: bones.limits,
        read_limits: None,
        may_recover_unnoticed: modifiers.iter().any(PlannedModifier::may_recover_unnoticed),
        modifiers,
        rig: Rig::new(bones.solved, solvers),
        to_global: None,
        to_global_when_solved: None,
        influence: f32::NAN,
        processed: Rc::new(LiveSignal::new(rig_node, "modification_processed")),
        in_editor: Engine::singleton().is_editor_hint(),
        tree_watch,
    };
    plan.link_limbs();
    plan.check_order();
    plan.check_other_rigs();
    plan.check_overlap();
    (plan, dependencies)
}

/// The signals that make a plan stale.
fn signals(bones: &Bones, parents: &[Gd<Node>]) -> Box<[SignalSource]> {
    // An only child has no other place. Who is added to it reports itself.
    let parents = parents.iter().filter(|parent| count_children(parent) > 1);
    let parents = parents.chain(&bones.with_ordered_children);
    let orders = parents.map(|parent| SignalSource::new(parent, "child_order_changed"));
    let scripted = bones.scripted.iter();
    let scripts = scripted.map(|modifier| SignalSource::new(modifier, "script_changed"));
    orders.chain(scripts).collect()
}

/// Has `on_change` called when a resource changes that a modifier reads.
fn watches(bones: &Bones, on_change: &Callable) -> Box<[ResourceWatch]> {
    let resources = bones.resources.iter();
    let watches = resources.map(|(node, it)| ResourceWatch::new(node, it, on_change));
    watches.collect()
}

/// The nodes that make a plan stale when they enter the tree, maybe on another canvas, or leave it.
fn nodes_in_tree(bones: &Bones) -> Box<[InstanceId]> {
    let skeleton = std::iter::once(bones.skeleton.instance_id());
    skeleton.chain(bones.inputs.iter().copied()).collect()
}

/// The modifiers below `node`, in tree order, and all nodes whose children were looked at.
fn collect_modifiers(node: &Gd<Node>, found: &mut Vec<ModifierNode>, parents: &mut Vec<Gd<Node>>) {
    parents.push(node.clone());
    for child in children_of(node) {
        if let Ok(modifier) = child.clone().try_dynify::<dyn Modifier>() {
            found.push(modifier);
        }
        collect_modifiers(&child, found, parents);
    }
}
