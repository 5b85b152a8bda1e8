//! Makes a plan from the nodes below a rig.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::{Engine, Skeleton2D};
use godot::prelude::*;
use tendon_solver::{Mapping, Modifier as SolverModifier};

use crate::engine::listener::Source;
use crate::engine::live::Live;
use crate::engine::load_ahead::LoadAhead;
use crate::plan::Plan;
use crate::plan::bones::Bones;
use crate::plan::chain::Chain;
use crate::plan::effector::{PlannedEffector, effectors_of};
use crate::plan::input_node::InputNode;
use crate::plan::mapping;
use crate::plan::modifier::{Modifier, ModifierNode, Settings};
use crate::plan::obstacle::PlannedObstacle;
use crate::plan::planned_modifier::{PlannedModifier, Solvable};
use crate::plan::script::PlannedScript;

/// The signals and nodes that make a plan stale when they change.
#[derive(Default)]
pub(crate) struct Dependencies {
    pub(crate) signals: Box<[Source]>,
    /// Nodes that must neither enter nor leave the tree: the skeleton, with all bones, and what its
    /// modifiers refer to.
    pub(crate) nodes: Box<[InstanceId]>,
    /// Whether the rest poses of bones count.
    pub(crate) reads_rest: bool,
}

/// Plans the modifiers below `rig_node` for `skeleton`. Returns what the plan depends on, too,
/// which has to set `stale` when it changes.
pub(crate) fn make_plan(
    rig_node: &Gd<Node>,
    skeleton: Gd<Skeleton2D>,
    stale: &Rc<Cell<bool>>,
) -> (Plan, Dependencies) {
    let mut bones = Bones::new(skeleton);
    let mut nodes = Vec::new();
    let mut parents = Vec::new();
    collect_modifiers(rig_node, &mut nodes, &mut parents);
    let modifiers = nodes.into_iter();
    let mut modifiers: Vec<_> = modifiers.map(|node| plan_one(&mut bones, node)).collect();
    for modifier in &mut modifiers {
        prefer_planned_bones(modifier, &bones);
    }
    let dependencies = Dependencies {
        signals: signals(&bones, &parents),
        nodes: nodes_in_tree(&modifiers, &bones),
        reads_rest: bones.reads_rest,
    };
    // A crowd has many plans.
    bones.tracked.shrink_to_fit();
    bones.rig.bones.shrink_to_fit();
    bones.rig.modifiers.shrink_to_fit();
    let mut plan = Plan {
        rig_node: Live::new(rig_node.clone()),
        skeleton: Live::new(bones.skeleton),
        bones: bones.tracked,
        limits: bones.limits,
        modifiers,
        rig: bones.rig,
        to_global: None,
        to_global_when_solved: None,
        influence: f32::NAN,
        processed_signal: StringName::from("modification_processed"),
        in_editor: Engine::singleton().is_editor_hint(),
        load_ahead: LoadAhead::default(),
        passes: 0,
        stale: Rc::clone(stale),
    };
    plan.check_order();
    (plan, dependencies)
}

/// The signals that make a plan stale.
fn signals(bones: &Bones, parents: &[Gd<Node>]) -> Box<[Source]> {
    // An only child has no other place. Who is added to it reports itself.
    let parents = parents.iter().filter(|parent| parent.get_child_count() > 1);
    let parents = parents.chain(&bones.with_ordered_children);
    let orders = parents.map(|parent| Source::new(parent, "child_order_changed"));
    let scripted = bones.scripted.iter();
    let scripts = scripted.map(|modifier| Source::new(modifier, "script_changed"));
    let curves = bones.curves.iter();
    let curves = curves.map(|curve| Source::new(curve, "changed"));
    orders.chain(scripts).chain(curves).collect()
}

/// The nodes that make a plan stale when they enter the tree, maybe on another canvas, or leave it.
fn nodes_in_tree(modifiers: &[PlannedModifier], bones: &Bones) -> Box<[InstanceId]> {
    let inputs = modifiers.iter().flat_map(PlannedModifier::input_nodes);
    let inputs = inputs.map(|input| input.node.id());
    let obstacles = modifiers.iter().flat_map(|modifier| &modifier.obstacles);
    let obstacles = obstacles.map(|obstacle| obstacle.node.id());
    let skeleton = std::iter::once(bones.skeleton.instance_id());
    skeleton.chain(inputs).chain(obstacles).collect()
}

/// The modifiers below `node`, in tree order, and all nodes whose children were looked at.
fn collect_modifiers(node: &Gd<Node>, found: &mut Vec<ModifierNode>, parents: &mut Vec<Gd<Node>>) {
    parents.push(node.clone());
    for child in node.get_children().iter_shared() {
        if let Ok(modifier) = child.clone().try_dynify::<dyn Modifier>() {
            found.push(modifier);
        }
        collect_modifiers(&child, found, parents);
    }
}

/// Plans one modifier, and adds it to the solver's rig if it can be solved.
fn plan_one(bones: &mut Bones, modifier: ModifierNode) -> PlannedModifier {
    let bound = modifier.dyn_bind();
    let references = bound.references();
    let root = references.joints.properties();
    let root = root.and_then(|(root, _)| bones.bone_in(root).ok());
    let root = root.map(|(_, root)| root);
    let effectors = plan_effectors(bones, &modifier, root);
    let has_effectors = effectors.iter().any(|effector| effector.ends.is_ok());
    let mut flaws = Vec::new();
    let script = bound.script_pose();
    if script.is_some() {
        bones.scripted.push((*modifier).clone());
    }
    let script = script.map(|pose| PlannedScript::find(&modifier, pose, bones));
    let script = script.transpose();
    let found = script.and_then(|script| {
        let chain = Chain::find(bones, &references, root, has_effectors)?;
        let (mapping, source) = mapping::find(bones, &references, root)?;
        Ok((script, chain, mapping, source))
    });
    let mut own_script = None;
    let solvable = found.map(|(script, mut chain, mapping, source)| {
        own_script = script;
        flaws = std::mem::take(&mut chain.flaws);
        add_to_rig(bones, &*bound, chain, mapping, source)
    });
    let obstacles = PlannedObstacle::plan_all(bones, &references, root);
    let curves = references.curves.into_iter().flatten();
    bones.curves.extend(curves.cloned());
    let (ids, node) = (references.ids(), bound.readable());
    drop(bound);
    if let Ok(solvable) = &solvable {
        add_effector_joints(bones, solvable.solver_index, &effectors);
    }
    PlannedModifier {
        node,
        ids,
        solvable,
        flaws,
        effectors,
        obstacles,
        script: own_script.map(Box::new),
    }
}

/// Adds `modifier`, whose nodes were found, to the solver's rig.
fn add_to_rig(
    bones: &mut Bones,
    modifier: &dyn Modifier,
    chain: Chain,
    mapping: Option<Box<Mapping>>,
    source: Option<InputNode>,
) -> Solvable {
    let settings = Settings::of(modifier);
    let mut solver = SolverModifier::new(settings.solver.solver, chain.joints);
    solver.mapping = mapping;
    modifier.set_up(&mut solver);
    bones.rig.modifiers.push(solver);
    Solvable {
        ends: chain.ends,
        pole: chain.pole,
        path: chain.path.map(Box::new),
        source,
        aligned: chain.aligned,
        solver_index: bones.rig.modifiers.len() - 1,
    }
}

/// Plans the effectors below `modifier`, if it takes any. `root` is its uppermost bone.
fn plan_effectors(
    bones: &mut Bones,
    modifier: &ModifierNode,
    root: Option<usize>,
) -> Vec<PlannedEffector> {
    let bound = modifier.dyn_bind();
    if !bound.takes_effectors() {
        return Vec::new();
    }
    let stretches = bound.references().stretches;
    let effectors = effectors_of(modifier).into_iter();
    effectors
        .map(|effector| PlannedEffector::new(bones, effector, root, stretches))
        .collect()
}

/// Adds the joints of the effectors to those of the modifier, each below one that comes before it.
fn add_effector_joints(bones: &mut Bones, modifier: usize, effectors: &[PlannedEffector]) {
    let ends = effectors.iter();
    for ends in ends.filter_map(|effector| effector.ends.as_ref().ok()) {
        let joints = &bones.rig.modifiers[modifier].joints;
        let is_new = |index: &usize| !joints.contains(index);
        let line = bones.with_ancestors(ends.last);
        let line: Vec<_> = line.take_while(is_new).collect();
        let joints = &mut bones.rig.modifiers[modifier].joints;
        joints.extend(line.into_iter().rev());
    }
}

/// Reads the tips that are bones of the plan from the plan. All bones must be known.
fn prefer_planned_bones(modifier: &mut PlannedModifier, bones: &Bones) {
    let own = modifier.solvable.iter_mut();
    let own = own.map(|solvable| &mut solvable.ends);
    let effectors = modifier.effectors.iter_mut();
    let effectors = effectors.filter_map(|effector| effector.ends.as_mut().ok());
    for ends in own.chain(effectors) {
        ends.prefer_planned_bone(bones);
    }
}
