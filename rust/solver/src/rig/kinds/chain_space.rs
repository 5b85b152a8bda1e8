//! The space of a chain: the frame of its root joint's parent, moved to the root joint. Targets are brought here in
//! `reach.rs` and `closed_form.rs`, poles in `two_bone.rs`.

use glam::{Affine2, Vec2};

use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::trigonometry::angle_of_f32;
use crate::rig::pose::Pose;
use crate::solvers::handover::{GoalNumbers, HandoverGoal};

/// The space of a chain: its root joint is at `origin` in the frame `mount` of skeleton space.
#[derive(Clone, Copy)]
pub(super) struct ChainSpace {
    pub(super) mount: Affine2,
    pub(super) origin: Vec2,
}

impl ChainSpace {
    /// The space of a chain whose first bone is `root`.
    pub(super) fn of(root: Option<&usize>, pose: &Pose) -> Result<Self, Unsolvable> {
        let bone = pose.bone(*root.ok_or(Unsolvable)?);
        Ok(Self {
            mount: pose.frame(bone.parent()),
            origin: bone.position,
        })
    }

    /// Returns where a tip of `tree` is, in skeleton space, and the angle of its joint.
    pub(super) fn see_tip(&self, tree: &Tree, tip: usize) -> GoalNumbers {
        let tip = &tree.tips[tip];
        let place = self.origin + tip.point.as_vec2();
        let heading = self.mount.matrix2 * tree.nodes[tip.joint].frame.x_axis.as_vec2();
        GoalNumbers::new(
            self.mount.transform_point2(place),
            angle_of_f32(heading),
            HandoverGoal::Target,
        )
    }

    /// Brings a point of skeleton space into chain space.
    pub(super) fn bring(&self, point: Vec2) -> Result<Vec2, Unsolvable> {
        let seen = self.mount.inverse().transform_point2(point) - self.origin;
        seen.is_finite().then_some(seen).ok_or(Unsolvable)
    }
}
