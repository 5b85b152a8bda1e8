//! Where targets, poles and tips are: brings them into skeleton space, or into the frame of the bone
//! that carries them. Obstacles, paths and sources, each in a file of its own, use the same functions.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Direction;
use tendon_solver::Point;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::math::rotation::Rotation;

use crate::engine::live::{Alive, Live};
use crate::engine::space::{frame_of, to_solver};
use crate::plan::attachment::Attachment;
use crate::plan::chain::{TipAndTarget, TipSource};
use crate::plan::input_node::InputNode;
use crate::plan::planned_modifier::Solvable;
use crate::plan::{Plan, Stale};

impl Plan {
    /// The origin and the X axis of the target that a modifier brings a tip to, if it has one.
    pub(super) fn locate_target(
        &self,
        ends: &TipAndTarget,
        solver_index: usize,
        from_global: Affine2,
    ) -> Result<Option<(Point, Direction)>, Stale> {
        let Some(target) = &ends.target else {
            return Ok(None);
        };
        if !target.node.alive().ok_or(Stale)?.is_inside_tree() {
            return Err(Stale);
        }
        let located = self.locate_input(target, solver_index, from_global)?;
        Ok(Some(located))
    }

    /// The pole, if there is one in the tree.
    pub(super) fn locate_pole(
        &self,
        solvable: &Solvable,
        from_global: Affine2,
    ) -> Result<Option<Point>, Stale> {
        let Some(pole) = &solvable.pole else {
            return Ok(None);
        };
        if !pole.node.alive().ok_or(Stale)?.is_inside_tree() {
            return Ok(None);
        }
        let (point, _) = self.locate_input(pole, solvable.solver_index, from_global)?;
        Ok(Some(point))
    }

    /// The origin and the X axis of a node that a modifier refers to but must not move.
    fn locate_input(
        &self,
        input: &InputNode,
        solver_index: usize,
        from_global: Affine2,
    ) -> Result<(Point, Direction), Stale> {
        let node = &input.node;
        let alive = node.alive().ok_or(Stale)?;
        if input.is_below_skeleton {
            let attachment = Attachment::find(node.gd(), self.skeleton.gd());
            if attachment.frame.is_some() && !self.is_below_top_level_bone(&attachment) {
                let root = self.rig.modifiers[solver_index].joints.first().copied();
                let (point, direction) = self.locate_attached(&attachment, root)?;
                if self.moves_carrier(solver_index, point.bone) {
                    return Err(Stale);
                }
                return Ok((point, direction));
            }
        }
        let frame = self.frame_from_global(input, &alive, from_global);
        let point = Point {
            bone: None,
            position: frame.translation,
        };
        let direction = Direction {
            bone: None,
            vector: frame.matrix2.x_axis,
        };
        Ok((point, direction))
    }

    /// The frame in skeleton space of a node that no bone of the rig moves, by its global transform.
    pub(super) fn frame_from_global(
        &self,
        input: &InputNode,
        alive: &Alive<'_, Node2D>,
        from_global: Affine2,
    ) -> Affine2 {
        let global = alive.global_transform();
        from_global * self.global_frame(input.node.gd(), global, input.is_on_other_canvas)
    }

    /// The frame of `node`, whose global transform is `global`, on the skeleton's canvas.
    pub(super) fn global_frame(
        &self,
        node: &Gd<Node2D>,
        global: Transform2D,
        is_on_other_canvas: bool,
    ) -> Affine2 {
        match is_on_other_canvas {
            true => self.canvas_of(node) * frame_of(global),
            false => frame_of(global),
        }
    }

    /// The bone that carries a node which is attached to the skeleton; `None` if the skeleton itself
    /// does.
    ///
    /// # Errors
    /// [`Stale`] if the bone is not part of the plan.
    pub(super) fn carrier(&self, attachment: &Attachment) -> Result<Option<usize>, Stale> {
        let bone = attachment.bone.as_ref();
        let index = bone.map(|bone| self.bones.index_of(bone.instance_id()).ok_or(Stale));
        index.transpose()
    }

    /// Whether a modifier moves what the bone `carrier` carries.
    pub(super) fn moves_carrier(&self, solver_index: usize, carrier: Option<usize>) -> bool {
        let root = self.rig.modifiers[solver_index].joints.first().copied();
        carrier.is_some() && self.rig.carries(root, carrier)
    }

    /// From the canvas that `node` is drawn on to the skeleton's.
    fn canvas_of(&self, node: &Gd<Node2D>) -> Affine2 {
        let skeleton = self.skeleton.gd().get_canvas_transform();
        frame_of(skeleton).inverse() * frame_of(node.get_canvas_transform())
    }

    /// Whether a top-level bone carries a node. The rig moves no such bone, so its global transform
    /// is right.
    pub(super) fn is_below_top_level_bone(&self, attachment: &Attachment) -> bool {
        let bone = attachment.bone.as_ref();
        let bone = bone.and_then(|bone| self.bones.index_of(bone.instance_id()));
        let mut line = std::iter::successors(bone, |&bone| self.rig.bones[bone].parent);
        line.any(|bone| self.bones.get(bone).is_top_level())
    }

    /// The origin and the X axis of a node that is attached to the skeleton. A node that is the bone
    /// `joint` itself counts as its base pose has it.
    ///
    /// # Errors
    /// [`Stale`] if it is attached to a bone that is not part of the plan.
    fn locate_attached(
        &self,
        attachment: &Attachment,
        joint: Option<usize>,
    ) -> Result<(Point, Direction), Stale> {
        let carrier = self.carrier(attachment)?;
        // A bone of the plan is where the working pose has it: its node may hold what the rig
        // wrote. Only the joint itself counts as it was given.
        let (bone, position, vector) = match attachment.own.and_then(|own| self.bones.index_of(own))
        {
            Some(own) if Some(own) == joint => {
                let given = &self.rig.bones[own];
                let turn = Rotation::from_angle(given.rotation);
                let axis = turn.direction() * given.scale.x;
                (carrier, given.position, axis)
            }
            Some(own) => (Some(own), Vec2::ZERO, Vec2::X),
            None => {
                let frame = frame_of(attachment.frame.ok_or(Stale)?);
                (carrier, frame.translation, frame.matrix2.x_axis)
            }
        };
        Ok((Point { bone, position }, Direction { bone, vector }))
    }

    /// The tip of a chain or of an effector.
    pub(super) fn locate_tip(&self, ends: &TipAndTarget) -> Result<Point, Stale> {
        let position = match &ends.tip {
            TipSource::Node(node) => return self.locate_tip_node(node, ends.last),
            TipSource::Skeleton => return Ok(Point::default()),
            TipSource::Bone { index, above } => {
                if let Some(above) = above
                    && !ends_at_child(above)?
                {
                    return Err(Stale);
                }
                let bone = Some(*index);
                return Ok(Point {
                    bone,
                    ..Point::default()
                });
            }
            TipSource::Child { child, above } => {
                if !ends_at_child(above)? {
                    return Err(Stale);
                }
                to_solver(child.alive().ok_or(Stale)?.position())
            }
            TipSource::Axis { bone, has_child } => {
                if *has_child && ends_at_child(bone)? {
                    return Err(Stale);
                }
                let bone = bone.alive().ok_or(Stale)?;
                let turn = Rotation::from_angle(bone.bone_angle());
                turn.direction() * bone.length()
            }
        };
        Ok(Point {
            bone: Some(ends.last),
            position,
        })
    }

    /// The tip at `node`, which the bone `last` has to carry.
    fn locate_tip_node(&self, node: &Live<Node2D>, last: usize) -> Result<Point, Stale> {
        node.alive().ok_or(Stale)?;
        let attachment = Attachment::find(node.gd(), self.skeleton.gd());
        let (point, _) = self.locate_attached(&attachment, Some(last))?;
        let below = point.bone.is_some() && self.rig.carries(Some(last), point.bone);
        below.then_some(point).ok_or(Stale)
    }
}

/// Whether `bone` ends at its first child bone: its length and angle are automatic.
fn ends_at_child(bone: &Live<Bone2D>) -> Result<bool, Stale> {
    let bone = bone.alive().ok_or(Stale)?;
    Ok(bone.has_automatic_length())
}
