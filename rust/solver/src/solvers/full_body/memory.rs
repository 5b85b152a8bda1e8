//! What a body keeps from one pass to the next.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Tree;
use crate::math::angle::wrapped;
use crate::math::clone_in_place::clone_in_place;
use crate::solvers::handover::Clock;

/// The rate up to which a change of a weight counts as keyed in any case, per second.
const WEIGHING: f64 = 12.0;

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
    /// The offsets of a handover.
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
        let is_set = |(before, weight): (&[f64], f64)| {
            (weight - before[0]).abs() > delta * (2.0 * before[1].abs() + WEIGHING)
        };
        is_known && before.any(is_set)
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

/// The offsets of a handover, which decay. Empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Crossing {
    /// The offset of each unknown from the base pose, and its drift, per second.
    pub(super) pose: Vec<[f64; 2]>,
    pub(super) effectors: Vec<OfEffector>,
    /// `true` until the speed of the targets is known.
    pub(super) is_new: bool,
}

/// The same of an effector and its target: two coordinates and an angle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct OfEffector {
    pub(super) off: [f64; 3],
    pub(super) drift: [f64; 3],
    /// The target at the start of the handover.
    pub(super) target: [f64; 3],
}

impl OfEffector {
    /// Its target moves, by the way from where it was at first.
    fn drift_on(&mut self, target: [f64; 3], clock: Clock, delta: f64) {
        let speed = way_between(self.target, target).map(|it| it / delta);
        let length = |of: [f64; 3]| DVec2::new(of[0], of[1]).length();
        let [by_off, by_drift] = clock.most.map(f64::from);
        let most = (by_off * length(self.off)).max(by_drift * length(self.drift));
        for axis in 0..3 {
            if length(speed) <= most {
                self.drift[axis] -= speed[axis];
            }
            self.drift[axis] += self.off[axis] * f64::from(clock.slope);
        }
    }
}

impl Crossing {
    pub(super) fn is_over(&self) -> bool {
        self.pose.is_empty()
    }

    pub(super) fn end(&mut self) {
        self.pose.clear();
        self.effectors.clear();
    }

    fn numbers(&self) -> impl Iterator<Item = &f64> {
        let effectors = self.effectors.iter();
        let effectors = effectors.flat_map(|it| [&it.off, &it.drift, &it.target]);
        self.pose.iter().flatten().chain(effectors.flatten())
    }

    /// Corrects the drifts by the speed of the targets, which are at `targets` now.
    pub(super) fn drift_on(
        &mut self,
        targets: impl Iterator<Item = [f64; 3]>,
        clock: Clock,
        delta: f64,
    ) {
        for [off, drift] in &mut self.pose {
            *drift += *off * f64::from(clock.slope);
        }
        for (effector, target) in self.effectors.iter_mut().zip(targets) {
            if effector.off != [0.0; 3] {
                effector.drift_on(target, clock, delta);
            }
        }
        self.is_new = false;
    }
}

/// The way from one of these to another.
pub(super) fn way_between(from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
    let [x, y, angle] = [0, 1, 2].map(|axis| to[axis] - from[axis]);
    [x, y, wrapped(angle)]
}
