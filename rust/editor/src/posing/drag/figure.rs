//! A skeleton as it is shown: its bones as data, and where they are on the screen.

use godot::builtin::math::ApproxEq;
use godot::classes::{Bone2D, CanvasItem, EditorInterface, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{end_of, parent_among, parent_bone, share_along};
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::{bones_of, child_bones};
use tendon_nodes::engine::space::{frame_above, to_godot, to_solver};
use tendon_nodes::nodes::joint_limit::{displayed, limit_on};
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::{restore_base_pose, rig_of};
use tendon_nodes::plan::rest_bend::LimbBones;
use tendon_solver::glam::Vec2;
use tendon_solver::{Bone, LimitSpace, Point, Rig};

use crate::bake::targets::aim::BakedTarget;
use crate::inspector::driven_bone::DrivenBone;
use crate::posing::drag::pin::Pin;
use crate::posing::hidden_bones::is_hidden;
use crate::posing::limb::{AngleHold, LimbBone, limb_of};
use crate::reach::ReachingLimb;
use crate::selection::{all_within, is_saved_with};

/// The largest distances of the mouse from the end of a bone, and from its line, at which it takes the bone, in pixels
/// of the editor's design.
const NEAR_END: f32 = 14.0;
const NEAR_LINE: f32 = 10.0;

/// The largest distance of the mouse from the joint of a root bone at which it moves that bone, in pixels of the
/// editor's design, and as a part of the bone's length.
const NEAR_ROOT: f32 = 9.0;
const PART_OF_ROOT: f32 = 0.3;

/// The least distance from the joint of its bone at which a picture is taken, as a part of the bone's length: nothing
/// turns where a joint itself is pulled.
const FROM_JOINT: f32 = 0.3;

/// The largest distance from the end of a bone at which the next one may begin, as a part of its length.
const NEAR_JOINT: f32 = 1e-3;

/// The metadata of a node that the editor's tools are not to move.
pub(super) const LOCK: &str = "_edit_lock_";

/// The bones of one skeleton, and of those that its bones carry if they are taken in.
pub(super) struct BoneTree {
    pub(super) skeleton: Gd<Skeleton2D>,
    /// The skeletons that are taken in. Each is a bone of the rig that does not turn, and in its place in `nodes` there is the
    /// bone that carries it.
    carried: Vec<(usize, Gd<Skeleton2D>)>,
    pub(super) nodes: Vec<Gd<Bone2D>>,
    /// The bones as they are shown, and their limits.
    pub(super) rig: Rig,
    /// The ends of each bone, in its own frame: as for modifiers, and at the other bones that it carries.
    ends: Vec<Vec<Vector2>>,
    pub(super) to_screen: Transform2D,
    /// The transform from the canvas to the screen.
    pub(super) canvas: Transform2D,
}

/// A place of a bone under the mouse.
#[derive(Clone, Copy)]
pub(super) struct GripOnBone {
    pub(super) bone: usize,
    /// In the bone's frame.
    pub(super) point: Vector2,
    distance: f32,
    is_end: bool,
    /// `true` if it is the joint of a root bone, which is moved and not turned.
    pub(super) is_root: bool,
}

impl BoneTree {
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
            carried: Vec::new(),
            ends: nodes.iter().map(ends_of).collect(),
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

    /// Takes in the skeletons that its bones carry: they go along, and their pins hold.
    pub(super) fn take_in_carried(&mut self) {
        for other in Self::all() {
            let skeleton = other.skeleton;
            let node = skeleton.clone().upcast();
            let Some((carrier, above)) = self.carrier_of(&node) else {
                continue;
            };
            let mount = self.nodes.len();
            let frame = above * skeleton.get_transform();
            self.carried.push((mount, skeleton));
            self.nodes.push(self.nodes[carrier].clone());
            self.ends.push(Vec::new());
            self.rig.bones.push(Bone {
                position: to_solver(frame.origin),
                rotation: frame.rotation(),
                scale: to_solver(frame.scale()),
                skew: frame.skew(),
                ..Bone::below(Some(carrier))
            });
            self.rig
                .bones
                .extend(other.rig.bones.into_iter().map(|bone| {
                    // Directions that are fixed in a skeleton that turns are none of this rig.
                    let limit = bone.limit.filter(|it| it.space == LimitSpace::Parent);
                    let parent = Some(bone.parent.map_or(mount, |parent| mount + 1 + parent));
                    Bone {
                        parent,
                        limit,
                        ..bone
                    }
                }));
            self.nodes.extend(other.nodes);
            self.ends.extend(other.ends);
        }
    }

    /// The bone that carries `node`, and the frame in that bone in which the node is placed.
    pub(super) fn carrier_of(&self, node: &Gd<Node2D>) -> Option<(usize, Transform2D)> {
        let above = |item: &Gd<CanvasItem>| {
            let parent = item.get_parent().filter(|_| !item.is_set_as_top_level())?;
            parent.try_cast::<CanvasItem>().ok()
        };
        let items = std::iter::successors(Some(node.clone().upcast()), above).skip(1);
        let mut bones = items.filter_map(|item| item.try_cast::<Bone2D>().ok());
        let carrier = bones.find_map(|bone| self.nodes.iter().position(|node| *node == bone))?;
        let frame = self.nodes[carrier].get_global_transform().affine_inverse() * frame_above(node);
        frame.is_finite().then_some((carrier, frame))
    }

    /// Returns `true` if it stands for a skeleton that is carried, and not for a bone of its own.
    pub(super) fn is_mount(&self, bone: usize) -> bool {
        self.carried.iter().any(|(mount, _)| *mount == bone)
    }

    /// The skeletons, each after the one that carries it.
    pub(super) fn skeletons(&self) -> impl Iterator<Item = &Gd<Skeleton2D>> {
        let carried = self.carried.iter().map(|(_, skeleton)| skeleton);
        let all = std::iter::once(&self.skeleton).chain(carried);
        all.filter(|skeleton| skeleton.is_instance_valid())
    }

    /// Their rigs.
    pub(super) fn rigs(&self) -> Vec<Gd<TendonRig2D>> {
        self.skeletons().filter_map(rig_of).collect()
    }

    /// Has its rigs, which may have solved, restore the base pose.
    pub(super) fn restore_base_pose(&self) {
        self.skeletons().for_each(restore_base_pose);
    }

    /// Takes the base poses of `bones` at the start of a drag. All else stays as it is shown.
    pub(super) fn begin_at(&mut self, bones: &[usize], start: &[NodePose]) {
        for (&bone, start) in bones.iter().zip(start) {
            let is_driven = self.is_driven(&self.nodes[bone]);
            let data = &mut self.rig.bones[bone];
            if !is_driven {
                data.rotation = start.rotation;
            }
            data.position = to_solver(start.position);
            data.scale = to_solver(start.scale);
        }
        self.rig.take_base_pose();
    }

    /// Returns the place of a point of a bone on the screen.
    pub(super) fn locate(&self, bone: usize, point: Vector2) -> Vector2 {
        let point = Point {
            bone: Some(bone),
            position: to_solver(point),
        };
        self.to_screen * to_godot(self.rig.locate(point))
    }

    /// The lines of a bone on the screen: one to each of its ends, unless it is hidden.
    pub(super) fn lines(&self, bone: usize) -> Vec<[Vector2; 2]> {
        if is_hidden(&self.nodes[bone]) {
            return Vec::new();
        }
        let ends = self.ends[bone].iter();
        ends.map(|&end| [Vector2::ZERO, end].map(|point| self.locate(bone, point)))
            .collect()
    }

    /// Those of all bones.
    pub(super) fn all_lines(&self) -> impl Iterator<Item = [Vector2; 2]> {
        (0..self.nodes.len()).flat_map(|bone| self.lines(bone))
    }

    /// The bones that have no bone above them, unless they are hidden.
    pub(super) fn roots(&self) -> impl Iterator<Item = usize> {
        let bones = 0..self.nodes.len();
        let roots = bones.filter(|&bone| self.rig.bones[bone].parent.is_none());
        roots.filter(|&bone| !is_hidden(&self.nodes[bone]))
    }

    /// Returns `true` if a bone can be taken with the mouse: it is neither hidden nor locked by the editor's own tool.
    fn is_free(&self, bone: usize) -> bool {
        let bone = &self.nodes[bone];
        !is_hidden(bone) && !bone.has_meta(LOCK)
    }

    /// Returns the place under the mouse: the end of a limb or the joint of a root bone, or else the nearest end of a
    /// bone, or the nearest line. Of bones that lie on each other the last one: the pictures that it carries are in
    /// front.
    pub(super) fn hit(&self, mouse: Vector2, scale: f32) -> Option<GripOnBone> {
        let mut roots = self.roots();
        let root = roots.find_map(|bone| self.grip_root(bone, mouse, scale));
        let bones = (0..self.nodes.len()).rev();
        let grips = bones.flat_map(|bone| {
            let ends = self.ends[bone].iter();
            ends.filter_map(move |&end| self.grip(bone, end, mouse, scale))
        });
        let nearest = grips.min_by(GripOnBone::order);
        // A hand that hangs beside the hips is taken where it is.
        let wins = |root: &GripOnBone| {
            let end = nearest.filter(|grip| grip.is_end && self.ends_limb(grip.bone));
            end.is_some_and(|end| end.distance <= root.distance)
        };
        root.filter(|root| !wins(root)).or(nearest)
    }

    /// Returns `true` if a limb ends with this bone: none hangs on it, or a modifier brings it to a target.
    fn ends_limb(&self, bone: usize) -> bool {
        let node = &self.nodes[bone];
        child_bones(node).next().is_none() || self.is_driven(node)
    }

    /// The target that is turned where a bone is taken, if that turns the bone about its joint: a foot that turns like its
    /// target.
    pub(super) fn turned_at(&self, grip: GripOnBone) -> Option<BakedTarget> {
        let node = &self.nodes[grip.bone];
        if grip.is_root || Pin::of(node).is_some() || self.is_driven(node) {
            return None;
        }
        let mut aims = aims_of_carrier(node).into_iter();
        // One that is a bone has a base pose of its own.
        aims.find(|aim| aim.turned_bone() == Some(node) && !aim.target.is_class("Bone2D"))
    }

    /// Returns `true` if only the base pose of `bone` decides on the angle to its carrier, which modifiers turn towards
    /// a target.
    pub(super) fn is_carried(&self, bone: &Gd<Bone2D>) -> bool {
        let aims = aims_of_carrier(bone);
        !self.is_driven(bone) && !aims.is_empty() && !aims.iter().any(|aim| aim.turns_bone(bone))
    }

    /// What is pulled to its target where a bone is taken: the bone itself, or at the end of a hand the limb that
    /// carries it, unless the target is turned.
    pub(super) fn goal_at(&self, grip: GripOnBone) -> Option<ReachingLimb> {
        if self.turned_at(grip).is_some() {
            return None;
        }
        let node = &self.nodes[grip.bone];
        let carrier = parent_bone(node).filter(|carrier| {
            let gap = node.get_position().distance_to(end_of(carrier));
            grip.is_end
                && child_bones(node).next().is_none()
                && gap < NEAR_JOINT * end_of(carrier).length()
        });
        goal_of(node).or_else(|| goal_of(&carrier?))
    }

    /// The bone at the end of the limb whose target is pulled at `grip`, unless a modifier turns it.
    pub(super) fn end_beyond_goal(&self, grip: GripOnBone) -> Option<usize> {
        match self.is_driven(&self.nodes[grip.bone]) {
            true => self.kept_bone(grip, &[]),
            false => Some(grip.bone),
        }
    }

    /// Returns `true` if a modifier turns `bone` towards a target now.
    pub(super) fn is_driven(&self, bone: &Gd<Bone2D>) -> bool {
        goal_of(bone).is_some()
    }

    fn grip_root(&self, bone: usize, mouse: Vector2, scale: f32) -> Option<GripOnBone> {
        let joint = self.locate(bone, Vector2::ZERO);
        let lengths = self.lines(bone).into_iter();
        let longest = lengths.map(|[start, end]| start.distance_to(end));
        let near = PART_OF_ROOT * longest.fold(0.0, f32::max);
        let distance = joint.distance_to(mouse);
        (self.is_free(bone) && distance <= near.min(NEAR_ROOT * scale)).then_some(GripOnBone {
            bone,
            point: Vector2::ZERO,
            distance,
            is_end: true,
            is_root: true,
        })
    }

    fn grip(&self, bone: usize, end: Vector2, mouse: Vector2, scale: f32) -> Option<GripOnBone> {
        let point = end;
        let [joint, end] = [Vector2::ZERO, point].map(|point| self.locate(bone, point));
        if !joint.is_finite() || !end.is_finite() || !self.is_free(bone) {
            return None;
        }
        let length = joint.distance_to(end);
        // Short bones keep lines that can be hit.
        let near_end = (0.4 * length).clamp(0.4 * NEAR_END * scale, NEAR_END * scale);
        let is_end = mouse.distance_to(end) <= near_end;
        let share = match is_end {
            true => 1.0,
            false => share_along([joint, end], mouse),
        };
        let distance = mouse.distance_to(joint.lerp(end, share));
        (is_end || distance <= NEAR_LINE * scale).then(|| GripOnBone {
            bone,
            point: point * share,
            distance,
            is_end,
            is_root: false,
        })
    }

    /// The place of `bone` that is nearest to `mouse`, on a picture that the bone carries. `None` if the bone
    /// is none of this skeleton, or cannot be taken.
    pub(super) fn grip_by_picture(&self, bone: &Gd<Bone2D>, mouse: Vector2) -> Option<GripOnBone> {
        let bone = self.nodes.iter().position(|node| node == bone)?;
        if !self.is_free(bone) {
            return None;
        }
        let grips = self.ends[bone].iter().map(|&end| {
            let line = [Vector2::ZERO, end].map(|point| self.locate(bone, point));
            let share = share_along(line, mouse).max(FROM_JOINT);
            GripOnBone {
                bone,
                point: end * share,
                distance: mouse.distance_to(line[0].lerp(line[1], share)),
                is_end: false,
                is_root: false,
            }
        });
        grips.min_by(GripOnBone::order)
    }

    /// The bone whose angle is kept while `limb` is pulled at `grip`: the one that begins there. The last bone
    /// of a limb keeps its own angle. `None` if it is pinned, or a modifier turns it.
    pub(super) fn kept_bone(&self, grip: GripOnBone, limb: &[usize]) -> Option<usize> {
        let Some(next) = self.next_at(grip) else {
            return (limb.len() > 1).then_some(grip.bone);
        };
        let node = &self.nodes[next];
        (Pin::of(node).is_none() && !self.is_driven(node)).then_some(next)
    }

    /// Returns `true` if two bones bend to the side to which a modifier bends them with `flip_bend_direction`: as they
    /// are, or as they rest if they are straight.
    pub(super) fn bends_flipped(&self, [upper, lower]: [usize; 2], end: Point) -> bool {
        let limb = LimbBones {
            upper: &self.nodes[upper],
            lower: &self.nodes[lower],
            tip: self.in_bone(lower, end),
        };
        let rests = limb.rests_flipped();
        limb.flipped_now().map_or(rests, |flipped| flipped != rests)
    }

    /// Returns `point` in the frame of the bone `bone`.
    fn in_bone(&self, bone: usize, point: Point) -> Vector2 {
        self.frame_in(&self.rig, bone).affine_inverse() * to_godot(self.rig.locate(point))
    }

    /// The frame of a bone in the skeleton, as `rig` has it.
    pub(super) fn frame_in(&self, rig: &Rig, bone: usize) -> Transform2D {
        let bone = Some(bone);
        let at = |position: Vec2| to_godot(rig.locate(Point { bone, position }));
        let origin = at(Vec2::ZERO);
        Transform2D::from_cols(at(Vec2::X) - origin, at(Vec2::Y) - origin, origin)
    }

    /// From the skeleton to the canvas of the edited scene.
    pub(super) fn to_canvas(&self) -> Transform2D {
        self.skeleton.get_canvas_transform() * self.skeleton.get_global_transform()
    }

    /// Returns the bone that a click at `grip` pins, and its pin: at the end of a bone the next one that begins there,
    /// as a foot at an ankle.
    pub(super) fn pin_at(&self, grip: GripOnBone, keeps_angle: bool) -> (usize, Pin) {
        let next = self.next_at(grip).filter(|_| grip.is_end && !grip.is_root);
        let place = match next {
            Some(_) => Vector2::ZERO,
            None => grip.point,
        };
        let pin = match keeps_angle {
            true => Pin::PlaceAndAngle,
            false => Pin::Place(place),
        };
        (next.unwrap_or(grip.bone), pin)
    }

    /// The pinned bones, parents first.
    pub(super) fn pins(&self) -> Vec<(usize, Pin)> {
        let nodes = self.nodes.iter().enumerate();
        let own = nodes.filter(|(bone, _)| !self.is_mount(*bone));
        own.filter_map(|(bone, node)| Some((bone, Pin::of(node)?)))
            .collect()
    }

    /// The bone that hangs on that at `grip`, and begins there.
    fn next_at(&self, grip: GripOnBone) -> Option<usize> {
        let near = NEAR_JOINT * grip.point.length();
        let begins_there = |&bone: &usize| {
            let gap = self.nodes[bone].get_position().distance_to(grip.point);
            self.rig.bones[bone].parent == Some(grip.bone) && gap <= near
        };
        (0..self.nodes.len()).find(begins_there)
    }

    /// The bones that turn while `bone` is pulled, root first.
    pub(super) fn limb(&self, bone: usize) -> Vec<usize> {
        let joints = self.nodes.iter().zip(&self.rig.bones);
        let joints = joints.map(|(node, bone)| LimbBone {
            parent: bone.parent,
            hold: match Pin::of(node) {
                _ if self.is_driven(node) => AngleHold::Driven,
                Some(Pin::PlaceAndAngle) => AngleHold::Angle,
                Some(Pin::Place(_)) => AngleHold::Place,
                None => AngleHold::Free,
            },
        });
        limb_of(&joints.collect::<Vec<_>>(), bone)
    }
}

impl GripOnBone {
    /// The place itself.
    pub(super) fn point(&self) -> Point {
        Point {
            bone: Some(self.bone),
            position: to_solver(self.point),
        }
    }

    /// Roots come before ends, and these before lines. No hand tells parts of a pixel apart.
    pub(super) fn order(&self, other: &Self) -> std::cmp::Ordering {
        let kind = |grip: &Self| (grip.is_root, grip.is_end);
        let by_kind = kind(other).cmp(&kind(self));
        let [own, others] = [self, other].map(|grip| grip.distance.round());
        by_kind.then(own.total_cmp(&others))
    }
}

/// The direction of the X axis of a bone, before its own scale, in the skeleton.
pub(super) fn direction_of(rig: &Rig, bone: usize) -> Vec2 {
    let at = |position: Vec2| {
        let bone = Some(bone);
        rig.locate(Point { bone, position })
    };
    (at(Vec2::X) - at(Vec2::ZERO)) * 1.0_f32.copysign(rig.bones[bone].scale.x)
}

/// Returns the ends of a bone, in its own frame. The editor draws a bone to each of those that it carries.
fn ends_of(bone: &Gd<Bone2D>) -> Vec<Vector2> {
    let mut ends = vec![end_of(bone)];
    for child in child_bones(bone) {
        let end = child.get_position();
        let is_known = ends.iter().any(|other| other.approx_eq(&end));
        if !is_known && !end.approx_eq(&Vector2::ZERO) {
            ends.push(end);
        }
    }
    ends
}

/// What brings `bone` to a target now, if there is one.
fn goal_of(bone: &Gd<Bone2D>) -> Option<ReachingLimb> {
    let driven = DrivenBone::of(bone)?;
    let goals = driven.goals.into_iter();
    goals.take(1).find(|_| driven.reason_for_idle.is_none())
}

/// Returns the aims of the modifiers that turn the carrier of `bone` now.
fn aims_of_carrier(bone: &Gd<Bone2D>) -> Vec<BakedTarget> {
    let driven = parent_bone(bone).and_then(|carrier| DrivenBone::of(&carrier));
    let driven = driven.filter(|driven| driven.reason_for_idle.is_none());
    let goals = driven.iter().flat_map(|driven| &driven.goals);
    goals
        .filter_map(|goal| BakedTarget::of(&goal.node).ok())
        .collect()
}

/// `node` for the solver, with its limit if that counts.
fn bone_of(node: &Gd<Bone2D>, nodes: &[Gd<Bone2D>]) -> Bone {
    let limit = limit_on(node).and_then(|limit| displayed(&limit));
    Bone {
        parent: parent_among(node, nodes),
        position: to_solver(node.get_position()),
        rotation: node.get_rotation(),
        scale: to_solver(node.get_scale()),
        skew: node.get_skew(),
        limit: limit.filter(|it| it.counts).map(|it| it.limit),
    }
}
