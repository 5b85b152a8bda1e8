//! A target that is moved or turned in place of the bones that follow it.

use godot::global::angle_difference;
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::space::{frame_above, to_godot, to_solver};
use tendon_solver::{Point, Rig};

use crate::bake::targets::aim::BakedTarget;
use crate::posing::drag::body::Pulled;
use crate::posing::drag::figure::{BoneTree, GripOnBone, direction_of};

/// A target, and what of the limb it goes with.
pub(super) struct Led {
    pub(super) target: Gd<Node2D>,
    pub(super) how: How,
    /// The bones that follow it, root first, as far as they are a limb that can be solved alone.
    pub(super) limb: Vec<usize>,
    /// The bone that carries it, and what is above it in the frame of that.
    carrier: Option<(usize, Transform2D)>,
}

pub(super) enum How {
    /// The bone that is pulled turns about its joint as the target does.
    Turns(BakedTarget),
    /// It goes with the tip of the limb, from this place of the canvas. The limb is pulled there, or at the end of the
    /// hand that it carries, as if that were one piece with it.
    Moves {
        tip: Point,
        end: Point,
        from: Vector2,
    },
    /// It goes around the joint of the bone that looks at it, from this place of the canvas.
    Looks(Vector2),
}

impl Led {
    /// The target that is moved or turned where a bone is taken.
    pub(super) fn at(figure: &BoneTree, grip: GripOnBone) -> Option<Self> {
        if let Some(aim) = figure.turned_at(grip) {
            let (target, limb) = (aim.target.clone(), figure.limb(grip.bone));
            return Some(Self::new(figure, target, How::Turns(aim), limb));
        }
        let goal = figure.goal_at(grip).filter(|_| !grip.is_root)?;
        let target = goal.target()?;
        let from = target.get_canvas_transform() * target.get_global_position();
        if goal.modifier.is_class("TendonLookAt2D") {
            return Some(Self::new(figure, target, How::Looks(from), Vec::new()));
        }
        let indices = goal
            .line()
            .map(|bone| figure.nodes.iter().position(|node| *node == bone));
        let mut joints = indices.collect::<Option<Vec<_>>>()?;
        joints.reverse();
        let last = *joints.last()?;
        let shown = goal.last.get_canvas_transform() * goal.tip();
        let tip = figure.to_canvas().affine_inverse() * shown;
        let into = figure.frame_in(&figure.rig, last).affine_inverse();
        let in_last = |place: Vector2| Point {
            bone: Some(last),
            position: to_solver(into * place),
        };
        let pulled = to_godot(figure.rig.locate(grip.point()));
        let (tip, end) = (in_last(tip), in_last(pulled));
        let how = How::Moves {
            tip,
            end: match figure.is_driven(&figure.nodes[grip.bone]) {
                true => tip,
                false => end,
            },
            // Where it is out of reach, the limb follows at once.
            from: match goal.is_out_of_reach() {
                true => shown,
                false => from,
            },
        };
        // A whole body goes along by itself.
        let limb = match goal.modifier.is_class("TendonFullBody2D") {
            true => Vec::new(),
            false => joints,
        };
        Some(Self::new(figure, target, how, limb))
    }

    fn new(figure: &BoneTree, target: Gd<Node2D>, how: How, limb: Vec<usize>) -> Self {
        Self {
            carrier: figure.carrier_of(&target),
            target,
            how,
            limb,
        }
    }

    /// Returns the point of the limb that is pulled. With `keeps_angle`, the target goes with the mouse.
    pub(super) fn end(&self, keeps_angle: bool) -> Option<Point> {
        match &self.how {
            How::Moves { tip, end, .. } => Some(if keeps_angle { *tip } else { *end }),
            _ => None,
        }
    }

    /// Returns the place to which it goes from `start`, as the limb of `figure` goes to `solved` when it is pulled so
    /// at `grip`.
    pub(super) fn place(
        &self,
        figure: &BoneTree,
        grip: GripOnBone,
        solved: &Rig,
        pulled: &Pulled,
        start: &NodePose,
    ) -> NodePose {
        let mut place = start.clone();
        let to_canvas = figure.to_canvas();
        let on_canvas = match &self.how {
            How::Turns(aim) => {
                let to_global = figure.skeleton.get_global_transform();
                let [before, after] = [&figure.rig, solved].map(|rig| {
                    let direction = to_godot(direction_of(rig, grip.bone));
                    aim.angle_along(to_global.basis_xform(direction))
                });
                place.rotation = start.rotation + angle_difference(before, after) as f32;
                return place;
            }
            How::Moves { tip, from, .. } => {
                let missing = pulled.place - solved.locate(pulled.end);
                let way = solved.locate(*tip) + missing - figure.rig.locate(*tip);
                *from + to_canvas.basis_xform(to_godot(way))
            }
            How::Looks(from) => {
                let joint = Point::origin_of(Some(grip.bone));
                let [joint, before, after] = [
                    figure.rig.locate(joint),
                    figure.rig.locate(grip.point()),
                    pulled.place,
                ]
                .map(|place| to_canvas * to_godot(place));
                let turn = (before - joint).angle_to(after - joint);
                joint + (*from - joint).rotated(turn)
            }
        };
        let above = match self.carrier {
            Some((bone, frame)) => {
                figure.skeleton.get_global_transform() * figure.frame_in(solved, bone) * frame
            }
            None => frame_above(&self.target),
        };
        let into = (self.target.get_canvas_transform() * above).affine_inverse();
        let position = into * on_canvas;
        if position.is_finite() {
            place.position = position;
        }
        place
    }
}
