//! Two bones as a kind of modifier.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::descent::Memory;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Unsolvable;
use crate::rig::chain::End;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::influence::Influence;
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts, TOLERANCE};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::closed_form::{Aim, ClosedForm, LimbReach};
use crate::rig::kinds::reach;
use crate::rig::pose::Pose;
use crate::skeleton::aimed::Aimed;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::report::Report;
use crate::solvers::elasticity::Elasticity;
use crate::solvers::heading::Heading;
use crate::solvers::two_bone::TwoBoneSettings;

/// Two bones that bring their end to a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwoBone {
    /// Indices of the bones that turn. The second hangs below the first, directly or by way of
    /// bones that stay rigid.
    pub joints: [usize; 2],
    /// The end, which is brought to the target.
    pub end: End,
    /// The point that is reached for. The bones must not carry it.
    pub target: Aimed<Point>,
    /// The bones bend to the side of the line from root to target that this point is on, in place
    /// of [`TwoBoneSettings::flip_bend_direction`], unless it is on the line. Nothing that the bones
    /// carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pole: Option<Point>,
    /// The direction in which a bone below the second one must point. That bone is turned after the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<Heading>,
    /// The behaviour of the limb at full reach.
    #[serde(default, skip_serializing_if = "crate::math::number::is_usual")]
    pub elasticity: Elasticity,
    /// The settings of the bend.
    #[serde(default)]
    pub settings: TwoBoneSettings,
    /// `true` if the limb bends at rest to the side to which [`TwoBoneSettings::flip_bend_direction`] would bend one
    /// that is straight at rest. It is flipped from there.
    #[serde(default, skip_serializing_if = "crate::math::number::is_usual")]
    pub rests_flipped: bool,
    /// The transition that it is in.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Memory>,
}

impl TwoBone {
    /// Two bones with the usual settings.
    pub fn new(joints: [usize; 2], end: End, target: Point) -> Self {
        Self {
            joints,
            end,
            target: Aimed::at(target),
            pole: None,
            heading: None,
            elasticity: Elasticity::default(),
            settings: TwoBoneSettings::default(),
            rests_flipped: false,
            memory: Kept::default(),
        }
    }

    /// The settings, with the bend as for a limb that is straight at rest.
    pub fn settings_from_straight(&self) -> TwoBoneSettings {
        TwoBoneSettings {
            flip_bend_direction: self.settings.flip_bend_direction != self.rests_flipped,
            ..self.settings
        }
    }
}

impl Parts for TwoBone {
    fn joints(&self) -> &[usize] {
        &self.joints
    }

    fn turns(&self, bone: usize) -> bool {
        let headed = self.heading.map(|heading| heading.bone);
        self.joints.contains(&bone) || headed == Some(bone)
    }

    fn tip(&self) -> Point {
        self.end.point()
    }

    fn target(&self) -> Option<Point> {
        self.target.now()
    }

    fn target_mut(&mut self) -> Option<&mut Aimed<Point>> {
        Some(&mut self.target)
    }

    fn elasticity(&self) -> Option<Elasticity> {
        Some(self.elasticity)
    }

    fn heading(&self) -> Option<Direction> {
        self.heading.and_then(|heading| heading.direction.now())
    }

    fn heading_mut(&mut self) -> Option<&mut Aimed<Direction>> {
        self.heading.as_mut().map(|heading| &mut heading.direction)
    }
}

impl Kind for TwoBone {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        skeleton.check_line(&self.joints, self.end)?;
        let [root, last] = self.joints;
        let pole = self.pole.and_then(|pole| pole.bone);
        let mut direction = None;
        if let Some(heading) = self.heading {
            skeleton.check_heading(heading.bone, last)?;
            direction = heading.direction.own.and_then(|it| it.bone);
        }
        let target = self.target.own.ok_or(Fault::NoTarget)?;
        skeleton.check_aims(root, [target.bone, pole, direction])
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let reach = LimbReach {
            joints: &self.joints,
            end: self.end,
            target: self.target.now().ok_or(Unsolvable)?,
            pole: self.pole,
            bend: context.bend,
            heading: self.heading,
            elasticity: self.elasticity,
        };
        reach.solve(self.settings_from_straight(), &mut self.memory, context)
    }

    fn shortfall(&self, _pose: &Pose, gap: f32) -> f32 {
        gap - TOLERANCE
    }

    fn headed(&self, _pose: &Pose) -> Option<usize> {
        self.heading.map(|heading| heading.bone)
    }

    fn begin_from(&mut self, drawn: &[f32], pose: &Pose, influence: Influence) {
        reach::begin_from(&mut self.memory, &self.joints, drawn, pose, influence);
    }
}

impl ClosedForm for TwoBoneSettings {
    fn adjust(
        &mut self,
        aim: &mut Aim,
        reach: &LimbReach<'_>,
        pose: &Pose,
        limb: &Limb,
        space: &ChainSpace,
    ) -> Result<(), Unsolvable> {
        if self.keeps_distance() {
            let [root, tip] = [space.origin, space.origin + limb.tip()];
            let [root, tip] = [root, tip].map(|point| space.mount.transform_point2(point));
            let wanted = pose.locate(reach.target);
            aim.goal = space.bring(self.keep_distance(root, tip, wanted))?;
        }
        if reach.bend != 0.0 {
            let bend = reach.bend * space.mount.matrix2.determinant();
            self.flip_bend_direction = bend > 0.0;
        }
        if let Some(pole) = reach.pole {
            let pole = space.bring(pose.locate(pole))?;
            self.flip_bend_direction = self.bends_positively(aim.goal, Some(pole));
        }
        Ok(())
    }

    fn side(&self) -> Option<bool> {
        Some(self.flip_bend_direction)
    }

    fn turn(&self, limb: &mut Limb, goal: Vec2, _last: &[f32]) {
        self.solve(limb, goal);
    }
}
