//! Gravity: the pose in which it and the springs are in balance.

use crate::math::angle::wrapped;
use crate::math::trigonometry::near_unit_vector;
use crate::solvers::modes::Modes;
use crate::solvers::spring::SpringSettings;
use crate::solvers::spring::motion::SpringGoal;
use crate::solvers::spring::workspace::{Pull, Scratch};

/// Steps to the balance with gravity at most.
const MOST_STEPS: u32 = 64;

/// A step to the balance that is smaller than this, in radians, leads nowhere.
const BALANCED: f64 = 1e-6;

impl SpringSettings {
    /// Finds the balance with gravity. Returns the stiffness that gravity adds, in radians per
    /// second squared per radian.
    pub(super) fn balance(
        &self,
        goal: &SpringGoal<'_>,
        modes: &Modes,
        scratch: &mut Scratch,
    ) -> f64 {
        let gravity = self.gravity.as_dvec2();
        let pull = gravity.length() / goal.length;
        if !(pull > 0.0 && pull.is_finite()) {
            scratch.sags.fill(0.0);
            return 0.0;
        }
        let omega = self.omega();
        let part = pull / (omega * omega);
        let down = scratch.downwards(self.gravity);
        let enough = BALANCED * modes.least_square;
        let mut held = 0.0;
        for _ in 0..MOST_STEPS {
            let left;
            (left, held) = scratch.weigh(goal.angles, modes, part, down);
            // No step is longer than that.
            if left <= enough * enough || scratch.step_to_balance(modes, part) <= BALANCED {
                break;
            }
        }
        for sag in &mut scratch.sags {
            // Rounded to the precision of the state.
            *sag = f64::from(*sag as f32);
        }
        pull * held / goal.angles.len() as f64
    }
}

impl Scratch {
    /// Compares the springs with a pull that is `part` times as strong, towards the angle `down`.
    /// Returns the squared difference, and the sum of the parts of the pull along the bones.
    fn weigh(&mut self, angles: &[f64], modes: &Modes, part: f64, down: f64) -> (f64, f64) {
        let (mut left, mut held) = (0.0, 0.0);
        // So that nothing is left above the first bone.
        let mut tension = modes.stiffness[0] * self.sags[0];
        let (mut above, mut pull_above) = (0.0, 0.0);
        self.pulls.clear();
        let bones = angles.iter().zip(&self.sags).zip(&modes.stiffness);
        self.pulls.extend(bones.map(|((&angle, &sag), &stiffness)| {
            let away = wrapped(down - angle - sag);
            let direction = near_unit_vector(away);
            held += direction.x.max(0.0);
            // What is left of the bone above is known once the tension below it is.
            let below = stiffness * (sag - above);
            let rest = pull_above - tension + below;
            left += rest * rest;
            (above, tension) = (sag, below);
            pull_above = part * direction.y;
            Pull {
                away,
                sine: direction.y,
                ..Pull::default()
            }
        }));
        let last = pull_above - tension;
        (left + last * last, held)
    }

    /// One step to the balance of springs and the pull that was weighed. Returns by how much a bone
    /// has turned at most.
    fn step_to_balance(&mut self, modes: &Modes, part: f64) -> f64 {
        let stiffness = &modes.stiffness;
        let next = |index: usize| stiffness.get(index + 1).copied().unwrap_or(0.0);
        let (mut carried, mut taken) = (0.0, 0.0);
        for (index, (pull, &sag)) in self.pulls.iter_mut().zip(&self.sags).enumerate() {
            let curvature = part * pull.sine_over_angle();
            let tie = next(index);
            pull.pivot = 1.0 / (stiffness[index] + tie + curvature - taken);
            pull.right = curvature * (sag + pull.away) + carried;
            let factor = tie * pull.pivot;
            (carried, taken) = (factor * pull.right, factor * tie);
        }
        let (mut most, mut below) = (0.0_f64, 0.0);
        let bones = self.pulls.iter_mut().zip(&self.sags).enumerate();
        for (index, (pull, &sag)) in bones.rev() {
            below = (pull.right + next(index) * below) * pull.pivot;
            pull.right = below;
            most = most.max((below - sag).abs());
        }
        // What differs from the last balance by rounding alone is that balance, to the last bit.
        if most > BALANCED {
            for (sag, pull) in self.sags.iter_mut().zip(&self.pulls) {
                *sag = pull.right;
            }
        }
        most
    }
}

impl Pull {
    /// `sin a / a` of the angle to gravity.
    fn sine_over_angle(&self) -> f64 {
        if self.away.abs() < 1e-4 {
            1.0 - self.away * self.away / 6.0
        } else {
            self.sine / self.away
        }
    }
}
