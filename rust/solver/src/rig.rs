//! A rig as plain data: bones, the modifiers that act on them, and one pass over both.
//!
//! This is the middle of *gather, solve, scatter*. Whoever owns the real bones fills
//! [`Rig::bones`] and the modifiers' targets, calls [`Rig::solve`], and reads
//! [`Rig::rotation`] and the reports back. A rig can be written to JSON and solved again
//! elsewhere with the same result.

use glam::{Affine2, Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::approach::Approach;
use crate::ccd::Ccd;
use crate::chain::{Chain, Unsolvable};
use crate::fabrik;
use crate::look_at::LookAt;
use crate::pose::{Bone, Point, Pose};
use crate::report::{Outcome, Report, Status};
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
    fn tolerance(&self) -> f32 {
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
    #[serde(default = "full")]
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
    /// Rotations in radians to start from, one for each joint, or none to start from the
    /// pose that the modifier finds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<f32>,
    /// What the last pass made of this modifier.
    #[serde(skip)]
    pub report: Report,
    /// The joints' rotations in radians as this modifier solved them, before its influence.
    #[serde(skip)]
    pub solved: Vec<f32>,
}

fn yes() -> bool {
    true
}

fn full() -> f32 {
    1.0
}

/// Why a rig's indices make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// A bone names a parent that does not come before it.
    #[error("bone {bone}: its parent must come before it")]
    ParentOrder {
        /// Index of the bone.
        bone: usize,
    },
    /// A modifier names a bone that is not there.
    #[error("modifier {modifier}: there is no bone {bone}")]
    NoSuchBone {
        /// Index of the modifier.
        modifier: usize,
        /// The index that is out of range.
        bone: usize,
    },
    /// A modifier's number of joints does not suit its solver.
    #[error("modifier {modifier}: its solver cannot turn {joints} joints")]
    JointCount {
        /// Index of the modifier.
        modifier: usize,
        /// How many joints it names.
        joints: usize,
    },
    /// A joint or the tip does not hang below the joint before it.
    #[error("modifier {modifier}: its joints and tip are not one line, root first")]
    BrokenLine {
        /// Index of the modifier.
        modifier: usize,
    },
    /// The joints carry the target: reaching for it would move it.
    #[error("modifier {modifier}: its target hangs on its own chain")]
    OwnTarget {
        /// Index of the modifier.
        modifier: usize,
    },
}

/// A skeleton's bones and the modifiers that act on them, top to bottom.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rig {
    /// The base pose; parents come before their children.
    pub bones: Vec<Bone>,
    /// The modifiers in the order in which they act.
    pub modifiers: Vec<Modifier>,
    #[serde(skip)]
    pose: Pose,
    #[serde(skip)]
    chain: Chain,
}

impl Rig {
    /// A rig of these bones and modifiers. See [`validate`](Self::validate).
    pub fn new(bones: Vec<Bone>, modifiers: Vec<Modifier>) -> Self {
        Self {
            bones,
            modifiers,
            ..Self::default()
        }
    }

    /// Checks every index of the rig. [`solve`](Self::solve) relies on it.
    ///
    /// # Errors
    /// The first [`Defect`] found.
    pub fn validate(&self) -> Result<(), Defect> {
        for (index, bone) in self.bones.iter().enumerate() {
            if bone.parent.is_some_and(|parent| parent >= index) {
                return Err(Defect::ParentOrder { bone: index });
            }
        }
        (0..self.modifiers.len()).try_for_each(|modifier| self.validate_modifier(modifier))
    }

    fn validate_modifier(&self, index: usize) -> Result<(), Defect> {
        let modifier = &self.modifiers[index];
        let named = modifier.joints.iter().copied();
        let named = named.chain(modifier.tip.bone).chain(modifier.target.bone);
        if let Some(bone) = named.into_iter().find(|&bone| bone >= self.bones.len()) {
            return Err(Defect::NoSuchBone {
                modifier: index,
                bone,
            });
        }
        let joints = modifier.joints.len();
        let fits = match modifier.solver {
            Solver::LookAt(_) => joints == 1,
            Solver::TwoBone(_) => joints == 2,
            Solver::Ccd { .. } | Solver::Fabrik { .. } => joints >= 1,
        };
        if !fits {
            return Err(Defect::JointCount {
                modifier: index,
                joints,
            });
        }
        let mut pairs = modifier.joints.windows(2);
        let is_line = pairs
            .all(|pair| pair[0] != pair[1] && self.carries(Some(pair[0]), Some(pair[1])))
            && self.carries(modifier.joints.last().copied(), modifier.tip.bone);
        if !is_line {
            return Err(Defect::BrokenLine { modifier: index });
        }
        let root = modifier.joints.first().copied();
        if modifier.target.bone.is_some() && self.carries(root, modifier.target.bone) {
            return Err(Defect::OwnTarget { modifier: index });
        }
        Ok(())
    }

    /// Whether `bone` is `above` or hangs below it.
    ///
    /// # Panics
    /// When `bone` does not exist.
    pub fn carries(&self, above: Option<usize>, bone: Option<usize>) -> bool {
        let parent = |&index: &usize| self.bones[index].parent;
        std::iter::successors(bone, parent).any(|index| Some(index) == above)
    }

    /// One pass: every modifier in turn, from the base pose in [`bones`](Self::bones).
    /// Allocates nothing once the rig has been solved before.
    ///
    /// # Panics
    /// May panic when [`validate`](Self::validate) finds a defect.
    pub fn solve(&mut self) {
        self.pose.load(&self.bones);
        for modifier in &mut self.modifiers {
            let outcome = modifier.apply(&mut self.pose, &mut self.chain);
            modifier.report = Report {
                status: outcome.status,
                iterations: outcome.iterations,
                ..Report::default()
            };
        }
        // Later modifiers may have moved what earlier ones placed: measured at the end.
        for modifier in &mut self.modifiers {
            let tip = self.pose.locate(modifier.tip);
            modifier.report.tip = tip;
            modifier.report.distance = tip.distance(self.pose.locate(modifier.target));
        }
    }

    /// The rotation of a bone in radians after the last [`solve`](Self::solve).
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn rotation(&self, bone: usize) -> f32 {
        self.pose.bone(bone).rotation
    }

    /// The local transform of a bone, in its parent's frame, after the last
    /// [`solve`](Self::solve).
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn local_frame(&self, bone: usize) -> Affine2 {
        let bone = self.pose.bone(bone);
        Affine2::from_mat2_translation(bone.linear(), bone.position)
    }

    /// Where a point is in skeleton space after the last [`solve`](Self::solve).
    ///
    /// # Panics
    /// When the point's bone does not exist.
    pub fn locate(&self, point: Point) -> Vec2 {
        self.pose.locate(point)
    }
}

/// How long `matrix` makes the unit vector that it stretches most: its spectral norm.
fn largest_stretch(matrix: Mat2) -> f32 {
    let squares = matrix.x_axis.length_squared() + matrix.y_axis.length_squared();
    let area = matrix.determinant();
    let spread = (squares * squares - 4.0 * area * area).max(0.0).sqrt();
    (0.5 * (squares + spread)).sqrt()
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
            start: Vec::new(),
            report: Report::default(),
            solved: Vec::new(),
        }
    }

    /// Solves for the present pose and applies the result to it.
    fn apply(&mut self, pose: &mut Pose, chain: &mut Chain) -> Outcome {
        self.solved.clear();
        if !self.active {
            return Outcome::without_solve(Status::Idle);
        }
        let outcome = self
            .solve(pose, chain)
            .unwrap_or(Outcome::without_solve(Status::Invalid));
        let joints = self.joints.iter().zip(chain.joints());
        for ((&bone, joint), &solved) in joints.zip(&self.solved) {
            let before = pose.bone(bone).rotation;
            if self.influence >= 1.0 {
                pose.turn(bone, solved, joint.turn);
            } else {
                let part = self.influence.max(0.0) * shortest_way(before, solved);
                pose.turn(bone, before + part, Turn::from_angle(before + part));
            }
        }
        outcome
    }

    /// Solves into [`solved`](Self::solved), which stays empty when there is no pose to give.
    fn solve(&mut self, pose: &Pose, chain: &mut Chain) -> Result<Outcome, Unsolvable> {
        let Some(&root) = self.joints.first() else {
            return Err(Unsolvable);
        };
        self.load(pose, chain);
        chain.prepare()?;

        let mount = pose.frame(pose.bone(root).parent);
        let target = Self::into_frame(mount, pose.locate(self.target))? - pose.bone(root).position;
        let tolerance = self.solver.tolerance() / largest_stretch(mount.matrix2);
        let outcome = self.solver.solve(chain, target, tolerance);

        for (index, (&bone, joint)) in self.joints.iter().zip(chain.joints()).enumerate() {
            let start = self.start_of(index, pose.bone(bone).rotation);
            let rotation = joint.turn.angle_from(start, joint.given);
            if !rotation.is_finite() {
                self.solved.clear();
                return Err(Unsolvable);
            }
            self.solved.push(rotation);
        }
        Ok(outcome)
    }

    /// The rotation that joint `index` starts from.
    fn start_of(&self, index: usize, present: f32) -> f32 {
        self.start.get(index).copied().unwrap_or(present)
    }

    /// Reads the chain from the pose.
    fn load(&self, pose: &Pose, chain: &mut Chain) {
        chain.clear();
        for (index, &joint) in self.joints.iter().enumerate() {
            let next = match self.joints.get(index + 1) {
                Some(&next) => Point {
                    bone: pose.bone(next).parent,
                    position: pose.bone(next).position,
                },
                None => self.tip,
            };
            let (position, linear) = pose.climb(next, Some(joint));
            let bone = pose.bone(joint);
            let start = self.start.get(index).copied();
            let turn = start.map_or(bone.turn, Turn::from_angle);
            chain.push(turn, bone.shape * position, bone.shape * linear);
        }
    }

    /// A point of skeleton space, seen from `frame`.
    fn into_frame(frame: Affine2, point: Vec2) -> Result<Vec2, Unsolvable> {
        let seen = frame.inverse().transform_point2(point);
        seen.is_finite().then_some(seen).ok_or(Unsolvable)
    }
}
