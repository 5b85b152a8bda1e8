//! A body with many effectors as a kind of modifier: the root moves and turns, and all bones between it and
//! the effectors turn.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::largest_stretch;
use crate::rig::chain::Effector;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::reach::Reach;
use crate::rig::pose::Pose;
use crate::rig::workspace::Workspace;
use crate::skeleton::bone::Point;
use crate::skeleton::report::Report;
use crate::solvers::algorithm::Algorithm;
use crate::solvers::full_body::{self, EffectorGoal, FullBodyMemory, FullBodySettings};

/// A body that brings its effectors to their targets.
///
/// Hips with a leg and an arm. The hand is pulled aside, and the foot stays:
///
/// ```
/// use tendon_solver::glam::Vec2;
/// use tendon_solver::{Bone, Effector, End, FullBody, Modifier, Point, Rig, Workspace};
///
/// let bone = |parent, position| Bone { position, ..Bone::below(parent) };
/// let hips = bone(None, Vec2::new(0.0, -80.0));
/// let arm = bone(Some(0), Vec2::new(0.0, -50.0));
/// let leg = bone(Some(0), Vec2::ZERO);
/// let shin = bone(Some(2), Vec2::new(5.0, 45.0));
/// let goal = |bone, position, target| Effector::new(
///     End::Point(Point { bone: Some(bone), position }),
///     Point { bone: None, position: target },
/// );
/// let hand = goal(1, Vec2::new(60.0, 0.0), Vec2::new(90.0, -110.0));
/// let foot = goal(3, Vec2::new(-5.0, 40.0), Vec2::new(0.0, 5.0));
///
/// let body = FullBody::new(vec![0, 1, 2, 3], vec![hand, foot]);
/// let mut rig = Rig::new(vec![hips, arm, leg, shin], vec![Modifier::new(body)]);
/// rig.solve(&mut Workspace::default());
/// assert!(rig.locate(hand.end.point()).distance(hand.target.position) < 0.05);
/// assert!(rig.locate(foot.end.point()).distance(foot.target.position) < 0.05);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FullBody {
    /// Indices of the bones that turn. The first is the root, which moves, too. Each other hangs below one
    /// that comes before it.
    pub joints: Vec<usize>,
    /// The effectors. A weight of 1 holds its target; an effector of lower weight gives way to one of higher weight.
    #[serde(default)]
    pub effectors: Vec<Effector>,
    /// Settings of the solver.
    #[serde(default)]
    pub settings: FullBodySettings,
    /// The pose that it goes on from.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<FullBodyMemory>,
}

impl FullBody {
    /// A body with the usual settings.
    pub fn new(joints: Vec<usize>, effectors: Vec<Effector>) -> Self {
        Self {
            joints,
            effectors,
            settings: FullBodySettings::default(),
            memory: Kept::default(),
        }
    }

    /// Goes on from the pose in which `other` was last. `before` says of a bone which it was then, and how far it was
    /// shown off its base pose.
    pub(in crate::rig) fn take_over_pose(
        &mut self,
        other: &Self,
        before: &dyn Fn(usize) -> Option<(usize, f32)>,
    ) {
        let joints = self.joints.iter().map(|&joint| {
            let (bone, off) = before(joint).unzip();
            let place = other.joints.iter().position(|it| Some(*it) == bone);
            (place, off.unwrap_or(0.0))
        });
        self.memory.after = other.memory.after.of_joints(&joints.collect::<Vec<_>>());
    }

    /// The effectors that count.
    fn counting(&self) -> impl Iterator<Item = &Effector> {
        self.effectors
            .iter()
            .filter(|effector| effector.weight > 0.0)
    }

    /// The joints and the effectors as a tree. The end, which comes first, has no target.
    fn reach(&self) -> Option<Reach<'_>> {
        let first = self.effectors.first()?;
        Some(Reach {
            joints: &self.joints,
            end: first.end,
            target: None,
            effectors: &self.effectors,
            heading: None,
            obstacles: &[],
            algorithm: Algorithm::Fabrik,
        })
    }

    /// Fills in the goals of the tips of the tree.
    fn set_goals(
        &self,
        pose: &Pose,
        space: &ChainSpace,
        goals: &mut Vec<EffectorGoal>,
    ) -> Result<(), Unsolvable> {
        goals.clear();
        for (index, effector) in self.effectors.iter().enumerate() {
            let heading = effector.heading.map(|heading| {
                let seen = pose.seen_direction(heading, space.mount.matrix2).as_dvec2();
                let is_sound = seen.is_finite() && seen.length_squared() > 0.0;
                is_sound.then_some(seen).ok_or(Unsolvable)
            });
            goals.push(EffectorGoal {
                tip: index + 1,
                weight: effector.weight.into(),
                heading: heading.transpose()?,
            });
        }
        Ok(())
    }
}

impl Parts for FullBody {
    fn joints(&self) -> &[usize] {
        &self.joints
    }

    fn tip(&self) -> Point {
        Point::origin_of(self.joints.first().copied())
    }

    fn effectors(&self) -> &[Effector] {
        &self.effectors
    }
}

impl Kind for FullBody {
    keeps_memory!();

    /// Returns `true` if weights were set rather than keyed.
    fn is_exchanged(&self, delta: f64) -> bool {
        let weights = self.effectors.iter().map(|effector| effector.weight.into());
        self.memory.before.weighs_otherwise(weights, delta)
    }

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        if self.effectors.is_empty() {
            return Err(Fault::NoTarget);
        }
        let ends = self.effectors.iter().map(|effector| effector.end);
        skeleton.check_tree(&self.joints, ends)?;
        let aims = self.effectors.iter().flat_map(Effector::carriers);
        skeleton.check_aims(self.joints[0], aims)
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let Workspace { tree, body, .. } = &mut *context.workspace;
        let pose = &mut *context.pose;
        let space = ChainSpace::of(self.joints.first(), pose)?;
        let reach = self.reach().ok_or(Unsolvable)?;
        reach.load_without_headings(pose, &space, tree)?;
        self.set_goals(pose, &space, &mut body.goals)?;
        let stretch = largest_stretch(space.mount.matrix2.as_dmat2());
        let tolerance = f64::from(self.settings.tolerance) / stretch;
        // A pass without time does not show whether something moves in time.
        context.is_moving = context.delta <= 0.0 && !self.memory.after.is_empty();
        let solved = full_body::solve(
            tree,
            body,
            self.settings,
            &mut self.memory.after,
            stretch,
            full_body::Time {
                delta: context.delta,
                clock: context.clock,
            },
        )?;
        let shift = solved.shift.as_vec2();
        if self.joints.len() != tree.len() || !shift.is_finite() {
            return Err(Unsolvable);
        }
        context.is_moving |= solved.is_moving;
        let root = self.joints[0];
        if shift != Vec2::ZERO {
            context.influence.shift(pose, root, space.origin + shift);
        }
        for (index, &bone) in self.joints.iter().enumerate() {
            let (swing, rotation) = (tree.swing(index), tree.rotation(index));
            context.influence.turn(pose, bone, swing, rotation);
        }
        Ok(self.report(tree, tolerance, solved.steps))
    }

    fn gap(&self, _tip: Vec2, pose: &Pose) -> Option<f32> {
        let gaps = self
            .counting()
            .map(|effector| pose.gap(effector.end.point(), effector.target));
        Some(gaps.fold(0.0, f32::max))
    }

    fn shortfall(&self, _pose: &Pose, gap: f32) -> f32 {
        gap - self.settings.tolerance
    }
}

impl FullBody {
    /// Returns the report of a solve.
    fn report(&self, tree: &Tree, tolerance: f64, steps: u32) -> Report {
        let tips = tree.tips.iter().skip(1).zip(&self.effectors);
        let counting = tips.filter(|(_, effector)| effector.weight > 0.0);
        let farthest = counting.map(|(tip, _)| tip.point.distance(tip.wanted));
        let precision = 1e-6 * f64::from(tree.span());
        let tolerance = tolerance.max(precision) as f32;
        Report::at(farthest.fold(0.0, f64::max) as f32, tolerance, steps)
    }
}
