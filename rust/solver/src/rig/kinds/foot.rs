//! A foot of what puts feet on the ground: its limb, which is a modifier of its own that comes later.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::rig::goal::Goal;
use crate::rig::kind::{Limb, Limbs};
use crate::rig::pose::Pose;
use crate::skeleton::bone::Point;
use crate::solvers::feet::memory::FootSettings;
use crate::solvers::pelvis::Level;

/// A foot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Foot {
    /// Index of the limb among the modifiers of the rig: it comes later. Without one the foot is ignored.
    pub limb: Option<usize>,
    /// Index of the bone that is turned to the ground.
    pub bone: Option<usize>,
    /// Index of the bone of the toes, below that one: it begins at the ball of the foot.
    pub toes: Option<usize>,
    /// How it is placed.
    pub settings: FootSettings,
}

/// A foot's limb in a pass.
pub(super) struct FoundLimb {
    /// Its index among the modifiers of the rig.
    pub(super) index: usize,
    pub(super) awaits_goal: bool,
    /// The tip, where the animation has it.
    pub(super) tip: Vec2,
    /// The direction of the foot's bone, if it has one.
    pub(super) direction: Option<Vec2>,
    /// Where the limb begins, and how far it reaches.
    pub(super) hip: Vec2,
    pub(super) reach: f32,
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
        to_global: Affine2,
    ) -> Option<FoundLimb> {
        let index = self.limb?;
        let limb = later.limb(index).filter(|limb| limb.is_active)?;
        let point = limb.animated()?;
        let &root = limb.parts.joints().first()?;
        let reach = limb.reach(|point| pose.locate(point))?;
        let locate = |point: Point| to_global.transform_point2(pose.locate(point));
        let direction = self
            .bone
            .map(|bone| to_global.transform_vector2(pose.frame(Some(bone)).matrix2.x_axis));
        let tip = locate(point);
        tip.is_finite().then_some(FoundLimb {
            index,
            awaits_goal: limb.awaits_goal,
            tip,
            direction,
            hip: locate(Point::origin_of(Some(root))),
            reach: reach * unit_of(to_global),
        })
    }

    /// The place of the sole that is put on the ground, in global space: below the ball of the foot, if it has one,
    /// or else below the tip of its limb. The toes of a limb with a target
    /// of its own are not known before it is solved.
    pub(in crate::rig) fn sole(
        &self,
        limb: Limb<'_>,
        rest: &[Affine2],
        level: Level,
        to_global: Affine2,
        pose: &Pose,
    ) -> Option<Vec2> {
        let Level { up, unit, .. } = level;
        let locate = |point| to_global.transform_point2(pose.locate(point));
        let sole_height = unit * self.settings.sole_height;
        let Some(toes) = self.toes.filter(|_| limb.awaits_goal) else {
            return Some(locate(limb.animated()?) - up * sole_height);
        };
        let of_rest = |point: Point| Some(rest.get(point.bone?)?.transform_point2(point.position));
        let ball = Point::origin_of(Some(toes));
        let above_tip = of_rest(ball)? - of_rest(limb.parts.tip())?;
        let above_tip = to_global.transform_vector2(above_tip).dot(up);
        Some(locate(ball) - up * (above_tip + sole_height))
    }

    /// What the limb is to do in this pass: bring its tip to `place`, in global space, with the foot turned by
    /// `turn` radians, and then a part of the way to a direction.
    pub(super) fn goal(
        &self,
        place: Vec2,
        direction: Option<(Vec2, f32)>,
        turn: f32,
        to_global: Affine2,
    ) -> Goal {
        let from_global = to_global.inverse();
        Goal {
            point: Point {
                bone: None,
                position: from_global.transform_point2(place),
            },
            foot: self.bone,
            turn,
            direction: direction.map(|(way, part)| (from_global.transform_vector2(way), part)),
        }
    }
}
