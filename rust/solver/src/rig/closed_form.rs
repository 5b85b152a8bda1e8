//! Modifiers that are solved in closed form: look-at and two bones.
//!
//! A closed form needs no memory. But where a limit or a pole makes it leap, the limb swings over
//! at a bounded speed instead ([`crate::descent::follow`]).

use glam::{Affine2, Mat2, Vec2};

use crate::descent::{follow, reaching};
use crate::kinematics::joint::Joint;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Unsolvable;
use crate::math::matrix::largest_stretch;
use crate::rig::modifier::{Modifier, Solver, Workspace};
use crate::rig::pose::Pose;
use crate::skeleton::bone::Point;
use crate::skeleton::report::{Outcome, Report};
use crate::solvers::heading::{Heading, rotation_towards};
use crate::solvers::two_bone::TwoBone;

/// What a modifier asks of its limb, in chain space.
struct Aim {
    target: Vec2,
    /// Where the target counts as being.
    goal: Vec2,
    tolerance: f32,
}

impl Modifier {
    /// Solves one or two bones and takes the result into the pose. Returns what came of it.
    pub(super) fn solve_in_closed_form(
        &mut self,
        pose: &mut Pose,
        workspace: &mut Workspace,
        delta: f64,
    ) -> Result<Report, Unsolvable> {
        let Workspace {
            limb,
            tree,
            descent: space,
            ..
        } = workspace;
        let &root = self.joints.first().ok_or(Unsolvable)?;
        let mount = pose.frame(pose.bone(root).parent());
        let origin = pose.bone(root).position;
        self.load_limb(pose, limb, mount.matrix2);
        limb.prepare()?;
        let mut solver = self.solver;
        let mut aim = self.aim(pose, limb, mount, origin, &mut solver)?;
        let factor = self.stretch_limb(limb, &mut aim)?;
        match solver {
            Solver::TwoBone(two_bone) => two_bone.solve(limb, aim.goal),
            Solver::LookAt(look_at) => look_at.solve(limb, aim.goal),
            Solver::Ccd { .. } | Solver::Fabrik { .. } | Solver::Spring(_) | Solver::Spline(_) => {
                return Err(Unsolvable);
            }
            Solver::CopyTransform(_) | Solver::Custom => return Err(Unsolvable),
        }
        let mut steps = 1;
        let is_bent = !limb.is_rigid();
        let leaps = self.pole.is_some() || limb.is_limited();
        if is_bent || leaps {
            self.load(pose, mount, origin, tree)?;
            if factor != 1.0 {
                tree.lengthen(f64::from(factor));
                tree.prepare()?;
            }
            tree.tips[0].target = aim.goal.as_dvec2();
            tree.take_pose(limb.joints.iter().map(|joint| f64::from(joint.turned())));
        }
        if is_bent {
            steps += reaching::arrive(tree, space, f64::from(aim.tolerance));
        }
        if leaps && !self.deterministic {
            self.is_moving = follow::smooth(tree, space, &mut self.next, delta);
        }
        if is_bent || self.is_moving {
            limb.place_each(|index, joint| joint.rotation = tree.rotation(index), false);
        }
        self.take_limb(pose, limb, factor, mount.matrix2)?;
        let outcome = match solver {
            Solver::LookAt(look_at) => look_at.outcome(limb, aim.target),
            Solver::CopyTransform(_) | Solver::Custom => return Err(Unsolvable),
            Solver::TwoBone(_)
            | Solver::Ccd { .. }
            | Solver::Fabrik { .. }
            | Solver::Spring(_)
            | Solver::Spline(_) => {
                let tolerance = aim.tolerance.max(limb.precision());
                Outcome::at(limb.tip().distance(aim.target), tolerance, steps)
            }
        };
        Ok(outcome.into())
    }

    /// Reads the limb from the pose. Its root hangs in the frame `mount` of skeleton space.
    pub(super) fn load_limb(&self, pose: &Pose, limb: &mut Limb, mount: Mat2) {
        limb.clear();
        let tip = self.end_point(pose);
        for (index, &bone) in self.joints.iter().enumerate() {
            let end = pose.end_of_joint(&self.joints, index, tip);
            let (position, linear) = pose.climb(end, Some(bone));
            let posed = pose.bone(bone);
            let joint = Joint::new(posed.turn, posed.shape * position, posed.shape * linear);
            limb.push(joint, pose.limit(bone), mount);
        }
    }

    /// What the limb reaches for, seen from its root, which is at `origin` in the frame `mount`.
    /// Gives `solver` the bend that a pole asks for.
    fn aim(
        &self,
        pose: &Pose,
        limb: &Limb,
        mount: Affine2,
        origin: Vec2,
        solver: &mut Solver,
    ) -> Result<Aim, Unsolvable> {
        let into_chain = |point: Vec2| {
            let seen = mount.inverse().transform_point2(point) - origin;
            seen.is_finite().then_some(seen).ok_or(Unsolvable)
        };
        let wanted = pose.locate(self.target);
        let target = into_chain(wanted)?;
        let stretch = largest_stretch(mount.matrix2.as_dmat2()) as f32;
        let mut aim = Aim {
            target,
            goal: target,
            tolerance: self.solver.tolerance() / stretch,
        };
        if let Solver::TwoBone(two_bone) = solver {
            if two_bone.keeps_distance() {
                let [root, tip] = [origin, origin + limb.tip()];
                let [root, tip] = [root, tip].map(|point| mount.transform_point2(point));
                aim.goal = into_chain(two_bone.keep_distance(root, tip, wanted))?;
            }
            if let Some(pole) = self.pole {
                let side = aim.goal.perp_dot(into_chain(pose.locate(pole))?);
                two_bone.flip_bend_direction = two_bone.flips_for(side);
            }
        }
        Ok(aim)
    }

    /// Eases the goal near full reach, and lengthens the limb. Returns by what factor.
    fn stretch_limb(&self, limb: &mut Limb, aim: &mut Aim) -> Result<f32, Unsolvable> {
        if matches!(self.solver, Solver::LookAt(_)) {
            return Ok(1.0);
        }
        let elastic: f32 = limb.lengths.iter().take(self.elastic()).sum();
        let lengths = [limb.reach(), elastic];
        let (goal, factor) = self.elasticity().shape_limb(aim.goal, lengths);
        aim.goal = goal;
        if factor != 1.0 {
            limb.lengthen(self.elastic(), factor);
            limb.prepare()?;
        }
        Ok(factor)
    }

    /// How many segments, from the root on, can be lengthened.
    fn elastic(&self) -> usize {
        self.joints.len() - 1 + usize::from(self.tip_bone.is_some())
    }

    /// Takes a solved limb into the pose, with the bone that is turned after it.
    fn take_limb(
        &self,
        pose: &mut Pose,
        limb: &Limb,
        factor: f32,
        mount: Mat2,
    ) -> Result<(), Unsolvable> {
        let swings = limb.joints.iter().map(Joint::turned);
        if !{ swings }.all(f32::is_finite) {
            return Err(Unsolvable);
        }
        let headed = match (self.heading, self.solver) {
            (Some(heading), Solver::TwoBone(TwoBone { .. })) => {
                Some(self.turn_to(heading, pose, limb, mount)?)
            }
            _ => None,
        };
        if factor != 1.0 {
            let ends = self.joints.iter().skip(1).copied().chain(self.tip_bone);
            for (&joint, end) in self.joints.iter().zip(ends).take(self.elastic()) {
                self.move_away(pose, end, joint, factor);
            }
        }
        for (&bone, joint) in self.joints.iter().zip(&limb.joints) {
            self.blend(pose, bone, joint.turned(), joint.rotation);
        }
        if let Some(Headed {
            bone,
            swing,
            rotation,
        }) = headed
        {
            self.blend(pose, bone, swing, rotation);
        }
        Ok(())
    }

    /// How a bone below the solved limb is turned to point along its heading.
    fn turn_to(
        &self,
        Heading { bone, direction }: Heading,
        pose: &Pose,
        limb: &Limb,
        mount: Mat2,
    ) -> Result<Headed, Unsolvable> {
        let (Some(last), Some(&carrier)) = (limb.joints.last(), self.joints.last()) else {
            return Err(Unsolvable);
        };
        let heading = pose.seen_direction(direction, mount);
        let posed = pose.bone(bone);
        let below = pose
            .climb(Point::origin_of(posed.parent()), Some(carrier))
            .1;
        let above = last.basis * last.rotation.apply_to(pose.bone(carrier).shape);
        let limit = pose.limit(bone).map(|limit| (limit, mount));
        let joint = rotation_towards(heading, above * below, posed.turn, limit);
        let joint = joint.ok_or(Unsolvable)?;
        Ok(Headed {
            bone,
            swing: joint.turned(),
            rotation: joint.rotation,
        })
    }
}

/// A bone that is turned after the limb.
struct Headed {
    bone: usize,
    swing: f32,
    rotation: crate::math::rotation::Rotation,
}
