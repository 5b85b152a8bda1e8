//! The skeleton and the bones that are selected, and which of them a modifier is to turn.

use crate::refusal::Refusal;
use godot::classes::{AnimationPlayer, Bone2D, EditorInterface, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::longest_line;
use tendon_nodes::engine::children::all_below;
use tendon_nodes::engine::skeleton::{bones_of, skeleton_of_bone};
use tendon_nodes::engine::threads::with_ancestors;
use tendon_nodes::nodes::pose_library::held_nodes::{HeldNode, held_nodes};
use tendon_nodes::nodes::rig::skeleton::rig_of;
use tendon_nodes::nodes::rig::{EDITED_RIGS, TendonRig2D};
use tendon_nodes::plan::class::PlannedNodes;
use tendon_nodes::plan::node_reference::NodeReference;

/// The selection in the edited scene.
pub(super) struct Selection {
    /// The root of the edited scene.
    pub(super) scene: Gd<Node>,
    pub(super) skeleton: Gd<Skeleton2D>,
    /// The selected bones of the skeleton, in tree order.
    pub(super) bones: Vec<Gd<Bone2D>>,
    /// The bone that was selected last.
    last: Option<Gd<Bone2D>>,
    /// The selected 2D nodes that are neither bones nor below one.
    others: Vec<Gd<Node2D>>,
    /// The selected nodes that modifiers follow, and the bones that these bring there.
    targets: Vec<Gd<Node2D>>,
    limbs: Vec<Gd<Bone2D>>,
}

impl Selection {
    /// Reads the selection.
    ///
    /// # Errors
    /// Returns an error that says what to select, if it does not concern exactly one skeleton.
    pub(super) fn read() -> Result<Self, Refusal> {
        let scene = edited_scene()?;
        let mut skeletons = Vec::new();
        let (mut bones, mut others) = (Vec::new(), Vec::new());
        for node in selected_nodes() {
            others.extend(free_node(&node));
            if !concerns(&node) {
                continue;
            }
            let skeleton = skeleton_above(&node)
                .or_else(|| skeleton_with_input(&node))
                .or_else(|| animated_skeleton(&node));
            let skeleton = skeleton.ok_or_else(|| without_skeleton(&node))?;
            if !skeletons.contains(&skeleton) {
                skeletons.push(skeleton);
            }
            let bone = bone_above(&node).filter(|_| !is_own(&node));
            bones.extend(bone.filter(|bone| !bones.contains(bone)));
        }
        let [skeleton] = <[_; 1]>::try_from(skeletons)
            .map_err(|_| "Select one Skeleton2D, or bones of one skeleton.")?;
        let order = bones_of(&skeleton);
        let mut held = held_nodes(&skeleton);
        let selected = selected_nodes();
        held.retain(|held| selected.contains(&held.node.clone().upcast()));
        // A target is not the bone that carries it.
        let carriers = held
            .iter()
            .filter_map(|held| bone_above(&held.node.clone().upcast()));
        let is_chosen = |bone: &Gd<Bone2D>| {
            let other = selected
                .iter()
                .filter(|node| !is_own(node) && !is_held(&held, node));
            other.filter_map(bone_above).any(|other| other == *bone)
        };
        let carriers: Vec<_> = carriers.filter(|bone| !is_chosen(bone)).collect();
        bones.retain(|bone| !carriers.contains(bone));
        let last = bones.last().cloned();
        bones.sort_by_key(|bone| order.iter().position(|other| other == bone));
        let limbs = order
            .iter()
            .filter(|bone| held.iter().any(|held| held.moves(bone)));
        Ok(Self {
            limbs: limbs.cloned().collect(),
            targets: held.iter().map(|held| held.node.clone()).collect(),
            scene,
            skeleton,
            bones,
            last,
            others,
        })
    }

    /// The whole of `skeleton`.
    pub(super) fn of(scene: Gd<Node>, skeleton: Gd<Skeleton2D>) -> Self {
        Self {
            scene,
            skeleton,
            bones: Vec::new(),
            last: None,
            others: Vec::new(),
            targets: Vec::new(),
            limbs: Vec::new(),
        }
    }

    /// The selected bones, and those that are brought to selected targets.
    pub(super) fn posed(&self) -> Vec<Gd<Bone2D>> {
        let limbs = self.limbs.iter().filter(|bone| !self.bones.contains(bone));
        self.bones.iter().chain(limbs).cloned().collect()
    }

    /// The same; all bones of the skeleton if nothing of these is selected.
    pub(super) fn bones_or_all(&self) -> Vec<Gd<Bone2D>> {
        match self.is_whole() {
            true => bones_of(&self.skeleton),
            false => self.posed(),
        }
    }

    /// Returns `true` if neither a bone nor a target is selected.
    fn is_whole(&self) -> bool {
        self.bones.is_empty() && self.targets.is_empty()
    }

    /// Returns `true` if `bone` is one of [`Self::bones_or_all`].
    pub(super) fn includes(&self, bone: &Gd<Bone2D>) -> bool {
        self.is_whole() || self.bones.contains(bone) || self.limbs.contains(bone)
    }

    /// Returns `true` if `held` is selected, or a bone that follows it, or nothing is.
    pub(super) fn includes_held(&self, held: &HeldNode) -> bool {
        let moves = self.bones.iter().any(|bone| held.moves(bone));
        self.is_whole() || moves || self.targets.contains(&held.node)
    }

    /// The skeleton's rig, if it has one.
    pub(super) fn rig(&self) -> Option<Gd<TendonRig2D>> {
        rig_of(&self.skeleton)
    }

    /// The one selected bone, for a modifier that turns one.
    ///
    /// # Errors
    /// Returns an error that says what to select instead. The same applies to the functions below. None of them chooses
    /// bones where nothing of a limb is selected: it would turn any part of the character.
    pub(super) fn one_bone(&self) -> Result<Gd<Bone2D>, Refusal> {
        match self.bones.as_slice() {
            [bone] => Ok(bone.clone()),
            _ => Err("Select the one bone that it should move.".into()),
        }
    }

    /// The bone that was selected last, and what else is selected: the node that it should copy.
    pub(super) fn bone_and_source(&self) -> Option<(Gd<Bone2D>, Gd<Node2D>)> {
        let last = self.last.clone()?;
        let bones = self.bones.iter().filter(|&bone| *bone != last);
        let bones = bones.map(|bone| bone.clone().upcast());
        let rest: Vec<_> = bones.chain(self.others.iter().cloned()).collect();
        let [source] = <[_; 1]>::try_from(rest).ok()?;
        Some((last, source))
    }

    /// The selected bones of one limb, root first, for a modifier that turns two; the third
    /// one is the bone at its end. To a single bone it adds the next one of the longest line below.
    pub(super) fn limb(&self) -> Result<SelectedLimb, Refusal> {
        let mut bones = in_line(&self.bones)?;
        if let [upper] = &bones[..] {
            bones.extend(longest_line(&upper.clone().upcast()).into_iter().next());
        }
        match &bones[..] {
            [upper, lower, tip @ ..] if tip.len() < 2 => Ok(SelectedLimb {
                upper: upper.clone(),
                lower: lower.clone(),
                tip: tip.first().cloned(),
            }),
            _ => Err("Select the upper of the two bones, or both of them.".into()),
        }
    }

    /// The first and the last bone of the selected chain. From a single bone it goes on to the
    /// end of the longest line of bones below it.
    pub(super) fn chain(&self) -> Result<(Gd<Bone2D>, Gd<Bone2D>), Refusal> {
        let mut line = in_line(&self.bones)?;
        if let [root] = &line[..] {
            line.extend(longest_line(&root.clone().upcast()));
        }
        let ends = line.first().cloned().zip(line.last().cloned());
        ends.ok_or_else(|| "Select the first bone of the chain, or its first and last.".into())
    }
}

/// The bones of a two-bone modifier.
pub(super) struct SelectedLimb {
    pub(super) upper: Gd<Bone2D>,
    pub(super) lower: Gd<Bone2D>,
    /// The bone at the limb's end, if it was selected, too.
    pub(super) tip: Option<Gd<Bone2D>>,
}

/// Returns `true` if a node is selected that has to do with a skeleton.
pub(super) fn concerns_tendon() -> bool {
    selected_nodes().iter().any(concerns)
}

/// The root of the edited scene.
///
/// # Errors
/// Returns an error that says what to do if there is none.
pub(super) fn edited_scene() -> Result<Gd<Node>, Refusal> {
    let scene = EditorInterface::singleton().get_edited_scene_root();
    scene.ok_or_else(|| "Open a scene first.".into())
}

/// The nodes of the edited scene that are selected. After a scene was loaded again, the editor still has
/// nodes selected that are no longer in it.
pub(super) fn selected_nodes() -> Vec<Gd<Node>> {
    let editor = EditorInterface::singleton();
    let Some((root, selection)) = editor.get_edited_scene_root().zip(editor.get_selection()) else {
        return Vec::new();
    };
    let nodes = selection.get_selected_nodes();
    let nodes = nodes.iter_shared();
    nodes.filter(|node| is_within(&root, node)).collect()
}

/// Those of a class among the [`selected_nodes`].
pub(super) fn selected<T: Inherits<Node>>() -> Vec<Gd<T>> {
    let nodes = selected_nodes().into_iter();
    nodes.filter_map(|node| node.try_cast().ok()).collect()
}

/// Selects those of `nodes` that are in the edited scene, and nothing else.
pub(super) fn select(nodes: &[Gd<Node>]) {
    if let Some(mut selection) = EditorInterface::singleton().get_selection() {
        selection.clear();
        let nodes = nodes.iter().filter(|node| is_edited(node));
        nodes.for_each(|node| selection.add_node(node));
    }
}

/// Returns `true` if `node` is there, and in the scene that is edited. What a drag or a window holds may be deleted
/// meanwhile, or have gone with the tab of its scene.
pub(super) fn is_edited<T: Inherits<Node>>(node: &Gd<T>) -> bool {
    let root = EditorInterface::singleton().get_edited_scene_root();
    root.is_some_and(|root| is_within(&root, node))
}

/// The node with this ID, if it is in the scene that is edited.
pub(super) fn edited_node<T: Inherits<Node>>(id: InstanceId) -> Option<Gd<T>> {
    Gd::try_from_instance_id(id).ok().filter(is_edited)
}

fn is_within<T: Inherits<Node>>(root: &Gd<Node>, node: &Gd<T>) -> bool {
    let is_below = |node: Gd<Node>| node == *root || root.is_ancestor_of(&node);
    node.is_instance_valid() && is_below(node.clone().upcast())
}

/// The rigs of the edited scene, found by a node that is in the tree.
pub(super) fn edited_rigs<T: Inherits<Node>>(node: &Gd<T>) -> Vec<Gd<TendonRig2D>> {
    let nodes = node.upcast_ref().get_tree().get_nodes_in_group(EDITED_RIGS);
    let nodes = nodes.iter_shared();
    nodes.filter_map(|node| node.try_cast().ok()).collect()
}

/// Returns `true` if changes of `node` are saved with the scene whose root is `root`.
pub(super) fn is_saved_with(root: &Gd<Node>, node: &Gd<Node>) -> bool {
    let owner = node.get_owner();
    let is_instance = |owner: &Gd<Node>| {
        // The engine takes a node that is elsewhere for an error.
        root.is_ancestor_of(owner) && root.is_editable_instance(owner)
    };
    node == root || owner.is_some_and(|owner| owner == *root || is_instance(&owner))
}

/// `root`, if it is of the class `T`, and all such nodes below.
pub(super) fn all_within<T: Inherits<Node>>(root: &Gd<Node>) -> Vec<Gd<T>> {
    let own = root.clone().try_cast().ok();
    own.into_iter().chain(all_below(root)).collect()
}

/// The nodes of an array, which a script calls `what`.
///
/// # Errors
/// That one of them is nothing.
pub(super) fn listed<T: Inherits<Node>>(
    nodes: &AnyArray,
    what: &str,
) -> Result<Vec<Gd<T>>, Refusal> {
    let nodes = nodes.iter_shared().map(|node| node.try_to());
    let nodes: Result<_, _> = nodes.collect();
    nodes.map_err(|_| format!("one of the {what} is null or freed").into())
}

/// The nodes that are edited where the editor says that `object` is.
pub(super) fn edited_nodes(object: Gd<Object>) -> Vec<Gd<Node>> {
    match object.try_cast::<Node>() {
        Ok(node) => vec![node],
        // What the editor uses for several selected nodes.
        Err(object) if object.get_class() == "MultiNodeEdit" => selected_nodes(),
        Err(_) => Vec::new(),
    }
}

/// Returns `true` if `node` has to do with a skeleton: it is one, is below one, is one of Tendon's own, is an input of
/// a modifier, or animates one.
fn concerns(node: &Gd<Node>) -> bool {
    let is_below =
        with_ancestors(node).any(|node| node.is_class("Skeleton2D") || node.is_class("Bone2D"));
    let is_below = is_below || is_own(node);
    is_below || skeleton_with_input(node).is_some() || animated_skeleton(node).is_some()
}

/// `node`, if it is a 2D node that belongs to no bone.
fn free_node(node: &Gd<Node>) -> Option<Gd<Node2D>> {
    let is_free = bone_above(node).is_none() && !node.is_class("Skeleton2D") && !is_own(node);
    node.clone().try_cast().ok().filter(|_| is_free)
}

/// Returns `true` if `node` is one of `held`.
fn is_held(held: &[HeldNode], node: &Gd<Node>) -> bool {
    held.iter().any(|held| held.node.clone().upcast() == *node)
}

fn is_own(node: &Gd<Node>) -> bool {
    node.get_class().to_string().starts_with("Tendon")
}

/// The nearest bone at or above `node`.
fn bone_above(node: &Gd<Node>) -> Option<Gd<Bone2D>> {
    with_ancestors(node).find_map(|node| node.try_cast::<Bone2D>().ok())
}

/// The skeleton with a modifier that has `node` as its target, pole, path or source.
fn skeleton_with_input(node: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    if !node.is_inside_tree() {
        return None;
    }
    edited_rigs(node).into_iter().find_map(|rig| {
        let rig = rig.bind();
        let plan = rig.plan()?;
        let modifiers = plan.modifiers.iter();
        let nodes = modifiers.filter_map(|modifier| modifier.nodes());
        let references: Vec<_> = nodes.flat_map(PlannedNodes::node_references).collect();
        let mut inputs = references.iter().filter_map(NodeReference::input);
        inputs
            .any(|input| input.node.id() == node.instance_id())
            .then(|| plan.skeleton.alive().cloned())?
    })
}

/// The one skeleton with a rig that `node` animates, if it is a player.
fn animated_skeleton(node: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    let player = node.clone().try_cast::<AnimationPlayer>().ok()?;
    let root = player.get_node_or_null(&player.get_root_node())?;
    let mut rigged = all_below(&root);
    rigged.retain(|skeleton| rig_of(skeleton).is_some());
    let [skeleton] = <[_; 1]>::try_from(rigged).ok()?;
    Some(skeleton)
}

/// The skeleton of a bone, or else the nearest one at or above `node`.
fn skeleton_above(node: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    if let Ok(bone) = node.clone().try_cast::<Bone2D>() {
        return skeleton_of_bone(&bone);
    }
    with_ancestors(node).find_map(|node| node.try_cast::<Skeleton2D>().ok())
}

/// The message about a node that belongs to no skeleton.
fn without_skeleton(node: &Gd<Node>) -> String {
    let name = node.get_name();
    format!(
        "\"{name}\" does not belong to a Skeleton2D. Move it below one, with nothing but Bone2D \
         nodes between the two."
    )
}

/// `bones`, which are in tree order, if each is a descendant of the one before it.
pub(super) fn in_line(bones: &[Gd<Bone2D>]) -> Result<Vec<Gd<Bone2D>>, Refusal> {
    let mut pairs = bones.windows(2);
    match pairs.all(|pair| pair[0].is_ancestor_of(&pair[1])) {
        true => Ok(bones.to_vec()),
        false => Err("The selected bones are not one line. Select bones of one limb.".into()),
    }
}
