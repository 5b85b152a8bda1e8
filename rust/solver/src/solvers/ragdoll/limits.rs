//! How far the joints of a body turn.

use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::constraints::{ConstraintStep, Constraints};

/// The angles that a link may have against the one above it, or in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) link: usize,
    /// The link against which it counts; none for skeleton space.
    pub(crate) above: Option<usize>,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A limit that is farther away is not looked at, in radians.
const NEAR: f64 = 0.1;

impl Interval {
    pub(crate) fn angle(&self, body: &Body, state: &[f64]) -> f64 {
        state[body.angle(self.link)] - self.above.map_or(0.0, |above| state[body.angle(above)])
    }

    /// Adds rows for the ends that the next step may come to.
    pub(super) fn push_rows(
        &self,
        step: ConstraintStep<'_>,
        state: &[f64],
        rows: &mut Constraints,
    ) {
        let (angle, rate) = (
            self.angle(step.body, state),
            self.angle(step.body, step.rates),
        );
        let near = NEAR + 2.0 * rate.abs() * step.seconds;
        for (gap, sign) in self.gaps(angle) {
            if gap < near {
                rows.push_limit(step, (self.link, self.above), gap, sign);
            }
        }
    }

    /// Adds rows for the ends that a step with the speeds `moved` passes and that have none: a hit turns links
    /// faster than they turned before. Returns whether there is such an end.
    pub(super) fn push_passed(
        &self,
        step: ConstraintStep<'_>,
        (state, moved): (&[f64], &[f64]),
        rows: &mut Constraints,
    ) -> bool {
        let angle = self.angle(step.body, state);
        let way = step.seconds * self.angle(step.body, moved);
        let mut is_passed = false;
        for (gap, sign) in self.gaps(angle) {
            if gap + sign * way < 0.0 && !rows.have_limit(self.link, sign) {
                rows.push_limit(step, (self.link, self.above), gap, sign);
                is_passed = true;
            }
        }
        is_passed
    }

    /// Returns the distance of `angle` from either end, in radians, and the sign of a turn that makes it larger.
    fn gaps(&self, angle: f64) -> [(f64, f64); 2] {
        [(angle - self.low, 1.0), (self.high - angle, -1.0)]
    }
}
