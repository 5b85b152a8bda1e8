//! Modifiers that are solved as a [`Tree`]: with several effectors, or with obstacles.
//!
//! With further effectors the joints of the modifier are a tree themselves: each hangs on the
//! nearest joint above it, directly or by way of bones that stay rigid, and each tip likewise.
//! The root joint's place is the origin of chain space, as it is for a chain. Softness, stretch
//! and the heading of the modifier's own tip mean what they do for a chain.
//!
//! With obstacles alone the chain is solved first, by the algorithm that was asked for and
//! with everything that shapes its reach. Only if it ends inside a shape is it copied into a
//! tree of one branch and taken out: so obstacles that are not in the way change nothing, to
//! the last bit.

use glam::{Affine2, Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::approach::Approach;
use crate::bound::Bound;
use crate::branches;
use crate::chain::{self, Chain, Unsolvable};
use crate::heading::Heading;
use crate::modifier::{Modifier, Solver, largest_stretch};
use crate::multistart;
use crate::pose::{Point, Pose};
use crate::report::Outcome;
use crate::tree::{self, Joint, Tree};
use crate::turn::Turn;

/// A further tip of a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effector {
    /// What is brought to the target. It hangs on a joint's bone, or below it.
    pub tip: Point,
    /// A bone at the tip that moves along: it hangs on a joint's bone, or below it, and its
    /// origin is the tip, whatever `tip` says. It is moved when its branch stretches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip_bone: Option<usize>,
    /// What is reached for. Nothing that the joints carry.
    pub target: Point,
    /// How much it counts beside the others: the sum of weight times squared distance is made
    /// least where not all targets can be met. Nothing at 0.
    #[serde(default = "full", with = "crate::number")]
    pub weight: f32,
}

fn full() -> f32 {
    1.0
}

impl Effector {
    /// What is brought to the target.
    pub fn tip_point(&self) -> Point {
        point_at(self.tip_bone, self.tip)
    }
}

/// The origin of the bone at a tip, or else the tip itself.
pub(crate) fn point_at(tip_bone: Option<usize>, tip: Point) -> Point {
    tip_bone.map_or(tip, |bone| Point::origin_of(Some(bone)))
}

/// What came of a tree.
pub(crate) struct TreeSolution {
    pub(crate) outcome: Outcome,
    /// How deep a bone is inside an obstacle, in skeleton units.
    pub(crate) penetration: f32,
    /// How many times as long the elastic pieces are.
    pub(crate) factor: f32,
}

impl Modifier {
    /// Solves all effectors into [`solved`](Self::solved).
    pub(crate) fn solve_tree(
        &mut self,
        pose: &Pose,
        tree: &mut Tree,
    ) -> Result<TreeSolution, Unsolvable> {
        let (Some(&root), Solver::Fabrik { approach }) = (self.joints.first(), self.solver) else {
            return Err(Unsolvable);
        };
        let mount = pose.frame(pose.bone(root).parent);
        let origin = pose.bone(root).position;
        let stretch = largest_stretch(mount.matrix2);
        self.load_obstacles(pose, mount, origin, tree);
        self.load_joints(pose, mount, tree);
        self.load_effectors(pose, mount, origin, tree)?;
        if let Some(Heading { bone, direction }) = self.heading {
            let joint = self.joint_above(Some(bone), pose).ok_or(Unsolvable)?;
            let direction = Self::seen_heading(direction, pose, mount.matrix2);
            tree.head(joint, Turn::towards(direction).ok_or(Unsolvable)?);
        }
        tree.prepare()?;
        let factor = self.elasticity().shape_tree(tree)?;
        let tolerance = approach.tolerance / stretch;
        let outcome = branches::solve(
            tree,
            Approach {
                tolerance,
                ..approach
            },
        );
        for (index, &bone) in self.joints.iter().enumerate() {
            let start = self.start_of(index, pose.bone(bone).rotation);
            let given = self.given(index, pose);
            let rotation = tree.turn(index).angle_from(start, given);
            if !rotation.is_finite() {
                return Err(Unsolvable);
            }
            self.solved.push(rotation);
        }
        Ok(TreeSolution {
            outcome,
            penetration: stretch * tree.penetration(),
            factor,
        })
    }

    /// Moves the bones at the ends of the elastic pieces, which are `factor` times as long where
    /// the influence is full.
    pub(crate) fn lengthen_tree(&self, pose: &mut Pose, factor: f32) {
        let tips = 0..=self.effectors.len();
        let is_first = |&tip: &usize| {
            let bone = self.elastic_tip(tip);
            bone.is_some() && (0..tip).all(|before| self.elastic_tip(before) != bone)
        };
        let at_tips = tips
            .filter(is_first)
            .filter_map(|tip| self.elastic_tip(tip));
        for end in self.joints.iter().skip(1).copied().chain(at_tips) {
            if let Some(joint) = self.joint_above(pose.bone(end).parent, pose) {
                self.move_away(pose, end, self.joints[joint], factor);
            }
        }
    }

    /// The bone at the end of the last piece of tip `tip`, if it is moved when that stretches. The
    /// first tip is the modifier's own, which is not where its bone has a heading.
    fn elastic_tip(&self, tip: usize) -> Option<usize> {
        let bone = match tip.checked_sub(1) {
            None => self.tip_bone.filter(|_| self.heading.is_none()),
            Some(index) => self.effectors[index].tip_bone,
        };
        bone.filter(|bone| !self.joints.contains(bone))
    }

    /// Empties `tree` and puts the obstacles into it, seen from a root at `origin` in the frame
    /// `mount`.
    pub(crate) fn load_obstacles(
        &self,
        pose: &Pose,
        mount: Affine2,
        origin: Vec2,
        tree: &mut Tree,
    ) {
        tree.clear();
        tree.goes_on = !self.start.is_empty();
        let into_chain = Affine2::from_translation(-origin) * mount.inverse();
        for obstacle in &self.obstacles {
            let frame = pose.frame(obstacle.bone) * obstacle.frame;
            tree.obstacles_mut()
                .push(obstacle.shape, into_chain * frame);
        }
    }

    fn load_joints(&self, pose: &Pose, mount: Affine2, tree: &mut Tree) {
        for (index, &bone) in self.joints.iter().enumerate() {
            let posed = pose.bone(bone);
            let parent = if index == 0 {
                None
            } else {
                self.joint_above(posed.parent, pose)
            };
            let turn = self.given(index, pose);
            let mut joint = Joint::free(parent, Vec2::ZERO, Mat2::IDENTITY, turn);
            if let Some(parent) = parent {
                let place = Point {
                    bone: posed.parent,
                    position: posed.position,
                };
                let (position, linear) = pose.climb(place, Some(self.joints[parent]));
                let shape = pose.bone(self.joints[parent]).shape;
                (joint.offset, joint.carry) = (shape * position, shape * linear);
            }
            let limit = posed.limit();
            if let Some(bound) = limit.and_then(|limit| Bound::new(limit, turn, mount.matrix2)) {
                joint.keep_to(&bound);
            }
            tree.push(joint);
        }
    }

    fn load_effectors(
        &self,
        pose: &Pose,
        mount: Affine2,
        origin: Vec2,
        tree: &mut Tree,
    ) -> Result<(), Unsolvable> {
        let main = Effector {
            tip: self.tip,
            tip_bone: self.tip_bone,
            target: self.target,
            weight: self.weight,
        };
        for (index, effector) in std::iter::once(&main).chain(&self.effectors).enumerate() {
            let tip = effector.tip_point();
            let joint = self.joint_above(tip.bone, pose).ok_or(Unsolvable)?;
            let (position, _) = pose.climb(tip, Some(self.joints[joint]));
            let target = Self::into_frame(mount, pose.locate(effector.target))?;
            tree.push_effector(tree::Effector {
                joint,
                position: pose.bone(self.joints[joint]).shape * position,
                target: target - origin,
                weight: effector.weight,
            });
            if self.elastic_tip(index).is_some() {
                tree.make_elastic();
            }
        }
        Ok(())
    }

    /// Index of the joint whose bone is `bone` or the nearest above it.
    fn joint_above(&self, bone: Option<usize>, pose: &Pose) -> Option<usize> {
        let mut above = std::iter::successors(bone, |&bone| pose.bone(bone).parent);
        above.find_map(|bone| self.joints.iter().position(|&joint| joint == bone))
    }
}

/// Where the last joint of a chain shall point.
pub(crate) struct EndHeading {
    /// In chain space.
    pub(crate) direction: Vec2,
    /// What the joint's limit leaves it.
    pub(crate) bound: Option<Bound>,
}

/// Takes a solved chain, whose tip is to be at `goal`, out of the obstacles that are in `tree`
/// already. Returns the number of steps. `goal` and `tolerance` are in chain space. The
/// `heading` may have to give way, its bound never.
pub(crate) fn avoid_obstacles(
    chain: &mut Chain,
    tree: &mut Tree,
    goal: Vec2,
    heading: Option<EndHeading>,
    tolerance: f32,
) -> Result<u32, Unsolvable> {
    let mut before: Option<(usize, chain::Joint)> = None;
    for (index, joint) in chain.joints().iter().enumerate() {
        let (parent, offset, carry) = match before {
            Some((parent, above)) => (Some(parent), above.offset, above.carry),
            None => (None, Vec2::ZERO, Mat2::IDENTITY),
        };
        let mut copy = Joint::free(parent, offset, carry, joint.given);
        let is_last = index + 1 == chain.joints().len();
        let bound = match &heading {
            Some(heading) if is_last => heading.bound.as_ref(),
            _ => chain.bound(index),
        };
        if let Some(bound) = bound {
            copy.keep_to(bound);
        }
        tree.push(copy);
        tree.set_swing(index, joint.given.inverse().then(joint.turn).angle());
        before = Some((index, *joint));
    }
    let Some((joint, last)) = before else {
        return Err(Unsolvable);
    };
    tree.push_effector(tree::Effector {
        joint,
        position: last.offset,
        target: goal,
        weight: 1.0,
    });
    if let Some(heading) = heading {
        tree.head(joint, Turn::towards(heading.direction).ok_or(Unsolvable)?);
    }
    tree.prepare()?;
    let steps = multistart::leave(tree, tolerance);
    if steps > 0 {
        for (index, joint) in chain.joints_mut().iter_mut().enumerate() {
            joint.turn = tree.turn(index);
        }
        chain.place();
    }
    Ok(steps)
}
