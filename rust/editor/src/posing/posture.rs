//! The base pose of some bones, and where some of the nodes are that modifiers follow.

use godot::builtin::math::ApproxEq;
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::engine::node_place::NodePlace;

use crate::selection::is_edited;

/// A pose of bones, and places of nodes.
#[derive(Clone, Default)]
pub(super) struct Posture {
    pub(super) bones: Vec<BoneTransform>,
    pub(super) nodes: Vec<NodePlace>,
}

/// A property that one posture has changed.
pub(super) struct Change {
    pub(super) node: Gd<Node2D>,
    pub(super) property: &'static str,
    pub(super) value: Variant,
}

impl Posture {
    /// That of `bones`, which may be none.
    pub(super) fn of_bones(bones: Vec<BoneTransform>) -> Self {
        let nodes = Vec::new();
        Self { bones, nodes }
    }

    /// The same bones and nodes as they are now.
    pub(super) fn now(&self) -> Self {
        let bones = self.bones.iter().map(|it| BoneTransform::of(&it.bone));
        let nodes = self.nodes.iter().map(|it| NodePlace::of(&it.node));
        Self {
            bones: bones.collect(),
            nodes: nodes.collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bones.is_empty() && self.nodes.is_empty()
    }

    /// Whether everything is still there.
    pub(super) fn is_there(&self) -> bool {
        self.members().iter().all(is_edited)
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
    }

    /// Only what differs from `before`, which has the same bones and nodes.
    pub(super) fn without(&self, before: &Self) -> Self {
        let bones = self.bones.iter().zip(&before.bones);
        let bones = bones.filter(|(it, before)| it.properties() != before.properties());
        let nodes = self.nodes.iter().zip(&before.nodes);
        let nodes = nodes.filter(|(it, before)| it.properties() != before.properties());
        Self {
            bones: bones.map(|(it, _)| it.clone()).collect(),
            nodes: nodes.map(|(it, _)| it.clone()).collect(),
        }
    }

    /// Whether it is the same as `other`, which has the same bones and nodes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let mut bones = self.bones.iter().zip(&other.bones);
        let mut nodes = self.nodes.iter().zip(&other.nodes);
        bones.all(|(it, other)| {
            it.rotation.approx_eq(&other.rotation)
                && it.position.approx_eq(&other.position)
                && it.scale.approx_eq(&other.scale)
                && it.skew.approx_eq(&other.skew)
        }) && nodes.all(|(it, other)| {
            it.rotation.approx_eq(&other.rotation) && it.position.approx_eq(&other.position)
        })
    }

    /// What an editor keys of the way from `before`, which has the same bones and nodes.
    pub(super) fn changes_since(&self, before: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut note = |node: Gd<Node2D>, property, differs, value: Variant| {
            if differs {
                changes.push(Change {
                    node,
                    property,
                    value,
                });
            }
        };
        for (it, before) in self.bones.iter().zip(&before.bones) {
            let bone = it.bone.clone().upcast::<Node2D>();
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
            note(it.node.clone(), "position", moves, it.position.to_variant());
            note(it.node.clone(), "rotation", turns, it.rotation.to_variant());
        }
        changes
    }
}
