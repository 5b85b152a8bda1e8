//! A bone that is pulled: the limb follows the mouse, and the whole drag becomes one undo step at its end.
//!
//! Each position of the mouse is solved from the pose at the start of the drag, and never from the
//! last one: a mouse that comes back brings the pose back.

use godot::builtin::math::ApproxEq;
use godot::classes::EditorInterface;
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::engine::space::to_solver;
use tendon_solver::glam::Vec2;
use tendon_solver::{Chain, Direction, End, Fabrik, Modifier, Point, Rig, Status, Workspace};

use crate::posing::drag::figure::{Figure, Grip};
use crate::posing::drag::snapping::Snapping;
use crate::posing::step::set_base_poses;
use crate::preview::restore_base_pose;
use crate::viewport_event::CLICK;

/// What the keys that are held make of a drag.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Only the bone itself turns.
    pub(super) alone: bool,
    /// What is at the end of the limb keeps its angle.
    pub(super) keeps_angle: bool,
    /// It snaps where the editor does not, and the other way round.
    pub(super) inverts_snapping: bool,
}

/// A drag of a bone that is under way.
pub(super) struct Pull {
    pub(super) figure: Figure,
    pub(super) grip: Grip,
    /// The bones that turn, root first.
    pub(super) limb: Vec<usize>,
    /// The bone whose angle can be kept: the last of the limb, or the one that begins there.
    kept: Option<usize>,
    /// The bones that a drag may turn: those of the limb, and the one beyond it that keeps its angle.
    bones: Vec<usize>,
    /// Their base poses at the start.
    start: Vec<BoneTransform>,
    /// What their rotations are set to.
    turned: Vec<f32>,
    press: Vector2,
    snapping: Snapping,
    /// From the mouse to the place that is pulled.
    offset: Vector2,
    pub(super) has_moved: bool,
    workspace: Workspace,
}

impl Pull {
    /// Takes the bone at `grip`, with the mouse at `press`: see [`Figure::limb`] and [`Figure::kept_bone`].
    pub(super) fn new(
        mut figure: Figure,
        grip: Grip,
        limb: Vec<usize>,
        kept: Option<usize>,
        press: Vector2,
    ) -> Self {
        restore_pose(&figure);
        let beyond = kept.filter(|&bone| bone != grip.bone);
        let bones: Vec<_> = limb.iter().copied().chain(beyond).collect();
        let start = bones.iter();
        let start = start.map(|&bone| BoneTransform::of(&figure.nodes[bone]));
        let start: Vec<_> = start.collect();
        // What is above the limb stays as it is shown.
        for (&bone, start) in bones.iter().zip(&start) {
            let data = &mut figure.rig.bones[bone];
            data.rotation = start.rotation;
            data.position = to_solver(start.position);
            data.scale = to_solver(start.scale);
        }
        figure.rig.take_base_pose();
        Self {
            offset: figure.locate(grip.bone, grip.point) - press,
            figure,
            grip,
            limb,
            kept,
            bones,
            turned: start.iter().map(|start| start.rotation).collect(),
            start,
            press,
            snapping: Snapping::of_editor(),
            has_moved: false,
            workspace: Workspace::default(),
        }
    }

    /// The mouse has moved to `mouse`.
    pub(super) fn follow(&mut self, mouse: Vector2, manner: Manner, scale: f32) {
        self.has_moved |= mouse.distance_to(self.press) > CLICK * scale;
        if !self.has_moved {
            return;
        }
        // The user may zoom and scroll during the drag.
        if self.figure.skeleton.is_instance_valid()
            && let Some(now) = Figure::of(&self.figure.skeleton)
        {
            (self.figure.to_screen, self.figure.canvas) = (now.to_screen, now.canvas);
        }
        let Some(solved) = self.solve_for(mouse + self.offset, manner) else {
            return;
        };
        let bones = self.bones.iter();
        self.turned = bones.map(|&bone| solved.rotation(bone)).collect();
        for (start, &rotation) in self.start.iter().zip(&self.turned) {
            let mut node = start.bone.clone();
            if node.is_instance_valid() && node.get_rotation().to_bits() != rotation.to_bits() {
                node.set_rotation(rotation);
            }
        }
    }

    /// The pose in which the place that is pulled is at `place` of the screen, or as near as may be.
    fn solve_for(&mut self, place: Vector2, manner: Manner) -> Option<Rig> {
        let snapping = self.snapping.inverted(manner.inverts_snapping);
        let place = match snapping.to_grid && !manner.alone {
            true => {
                let canvas = self.figure.canvas;
                canvas * snapping.snap_point(canvas.affine_inverse() * place)
            }
            false => place,
        };
        let grip = Point {
            bone: Some(self.grip.bone),
            position: to_solver(self.grip.point),
        };
        let place = to_solver(self.figure.to_screen.affine_inverse() * place);
        if manner.alone {
            let joints = self.limb.iter().filter(|&&it| it == self.grip.bone);
            let joints: Vec<_> = joints.copied().collect();
            let solved = self.solve(joints.clone(), grip, place, None)?;
            if !snapping.to_angles {
                return Some(solved);
            }
            // Solved once more, so that limits hold.
            let mut snapped = self.figure.rig.clone();
            let bone = &mut snapped.bones[self.grip.bone];
            bone.rotation = snapping.snap_angle(solved.rotation(self.grip.bone));
            snapped.take_base_pose();
            return self.solve(joints, grip, snapped.locate(grip), None);
        }
        let mut joints = self.limb.clone();
        let kept = self.kept.filter(|_| manner.keeps_angle);
        let mut end = grip;
        if let Some(next) = kept.filter(|&bone| bone != self.grip.bone) {
            joints.push(next);
            end = Point::origin_of(Some(next));
        }
        let heading = kept.map(|bone| self.figure.direction(bone));
        self.solve(joints, end, place, heading)
    }

    /// The pose in which `end` is at `place` of the skeleton, or as near as may be, and the last of `joints`
    /// has the direction `heading`, if there is one.
    fn solve(
        &mut self,
        joints: Vec<usize>,
        end: Point,
        place: Vec2,
        heading: Option<Vec2>,
    ) -> Option<Rig> {
        let target = Point {
            bone: None,
            position: place,
        };
        let mut pull = Fabrik::new(Chain::new(joints, End::Point(end)), target);
        pull.heading = heading.map(|vector| Direction { bone: None, vector });
        let mut rig = self.figure.rig.clone();
        rig.modifiers = vec![Modifier::new(pull)];
        rig.validate().ok()?;
        rig.solve(&mut self.workspace);
        (rig.modifiers[0].report.status != Status::Invalid).then_some(rig)
    }

    /// The mouse is released: makes the drag one undo step. Returns what to tell the user.
    pub(super) fn finish(self) -> Option<String> {
        let scene = EditorInterface::singleton().get_edited_scene_root()?;
        let mut bones = self.start.iter().map(|start| &start.bone);
        if !bones.all(Gd::is_instance_valid) {
            return None;
        }
        let pairs = self.start.iter().zip(&self.turned);
        let moved = pairs.filter(|(start, turned)| !turned.approx_eq(&start.rotation));
        let moved = moved.map(|(start, &rotation)| BoneTransform {
            rotation,
            ..start.clone()
        });
        let moved: Vec<_> = moved.collect();
        self.put_back();
        if moved.is_empty() {
            return None;
        }
        let title = format!("Pose \"{}\"", self.figure.nodes[self.grip.bone].get_name());
        let set = set_base_poses(&title, &scene, &self.figure.skeleton, &moved);
        set.unwrap_or_else(Some)
    }

    /// Puts everything back.
    pub(super) fn cancel(self) {
        if self.has_moved {
            self.put_back();
        }
    }

    fn put_back(&self) {
        // The rig may have solved again: its bones would hold more than their base pose.
        restore_pose(&self.figure);
        let bones = self.start.iter();
        let bones = bones.filter(|start| start.bone.is_instance_valid());
        bones.for_each(BoneTransform::restore);
    }
}

fn restore_pose(figure: &Figure) {
    if figure.skeleton.is_instance_valid() {
        restore_base_pose(&figure.skeleton);
    }
}
