//! What a body keeps from one pass to the next.

use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Tree;
use crate::math::clone_in_place::clone_in_place;
use crate::solvers::handover::{WEIGHING, is_set};

/// The state that a body keeps from pass to pass.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FullBodyMemory {
    /// The offset of the root from its base place, in sizes, and the turns of the joints from the base pose, in
    /// radians; empty without memory.
    pub(super) pose: Vec<f64>,
    /// The forces of the effectors: three numbers each, for the place and the heading.
    pub(super) forces: Vec<f64>,
    /// The speed of the pose, per second, if the body hands over, and the weights of the effectors, each with its rate
    /// of change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) speed: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) weights: Vec<f64>,
    /// The handover to another pose.
    #[serde(skip_serializing_if = "Crossing::is_over")]
    pub(super) crossing: Crossing,
}

// Its memory is used again.
clone_in_place!(FullBodyMemory: pose, forces, speed, weights, crossing;);

impl FullBodyMemory {
    /// Returns `true` if all numbers are finite, and the body has as many joints as `tree`.
    pub(super) fn fits(&self, tree: &Tree) -> bool {
        self.pose.len() == tree.len() + 2 && self.is_finite()
    }

    pub(super) fn is_finite(&self) -> bool {
        let lists = [&self.pose, &self.forces, &self.speed, &self.weights];
        let mut numbers = lists.into_iter().flatten().chain(self.crossing.numbers());
        numbers.all(|number| number.is_finite())
    }

    /// Returns `true` if there is no pose to go on from.
    pub(crate) fn is_empty(&self) -> bool {
        self.pose.is_empty()
    }

    /// Returns `true` if a weight of an effector was set, rather than keyed, since the pass before, `delta` seconds
    /// ago.
    pub(crate) fn weighs_otherwise(
        &self,
        weights: impl ExactSizeIterator<Item = f64>,
        delta: f64,
    ) -> bool {
        let is_known = 2 * weights.len() == self.weights.len();
        let mut before = self.weights.chunks_exact(2).zip(weights);
        let was_set = |(before, weight): (&[f64], f64)| {
            is_set(
                (weight - before[0]) as f32,
                before[1] as f32,
                WEIGHING,
                delta as f32,
            )
        };
        is_known && before.any(was_set)
    }

    /// The same for a body with other joints: for each, which of these it is, if it is one, and how far it is turned from
    /// the base pose if it is none.
    pub(crate) fn of_joints(&self, joints: &[(Option<usize>, f32)]) -> Self {
        let of = |numbers: &[f64], part: f64| {
            let number = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
            let has_root = joints.first().is_some_and(|(root, _)| *root == Some(0));
            let root = [0, 1].map(|axis| if has_root { number(axis) } else { 0.0 });
            let swings = joints.iter().map(|&(joint, off)| match joint {
                Some(joint) => number(joint + 2),
                None => part * f64::from(off),
            });
            root.into_iter().chain(swings).collect()
        };
        match self.is_empty() {
            true => Self::default(),
            false => Self {
                pose: of(&self.pose, 1.0),
                speed: of(&self.speed, 0.0),
                ..Self::default()
            },
        }
    }
}

/// A handover to another pose. Empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Crossing {
    /// The pose that the body goes over to, and the forces in it.
    pub(super) goal: Vec<f64>,
    pub(super) forces: Vec<f64>,
    /// The offset of each unknown from that pose, which decays, and its drift, per second.
    pub(super) pose: Vec<[f64; 2]>,
    /// `true` for each effector that is at its target on the whole way.
    pub(super) holds: Vec<bool>,
    /// `true` until it is known how fast that pose moves.
    pub(super) is_new: bool,
}

impl Crossing {
    fn is_over(&self) -> bool {
        self.pose.is_empty()
    }

    /// Returns `true` if it is under way, and of a body with so many `unknowns` and `effectors`.
    pub(super) fn fits(&self, unknowns: usize, effectors: usize) -> bool {
        self.goal.len() == unknowns && self.pose.len() == unknowns && self.holds.len() == effectors
    }

    pub(super) fn end(&mut self) {
        for list in [&mut self.goal, &mut self.forces] {
            list.clear();
        }
        self.pose.clear();
        self.holds.clear();
    }

    fn numbers(&self) -> impl Iterator<Item = &f64> {
        let lists = [&self.goal, &self.forces].into_iter().flatten();
        lists.chain(self.pose.iter().flatten())
    }
}
