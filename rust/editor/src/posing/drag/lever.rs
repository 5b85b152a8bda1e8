//! Where a target goes when another place of its limb is pulled: the end of a hand, or a head that looks at it.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::parent_bone;
use tendon_nodes::engine::space::{to_godot, to_solver};
use tendon_solver::{Point, Workspace};

use crate::inspector::driven_bone::Goal;
use crate::modifiers::MenuModifier;
use crate::posing::drag::figure::{Figure, Grip};
use crate::posing::drag::pull::reach;

/// What is pulled, and what it does to the target.
pub(super) struct Lever {
    figure: Figure,
    grip: Grip,
    press: Vector2,
    /// From where the mouse takes the target to where that goes without a lever, on the canvas.
    lag: Vector2,
    action: Action,
}

enum Action {
    /// The bones that reach for the target, root first, with what hangs on them as if it were one piece.
    Reach(Vec<usize>),
    /// The target turns about the joint of the bone that looks at it. It is here on the screen.
    Turn(Vector2),
}

impl Lever {
    /// `None` where the target goes with the mouse.
    pub(super) fn of(grip: Grip, press: Vector2, goal: &Goal, skeleton: &Figure) -> Option<Self> {
        let figure = Figure::of(&skeleton.skeleton)?;
        let is_carried = !figure.is_driven(&figure.nodes[grip.bone]);
        let action = match goal.modifier.is_class("TendonLookAt2D") {
            true => {
                let target = goal.target.clone().try_cast::<Node2D>().ok()?;
                let place = target.get_canvas_transform() * target.get_global_position();
                Action::Turn(figure.canvas * place)
            }
            false if is_carried => Action::Reach(joints_of(&figure, &goal.modifier)?),
            false => return None,
        };
        Some(Self {
            lag: goal.lag(&figure.skeleton),
            grip,
            press,
            action,
            figure,
        })
    }

    /// From the mouse at `mouse` to where the target goes, on the canvas, as far as it was taken elsewhere.
    pub(super) fn shift(&self, mouse: Vector2) -> Vector2 {
        let offset = self.figure.locate(self.grip.bone, self.grip.point) - self.press;
        let way = match &self.action {
            Action::Reach(joints) => self.way_of_limb(joints, mouse + offset),
            Action::Turn(target) => Some(self.way_of_look(*target, mouse + offset)),
        };
        let shift = way.map_or(Vector2::ZERO, |way| way - (mouse - self.press));
        self.lag + self.figure.canvas.affine_inverse().basis_xform(shift)
    }

    /// How far the target goes on the screen so that the limb brings what is pulled to `place`.
    fn way_of_limb(&self, joints: &[usize], place: Vector2) -> Option<Vector2> {
        let grip = Point {
            bone: Some(self.grip.bone),
            position: to_solver(self.grip.point),
        };
        let place = to_solver(self.figure.to_screen.affine_inverse() * place);
        let workspace = &mut Workspace::default();
        let solved = reach(&self.figure, joints.to_vec(), grip, place, None, workspace)?;
        let tip = Point::origin_of(Some(self.grip.bone));
        let [before, after] = [&self.figure.rig, &solved].map(|rig| to_godot(rig.locate(tip)));
        Some(self.figure.to_screen.basis_xform(after - before))
    }

    /// How far the target, at `target` of the screen, goes so that what is pulled points to `place`.
    fn way_of_look(&self, target: Vector2, place: Vector2) -> Vector2 {
        let joint = self.figure.locate(self.grip.bone, Vector2::ZERO);
        let grip = self.figure.locate(self.grip.bone, self.grip.point);
        let turn = (grip - joint).angle_to(place - joint);
        joint + (target - joint).rotated(turn) - target
    }
}

/// The bones that `modifier` turns, root first.
fn joints_of(figure: &Figure, modifier: &Gd<Node>) -> Option<Vec<usize>> {
    let [first, last] = MenuModifier::end_bones(modifier)?;
    let (first, last): (Gd<Bone2D>, Gd<Bone2D>) = (first?, last?);
    let line = std::iter::successors(Some(last), parent_bone);
    let mut joints = Vec::new();
    for bone in line {
        joints.push(figure.nodes.iter().position(|node| *node == bone)?);
        if bone == first {
            joints.reverse();
            return Some(joints);
        }
    }
    None
}
