//! New joint limits, each wide enough for its bone as it is: adding one moves nothing.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::joint_limit::angle_from_rest;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::angles::{Degrees, USUAL};
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::notice::counted;
use crate::preview;

/// Limits to be made.
pub(super) struct NewLimits(Vec<Fitted>);

/// The limit that a bone gets.
struct Fitted {
    bone: Gd<Bone2D>,
    range: Degrees,
}

impl NewLimits {
    /// For each of `bones`, which are those of `rig`, if there is one: both the base pose and what the rig makes of
    /// it are within the limits. The bones hold the base pose then.
    pub(super) fn fit(bones: &[Gd<Bone2D>], rig: Option<&Gd<TendonRig2D>>) -> Self {
        let mut poses = Vec::new();
        if let Some(rig) = rig.filter(|_| !bones.is_empty()) {
            preview::solve(rig);
            poses.push(angles(bones));
            TendonRig2D::restore_pose(rig.clone());
        }
        poses.push(angles(bones));
        let fitted = |(index, bone): (usize, &Gd<Bone2D>)| {
            let angles = poses.iter().map(|pose| pose[index]);
            Fitted::around(bone, angles)
        };
        Self(bones.iter().enumerate().map(fitted).collect())
    }

    /// Adds them as a part of an undo step. Returns their nodes.
    pub(super) fn add(&self, action: &mut Action) -> Vec<Gd<Node>> {
        let added = self.0.iter().map(|fitted| {
            let limit = fitted.range.limit().upcast();
            action.add_child(&fitted.bone.clone().upcast(), &limit);
            limit
        });
        added.collect()
    }

    /// Returns the message about all of them, if there are any.
    pub(super) fn notice(&self) -> Option<String> {
        let wider = self.notice_of_wider();
        let wider = wider.map_or_else(String::new, |wider| format!("{wider} "));
        match self.0.len() {
            0 => None,
            count => Some(format!(
                "{} got a limit of {USUAL:.0} degrees to either side. {wider}Make knees and elbows \
                 bend to one side only: drag the handles of their limits.",
                counted(count, "joint")
            )),
        }
    }

    /// Returns the message about those that let a bone turn further than usual, if there are any.
    pub(super) fn notice_of_wider(&self) -> Option<String> {
        let wider = self.0.iter().filter(|fitted| fitted.is_wider());
        let wider: Vec<_> = wider.map(|fitted| fitted.bone.clone()).collect();
        (!wider.is_empty()).then(|| {
            format!(
                "That of {} is wider, because the pose is beyond {USUAL:.0} degrees from the rest.",
                names(wider)
            )
        })
    }
}

impl Fitted {
    fn around(bone: &Gd<Bone2D>, angles: impl Iterator<Item = f32>) -> Self {
        Self {
            bone: bone.clone(),
            range: angles.fold(Degrees::USUAL, Degrees::with),
        }
    }

    fn is_wider(&self) -> bool {
        self.range != Degrees::USUAL
    }
}

/// The angles of `bones` now from their rest. What has no rest has no angle to be kept.
fn angles(bones: &[Gd<Bone2D>]) -> Vec<f32> {
    let angles = bones.iter().map(angle_from_rest);
    angles.map(Option::unwrap_or_default).collect()
}
