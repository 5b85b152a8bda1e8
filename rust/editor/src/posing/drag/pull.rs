//! A bone that is pulled: the limb follows the mouse, and the whole drag becomes one undo step at its end.
//!
//! Each position of the mouse is solved from the pose at the start of the drag, and never from the
//! last one: a mouse that comes back brings the pose back.

use std::collections::BTreeSet;

use godot::builtin::math::ApproxEq;
use godot::classes::EditorInterface;
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::space::{to_godot, to_solver};
use tendon_solver::glam::Vec2;
use tendon_solver::{
    Aimed, Algorithm, Chain, ChainIk, Direction, End, Heading, Modifier, Point, Rig, Status,
    TwoBone, Workspace,
};

use crate::notice::toast;
use crate::posing::drag::body::{PartsAlong, Pulled};
use crate::posing::drag::figure::{BoneTree, GripOnBone, LOCK, direction_of};
use crate::posing::drag::kept_angle::KeptAngle;
use crate::posing::drag::led::{How, Led};
use crate::posing::drag::pin::Pin;
use crate::posing::drag::snapping::Snapping;
use crate::posing::playing::reason_to_wait;
use crate::posing::posture::Posture;
use crate::posing::step::set_base_poses;
use crate::selection::{is_saved_with, select};
use crate::viewport_drag::{OwnDrag, Watch};
use crate::viewport_event::CLICK;

/// The largest miss of a limb that no body makes up for, in pixels of the editor's design: nobody sees it.
const SLACK: f32 = 0.3;

/// The length of a step of the mouse while a body goes along, in pixels of the editor's design, and the largest number
/// of steps.
const STEP: f32 = 8.0;
const MOST_STEPS: f32 = 40.0;

/// The manner of a drag, by the keys that are held.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Only the bone itself turns.
    pub(super) alone: bool,
    /// The bone at the end of the limb keeps its angle.
    pub(super) keeps_angle: bool,
    /// It snaps where the editor does not, and the other way round.
    pub(super) inverts_snapping: bool,
}

/// A drag of a bone that is under way.
pub(super) struct BoneDrag {
    pub(super) figure: BoneTree,
    pub(super) grip: GripOnBone,
    /// The bones that turn, root first.
    pub(super) limb: Vec<usize>,
    /// The bone whose angle can be kept: the last of the limb, or the one that begins there.
    kept: Option<usize>,
    /// The bones that a drag may turn: those of the limb, and the one beyond it that keeps its angle.
    bones: Vec<usize>,
    /// The target that is moved or turned in place of the limb.
    led: Option<Led>,
    /// The base poses of the bones at the start, and where that target was.
    start: Posture,
    /// The posture that they are set to.
    after: Posture,
    /// The parts of the body that go along, with their pins.
    body: PartsAlong,
    /// Bones at the end of limbs that modifiers hold: they come after `bones`. Those that are not pinned keep their
    /// angle if the keys say so.
    angles: Vec<(KeptAngle, bool)>,
    press: Vector2,
    /// The last place of the mouse in the viewport.
    mouse: Vector2,
    snapping: Snapping,
    /// The reason that nothing that is pulled would keep its pose.
    refusal: Option<String>,
    /// From the mouse to the place that is pulled.
    offset: Vector2,
    has_moved: bool,
    workspace: Workspace,
    watch: Watch,
}

impl OwnDrag for BoneDrag {
    /// A bone that was only clicked is selected.
    fn finish(self) {
        if self.has_moved {
            if let Some(text) = self.commit() {
                toast(&text);
            }
        } else {
            select(&[self.figure.nodes[self.grip.bone].clone().upcast()]);
        }
    }

    fn cancel(self) {
        if self.has_moved {
            self.put_back();
        }
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }
}

impl BoneDrag {
    /// Takes the bone at `grip`, with the mouse at `press`. With the joint of a root bone, that is moved; with
    /// any other place, the limb is pulled.
    pub(super) fn new<P: Inherits<Object>>(
        mut figure: BoneTree,
        grip: GripOnBone,
        press: Vector2,
        plugin: &Gd<P>,
    ) -> Self {
        let led = Led::at(&figure, grip);
        let limb = match &led {
            Some(led) => led.limb.clone(),
            None if grip.is_root => Vec::new(),
            None => figure.limb(grip.bone),
        };
        let kept = match grip.is_root || led.is_some() {
            true => None,
            false => figure.kept_bone(grip, &limb),
        };
        let beyond = kept.filter(|&bone| bone != grip.bone);
        let moves = led.as_ref().and_then(|led| led.end(false));
        // With a target that turns a bone, none gets another base pose, and no pin is in the way.
        let is_pose = led.is_none() || moves.is_some();
        figure.take_in_carried();
        let pins = match is_pose {
            true => pins_beside(&figure, grip.bone, &limb),
            false => Vec::new(),
        };
        let end = moves
            .and_then(|end| end.bone)
            .or(beyond)
            .unwrap_or(grip.bone);
        let goes_alone = led.is_some() && limb.is_empty();
        let joints = match goes_alone {
            true => Vec::new(),
            false => PartsAlong::joints_of(&figure, &limb, end, &pins),
        };
        let own = moves.and_then(|_| figure.end_beyond_goal(grip));
        let angles = kept_angles(&figure, &pins, own);
        let turned = joints.into_iter().chain(limb.iter().copied()).chain(beyond);
        let turned = turned.filter(|&bone| {
            let node = &figure.nodes[bone];
            !figure.is_driven(node)
                && angles
                    .iter()
                    .all(|(it, _)| it.start.bone().as_ref() != Some(node))
        });
        let root = [grip.bone].into_iter().filter(|_| grip.is_root);
        let bones: BTreeSet<_> = turned.chain(root).filter(|_| is_pose).collect();
        let bones: Vec<_> = bones.into_iter().collect();
        figure.restore_base_pose();
        let start = start_of(&figure, &bones, &angles, led.as_ref());
        figure.begin_at(&bones, &start.poses);
        let body = match goes_alone {
            true => PartsAlong::default(),
            false => PartsAlong::new(&figure, &limb, end, &pins),
        };
        let nodes = figure.nodes.iter().map(|bone| bone.clone().upcast());
        let skeleton = figure.skeleton.clone().upcast();
        let target = led.iter().map(|led| led.target.clone().upcast());
        Self {
            watch: Watch::new(plugin, nodes.chain([skeleton]).chain(target)),
            offset: figure.locate(grip.bone, grip.point) - press,
            figure,
            grip,
            limb,
            kept,
            bones,
            body,
            angles,
            after: start.clone(),
            refusal: refusal_of(&start, led.as_ref()),
            led,
            start,
            press,
            mouse: press,
            snapping: Snapping::of_editor(),
            has_moved: false,
            workspace: Workspace::default(),
        }
    }

    /// The mouse has moved to `mouse`.
    pub(super) fn follow(&mut self, mouse: Vector2, manner: Manner, scale: f32) {
        self.has_moved |= mouse.distance_to(self.press) > CLICK * scale;
        if !self.has_moved || self.refusal.is_some() {
            return;
        }
        // The user may zoom and scroll during the drag.
        if let Some(now) = BoneTree::of(&self.figure.skeleton) {
            (self.figure.to_screen, self.figure.canvas) = (now.to_screen, now.canvas);
        }
        let Some((solved, pulled)) = self.go_to(mouse, manner, scale) else {
            return;
        };
        for (&bone, after) in self.bones.iter().zip(&mut self.after.poses) {
            if !self.figure.is_driven(&self.figure.nodes[bone]) {
                after.rotation = solved.rotation(bone);
            }
            after.position = to_godot(solved.position(bone));
        }
        let posed = self.bones.len() + self.angles.len();
        self.after.poses[..posed].iter().for_each(NodePose::restore);
        self.lead_target(&solved, &pulled);
        self.keep_angles(manner);
    }

    /// Turns the bones at the end of limbs that modifiers hold.
    fn keep_angles(&mut self, manner: Manner) {
        let bones = &mut self.after.poses[self.bones.len()..];
        for ((kept, is_pinned), after) in self.angles.iter().zip(bones) {
            *after = match *is_pinned || manner.keeps_angle {
                true => kept.base_pose(),
                false => kept.start.clone(),
            };
            after.restore();
        }
    }

    /// Moves or turns the target, if there is one, so that its limb goes to `solved`.
    fn lead_target(&mut self, solved: &Rig, pulled: &Pulled) {
        let last = self.start.poses.last().zip(self.after.poses.last_mut());
        if let Some((led, (start, place))) = self.led.as_ref().zip(last) {
            *place = led.place(&self.figure, self.grip, solved, pulled, start);
            place.restore();
        }
    }

    /// The pose with the mouse at `mouse`. The body goes there in short steps: its pose depends on the way.
    fn go_to(&mut self, mouse: Vector2, manner: Manner, scale: f32) -> Option<(Rig, Pulled)> {
        let from = std::mem::replace(&mut self.mouse, mouse);
        let (solved, pulled) = self.pull_to(mouse, manner)?;
        let slack = SLACK * scale / self.figure.to_screen.determinant().abs().sqrt();
        let steps = match self.body.is_needed(&solved, &pulled, slack) {
            true => (from.distance_to(mouse) / (STEP * scale))
                .ceil()
                .clamp(1.0, MOST_STEPS),
            false => 1.0,
        };
        for step in 1..steps as u32 {
            let between = self.pull_to(from.lerp(mouse, step as f32 / steps), manner);
            if let Some((rig, pulled)) = between {
                self.body.go_along(rig, &pulled, slack, &mut self.workspace);
            }
        }
        let solved = self
            .body
            .go_along(solved, &pulled, slack, &mut self.workspace)?;
        Some((solved, pulled))
    }

    /// The pose in which the limb alone follows the mouse, and what it is pulled by.
    fn pull_to(&mut self, mouse: Vector2, manner: Manner) -> Option<(Rig, Pulled)> {
        let place = mouse + self.offset;
        match self.grip.is_root {
            true => Some(self.move_root(place, manner)),
            false => self.solve_for(place, manner),
        }
    }

    /// The pose with the root at `place` of the screen.
    fn move_root(&mut self, place: Vector2, manner: Manner) -> (Rig, Pulled) {
        let place = self.snapped(place, manner);
        let root = self.grip.bone;
        let mut rig = self.figure.rig.clone();
        let place = to_solver(self.figure.to_screen.affine_inverse() * place);
        rig.bones[root].position = place;
        rig.take_base_pose();
        let pulled = Pulled {
            end: Point::origin_of(Some(root)),
            place,
            heading: Some(self.direction_of(root)),
        };
        (rig, pulled)
    }

    /// That of a bone at the start.
    fn direction_of(&self, bone: usize) -> Direction {
        Direction {
            bone: None,
            vector: direction_of(&self.figure.rig, bone),
        }
    }

    /// `place`, on the grid if drags snap to it.
    fn snapped(&self, place: Vector2, manner: Manner) -> Vector2 {
        let snapping = self.snapping.inverted(manner.inverts_snapping);
        let canvas = self.figure.canvas;
        match snapping.to_grid {
            true => canvas * snapping.snap_point(canvas.affine_inverse() * place),
            false => place,
        }
    }

    /// The pose in which the place that is pulled is at `place` of the screen, or as near as may be.
    fn solve_for(&mut self, place: Vector2, manner: Manner) -> Option<(Rig, Pulled)> {
        let snapping = self.snapping.inverted(manner.inverts_snapping);
        let how = self.led.as_ref().map(|led| &led.how);
        let turns = matches!(how, Some(How::Turns(_)));
        let is_alone = turns || manner.alone && how.is_none();
        let grip = self.grip.point();
        let led = self.led.as_ref();
        let led = led.and_then(|led| led.end(manner.keeps_angle));
        let [end, taken] = [led.unwrap_or(grip), grip]
            .map(|point| self.figure.to_screen * to_godot(self.figure.rig.locate(point)));
        let place = match is_alone {
            true => place,
            false => self.snapped(place + end - taken, manner),
        };
        let place = to_solver(self.figure.to_screen.affine_inverse() * place);
        if how.is_some() && self.limb.is_empty() {
            let end = led.unwrap_or(grip);
            let heading = None;
            return Some((
                self.figure.rig.clone(),
                Pulled {
                    end,
                    place,
                    heading,
                },
            ));
        }
        match is_alone {
            true => self.turn_alone(place, &snapping),
            false => self.pull_limb(led.unwrap_or(grip), place, manner),
        }
    }

    /// The pose in which only the bone itself turns.
    fn turn_alone(&mut self, place: Vec2, snapping: &Snapping) -> Option<(Rig, Pulled)> {
        let grip = self.grip.point();
        let joints = self.limb.iter().filter(|&&it| it == self.grip.bone);
        let joints: Vec<_> = joints.copied().collect();
        let mut solved = self.reach(joints.clone(), grip, place, None)?;
        if snapping.to_angles {
            // Solved once more, so that limits hold.
            let mut snapped = self.figure.rig.clone();
            let bone = &mut snapped.bones[self.grip.bone];
            bone.rotation = snapping.snap_angle(solved.rotation(self.grip.bone));
            snapped.take_base_pose();
            solved = self.reach(joints, grip, snapped.locate(grip), None)?;
        }
        let place = solved.locate(grip);
        let pulled = Pulled {
            end: grip,
            place,
            heading: None,
        };
        Some((solved, pulled))
    }

    /// The pose in which the limb brings `end` to a place of the skeleton.
    fn pull_limb(&mut self, end: Point, place: Vec2, manner: Manner) -> Option<(Rig, Pulled)> {
        let kept = self.kept.filter(|_| manner.keeps_angle);
        let beyond = kept.filter(|&bone| bone != self.grip.bone);
        let end = beyond.map_or(end, |bone| Point::origin_of(Some(bone)));
        let direction = kept.map(|bone| self.direction_of(bone));
        let heading = kept.zip(direction).map(|(bone, direction)| Heading {
            bone,
            direction: Aimed::at(direction),
        });
        let solved = self.reach(self.limb.clone(), end, place, heading)?;
        let pulled = Pulled {
            end,
            place,
            heading: direction,
        };
        Some((solved, pulled))
    }

    fn reach(
        &mut self,
        joints: Vec<usize>,
        end: Point,
        place: Vec2,
        heading: Option<Heading>,
    ) -> Option<Rig> {
        let workspace = &mut self.workspace;
        reach(&self.figure, joints, end, place, heading, workspace)
    }

    /// Makes the drag one undo step. Returns what to tell the user.
    fn commit(self) -> Option<String> {
        if self.refusal.is_some() {
            return self.refusal;
        }
        let scene = EditorInterface::singleton().get_edited_scene_root()?;
        let moved = self.moved();
        self.put_back();
        if moved.is_empty() {
            return None;
        }
        let name = self.figure.nodes[self.grip.bone].get_name();
        let title = match &self.led {
            Some(led) => {
                let turns = matches!(led.how, How::Turns(_));
                let verb = if turns { "Turn" } else { "Move" };
                format!("{verb} \"{}\"", led.target.get_name())
            }
            None => format!(
                "{} \"{name}\"",
                if self.grip.is_root { "Move" } else { "Pose" }
            ),
        };
        let set = set_base_poses(&title, &scene, &self.figure.rigs(), &moved);
        set.unwrap_or_else(|reason| Some(reason.to_string()))
    }

    /// Returns the poses and places that differ from the start by more than rounding.
    fn moved(&self) -> Posture {
        let poses = self.start.poses.iter().zip(&self.after.poses);
        let poses = poses.filter(|(start, after)| {
            !after.rotation.approx_eq(&start.rotation) || !after.position.approx_eq(&start.position)
        });
        Posture::of(poses.map(|(_, after)| after.clone()).collect())
    }

    fn put_back(&self) {
        // The rig may have solved again: its bones would hold more than their base pose.
        self.figure.restore_base_pose();
        self.start.restore();
    }
}

/// The pins that hold while `pulled` is dragged with its `limb`: all but its own.
fn pins_beside(figure: &BoneTree, pulled: usize, limb: &[usize]) -> Vec<(usize, Pin)> {
    let mut pins = figure.pins();
    pins.retain(|(bone, _)| *bone != pulled);
    for (bone, pin) in &mut pins {
        // Its joint stays at a target, so any place of it keeps the angle.
        let parent = figure.rig.bones[*bone].parent;
        let is_pulled = parent.is_some_and(|parent| limb.contains(&parent));
        if !is_pulled && figure.is_carried(&figure.nodes[*bone]) {
            *pin = Pin::PlaceAndAngle;
        }
    }
    pins
}

/// The bones at the end of limbs that modifiers hold whose angles are kept, and whether they are pinned: those of `pins`,
/// and the `own` one of the limb that is pulled.
fn kept_angles(
    figure: &BoneTree,
    pins: &[(usize, Pin)],
    own: Option<usize>,
) -> Vec<(KeptAngle, bool)> {
    let own = own.filter(|own| pins.iter().all(|(pin, _)| pin != own));
    let pinned = pins.iter().filter(|(_, pin)| *pin == Pin::PlaceAndAngle);
    let all = pinned.map(|&(bone, _)| (bone, true));
    let all = all.chain(own.map(|bone| (bone, false)));
    all.filter_map(|(bone, is_pinned)| Some((KeptAngle::of(figure, bone)?, is_pinned)))
        .collect()
}

/// The base poses of `bones` and of those that keep their `angles`, and where a target that is led is.
fn start_of(
    figure: &BoneTree,
    bones: &[usize],
    angles: &[(KeptAngle, bool)],
    led: Option<&Led>,
) -> Posture {
    let bones = bones.iter();
    let bones = bones.map(|&bone| NodePose::of(&figure.nodes[bone]));
    let kept = angles.iter().map(|(kept, _)| kept.start.clone());
    let target = led.map(|led| NodePose::of(&led.target));
    Posture::of(bones.chain(kept).chain(target).collect())
}

/// The pose of `figure` in which `end` is at `place` of the skeleton, or as near as may be, and the last bone has the
/// direction of `heading`, if there is one. Two bones keep the side to which they bend: a knee is a knee.
fn reach(
    figure: &BoneTree,
    mut joints: Vec<usize>,
    end: Point,
    place: Vec2,
    heading: Option<Heading>,
    workspace: &mut Workspace,
) -> Option<Rig> {
    let target = Point {
        bone: None,
        position: place,
    };
    let beyond = heading.filter(|heading| !joints.contains(&heading.bone));
    let pull = match (&joints[..], heading.is_some() == beyond.is_some()) {
        (&[upper, lower], true) => {
            let mut limb = TwoBone::new([upper, lower], End::Point(end), target);
            limb.settings.flip_bend_direction = figure.bends_flipped([upper, lower], end);
            limb.heading = beyond;
            Modifier::new(limb)
        }
        _ => {
            joints.extend(beyond.map(|heading| heading.bone));
            let chain = Chain::new(joints, End::Point(end));
            let mut chain = ChainIk::new(Algorithm::Fabrik, chain, target);
            chain.heading = heading.map_or_else(Aimed::default, |heading| heading.direction);
            Modifier::new(chain)
        }
    };
    let mut rig = figure.rig.clone();
    rig.modifiers = vec![pull];
    rig.validate().ok()?;
    rig.solve(workspace);
    (rig.modifiers[0].report.status != Status::Invalid).then_some(rig)
}

/// Returns the reason that nothing of `posture` would keep a pose.
fn refusal_of(posture: &Posture, led: Option<&Led>) -> Option<String> {
    let scene = EditorInterface::singleton().get_edited_scene_root()?;
    let fixed = led.map(|led| &led.target).filter(|target| {
        !is_saved_with(&scene, &(*target).clone().upcast()) || target.has_meta(LOCK)
    });
    if let Some(target) = fixed {
        let name = target.get_name();
        return Some(match target.has_meta(LOCK) {
            true => format!("The target \"{name}\" is locked. Unlock it to move it."),
            false => format!(
                "The target \"{name}\" belongs to an instanced scene: pose it there, or make its children editable."
            ),
        });
    }
    reason_to_wait(&scene, &posture.members())
}
