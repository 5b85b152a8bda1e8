//! The base pose of some bones, where some of the nodes are that modifiers follow, and to which side limbs bend.

use godot::builtin::math::ApproxEq;
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::engine::node_place::NodePlace;
use tendon_nodes::nodes::pose_library::held_nodes::{Bend, FLIPS};

use crate::selection::is_edited;

/// A pose of bones, and places of nodes.
#[derive(Clone, Default)]
pub(super) struct Posture {
    pub(super) bones: Vec<BoneTransform>,
    pub(super) nodes: Vec<NodePlace>,
    pub(super) bends: Vec<Bend>,
}

/// A property that one posture has changed.
pub(super) struct ChangedProperty {
    pub(super) node: Gd<Node>,
    pub(super) property: &'static str,
    pub(super) value: Variant,
}

impl Posture {
    /// That of `bones`, which may be none.
    pub(super) fn of_bones(bones: Vec<BoneTransform>) -> Self {
        Self {
            bones,
            ..Self::default()
        }
    }

    /// The same bones and nodes as they are now.
    pub(super) fn now(&self) -> Self {
        let bones = self.bones.iter().map(|it| BoneTransform::of(&it.bone));
        let nodes = self.nodes.iter().map(|it| NodePlace::of(&it.node));
        let bends = self.bends.iter().filter_map(|it| Bend::of(&it.modifier));
        Self {
            bones: bones.collect(),
            nodes: nodes.collect(),
            bends: bends.collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bones.is_empty() && self.nodes.is_empty() && self.bends.is_empty()
    }

    /// Returns `true` if everything is still there.
    pub(super) fn is_there(&self) -> bool {
        self.members().iter().all(is_edited) && self.bends.iter().all(|it| is_edited(&it.modifier))
    }

    pub(super) fn members(&self) -> Vec<Gd<Node2D>> {
        let bones = self.bones.iter().map(|it| it.bone.clone().upcast());
        bones
            .chain(self.nodes.iter().map(|it| it.node.clone()))
            .collect()
    }

    /// Gives bones and nodes this posture again.
    pub(super) fn restore(&self) {
        self.bones.iter().for_each(BoneTransform::restore);
        self.nodes.iter().for_each(NodePlace::restore);
        self.bends.iter().for_each(Bend::restore);
    }

    /// Only what differs from `before`, which has the same bones and nodes.
    pub(super) fn without(&self, before: &Self) -> Self {
        let bones = self.bones.iter().zip(&before.bones);
        let bones = bones.filter(|(it, before)| it.properties() != before.properties());
        let nodes = self.nodes.iter().zip(&before.nodes);
        let nodes = nodes.filter(|(it, before)| it.properties() != before.properties());
        let bends = self.bends.iter().zip(&before.bends);
        let bends = bends.filter(|(it, before)| it.flips != before.flips);
        Self {
            bones: bones.map(|(it, _)| it.clone()).collect(),
            nodes: nodes.map(|(it, _)| it.clone()).collect(),
            bends: bends.map(|(it, _)| it.clone()).collect(),
        }
    }

    /// Returns `true` if it is the same as `other`, which has the same bones and nodes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let mut bones = self.bones.iter().zip(&other.bones);
        let mut nodes = self.nodes.iter().zip(&other.nodes);
        let mut bends = self.bends.iter().zip(&other.bends);
        bones.all(|(it, other)| {
            it.rotation.approx_eq(&other.rotation)
                && it.position.approx_eq(&other.position)
                && it.scale.approx_eq(&other.scale)
                && it.skew.approx_eq(&other.skew)
        }) && nodes.all(|(it, other)| {
            it.rotation.approx_eq(&other.rotation) && it.position.approx_eq(&other.position)
        }) && bends.all(|(it, other)| it.flips == other.flips)
    }

    /// Returns the properties that an editor keys for the way from `before`, which has the same bones and nodes.
    pub(super) fn changes_since(&self, before: &Self) -> Vec<ChangedProperty> {
        let mut changes = Vec::new();
        let mut note = |node: Gd<Node>, property, differs, value: Variant| {
            if differs {
                changes.push(ChangedProperty {
                    node,
                    property,
                    value,
                });
            }
        };
        for (it, before) in self.bones.iter().zip(&before.bones) {
            let bone = it.bone.clone().upcast::<Node>();
            let turns = !it.rotation.approx_eq(&before.rotation);
            let (moves, scales) = (
                !it.position.approx_eq(&before.position),
                !it.scale.approx_eq(&before.scale),
            );
            note(bone.clone(), "position", moves, it.position.to_variant());
            note(bone.clone(), "rotation", turns, it.rotation.to_variant());
            note(bone, "scale", scales, it.scale.to_variant());
        }
        for (it, before) in self.nodes.iter().zip(&before.nodes) {
            let moves = !it.position.approx_eq(&before.position);
            let turns = !it.rotation.approx_eq(&before.rotation);
            let node = it.node.clone().upcast::<Node>();
            note(node.clone(), "position", moves, it.position.to_variant());
            note(node, "rotation", turns, it.rotation.to_variant());
        }
        for (it, before) in self.bends.iter().zip(&before.bends) {
            let differs = it.flips != before.flips;
            note(it.modifier.clone(), FLIPS, differs, it.flips.to_variant());
        }
        changes
    }
}
