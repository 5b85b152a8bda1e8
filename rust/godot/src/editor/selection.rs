//! The skeleton and the bones that are selected, and which of them a modifier is to turn.

use godot::classes::{Bone2D, EditorInterface, Skeleton2D};
use godot::prelude::*;

use crate::nodes::rig::TendonRig2D;

/// What is selected in the edited scene.
pub(crate) struct Selection {
    /// The root of the edited scene.
    pub(crate) scene: Gd<Node>,
    pub(crate) skeleton: Gd<Skeleton2D>,
    /// The selected bones of the skeleton, in tree order.
    pub(crate) bones: Vec<Gd<Bone2D>>,
}

impl Selection {
    /// What is selected now.
    ///
    /// # Errors
    /// What to select instead, in words.
    pub(crate) fn read() -> Result<Self, String> {
        let scene = EditorInterface::singleton().get_edited_scene_root();
        let scene = scene.ok_or("Open a scene first.")?;
        let mut skeletons = Vec::new();
        let mut bones = Vec::new();
        for node in selected_nodes().iter_shared() {
            if !concerns(&node) {
                continue;
            }
            let skeleton = skeleton_above(&node).ok_or_else(|| stray(&node))?;
            if !skeletons.contains(&skeleton) {
                skeletons.push(skeleton);
            }
            bones.extend(node.try_cast::<Bone2D>().ok());
        }
        let [skeleton] = <[_; 1]>::try_from(skeletons)
            .map_err(|_| "Select one Skeleton2D, or bones of one skeleton.")?;
        let order = bones_of(&skeleton);
        bones.sort_by_key(|bone| order.iter().position(|other| other == bone));
        Ok(Self {
            scene,
            skeleton,
            bones,
        })
    }

    /// The skeleton's rig, if it has one.
    pub(crate) fn rig(&self) -> Option<Gd<TendonRig2D>> {
        rig_of(&self.skeleton)
    }

    /// The one selected bone, for a modifier that turns one.
    ///
    /// # Errors
    /// What to select instead, in words; so it is for the other ones.
    pub(crate) fn one_bone(&self) -> Result<Gd<Bone2D>, String> {
        let all = bones_of(&self.skeleton);
        let bones = if self.bones.is_empty() {
            &all
        } else {
            &self.bones
        };
        match bones.as_slice() {
            [bone] => Ok(bone.clone()),
            _ => Err("Select the one bone that should look at the target.".into()),
        }
    }

    /// The selected bones of one limb, root first, for a modifier that turns two; the third
    /// one is the bone at its end. To a single bone it adds the next one of the longest line below.
    pub(crate) fn limb(&self) -> Result<Limb, String> {
        let bones = match self.bones.as_slice() {
            [] => longest_line(&self.skeleton.clone().upcast()),
            [upper] => {
                let below = longest_line(&upper.clone().upcast());
                let lower = below.into_iter().next();
                [Some(upper.clone()), lower].into_iter().flatten().collect()
            }
            bones => in_line(bones)?,
        };
        let mut bones = bones.into_iter();
        match (bones.next(), bones.next(), bones.next(), bones.next()) {
            (Some(upper), Some(lower), tip, None) => Ok(Limb { upper, lower, tip }),
            _ => Err("Select the upper of the two bones, or both of them.".into()),
        }
    }

    /// The first and the last bone of the selected chain. From a single bone it goes on to the
    /// end of the longest line of bones below it, from a skeleton along its longest line.
    pub(crate) fn chain(&self) -> Result<(Gd<Bone2D>, Gd<Bone2D>), String> {
        let line = match self.bones.as_slice() {
            [] => longest_line(&self.skeleton.clone().upcast()),
            [root] => {
                let mut line = vec![root.clone()];
                line.extend(longest_line(&root.clone().upcast()));
                line
            }
            bones => in_line(bones)?,
        };
        let ends = line.first().cloned().zip(line.last().cloned());
        ends.ok_or_else(|| "This Skeleton2D has no bones yet.".into())
    }
}

/// The bones of a two-bone modifier.
pub(crate) struct Limb {
    pub(crate) upper: Gd<Bone2D>,
    pub(crate) lower: Gd<Bone2D>,
    /// The bone at the limb's end, if it was selected, too.
    pub(crate) tip: Option<Gd<Bone2D>>,
}

/// Whether anything is selected that Tendon has to do with.
pub(crate) fn is_any_ours() -> bool {
    selected_nodes().iter_shared().any(|node| concerns(&node))
}

fn selected_nodes() -> Array<Gd<Node>> {
    let selection = EditorInterface::singleton().get_selection();
    selection.map_or_else(Array::new, |selection| selection.get_selected_nodes())
}

/// Whether `node` is a skeleton, a bone, or one of Tendon's own.
fn concerns(node: &Gd<Node>) -> bool {
    node.is_class("Skeleton2D")
        || node.is_class("Bone2D")
        || node.get_class().to_string().starts_with("Tendon")
}

/// The nearest skeleton at or above `node`; for a bone only the one that counts it as its own.
fn skeleton_above(node: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    let mut next = Some(node.clone());
    let is_bone = node.is_class("Bone2D");
    while let Some(node) = next {
        next = match node.try_cast::<Skeleton2D>() {
            Ok(skeleton) => return Some(skeleton),
            Err(node) if is_bone && !node.is_class("Bone2D") => return None,
            Err(node) => node.get_parent(),
        };
    }
    None
}

/// What to say of a node that belongs to no skeleton.
fn stray(node: &Gd<Node>) -> String {
    let name = node.get_name();
    format!(
        "\"{name}\" does not belong to a Skeleton2D. Move it below one, with nothing but Bone2D \
         nodes between the two."
    )
}

/// The rig of `skeleton`, if it has one: the first.
pub(crate) fn rig_of(skeleton: &Gd<Skeleton2D>) -> Option<Gd<TendonRig2D>> {
    let children = skeleton.get_children();
    let mut rigs = (0..children.len()).filter_map(|index| children.get(index));
    rigs.find_map(|child| child.try_cast::<TendonRig2D>().ok())
}

/// All bones of `skeleton`, in tree order.
pub(crate) fn bones_of(skeleton: &Gd<Skeleton2D>) -> Vec<Gd<Bone2D>> {
    let mut bones = Vec::new();
    collect_bones(&skeleton.clone().upcast(), &mut bones);
    bones
}

fn collect_bones(node: &Gd<Node>, bones: &mut Vec<Gd<Bone2D>>) {
    for bone in child_bones(node) {
        bones.push(bone.clone());
        collect_bones(&bone.upcast(), bones);
    }
}

/// The bones that are children of `node`.
pub(crate) fn child_bones<T: Inherits<Node>>(
    node: &Gd<T>,
) -> impl Iterator<Item = Gd<Bone2D>> + use<T> {
    let children = node.clone().upcast::<Node>().get_children();
    let nodes = (0..children.len()).filter_map(move |index| children.get(index));
    nodes.filter_map(|child| child.try_cast::<Bone2D>().ok())
}

/// The longest line of bones below `node`; of several, the first.
fn longest_line(node: &Gd<Node>) -> Vec<Gd<Bone2D>> {
    let mut longest = Vec::new();
    for bone in child_bones(node) {
        let mut line = vec![bone.clone()];
        line.extend(longest_line(&bone.upcast()));
        if line.len() > longest.len() {
            longest = line;
        }
    }
    longest
}

/// `bones`, which are in tree order, if each hangs below the one before it.
pub(crate) fn in_line(bones: &[Gd<Bone2D>]) -> Result<Vec<Gd<Bone2D>>, String> {
    let mut pairs = bones.windows(2);
    match pairs.all(|pair| pair[0].is_ancestor_of(&pair[1])) {
        true => Ok(bones.to_vec()),
        false => Err("The selected bones are not one line. Select bones of one limb.".into()),
    }
}

/// Where `bone` ends, in its own frame: at its first child bone if its length is automatic, else
/// where its length and angle say.
pub(crate) fn end_of(bone: &Gd<Bone2D>) -> Vector2 {
    match child_bones(bone).next() {
        Some(child) if bone.get_autocalculate_length_and_angle() => child.get_position(),
        _ => Vector2::from_angle(bone.get_bone_angle()) * bone.get_length(),
    }
}
