//! A skeleton as it is shown: its bones as data, and where they are on the screen.

use std::collections::HashSet;

use godot::classes::{Bone2D, EditorInterface, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::engine::space::{to_godot, to_solver};
use tendon_nodes::nodes::joint_limit::{displayed, limit_on};
use tendon_solver::glam::Vec2;
use tendon_solver::{Bone, Point, Rig};

use crate::inspector::driven_bone::DrivenBone;
use crate::posing::drag::limb::{Joint, limb_of};
use crate::selection::{all_within, end_of, is_saved_with, parent_bone};

/// How near the mouse must be to the end of a bone, and to its line, in pixels of the editor's design.
const NEAR_END: f32 = 14.0;
const NEAR_LINE: f32 = 10.0;

/// How far from the end of a bone the next one may begin, as a part of its length.
const NEAR_JOINT: f32 = 1e-3;

/// The bones of one skeleton.
pub(super) struct Figure {
    pub(super) skeleton: Gd<Skeleton2D>,
    pub(super) nodes: Vec<Gd<Bone2D>>,
    /// The bones as they are shown, and their limits.
    pub(super) rig: Rig,
    /// Where each bone ends, in its own frame.
    ends: Vec<Vector2>,
    pub(super) to_screen: Transform2D,
    /// How the viewport sees the canvas.
    pub(super) canvas: Transform2D,
}

/// A place of a bone under the mouse.
#[derive(Clone, Copy)]
pub(super) struct Grip {
    pub(super) bone: usize,
    /// In the bone's frame.
    pub(super) point: Vector2,
    distance: f32,
    is_end: bool,
}

impl Figure {
    /// `None` if it cannot be seen, or mapped back from the screen.
    pub(super) fn of(skeleton: &Gd<Skeleton2D>) -> Option<Self> {
        let viewport = EditorInterface::singleton().get_editor_viewport_2d()?;
        let place = skeleton.get_canvas_transform() * skeleton.get_global_transform();
        let canvas = viewport.get_global_canvas_transform();
        let to_screen = canvas * place;
        let area = to_screen.determinant();
        if !skeleton.is_visible_in_tree() || !area.is_normal() || !to_screen.is_finite() {
            return None;
        }
        let nodes = bones_of(skeleton);
        let bones = nodes.iter().map(|node| bone_of(node, &nodes)).collect();
        let mut rig = Rig::new(bones, Vec::new());
        rig.take_base_pose();
        Some(Self {
            skeleton: skeleton.clone(),
            ends: nodes.iter().map(end_of).collect(),
            nodes,
            rig,
            to_screen,
            canvas,
        })
    }

    /// All that can be posed in the edited scene.
    pub(super) fn all() -> Vec<Self> {
        let Some(root) = EditorInterface::singleton().get_edited_scene_root() else {
            return Vec::new();
        };
        let mut skeletons = all_within::<Skeleton2D>(&root);
        skeletons.retain(|skeleton| is_saved_with(&root, &skeleton.clone().upcast()));
        skeletons.iter().filter_map(Self::of).collect()
    }

    /// Where a point of a bone is on the screen.
    pub(super) fn locate(&self, bone: usize, point: Vector2) -> Vector2 {
        let point = Point {
            bone: Some(bone),
            position: to_solver(point),
        };
        self.to_screen * to_godot(self.rig.locate(point))
    }

    /// The line of a bone on the screen.
    pub(super) fn line(&self, bone: usize) -> [Vector2; 2] {
        [Vector2::ZERO, self.ends[bone]].map(|point| self.locate(bone, point))
    }

    /// What is under the mouse: the nearest end of a bone, or else the nearest line.
    pub(super) fn hit(&self, mouse: Vector2, scale: f32) -> Option<Grip> {
        let grips = (0..self.nodes.len()).filter_map(|bone| self.grip(bone, mouse, scale));
        grips.min_by(Grip::order)
    }

    fn grip(&self, bone: usize, mouse: Vector2, scale: f32) -> Option<Grip> {
        let [joint, end] = self.line(bone);
        if !joint.is_finite() || !end.is_finite() || self.nodes[bone].has_meta("_edit_lock_") {
            return None;
        }
        let along = end - joint;
        let length = along.length();
        // Short bones keep lines that can be hit.
        let near_end = (0.4 * length).clamp(0.4 * NEAR_END * scale, NEAR_END * scale);
        let is_end = mouse.distance_to(end) <= near_end;
        let share = match length > 0.0 && !is_end {
            true => ((mouse - joint).dot(along) / (length * length)).clamp(0.0, 1.0),
            false => 1.0,
        };
        let distance = mouse.distance_to(joint + along * share);
        (is_end || distance <= NEAR_LINE * scale).then(|| Grip {
            bone,
            point: self.ends[bone] * share,
            distance,
            is_end,
        })
    }

    /// The bone whose angle is kept while `limb` is pulled at `grip`: the one that begins there. The last bone
    /// of a limb keeps its own angle. `None` if it is pinned, or a modifier turns it.
    pub(super) fn kept_bone(
        &self,
        grip: Grip,
        limb: &[usize],
        pins: &HashSet<InstanceId>,
    ) -> Option<usize> {
        let near = NEAR_JOINT * self.ends[grip.bone].length();
        let begins_there = |&bone: &usize| {
            let gap = self.nodes[bone].get_position().distance_to(grip.point);
            self.rig.bones[bone].parent == Some(grip.bone) && gap <= near
        };
        let Some(next) = (0..self.nodes.len()).find(begins_there) else {
            return (limb.len() > 1).then_some(grip.bone);
        };
        let is_pinned = pins.contains(&self.nodes[next].instance_id());
        (!is_pinned && target_of(&self.nodes[next]).is_none()).then_some(next)
    }

    /// The direction of the X axis of a bone in the skeleton.
    pub(super) fn direction(&self, bone: usize) -> Vec2 {
        let at = |position: Vec2| {
            let bone = Some(bone);
            self.rig.locate(Point { bone, position })
        };
        at(Vec2::X) - at(Vec2::ZERO)
    }

    /// The bones that turn while `bone` is pulled, root first.
    pub(super) fn limb(&self, bone: usize, pins: &HashSet<InstanceId>) -> Vec<usize> {
        let joints = self.nodes.iter().zip(&self.rig.bones);
        let joints = joints.map(|(node, bone)| Joint {
            parent: bone.parent,
            is_pinned: pins.contains(&node.instance_id()),
            is_driven: target_of(node).is_some(),
        });
        limb_of(&joints.collect::<Vec<_>>(), bone)
    }
}

impl Grip {
    /// Ends come before lines.
    pub(super) fn order(&self, other: &Self) -> std::cmp::Ordering {
        let by_kind = other.is_end.cmp(&self.is_end);
        by_kind.then(self.distance.total_cmp(&other.distance))
    }
}

/// The target towards which a modifier turns `bone` now, if there is one.
pub(super) fn target_of(bone: &Gd<Bone2D>) -> Option<Gd<Node>> {
    let driven = DrivenBone::of(bone)?;
    let target = driven.targets.first().cloned();
    target.filter(|_| driven.reason_for_idle.is_none())
}

/// `node` for the solver, with its limit if that counts.
fn bone_of(node: &Gd<Bone2D>, nodes: &[Gd<Bone2D>]) -> Bone {
    let parent = parent_bone(node);
    let limit = limit_on(node).and_then(|limit| displayed(&limit));
    Bone {
        parent: parent.and_then(|parent| nodes.iter().position(|other| *other == parent)),
        position: to_solver(node.get_position()),
        rotation: node.get_rotation(),
        scale: to_solver(node.get_scale()),
        skew: node.get_skew(),
        limit: limit.filter(|it| it.counts).map(|it| it.limit),
    }
}
