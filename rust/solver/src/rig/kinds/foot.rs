//! A foot of what puts feet on the ground: its limb, which is a modifier of its own that comes later.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::rig::goal::Goal;
use crate::rig::kind::Limbs;
use crate::rig::pose::Pose;
use crate::skeleton::bone::Point;
use crate::solvers::feet::{Animated, FootSettings};

/// A foot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Foot {
    /// Index of the limb among the modifiers of the rig: it comes later. Without one the foot is ignored.
    pub limb: Option<usize>,
    /// Index of the bone that is turned to the ground.
    pub bone: Option<usize>,
    /// How it is placed.
    pub settings: FootSettings,
}

/// A foot's limb in a pass.
pub(super) struct FoundLimb {
    /// Its place among the later modifiers.
    pub(super) index: usize,
    pub(super) awaits_goal: bool,
    pub(super) foot: Animated,
}

/// What a pass goes by.
pub(super) struct FrameOfPass {
    pub(super) to_global: Affine2,
    pub(super) delta: f64,
    /// Index of the first of the later modifiers.
    pub(super) first: usize,
}

/// The length of a unit of the skeleton.
pub(in crate::rig) fn unit_of(to_global: Affine2) -> f32 {
    to_global.matrix2.determinant().abs().sqrt()
}

impl Foot {
    /// The limb, as the animation has it; `None` if it is not there or not at work.
    pub(super) fn find(
        &self,
        later: &dyn Limbs,
        pose: &Pose,
        frame: &FrameOfPass,
    ) -> Option<FoundLimb> {
        let index = self.limb?.checked_sub(frame.first)?;
        let limb = later.limb(index).filter(|limb| limb.is_active)?;
        let point = limb.animated()?;
        let &root = limb.parts.joints().first()?;
        let reach = limb.reach(|point| pose.locate(point))?;
        let to_global = |point: Point| frame.to_global.transform_point2(pose.locate(point));
        let direction = self.bone.map(|bone| {
            frame
                .to_global
                .transform_vector2(pose.frame(Some(bone)).matrix2.x_axis)
        });
        let foot = Animated {
            tip: to_global(point),
            direction,
            hip: to_global(Point::origin_of(Some(root))),
            reach: reach * unit_of(frame.to_global),
        };
        foot.tip.is_finite().then_some(FoundLimb {
            index,
            awaits_goal: limb.awaits_goal,
            foot,
        })
    }

    /// What the limb is to do in this pass: bring its tip to `place`, with the foot along `direction`, both
    /// in global space.
    pub(super) fn goal(
        &self,
        place: Vec2,
        direction: Option<Vec2>,
        turn: f32,
        frame: &FrameOfPass,
    ) -> Goal {
        let from_global = frame.to_global.inverse();
        Goal {
            point: Point {
                bone: None,
                position: from_global.transform_point2(place),
            },
            foot: self.bone,
            direction: direction.map(|it| from_global.transform_vector2(it)),
            turn,
        }
    }
}
