//! The base pose of some bones, where some of the nodes are that modifiers follow, and to which side limbs bend; and
//! what these are to be.

use std::collections::BTreeMap;

use godot::builtin::math::ApproxEq;
use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::nodes::pose_library::deviation::{Deviation, named_bones};
use tendon_nodes::nodes::pose_library::held_nodes::{FLIPS, Flip, HeldNode, Placement, held_nodes};

use crate::action::Action;
use crate::selection::{Selection, is_edited};

/// Poses of bones and of other nodes.
#[derive(Clone, Default)]
pub(super) struct Posture {
    pub(super) poses: Vec<NodePose>,
    pub(super) bends: Vec<Flip>,
}

/// A property that one posture has changed.
pub(super) struct ChangedProperty {
    pub(super) node: Gd<Node>,
    pub(super) property: &'static str,
    pub(super) value: Variant,
}

impl Posture {
    /// That of `poses`, which may be none.
    pub(super) fn of(poses: Vec<NodePose>) -> Self {
        let bends = Vec::new();
        Self { poses, bends }
    }

    /// The same bones and nodes as they are now.
    pub(super) fn now(&self) -> Self {
        let poses = self.poses.iter().map(|it| NodePose::of(&it.node));
        let bends = self.bends.iter().filter_map(|it| Flip::of(&it.modifier));
        Self {
            poses: poses.collect(),
            bends: bends.collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.poses.is_empty() && self.bends.is_empty()
    }

    /// Returns `true` if everything is still there.
    pub(super) fn is_there(&self) -> bool {
        self.poses.iter().all(|it| is_edited(&it.node))
            && self.bends.iter().all(|it| is_edited(&it.modifier))
    }

    pub(super) fn members(&self) -> Vec<Gd<Node2D>> {
        self.poses.iter().map(|it| it.node.clone()).collect()
    }

    /// Gives bones and nodes this posture again.
    pub(super) fn restore(&self) {
        self.poses.iter().for_each(NodePose::restore);
        self.bends.iter().for_each(Flip::restore);
    }

    /// Only what differs from `before`, which has the same bones and nodes.
    pub(super) fn without(&self, before: &Self) -> Self {
        let poses = self.poses.iter().zip(&before.poses);
        let poses = poses.filter(|(it, before)| it.differs(before));
        let bends = self.bends.iter().zip(&before.bends);
        let bends = bends.filter(|(it, before)| it.flips != before.flips);
        Self {
            poses: poses.map(|(it, _)| it.clone()).collect(),
            bends: bends.map(|(it, _)| it.clone()).collect(),
        }
    }

    /// Returns `true` if it is the same as `other`, which has the same bones and nodes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let mut poses = self.poses.iter().zip(&other.poses);
        let mut bends = self.bends.iter().zip(&other.bends);
        poses.all(|(it, other)| {
            it.rotation.approx_eq(&other.rotation)
                && it.position.approx_eq(&other.position)
                && it.scale.approx_eq(&other.scale)
                && it.skew.approx_eq(&other.skew)
        }) && bends.all(|(it, other)| it.flips == other.flips)
    }

    /// Adds it to an undo step. `before` has the same bones and nodes as they are now.
    pub(super) fn add_to(&self, before: &Self, action: &mut Action) {
        for (before, after) in before.poses.iter().zip(&self.poses) {
            action.pose(before, after);
        }
        for (before, after) in before.bends.iter().zip(&self.bends) {
            let [before, flips] = [before, after].map(|bend| bend.flips.to_variant());
            action.set(&after.modifier, FLIPS, &before, &flips);
        }
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
        for (it, before) in self.poses.iter().zip(&before.poses) {
            let node = it.node.clone().upcast::<Node>();
            let moves = !it.position.approx_eq(&before.position);
            let turns = !it.rotation.approx_eq(&before.rotation);
            let scales = !it.scale.approx_eq(&before.scale);
            note(node.clone(), "position", moves, it.position.to_variant());
            note(node.clone(), "rotation", turns, it.rotation.to_variant());
            note(node, "scale", scales, it.scale.to_variant());
        }
        for (it, before) in self.bends.iter().zip(&before.bends) {
            let differs = it.flips != before.flips;
            note(it.modifier.clone(), FLIPS, differs, it.flips.to_variant());
        }
        changes
    }
}

/// The poses that bones get, and where targets go.
pub(super) struct PoseGoals {
    pub(super) bones: Vec<(Gd<Bone2D>, Deviation)>,
    pub(super) targets: Vec<(HeldNode, Placement)>,
}

impl PoseGoals {
    /// What a pose has for the bones and targets that `selection` means, by their names.
    pub(super) fn named(
        selection: &Selection,
        bones: &BTreeMap<String, Deviation>,
        targets: &BTreeMap<String, Placement>,
    ) -> Self {
        let named = named_bones(&selection.skeleton).into_iter();
        let named = named.filter(|(_, bone)| selection.includes(bone));
        let held = held_nodes(&selection.skeleton).into_iter();
        let held = held.filter(|held| selection.includes_held(held));
        Self {
            bones: named
                .filter_map(|(name, bone)| Some((bone, *bones.get(&name)?)))
                .collect(),
            targets: held
                .filter_map(|held| Some((*targets.get(&held.name)?, held)))
                .map(|(placement, held)| (held, placement))
                .collect(),
        }
    }

    /// The same bones and targets as they are now.
    pub(super) fn now(&self) -> Posture {
        let bones = self.bones.iter().map(|(bone, _)| NodePose::of(bone));
        let targets = self.targets.iter();
        Posture {
            bends: targets.clone().flat_map(|(it, _)| it.bends()).collect(),
            poses: bones
                .chain(targets.map(|(it, _)| NodePose::of(&it.node)))
                .collect(),
        }
    }

    /// The posture that is `weight` of the way from `start`, which bones and targets have now.
    pub(super) fn blended(&self, start: &Posture, weight: f32) -> Posture {
        let bones = self.bones.iter();
        let bones = bones.map(|(bone, goal)| goal.change(bone, weight));
        let targets = self.targets.iter();
        let bends = targets
            .clone()
            .flat_map(|(held, goal)| goal.bends(held, weight));
        let targets = targets.map(|(held, goal)| goal.change(held, weight));
        let after = bones.chain(targets).zip(&start.poses);
        Posture {
            poses: after
                .map(|(after, start)| after.unwrap_or_else(|| start.clone()))
                .collect(),
            bends: bends.collect(),
        }
    }
}
