//! What CCD and FABRIK share: when to sweep, when to stop and what to do where sweeps
//! cannot arrive.
//!
//! 1. A target out of reach is answered in closed form ([`crate::reach`]).
//! 2. A chain that lies on one line with its target is bent first
//!    ([`crate::deadlock`]): no sweep can leave that line.
//! 3. Sweeps give the pose its character. They end when the tip is near, when the cap is met,
//!    or when the rate of the last sweep shows that the cap would be met too far away.
//! 4. The [`crate::finisher`] closes what is left. Its error shrinks quadratically where that
//!    of a sweep shrinks by a factor, and one of its steps costs half a sweep.
//!
//! Within limits a sweep need not bring the tip nearer at all, and what it does may change from
//! one hair to the next. There [`crate::pursuit`] takes the place of the sweeps.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::chain::Chain;
use crate::pursuit::{self, Lead};
use crate::report::Outcome;
use crate::{deadlock, finisher, reach};

/// How long and how closely an iterative solver tries.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Approach {
    /// Sweeps at most, before the finisher takes over.
    pub max_iterations: u32,
    /// Distance between tip and target that counts as reached, in the units of the space
    /// that the caller solves in: skeleton units in a rig, chain units on a bare chain.
    #[serde(with = "crate::number")]
    pub tolerance: f32,
}

impl Default for Approach {
    fn default() -> Self {
        Self {
            max_iterations: 16,
            tolerance: 0.01,
        }
    }
}

/// Nearer to the target than this part of the reach, the finisher takes over from the sweeps.
const NEAR: f32 = 0.1;

/// Brings the tip of `chain`, which has no limits, to `target` by repeating `sweep`, which turns the joints once
/// and places them. See the module's page.
pub(crate) fn approach(
    chain: &mut Chain,
    target: Vec2,
    limits: Approach,
    mut sweep: impl FnMut(&mut Chain, Vec2),
) -> Outcome {
    let precision = finisher::precision(chain);
    let tolerance = limits.tolerance.max(precision);
    let mut distance = chain.tip().distance(target);
    if distance <= precision {
        return Outcome::at(distance, tolerance, 0);
    }
    if reach::settle_out_of_reach(chain, target) {
        chain.settle();
        return Outcome::at(chain.tip().distance(target), tolerance, 1);
    }
    deadlock::bend_out(chain, target);

    let near = tolerance.max(NEAR * chain.reach());
    let mut sweeps = 0;
    while distance > near && sweeps < limits.max_iterations {
        let before = distance;
        sweep(chain, target);
        sweeps += 1;
        distance = chain.tip().distance(target);
        let left = limits.max_iterations - sweeps;
        if !arrives(distance, before, near, left) {
            break;
        }
    }
    let (distance, steps) = finisher::finish(chain, target, tolerance);
    chain.settle();
    Outcome::at(distance, tolerance, sweeps + steps)
}

/// [`approach`] for a chain with limits, where some joints `lead`.
pub(crate) fn approach_within_limits(
    chain: &mut Chain,
    target: Vec2,
    limits: Approach,
    lead: Lead,
) -> Outcome {
    let precision = finisher::precision(chain);
    let tolerance = limits.tolerance.max(precision);
    chain.place_within_limits();
    let distance = chain.tip().distance(target);
    if distance <= precision {
        return Outcome::at(distance, tolerance, 0);
    }
    if reach::settle_out_of_reach(chain, target) {
        return Outcome::at(chain.tip().distance(target), tolerance, 1);
    }
    if deadlock::bend_out(chain, target) {
        chain.place_within_limits();
    }
    let strides = pursuit::follow(chain, target, lead, limits.max_iterations);
    let (distance, steps) = finisher::finish(chain, target, tolerance);
    Outcome::at(distance, tolerance, strides + steps)
}

/// Whether an error that went from `before` to `now` in one sweep is below `near` after `left`
/// more sweeps at that rate.
fn arrives(now: f32, before: f32, near: f32, left: u32) -> bool {
    let rate = now / before;
    rate < 1.0 && now * rate.powi(left.min(64) as i32) <= near
}
