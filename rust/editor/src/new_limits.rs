//! New joint limits, each wide enough for its bone as it is: adding one moves nothing.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::joint_limit::{TendonJointLimit2D, angle_from_rest};
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::notice::names;
use crate::preview;

/// Limits to be made.
pub(super) struct NewLimits(Vec<Fitted>);

/// The limit that a bone gets, in degrees from its rest.
struct Fitted {
    bone: Gd<Bone2D>,
    min: f32,
    max: f32,
}

/// How far a new limit lets a bone turn to either side, degrees: as the node itself does.
const USUAL: f32 = 45.0;

/// What is left at least between the edge of a wider limit and the bone, degrees: a pass that comes as far as the
/// pose is not to be held.
const MARGIN: f32 = 0.5;

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
            let limit = fitted.node().upcast();
            action.add_child(&fitted.bone.clone().upcast(), &limit);
            limit
        });
        added.collect()
    }

    /// What to tell of all of them, if there are any.
    pub(super) fn notice(&self) -> Option<String> {
        let wider = self.notice_of_wider();
        let wider = wider.map_or_else(String::new, |wider| format!("{wider} "));
        match self.0.len() {
            0 => None,
            count => Some(format!(
                "{count} joints got a limit of {USUAL:.0} degrees to either side. {wider}Make knees and elbows \
                 bend to one side only: drag the handles of their limits."
            )),
        }
    }

    /// What to tell of those that let a bone turn further than usual, if there are any.
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
        let usual = Self {
            bone: bone.clone(),
            min: -USUAL,
            max: USUAL,
        };
        angles.fold(usual, |range, angle| {
            let degrees = angle.to_degrees();
            if degrees.abs() <= USUAL {
                return range;
            }
            Self {
                min: range.min.min((degrees - MARGIN).floor()),
                max: range.max.max((degrees + MARGIN).ceil()),
                ..range
            }
        })
    }

    fn is_wider(&self) -> bool {
        self.min < -USUAL || self.max > USUAL
    }

    fn node(&self) -> Gd<TendonJointLimit2D> {
        let mut limit = new_limit();
        if self.is_wider() {
            limit.set("min_angle", &self.min.to_radians().to_variant());
            limit.set("max_angle", &self.max.to_radians().to_variant());
        }
        limit
    }
}

/// The angles of `bones` now from their rest. What has no rest has no angle to be kept.
fn angles(bones: &[Gd<Bone2D>]) -> Vec<f32> {
    let angles = bones.iter().map(angle_from_rest);
    angles.map(Option::unwrap_or_default).collect()
}

/// A new joint limit, as it is named everywhere.
pub(super) fn new_limit() -> Gd<TendonJointLimit2D> {
    let mut limit = TendonJointLimit2D::new_alloc();
    limit.set_name("JointLimit");
    limit
}
