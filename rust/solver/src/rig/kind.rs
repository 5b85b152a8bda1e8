//! What differs from solver to solver, as a trait that each implements in its own file of
//! `rig/kinds/`.

use glam::Affine2;

use crate::kinematics::tree::Unsolvable;
use crate::rig::modifier::{Modifier, Workspace};
use crate::rig::pose::Pose;
use crate::rig::scripted::Script;
use crate::rig::solver::Solver;
use crate::rig::state::State;
use crate::skeleton::report::Report;

/// Distance that counts as reached for the solvers that have no tolerance of their own, in
/// skeleton units.
const TOLERANCE: f32 = 0.01;

/// One kind of solver, with its settings.
pub(super) trait Kind {
    /// What it is called in a report.
    fn name(&self) -> &'static str;

    /// What a modifier gives it.
    fn inputs(&self) -> &'static Inputs;

    /// Solves `modifier`, whose solver this is, for the present pose, and takes the result into it.
    /// Returns the result, without the place of the tip.
    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable>;

    /// The distance between tip and target that counts as reached, in skeleton units.
    fn tolerance(&self) -> f32 {
        TOLERANCE
    }

    /// The largest distance between a tip and its target, less the [`tolerance`](Self::tolerance):
    /// 0 or less if all are reached.
    fn shortfall(&self, modifier: &Modifier, pose: &Pose) -> f32 {
        modifier.largest_gap(pose) - self.tolerance()
    }

    /// The angle that a [`shortfall`](Self::shortfall) stands for, in radians. `None` if it is a
    /// distance.
    fn angle_left(&self, _shortfall: f32) -> Option<f32> {
        None
    }

    /// What a turn of joint `index` of `count` costs, relative to that of other joints.
    fn cost(&self, _index: usize, _count: usize) -> f32 {
        1.0
    }

    /// Whether the result depends on where the bone above the first joint is.
    fn depends_on_parent(&self) -> bool {
        true
    }

    /// Whether it moves while nothing else does, so that what came before counts.
    fn moves_by_itself(&self) -> bool {
        false
    }

    /// Subtracts each counter in `state` from the same counter in these settings, and writes the
    /// difference into `state`. A second call restores the counter.
    ///
    /// Counters are the number of resets and the sum of impulses: what is new is seen because the
    /// settings are ahead of the state. A snapshot stores the differences. When a rig goes back to
    /// a snapshot, its settings may have counted on, and the restored state is behind them by the
    /// same differences.
    fn exchange_counters(&self, _state: &mut State) {}
}

/// What a modifier gives its solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// The least number of joints.
    pub least_joints: usize,
    /// The greatest number of joints.
    pub most_joints: usize,
    /// A target that the tip is brought to.
    pub target: bool,
    /// Softness and stretch, for a target that is hard to reach.
    pub elasticity: bool,
    /// Which bone may have a heading.
    pub heading: Option<Headed>,
    /// Further tips with targets.
    pub effectors: bool,
    /// Shapes that the joints stay out of.
    pub obstacles: bool,
    /// A path, which must be there.
    pub path: bool,
}

impl Inputs {
    /// Nothing at all.
    pub(super) const NONE: Self = Self {
        least_joints: 0,
        most_joints: 0,
        target: false,
        elasticity: false,
        heading: None,
        effectors: false,
        obstacles: false,
        path: false,
    };
}

/// The bone that a heading is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headed {
    /// That of the joint that carries the tip.
    LastJoint,
    /// One below the last joint, which is turned after the chain is solved.
    BelowLastJoint,
}

/// What a modifier is applied to in a pass, and what it may use for that.
pub(super) struct Context<'a> {
    /// The working pose.
    pub(super) pose: &'a mut Pose,
    pub(super) workspace: &'a mut Workspace,
    /// Seconds since the pass before.
    pub(super) delta: f64,
    /// The skeleton's global transform.
    pub(super) to_global: Affine2,
}

impl Solver {
    /// The settings, by what all solvers have in common.
    pub(super) fn kind(&self) -> &dyn Kind {
        match self {
            Self::LookAt(look_at) => look_at,
            Self::TwoBone(two_bone) => two_bone,
            Self::Ccd(ccd) => ccd,
            Self::Fabrik(fabrik) => fabrik,
            Self::Spring(spring) => spring,
            Self::Spline(spline) => spline,
            Self::CopyTransform(copy_transform) => copy_transform,
            Self::Custom => &Script,
        }
    }

    /// What it is called in a report.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// What a modifier gives it.
    pub fn inputs(&self) -> &'static Inputs {
        self.kind().inputs()
    }

    /// Whether it brings a tip to a target. What reaches for nothing is measured by itself, when it
    /// is applied.
    pub fn reaches(&self) -> bool {
        self.inputs().target
    }

    /// Whether its result depends on where the bone above the first joint is.
    pub fn depends_on_parent(&self) -> bool {
        self.kind().depends_on_parent()
    }

    /// Whether it moves while nothing else does, so that what came before counts.
    pub fn moves_by_itself(&self) -> bool {
        self.kind().moves_by_itself()
    }
}
