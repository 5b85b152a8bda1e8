//! Modifiers that lay a chain along a path: a spline as a kind of modifier.
//!
//! Without memory, each joint is where the path has it. With memory, leaps of that pose are shown
//! as a transition ([`crate::solvers::flip`]).

use glam::{Affine2, DAffine2, DMat2, DVec2, Vec2};

use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::largest_stretch;
use crate::rig::kind::{Context, Inputs, Kind};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::modifier::{Modifier, Workspace};
use crate::rig::pose::Pose;
use crate::rig::state::State;
use crate::skeleton::path::{Curve, Path};
use crate::skeleton::report::{Outcome, Report, Status};
use crate::solvers::flip::Exact;
use crate::solvers::spline::{Course, Laid, Spline};

impl Kind for Spline {
    fn name(&self) -> &'static str {
        "spline"
    }

    fn inputs(&self) -> &'static Inputs {
        &Inputs {
            least_joints: 1,
            most_joints: usize::MAX,
            path: true,
            ..Inputs::NONE
        }
    }

    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable> {
        modifier.lay_along_path(*self, context.pose, context.workspace, context.delta)
    }

    /// While it is in transition.
    fn moves_by_itself(&self) -> bool {
        true
    }
}

impl Modifier {
    /// Lays the joints along the path and takes the result into the pose. Returns the result.
    fn lay_along_path(
        &mut self,
        spline: Spline,
        pose: &mut Pose,
        workspace: &mut Workspace,
        delta: f64,
    ) -> Result<Report, Unsolvable> {
        let Workspace {
            tree,
            places,
            flips,
            ..
        } = workspace;
        let path = self.path.as_deref().ok_or(Unsolvable)?;
        let own = self.chain_space(pose)?;
        let into_mount = path_frame(path, pose, own.mount)?;
        let course = course(&path.curve, spline, into_mount, own.origin)?;
        let Some((course, origin)) = course else {
            return Ok(Outcome::without_solve(Status::Idle).into());
        };
        let space = ChainSpace { origin, ..own };
        self.load(&spline, pose, &space, tree)?;
        let (mut laid, mut factor) = course.lay_stretched(tree, places, self.stretch.into())?;
        let mut trail = self.next_state.take_trail();
        if !self.deterministic {
            let exact = Exact {
                course: &course,
                places,
                progress: spline.progress,
                factor,
                most: self.stretch,
            };
            let shown = trail.follow(tree, &exact, flips, delta);
            self.is_moving = trail.is_in_transition();
            if self.is_moving {
                lengthen(tree, shown / factor, &mut laid)?;
                factor = shown;
            }
        }
        // Bones are moved in `f32`.
        let is_finite = tree.span().is_finite() && tree.swings().all(f64::is_finite);
        if !is_finite {
            return Err(Unsolvable);
        }
        self.next_state = State::Trail(trail);
        self.take_path_pose(spline, pose, origin, factor as f32, tree);
        Ok(report(spline, &laid, tree, own.mount.matrix2.as_dmat2()))
    }

    /// Takes the chain that `tree` has into the pose: its root at `origin`, its bones longer by
    /// `factor`.
    fn take_path_pose(
        &self,
        spline: Spline,
        pose: &mut Pose,
        origin: Vec2,
        factor: f32,
        tree: &Tree,
    ) {
        if factor != 1.0 {
            self.lengthen(pose, factor);
        }
        if let (true, Some(&root)) = (spline.move_root, self.joints.first()) {
            self.blend_position(pose, root, origin);
        }
        for (index, &bone) in self.joints.iter().enumerate() {
            self.blend_rotation(pose, bone, tree.swing(index), tree.rotation(index));
        }
    }
}

/// The way along `curve`, and where the root joint of the chain is, whose `own` place is in the
/// frame that `into_mount` leads to. `None` for a curve without length.
fn course(
    curve: &Curve,
    spline: Spline,
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

/// Where the root joint of the chain is: at the `entry` of the path, or at its `own` place.
fn path_origin(
    spline: Spline,
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

/// How far the chain `laid` along the path is off it. `mount` is from chain space to skeleton
/// space.
fn report(spline: Spline, laid: &Laid, tree: &Tree, mount: DMat2) -> Report {
    let stretch = largest_stretch(mount);
    let tolerance = (f64::from(spline.tolerance()) / stretch).max(1e-6 * tree.span);
    let is_on_path = laid.has_entered && laid.off.max(laid.miss.length()) <= tolerance;
    let status = if is_on_path {
        Status::Reached
    } else {
        Status::OutOfReach
    };
    let outcome = Outcome {
        status,
        iterations: 1,
    };
    Report {
        distance: (mount * laid.miss).length() as f32,
        ..outcome.into()
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
