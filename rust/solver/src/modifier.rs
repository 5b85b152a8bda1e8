//! One modifier of a rig: which solver it runs on which bones, and how its result is blended
//! into the working pose.
//!
//! A solve reads its chain from the pose, says in chain space what is asked of it, lets the
//! solver work, and turns the result back into rotations. What several tips or obstacles need
//! beyond that is in [`crate::tree_modifier`].

use glam::{Affine2, Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::approach::Approach;
use crate::bound::Bound;
use crate::ccd::Ccd;
use crate::chain::{Chain, Unsolvable};
use crate::fabrik;
use crate::finisher;
use crate::heading::{self, Direction, Heading};
use crate::look_at::LookAt;
use crate::obstacle::Obstacle;
use crate::pose::{Point, Pose};
use crate::report::{Outcome, Report, Status};
use crate::stretch::{Elasticity, share};
use crate::tree::Tree;
use crate::tree_modifier::{Effector, EndHeading, avoid_obstacles, point_at};
use crate::turn::{Turn, shortest_way};
use crate::two_bone::TwoBone;

/// Distance that counts as reached for the solvers that have no tolerance of their own, in
/// skeleton units.
const CLOSED_FORM_TOLERANCE: f32 = 0.01;

/// Which algorithm a modifier runs, with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Solver {
    /// One bone looks at the target.
    LookAt(LookAt),
    /// Two bones reach the target in closed form.
    TwoBone(TwoBone),
    /// Cyclic coordinate descent.
    Ccd {
        /// Direction of the sweep.
        ccd: Ccd,
        /// Cap and tolerance.
        approach: Approach,
    },
    /// Forward and backward reaching.
    Fabrik {
        /// Cap and tolerance.
        approach: Approach,
    },
}

impl Solver {
    /// The distance between tip and target that counts as reached, in skeleton units.
    pub(crate) fn tolerance(&self) -> f32 {
        match self {
            Self::LookAt(_) | Self::TwoBone(_) => CLOSED_FORM_TOLERANCE,
            Self::Ccd { approach, .. } | Self::Fabrik { approach } => approach.tolerance,
        }
    }

    /// Runs on `chain`; `target` and `tolerance` are in chain space.
    fn solve(&self, chain: &mut Chain, target: Vec2, tolerance: f32) -> Outcome {
        match self {
            Self::LookAt(look_at) => look_at.solve(chain, target),
            Self::TwoBone(two_bone) => two_bone.solve(chain, target, tolerance),
            Self::Ccd { ccd, approach } => {
                let approach = Approach {
                    tolerance,
                    ..*approach
                };
                ccd.solve(chain, target, approach)
            }
            Self::Fabrik { approach } => {
                let approach = Approach {
                    tolerance,
                    ..*approach
                };
                fabrik::solve(chain, target, approach)
            }
        }
    }
}

/// One modifier of a rig.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    /// Off: the pose is left as it is, and only measured.
    #[serde(default = "yes")]
    pub active: bool,
    /// How much of the result is applied: 0 keeps the pose before this modifier.
    #[serde(default = "full", with = "crate::number")]
    pub influence: f32,
    /// The algorithm.
    pub solver: Solver,
    /// Indices of the bones that turn, root first. Each hangs below the one before it,
    /// directly or by way of bones that stay rigid.
    pub joints: Vec<usize>,
    /// What is brought to the target. It hangs on the last joint's bone, or below it.
    pub tip: Point,
    /// What is reached for. Nothing that the joints carry.
    pub target: Point,
    /// A bone at the tip that moves along: it hangs on the last joint's bone, and its origin is
    /// the tip, whatever `tip` says. It is moved when the last segment stretches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip_bone: Option<usize>,
    /// Two bones bend to the side of the line from root to target that this point is on, in
    /// place of `flip_bend_direction`, unless it is on the line. Nothing that the joints carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pole: Option<Point>,
    /// Which way the end of the chain shall point. Not for look-at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<Heading>,
    /// The part of the reach, 0 to 1, over which the chain eases towards its full length; 0 is
    /// off. Not for look-at.
    #[serde(default, skip_serializing_if = "is_zero", with = "crate::number")]
    pub softness: f32,
    /// The greatest factor by which segments that end at a bone are lengthened to reach a
    /// target that is too far; 1 is off. Not for look-at.
    #[serde(
        default = "full",
        skip_serializing_if = "is_one",
        with = "crate::number"
    )]
    pub stretch: f32,
    /// How much the tip counts beside the other effectors, if there are any.
    #[serde(
        default = "full",
        skip_serializing_if = "is_one",
        with = "crate::number"
    )]
    pub weight: f32,
    /// Further tips, each with its target. Only for FABRIK; `joints` then holds all joints of
    /// the tree, each hanging below one that comes before it, and `heading` is for the joint
    /// that carries `tip`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effectors: Vec<Effector>,
    /// Shapes that the joints, and the bones between them, stay out of. Only for CCD and
    /// FABRIK.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// Rotations in radians to start from, one for each joint, or none to start from the
    /// pose that the modifier finds.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::number")]
    pub start: Vec<f32>,
    /// What the last pass made of this modifier.
    #[serde(skip)]
    pub report: Report,
    /// The joints' rotations in radians as this modifier solved them, before its influence.
    #[serde(skip)]
    pub solved: Vec<f32>,
    /// How much more was left between tips and targets than what counts as reached, when this
    /// modifier had just been applied.
    #[serde(skip)]
    pub shortfall: f32,
}

fn yes() -> bool {
    true
}

fn full() -> f32 {
    1.0
}

fn is_zero(value: &f32) -> bool {
    *value == 0.0
}

fn is_one(value: &f32) -> bool {
    *value == 1.0
}
/// The memory of the solvers, for one modifier after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    chain: Chain,
    tree: Tree,
}
/// How long `matrix` makes the unit vector that it stretches most: its spectral norm.
pub(crate) fn largest_stretch(matrix: Mat2) -> f32 {
    let squares = matrix.x_axis.length_squared() + matrix.y_axis.length_squared();
    let area = matrix.determinant();
    let spread = (squares * squares - 4.0 * area * area).max(0.0).sqrt();
    (0.5 * (squares + spread)).sqrt()
}

/// What a modifier asks of its chain, in chain space.
struct Aim {
    solver: Solver,
    target: Vec2,
    /// Where the target counts as being.
    goal: Vec2,
    tolerance: f32,
    /// Where the end of the chain shall point, if that was asked for.
    heading: Vec2,
}

impl Aim {
    /// The outcome of a solve that left the chain as it is: whatever was reached for instead,
    /// what counts is the target.
    fn outcome(&self, chain: &Chain, iterations: u32) -> Outcome {
        let distance = chain.tip().distance(self.target);
        let tolerance = self.tolerance.max(finisher::precision(chain));
        Outcome::at(distance, tolerance, iterations)
    }
}

/// What a modifier makes of its chain.
struct Solution {
    outcome: Outcome,
    /// Where the tip was to be in the end, in chain space.
    goal: Vec2,
    /// How deep a bone is inside an obstacle, in skeleton units.
    penetration: f32,
    /// How many times as long the elastic segments are.
    factor: f32,
    /// A bone below the chain that is turned too, and its rotation in radians.
    headed: Option<(usize, f32)>,
}

impl Modifier {
    /// A modifier at full influence whose tip and target are still to be set.
    pub fn new(solver: Solver, joints: Vec<usize>) -> Self {
        Self {
            active: true,
            influence: 1.0,
            solver,
            joints,
            tip: Point::default(),
            target: Point::default(),
            tip_bone: None,
            pole: None,
            heading: None,
            softness: 0.0,
            stretch: 1.0,
            weight: 1.0,
            effectors: Vec::new(),
            obstacles: Vec::new(),
            start: Vec::new(),
            report: Report::default(),
            solved: Vec::new(),
            shortfall: 0.0,
        }
    }

    /// How much more is left between tips and targets than what counts as reached: skeleton
    /// units, or for a look-at radians. Not more than 0 where they are reached.
    pub(crate) fn measure_shortfall(&self, pose: &Pose) -> f32 {
        if let (Solver::LookAt(look_at), Some(&joint)) = (self.solver, self.joints.first()) {
            let bone = pose.bone(joint);
            let into_parent = pose.frame(bone.parent).inverse();
            let seen = |point| into_parent.transform_point2(pose.locate(point)) - bone.position;
            return look_at.shortfall(seen(self.tip_point()), seen(self.target));
        }
        let gap = |tip, target| pose.locate(tip).distance(pose.locate(target));
        let further = self.effectors.iter();
        let further = further.filter(|effector| effector.weight > 0.0);
        let further = further.map(|effector| gap(effector.tip_point(), effector.target));
        let own = match self.weight > 0.0 {
            true => gap(self.tip_point(), self.target),
            false => 0.0,
        };
        further.fold(own, f32::max) - self.solver.tolerance()
    }

    /// Says of a target that later modifiers have brought out of reach, or into it, what is so at
    /// the end of the pass. What the influence or other demands leave undone does not count.
    pub(crate) fn review_status(&mut self, pose: &Pose) {
        if !matches!(self.report.status, Status::Reached | Status::OutOfReach) {
            return;
        }
        let (before, now) = (self.shortfall, self.measure_shortfall(pose));
        if now > before.max(0.0) {
            self.report.status = Status::OutOfReach;
        } else if now <= 0.0 && before > 0.0 {
            self.report.status = Status::Reached;
        }
    }

    /// Solves for the present pose and applies the result to it. Returns what came of it, and
    /// how deep a bone is inside an obstacle, in skeleton units.
    pub(crate) fn apply(&mut self, pose: &mut Pose, workspace: &mut Workspace) -> (Outcome, f32) {
        self.solved.clear();
        if !self.active {
            return (Outcome::without_solve(Status::Idle), 0.0);
        }
        let invalid = (Outcome::without_solve(Status::Invalid), 0.0);
        let Workspace { chain, tree } = workspace;
        if !self.effectors.is_empty() {
            let Ok(solution) = self.solve_tree(pose, tree) else {
                self.solved.clear();
                return invalid;
            };
            if solution.factor != 1.0 {
                self.lengthen_tree(pose, solution.factor);
            }
            for (index, (&bone, &solved)) in self.joints.iter().zip(&self.solved).enumerate() {
                self.blend(pose, bone, solved, tree.turn(index));
            }
            return (solution.outcome, solution.penetration);
        }
        let Ok(solution) = self.solve(pose, chain, tree) else {
            return invalid;
        };
        if solution.factor != 1.0 {
            self.lengthen(pose, solution.factor);
        }
        let joints = self.joints.iter().zip(chain.joints());
        for ((&bone, joint), &solved) in joints.zip(&self.solved) {
            self.blend(pose, bone, solved, joint.turn);
        }
        if let Some((bone, rotation)) = solution.headed {
            self.blend(pose, bone, rotation, Turn::from_angle(rotation));
        }
        (solution.outcome, solution.penetration)
    }

    /// Turns `bone` as far from where it is to `solved` radians, which is `turn`, as the
    /// influence says.
    fn blend(&self, pose: &mut Pose, bone: usize, solved: f32, turn: Turn) {
        if self.influence >= 1.0 {
            pose.turn(bone, solved, turn);
        } else {
            let before = pose.bone(bone).rotation;
            let part = self.influence.max(0.0) * shortest_way(before, solved);
            pose.turn(bone, before + part, Turn::from_angle(before + part));
        }
    }

    /// Moves the bones at the ends of the elastic segments, which are `factor` times as long
    /// where the influence is full.
    fn lengthen(&self, pose: &mut Pose, factor: f32) {
        let ends = self.joints.iter().skip(1).copied().chain(self.tip_bone);
        for (&joint, end) in self.joints.iter().zip(ends).take(self.elastic()) {
            self.move_away(pose, end, joint, factor);
        }
    }

    /// Moves the bone `end` away from `joint`, which carries it, so that the segment between them
    /// is `factor` times as long where the influence is full.
    pub(crate) fn move_away(&self, pose: &mut Pose, end: usize, joint: usize, factor: f32) {
        let growth = share(self.influence) * (factor - 1.0);
        let carried = Point {
            bone: pose.bone(end).parent,
            position: pose.bone(end).position,
        };
        let (segment, frame) = pose.climb(carried, Some(joint));
        pose.shift(end, carried.position + frame.inverse() * (growth * segment));
    }

    /// How many segments, from the root on, can be lengthened.
    fn elastic(&self) -> usize {
        let is_headed = self.heading.is_some() && !matches!(self.solver, Solver::TwoBone(_));
        let last = usize::from(self.tip_bone.is_some() && !is_headed);
        self.joints.len() + last - 1
    }

    /// What is brought to the target.
    pub fn tip_point(&self) -> Point {
        point_at(self.tip_bone, self.tip)
    }

    /// Solves into [`solved`](Self::solved), which stays empty when there is no pose to give.
    fn solve(
        &mut self,
        pose: &Pose,
        chain: &mut Chain,
        tree: &mut Tree,
    ) -> Result<Solution, Unsolvable> {
        let Some(&root) = self.joints.first() else {
            return Err(Unsolvable);
        };
        let mount = pose.frame(pose.bone(root).parent);
        self.load(pose, chain, mount.matrix2);
        chain.prepare()?;

        let aim = self.aim(pose, chain, mount, pose.bone(root).position)?;
        let mut solution = self.reach(chain, &aim)?;
        if !self.obstacles.is_empty() {
            self.load_obstacles(pose, mount, pose.bone(root).position, tree);
            let heading = self.heading.map(|_| EndHeading {
                direction: aim.heading,
                bound: self.bound_of_last(pose, mount.matrix2),
            });
            let steps = avoid_obstacles(chain, tree, solution.goal, heading, aim.tolerance)?;
            solution.outcome = aim.outcome(chain, solution.outcome.iterations + steps);
            solution.penetration = tree.penetration() * largest_stretch(mount.matrix2);
        }
        if let (Some(heading), Solver::TwoBone(_)) = (self.heading, self.solver) {
            let rotation = self.turn_to(aim.heading, heading.bone, pose, chain, mount.matrix2)?;
            solution.headed = Some((heading.bone, rotation));
        }
        for (index, (&bone, joint)) in self.joints.iter().zip(chain.joints()).enumerate() {
            let start = self.start_of(index, pose.bone(bone).rotation);
            let rotation = joint.turn.angle_from(start, joint.given);
            if !rotation.is_finite() {
                self.solved.clear();
                return Err(Unsolvable);
            }
            self.solved.push(rotation);
        }
        Ok(solution)
    }

    /// What the chain is to do, seen from its root, which is at `origin` in the frame `mount`.
    fn aim(
        &self,
        pose: &Pose,
        chain: &Chain,
        mount: Affine2,
        origin: Vec2,
    ) -> Result<Aim, Unsolvable> {
        let into_chain = |point| Ok(Self::into_frame(mount, point)? - origin);
        let wanted = pose.locate(self.target);
        let target = into_chain(wanted)?;
        let mut aim = Aim {
            solver: self.solver,
            target,
            goal: target,
            tolerance: self.solver.tolerance() / largest_stretch(mount.matrix2),
            heading: Vec2::ZERO,
        };
        if let Solver::TwoBone(two_bone) = &mut aim.solver {
            if two_bone.keeps_distance() {
                let [root, tip] = [origin, origin + chain.tip()];
                let [root, tip] = [root, tip].map(|point| mount.transform_point2(point));
                aim.goal = into_chain(two_bone.keep_distance(root, tip, wanted))?;
            }
            if let Some(pole) = self.pole {
                let side = aim.goal.perp_dot(into_chain(pose.locate(pole))?);
                two_bone.flip_bend_direction = two_bone.flips_for(side);
            }
        }
        if let Some(Heading { direction, .. }) = self.heading {
            aim.heading = Self::seen_heading(direction, pose, mount.matrix2);
        }
        Ok(aim)
    }

    /// A direction, seen from the frame `mount`.
    pub(crate) fn seen_heading(direction: Direction, pose: &Pose, mount: Mat2) -> Vec2 {
        let carrier = pose.climb(Point::origin_of(direction.bone), None).1;
        mount.inverse() * (carrier * direction.vector)
    }

    /// What its limit leaves the last joint, as it is given.
    fn bound_of_last(&self, pose: &Pose, mount: Mat2) -> Option<Bound> {
        let last = self.joints.len().checked_sub(1)?;
        let limit = pose.bone(self.joints[last]).limit()?;
        Bound::new(limit, self.given(last, pose), mount)
    }

    /// How the modifier behaves at full reach.
    pub(crate) fn elasticity(&self) -> Elasticity {
        Elasticity {
            softness: self.softness,
            stretch: self.stretch,
        }
    }

    /// Solves the chain for `aim`.
    fn reach(&self, chain: &mut Chain, aim: &Aim) -> Result<Solution, Unsolvable> {
        let (mut held_back, mut factor) = (Vec2::ZERO, 1.0);
        let mut reach = |chain: &mut Chain, goal: Vec2| {
            let (eased, grown) = self.elasticity().shape(chain, self.elastic(), goal)?;
            (held_back, factor) = (goal - eased, grown);
            Ok(aim.solver.solve(chain, eased, aim.tolerance))
        };
        let mut outcome = match (self.heading, self.solver) {
            (Some(_), Solver::Ccd { .. } | Solver::Fabrik { .. }) => {
                heading::solve(chain, aim.goal, aim.heading, aim.tolerance, reach)?
            }
            (_, Solver::LookAt(look_at)) => look_at.solve(chain, aim.goal),
            _ => reach(chain, aim.goal)?,
        };
        if !matches!(self.solver, Solver::LookAt(_)) {
            outcome = aim.outcome(chain, outcome.iterations);
        }
        Ok(Solution {
            outcome,
            // With a heading, what was eased is the goal of the last joint: the tip's, moved.
            goal: aim.goal - held_back,
            penetration: 0.0,
            factor,
            headed: None,
        })
    }

    /// The rotation of a bone below the solved chain that points along a chain-space direction.
    fn turn_to(
        &self,
        heading: Vec2,
        bone: usize,
        pose: &Pose,
        chain: &Chain,
        mount: Mat2,
    ) -> Result<f32, Unsolvable> {
        let (Some(joint), Some(&last)) = (chain.joints().last(), self.joints.last()) else {
            return Err(Unsolvable);
        };
        let bone = pose.bone(bone);
        let below = pose.climb(Point::origin_of(bone.parent), Some(last)).1;
        let above = chain.basis_of_last() * joint.turn.apply_to(pose.bone(last).shape);
        let limit = bone.limit().map(|limit| (limit, mount));
        heading::rotation_towards(heading, above * below, (bone.rotation, bone.turn), limit)
            .ok_or(Unsolvable)
    }

    /// The rotation that joint `index` starts from.
    pub(crate) fn start_of(&self, index: usize, present: f32) -> f32 {
        self.start.get(index).copied().unwrap_or(present)
    }

    /// The turn that joint `index` starts from.
    pub(crate) fn given(&self, index: usize, pose: &Pose) -> Turn {
        let start = self.start.get(index).copied();
        start.map_or(pose.bone(self.joints[index]).turn, Turn::from_angle)
    }

    /// Reads the chain from the pose. Its root hangs in the frame `mount` of skeleton space.
    fn load(&self, pose: &Pose, chain: &mut Chain, mount: Mat2) {
        let joints = 0..self.joints.len();
        let is_limited = |&joint: &usize| pose.bone(joint).limit().is_some();
        if !self.joints.iter().any(is_limited) {
            chain.reload(joints.map(|index| self.joint(index, pose)));
            return;
        }
        chain.clear();
        for index in joints {
            let (turn, offset, carry) = self.joint(index, pose);
            chain.push(turn, offset, carry);
            if let Some(limit) = pose.bone(self.joints[index]).limit() {
                chain.limit(limit, mount);
            }
        }
    }

    /// Joint `index` as its chain takes it: turn, offset and carry.
    fn joint(&self, index: usize, pose: &Pose) -> (Turn, Vec2, Mat2) {
        let joint = self.joints[index];
        let next = match self.joints.get(index + 1) {
            Some(&next) => Point {
                bone: pose.bone(next).parent,
                position: pose.bone(next).position,
            },
            // Where that bone begins, whatever its own scale.
            None => self.tip_bone.map_or(self.tip, |bone| Point {
                bone: pose.bone(bone).parent,
                position: pose.bone(bone).position,
            }),
        };
        let (position, linear) = pose.climb(next, Some(joint));
        let bone = pose.bone(joint);
        (
            self.given(index, pose),
            bone.shape * position,
            bone.shape * linear,
        )
    }

    /// A point of skeleton space, seen from `frame`.
    pub(crate) fn into_frame(frame: Affine2, point: Vec2) -> Result<Vec2, Unsolvable> {
        let seen = frame.inverse().transform_point2(point);
        seen.is_finite().then_some(seen).ok_or(Unsolvable)
    }
}
