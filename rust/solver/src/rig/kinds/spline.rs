//! Modifiers that lay a chain along a path: a spline as a kind of modifier.
//!
//! Each joint is where the path has it, but leaps from one pass to the next are shown as a transition ([`crate::solvers::flip`]).

use glam::{Affine2, DAffine2, DMat2, DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::largest_stretch;
use crate::math::number;
use crate::rig::chain::Chain;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::influence::Influence;
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts, TOLERANCE};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::reach::Reach;
use crate::rig::pose::Pose;
use crate::rig::workspace::Workspace;
use crate::skeleton::path::{Curve, Path};
use crate::skeleton::report::{Report, Status};
use crate::solvers::flip::{Exact, PathMemory};
use crate::solvers::spline::{Course, Laid, SplineSettings};

/// A chain along a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spline {
    /// The bones that turn.
    pub chain: Chain,
    /// The path that they lie along. They must not carry it.
    pub path: Path,
    /// The greatest factor by which segments that end at a bone are lengthened to come to the end
    /// of the path; 1 is off.
    #[serde(
        default = "number::one",
        skip_serializing_if = "number::is_one",
        with = "number"
    )]
    pub stretch: f32,
    /// The settings: the place on the path at which the chain begins.
    #[serde(default)]
    pub settings: SplineSettings,
    /// The places that the chain lay at, and the transition that it is in.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<PathMemory>,
}

impl Spline {
    /// A chain that begins where the path does.
    pub fn new(chain: Chain, path: Path) -> Self {
        Self {
            chain,
            path,
            stretch: 1.0,
            settings: SplineSettings::default(),
            memory: Kept::default(),
        }
    }

    fn reach(&self) -> Reach<'_> {
        Reach::line(&self.chain.joints, self.chain.end)
    }

    /// Takes the chain that `tree` has into the pose: its root at `origin`, its bones longer by
    /// `factor`.
    fn take_pose(
        &self,
        pose: &mut Pose,
        influence: Influence,
        origin: Vec2,
        factor: f32,
        tree: &Tree,
    ) {
        if factor != 1.0 {
            self.reach().lengthen(pose, influence, factor);
        }
        if let (true, Some(&root)) = (self.settings.move_root, self.chain.joints.first()) {
            influence.shift(pose, root, origin);
        }
        self.reach().take_turns(pose, influence, tree);
    }
}

impl Parts for Spline {
    fn chain(&self) -> Option<&Chain> {
        Some(&self.chain)
    }

    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }

    /// While it is in transition.
    fn moves_by_itself(&self) -> bool {
        true
    }
}

impl Kind for Spline {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        self.chain.validate(skeleton)?;
        skeleton.check_aims(self.chain.joints[0], [self.path.bone])
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let Workspace {
            tree,
            places,
            descent,
            ..
        } = &mut *context.workspace;
        let pose = &mut *context.pose;
        let own = ChainSpace::of(self.chain.joints.first(), pose)?;
        let into_mount = path_frame(&self.path, pose, own.mount)?;
        let course = course(&self.path.curve, self.settings, into_mount, own.origin)?;
        let Some((course, origin)) = course else {
            return Ok(Report::without_solve(Status::Idle));
        };
        let space = ChainSpace { origin, ..own };
        self.reach().load(pose, &space, tree)?;
        let (mut laid, mut factor) = course.lay_stretched(tree, places, self.stretch.into())?;
        let exact = Exact {
            course: &course,
            places,
            progress: self.settings.progress,
            factor,
            most: self.stretch,
        };
        let shown = self
            .memory
            .after
            .follow(tree, &exact, descent, context.delta);
        context.is_moving = self.memory.after.is_in_transition();
        if context.is_moving {
            lengthen(tree, shown / factor, &mut laid)?;
            factor = shown;
        }
        // Bones are moved in `f32`.
        let is_finite = tree.span().is_finite() && tree.swings().all(f64::is_finite);
        if !is_finite {
            return Err(Unsolvable);
        }
        self.take_pose(pose, context.influence, origin, factor as f32, tree);
        Ok(report(&laid, tree, own.mount.matrix2.as_dmat2()))
    }
}

/// The way along `curve`, and where the root joint of the chain is, whose `own` place is in the
/// frame that `into_mount` leads to. `None` for a curve without length.
fn course(
    curve: &Curve,
    spline: SplineSettings,
    into_mount: DAffine2,
    own: Vec2,
) -> Result<Option<(Course<'_>, Vec2)>, Unsolvable> {
    if !spline.progress.is_finite() {
        return Err(Unsolvable);
    }
    let Some(start) = curve.place_at(spline.progress.into()) else {
        return Ok(None);
    };
    let origin = path_origin(spline, curve.point(start), into_mount, own)?;
    let into_chain = DAffine2::from_translation(-origin.as_dvec2()) * into_mount;
    let course = Course {
        curve,
        into_chain,
        start,
    };
    Ok(Some((course, origin)))
}

/// Returns the position of the root joint of the chain: at the `entry` of the path, or at its `own` place.
fn path_origin(
    spline: SplineSettings,
    entry: DVec2,
    into_mount: DAffine2,
    own: Vec2,
) -> Result<Vec2, Unsolvable> {
    let origin = if spline.move_root {
        into_mount.transform_point2(entry).as_vec2()
    } else {
        own
    };
    origin.is_finite().then_some(origin).ok_or(Unsolvable)
}

/// Returns the report of the chain `laid` along the path, with the distance of its tip from its goal. `mount` is from
/// chain space to skeleton space.
fn report(laid: &Laid, tree: &Tree, mount: DMat2) -> Report {
    let stretch = largest_stretch(mount);
    let tolerance = (f64::from(TOLERANCE) / stretch).max(1e-6 * tree.span);
    let is_on_path = laid.has_entered && laid.off.max(laid.miss.length()) <= tolerance;
    Report {
        distance: (mount * laid.miss).length() as f32,
        ..Report::in_one_step(is_on_path)
    }
}

/// Makes the bones of `tree`, which is in transition to where it was `laid`, longer by a factor.
fn lengthen(tree: &mut Tree, growth: f64, laid: &mut Laid) -> Result<(), Unsolvable> {
    if growth != 1.0 {
        tree.lengthen(growth);
        tree.prepare()?;
    }
    let tip = tree.tips.first().map_or(laid.goal, |tip| tip.point);
    laid.miss = tip - laid.goal;
    // Some joint is not where the path has it.
    laid.off = f64::INFINITY;
    Ok(())
}

/// From the path's own space to the frame `mount` of skeleton space.
fn path_frame(path: &Path, pose: &Pose, mount: Affine2) -> Result<DAffine2, Unsolvable> {
    let [mount, carrier, own] = [mount, pose.frame(path.bone), path.frame].map(|f| f.as_daffine2());
    let frame = mount.inverse() * carrier * own;
    let spread = |axis: DVec2| axis.length_squared();
    let (x, y) = (frame.matrix2.x_axis, frame.matrix2.y_axis);
    let area = x.perp_dot(y);
    let is_sound = area * area > 1e-12 * spread(x) * spread(y);
    let is_finite = frame.is_finite() && path.curve.is_finite();
    (is_sound && is_finite).then_some(frame).ok_or(Unsolvable)
}
