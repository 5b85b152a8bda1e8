//! Look-at as a kind of modifier.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::descent::Memory;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Unsolvable;
use crate::math::number;
use crate::rig::chain::Chain;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::influence::Influence;
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::closed_form::{Aim, ClosedForm, LimbReach};
use crate::rig::kinds::reach;
use crate::rig::pose::Pose;
use crate::skeleton::aimed::Aimed;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::report::Report;
use crate::solvers::elasticity::Elasticity;
use crate::solvers::look_at::{ALIGNED, LookAtSettings, Share, pointer};

/// A bone that looks at a target, and bones above it that share the turn.
///
/// The last of three bones points at the target, and all of them turn alike:
///
/// ```
/// use tendon_solver::glam::Vec2;
/// use tendon_solver::{Bone, Chain, End, LookAt, Modifier, Point, Rig, Workspace};
/// # let bones = (0..3).map(|bone: usize| Bone {
/// #     position: Vec2::X * if bone == 0 { 0.0 } else { 50.0 },
/// #     ..Bone::below(bone.checked_sub(1))
/// # });
/// # let mut rig = Rig::new(bones.collect(), Vec::new());
/// # let tip = End::Point(Point { bone: Some(2), position: Vec2::X * 50.0 });
/// # let chain = Chain::new(vec![0, 1, 2], tip);
///
/// let target = Point { bone: None, position: Vec2::new(200.0, 100.0) };
/// rig.modifiers.push(Modifier::new(LookAt::new(chain, target)));
/// rig.solve(&mut Workspace::default());
///
/// let joint = rig.locate(Point { bone: Some(2), position: Vec2::ZERO });
/// let seen = rig.modifiers[0].report.tip - joint;
/// assert!(seen.angle_to(target.position - joint).abs() < 1e-4);
/// assert!((rig.rotation(0) - rig.rotation(1)).abs() < 1e-4);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookAt {
    /// The bones that turn. The last one points at the target, from its joint through its end, if there is no
    /// `sight`.
    pub chain: Chain,
    /// The shares of the bones in the turn, root first; empty: all alike. Negative ones count as 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "number")]
    pub shares: Vec<f32>,
    /// The line that points at the target, from the end of the last bone on, which carries it: a muzzle beside the
    /// bone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sight: Option<Direction>,
    /// The point that is looked at. The bones must not carry it.
    pub target: Aimed<Point>,
    /// The settings of the look.
    #[serde(default)]
    pub settings: LookAtSettings,
    /// The transition that it is in.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Memory>,
}

impl LookAt {
    /// Bones that look straight at `target`, each with the same part of the turn.
    pub fn new(chain: Chain, target: Point) -> Self {
        Self {
            chain,
            shares: Vec::new(),
            sight: None,
            target: Aimed::at(target),
            settings: LookAtSettings::default(),
            memory: Kept::default(),
        }
    }
}

impl Parts for LookAt {
    fn chain(&self) -> Option<&Chain> {
        Some(&self.chain)
    }

    fn target(&self) -> Option<Point> {
        self.target.now()
    }

    fn target_mut(&mut self) -> Option<&mut Aimed<Point>> {
        Some(&mut self.target)
    }
}

impl Kind for LookAt {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        self.chain.validate(skeleton)?;
        let last = self.chain.joints.last().copied();
        let sight = self.sight.and_then(|sight| sight.bone);
        skeleton.check_bones(sight)?;
        if self.sight.is_some() && !last.is_some_and(|last| skeleton.carries(last, sight)) {
            return Err(Fault::BrokenLine);
        }
        let target = self.target.own.ok_or(Fault::NoTarget)?;
        skeleton.check_aims(self.chain.joints[0], [target.bone])
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let reach = LimbReach {
            joints: &self.chain.joints,
            end: self.chain.end,
            target: self.target.now().ok_or(Unsolvable)?,
            pole: None,
            bend: 0.0,
            heading: None,
            elasticity: Elasticity::default(),
        };
        let look = Look {
            settings: self.settings,
            shares: &self.shares,
            sight: self.sight,
            line: None,
            is_shared: self.chain.joints.len() > 1 || self.sight.is_some(),
        };
        reach.solve(look, &mut self.memory, context)
    }

    fn shortfall(&self, pose: &Pose, _gap: f32) -> f32 {
        let Some((&last, target)) = self.chain.joints.last().zip(self.target()) else {
            return 0.0;
        };
        let bone = pose.bone(last);
        let into_parent = pose.frame(bone.parent()).inverse();
        let seen = |point| into_parent.transform_point2(pose.locate(point)) - bone.position;
        let (mut tip, target) = (seen(self.tip()), seen(target));
        if let Some(sight) = self.sight {
            let along = pose.seen_direction(sight, pose.frame(bone.parent()).matrix2);
            tip = pointer(tip, along, target.length());
        }
        self.settings.excess_angle(tip, target)
    }

    fn angle_left(&self, shortfall: f32) -> Option<f32> {
        Some((shortfall + ALIGNED).max(0.0))
    }

    fn additional_rotation(&self) -> Option<f32> {
        Some(self.settings.additional_rotation)
    }

    fn begin_from(&mut self, drawn: &[f32], pose: &Pose, influence: Influence) {
        reach::begin_from(&mut self.memory, &self.chain.joints, drawn, pose, influence);
    }
}

/// The settings and shares of a look, for one bone or several.
struct Look<'a> {
    settings: LookAtSettings,
    shares: &'a [f32],
    sight: Option<Direction>,
    /// The sight, seen from the last joint before it turns.
    line: Option<Vec2>,
    is_shared: bool,
}

impl Look<'_> {
    fn share(&self) -> Share<'_> {
        Share {
            parts: self.shares,
            sight: self.line,
        }
    }
}

impl ClosedForm for Look<'_> {
    fn adjust(
        &mut self,
        _aim: &mut Aim,
        reach: &LimbReach<'_>,
        pose: &Pose,
        _limb: &Limb,
        _space: &ChainSpace,
    ) -> Result<(), Unsolvable> {
        let sight = self.sight.zip(reach.joints.last().copied());
        self.line = sight.map(|(sight, last)| {
            let carrier = pose.climb(Point::origin_of(sight.bone), Some(last)).1;
            pose.bone(last).shape * (carrier * sight.vector)
        });
        Ok(())
    }

    fn arrives(&self) -> bool {
        false
    }

    /// A shared turn goes over to the other side where the target passes behind.
    fn can_leap(&self) -> bool {
        self.is_shared
    }

    fn turn(&self, limb: &mut Limb, goal: Vec2, last: &[f32]) {
        match self.is_shared {
            true => self.settings.share(limb, goal, self.share(), last),
            false => self.settings.solve(limb, goal),
        }
    }

    fn judge(&self, limb: &Limb, aim: &Aim, _steps: u32) -> Report {
        Report::in_one_step(match self.is_shared {
            true => self.settings.is_last_aligned(limb, aim.target, self.line),
            false => self.settings.is_aligned(limb, aim.target),
        })
    }
}
