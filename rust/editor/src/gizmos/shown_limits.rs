//! Which joint limits are shown, and how much of each.

use std::collections::HashSet;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::end_of;
use tendon_nodes::engine::skeleton::skeleton_of_bone;
use tendon_nodes::engine::space::frame_above;
use tendon_nodes::nodes::joint_limit::{TendonJointLimit2D, displayed, limit_on};

use crate::gizmos::limit_arc::LimitArc;
use crate::gizmos::shown::as_bone;
use crate::gizmos::view::View;

/// The part of a limit that is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Show {
    Faint,
    /// With handles, where they do not get in each other's way.
    HandlesIfRoom,
    Handles,
}

/// The limits to show. The first entry for a limit counts.
#[derive(Default)]
pub(super) struct ShownLimits(Vec<(Gd<TendonJointLimit2D>, Show)>);

impl ShownLimits {
    /// The limits that are selected themselves, or whose bones are.
    pub(super) fn of_selected(selected: &[Gd<Node>]) -> Self {
        let limits = selected.iter().filter_map(|node| {
            let own = node.clone().try_cast::<TendonJointLimit2D>().ok();
            own.or_else(|| limit_on(&as_bone(node)?))
        });
        Self(limits.map(|limit| (limit, Show::Handles)).collect())
    }

    /// Adds the limits of `bones`.
    pub(super) fn add(&mut self, bones: &[InstanceId], show: Show) {
        let bones = bones.iter().copied();
        let bones = bones.filter_map(|bone| Gd::<Bone2D>::try_from_instance_id(bone).ok());
        let limits = bones.filter_map(|bone| limit_on(&bone));
        self.0.extend(limits.map(|limit| (limit, show)));
    }

    /// Each limit once. Those of which most is shown come last, and so are drawn on top.
    pub(super) fn in_order(mut self) -> Vec<(Gd<TendonJointLimit2D>, Show)> {
        let mut seen = HashSet::new();
        self.0.retain(|(limit, _)| seen.insert(limit.instance_id()));
        self.0.sort_by_key(|&(_, show)| show);
        self.0
    }
}

/// The arc of `limit`. `view` says how a frame of the canvas is seen on the screen.
pub(super) fn arc_of(
    limit: &Gd<TendonJointLimit2D>,
    view: impl FnOnce(Transform2D) -> View,
) -> Option<LimitArc> {
    let displayed = displayed(limit)?;
    let bone = displayed.bone;
    let skeleton = skeleton_of_bone(&bone)?;
    let above = frame_above(&bone.clone().upcast());
    let mut at_joint = above;
    at_joint.origin = above * bone.get_position();
    let rotation = bone.get_rotation();
    // A bone without length points along its X axis.
    let end = Some(end_of(&bone)).filter(|&end| end != Vector2::ZERO);
    let end = end.unwrap_or(Vector2::RIGHT);
    Some(LimitArc {
        view: view(bone.get_canvas_transform() * at_joint),
        in_skeleton: skeleton.get_global_transform().affine_inverse() * above,
        limit: displayed.limit,
        counts: displayed.counts,
        rotation,
        axis: bone.get_transform().basis_xform(end).rotated(-rotation),
    })
}
