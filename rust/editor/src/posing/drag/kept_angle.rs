//! Bones at the end of limbs that modifiers bring to their targets: while such a limb moves, they keep their angle.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::parent_bone;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::space::to_godot;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::posing::drag::figure::{BoneTree, direction_of};
use crate::preview::solve;

/// A bone that no modifier turns, on one that modifiers turn.
pub(super) struct KeptAngle {
    rigs: Vec<Gd<TendonRig2D>>,
    skeleton: Gd<Skeleton2D>,
    /// The bone and its base pose at the start.
    pub(super) start: NodePose,
    /// That of its X axis, before its own scale, in the skeleton, as it is shown at the start.
    direction: Vector2,
}

impl KeptAngle {
    /// `None` if something else than the base pose of `bone` and its carrier decides on its angle.
    pub(super) fn of(figure: &BoneTree, bone: usize) -> Option<Self> {
        let node = &figure.nodes[bone];
        if !figure.is_carried(node) {
            return None;
        }
        figure.restore_base_pose();
        Some(Self {
            rigs: figure.rigs(),
            skeleton: figure.skeleton.clone(),
            start: NodePose::of(node),
            direction: to_godot(direction_of(&figure.rig, bone)),
        })
    }

    /// The base pose with which the bone is shown with its angle now. The bones hold their base pose then.
    pub(super) fn base_pose(&self) -> NodePose {
        let mut base = self.start.clone();
        if !base.node.is_instance_valid() || !self.rigs.iter().all(Gd::is_instance_valid) {
            return base;
        }
        self.rigs.iter().for_each(solve);
        if let Some(rotation) = base.bone().and_then(|bone| self.rotation(&bone)) {
            base.rotation = rotation;
        }
        self.rigs
            .iter()
            .cloned()
            .for_each(TendonRig2D::restore_pose);
        base
    }

    /// The rotation that the bone has now where it points as at the start.
    fn rotation(&self, bone: &Gd<Bone2D>) -> Option<f32> {
        let into_skeleton = self.skeleton.get_global_transform().affine_inverse();
        let carrier = into_skeleton * parent_bone(bone)?.get_global_transform();
        let is_regular = carrier.is_finite() && carrier.determinant().is_normal();
        let direction = carrier.affine_inverse().basis_xform(self.direction);
        (is_regular && direction != Vector2::ZERO).then(|| direction.angle())
    }
}
