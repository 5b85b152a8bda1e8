//! A bone that is pulled: the limb follows the mouse, and the whole drag becomes one undo step at its end.
//!
//! Each position of the mouse is solved from the pose at the start of the drag, and never from the
//! last one: a mouse that comes back brings the pose back.

use godot::builtin::math::ApproxEq;
use godot::classes::EditorInterface;
use godot::prelude::*;
use tendon_solver::{Chain, End, Fabrik, Modifier, Point, Rig, Status, Workspace};

use crate::editor::pose::BoneTransform;
use crate::editor::pose_step::set_base_poses;
use crate::editor::posing::figure::{Figure, Grip};
use crate::engine::space::to_solver;
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::skeleton::rig_of;

/// How far the mouse moves before a click becomes a drag, in pixels of the editor's design.
const CLICK: f32 = 3.0;

/// A drag of a bone that is under way.
pub(super) struct Pull {
    pub(super) figure: Figure,
    pub(super) grip: Grip,
    /// The bones that turn, root first.
    pub(super) limb: Vec<usize>,
    /// Their base poses at the start.
    start: Vec<BoneTransform>,
    /// What their rotations are set to.
    turned: Vec<f32>,
    press: Vector2,
    /// From the mouse to the place that is pulled.
    offset: Vector2,
    pub(super) has_moved: bool,
    workspace: Workspace,
}

impl Pull {
    /// Takes the bone at `grip`, with the mouse at `press`.
    pub(super) fn new(mut figure: Figure, grip: Grip, limb: Vec<usize>, press: Vector2) -> Self {
        restore_pose(&figure);
        let start = limb
            .iter()
            .map(|&bone| BoneTransform::of(&figure.nodes[bone]));
        let start: Vec<_> = start.collect();
        // What is above the limb stays as it is shown.
        for (&bone, start) in limb.iter().zip(&start) {
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
            turned: start.iter().map(|start| start.rotation).collect(),
            start,
            press,
            has_moved: false,
            workspace: Workspace::default(),
        }
    }

    /// The mouse has moved to `mouse`. With `alone`, only the bone itself turns.
    pub(super) fn follow(&mut self, mouse: Vector2, alone: bool, scale: f32) {
        self.has_moved |= mouse.distance_to(self.press) > CLICK * scale;
        if !self.has_moved {
            return;
        }
        // The user may zoom and scroll during the drag.
        if self.figure.skeleton.is_instance_valid()
            && let Some(now) = Figure::of(&self.figure.skeleton)
        {
            self.figure.to_screen = now.to_screen;
        }
        let place = self.figure.to_screen.affine_inverse() * (mouse + self.offset);
        let joints = match alone {
            true => self
                .limb
                .iter()
                .copied()
                .filter(|&it| it == self.grip.bone)
                .collect(),
            false => self.limb.clone(),
        };
        let Some(solved) = self.solve(joints, place) else {
            return;
        };
        self.turned = self
            .limb
            .iter()
            .map(|&bone| solved.rotation(bone))
            .collect();
        for (start, &rotation) in self.start.iter().zip(&self.turned) {
            let mut node = start.bone.clone();
            if node.is_instance_valid() && node.get_rotation().to_bits() != rotation.to_bits() {
                node.set_rotation(rotation);
            }
        }
    }

    /// The pose in which the place that is pulled is at `place` of the skeleton, or as near as may be.
    fn solve(&mut self, joints: Vec<usize>, place: Vector2) -> Option<Rig> {
        let end = End::Point(Point {
            bone: Some(self.grip.bone),
            position: to_solver(self.grip.point),
        });
        let target = Point {
            bone: None,
            position: to_solver(place),
        };
        let mut rig = self.figure.rig.clone();
        rig.modifiers = vec![Modifier::new(Fabrik::new(Chain::new(joints, end), target))];
        rig.validate().ok()?;
        rig.solve(&mut self.workspace);
        (rig.modifiers[0].report.status != Status::Invalid).then_some(rig)
    }

    /// The mouse is released: makes the drag one undo step. Returns what to tell the user.
    pub(super) fn finish(self) -> Option<String> {
        let scene = EditorInterface::singleton().get_edited_scene_root()?;
        if self
            .start
            .iter()
            .any(|start| !start.bone.is_instance_valid())
        {
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
    if figure.skeleton.is_instance_valid()
        && let Some(rig) = rig_of(&figure.skeleton)
    {
        TendonRig2D::restore_pose(rig);
    }
}
