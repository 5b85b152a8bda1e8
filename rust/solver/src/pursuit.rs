//! Within limits: how a tip is led to its target, and what is tried where it stays behind.
//!
//! A long step towards a target that is far away is not continuous. Which joints meet their
//! limits first, which way a slack chain folds, and whether a step is taken or taken back is a
//! matter of a hair; sweeps are no better. So the tip follows its target in short **strides**:
//! each is one step of [`crate::active_set`], much damped, towards a place no farther than a
//! fixed part of the way at the start. A stride is a continuous function of pose and target, no
//! stride is ever taken back, and the strides end when the tip is all but there or stands
//! still. The descent that follows has next to nothing left to do. So a target that moves by a
//! hair moves every bone by a hair, a pose that is the nearest already is left alone, and of all
//! ways to arrive the chain takes about that of the least turns.
//!
//! What is left of the algorithm that was asked for is the **lead**: which joints turn more
//! willingly than others.
//!
//! Strides may end at a pose that is nearest only to its neighbours: curled up against the limits the
//! wrong way. Then fixed poses within the limits are tried, in a fixed order, and the best is
//! kept; the first pose unless another is clearly better. The first few are led in strides too,
//! so that a target beyond such a watershed is followed as steadily as one before it.

use glam::Vec2;

use crate::active_set::{self, descend};
use crate::chain::Chain;
use crate::turn::Turn;

/// Strides to a target that nothing is in the way of.
const STRIDES: f32 = 6.0;

/// Strides at most.
const MOST_STRIDES: u32 = 24;

/// The same from other poses.
const NEW_STRIDES: f32 = 4.0;
const MOST_NEW_STRIDES: u32 = 12;

/// Nearer than this part of a stride the tip is all but there.
const THERE: f32 = 0.1;

/// A stride that turns no joint by so many radians: the tip stands still.
const STILL: f32 = 2e-3;

/// Damping, relative to the mean of the normal matrix' diagonal.
const DAMPING: f32 = 0.03;

/// How much more willingly the last joint that leads turns than the first.
const WILLINGNESS: f32 = 4.0;

/// A new attempt that does not arrive must be nearer by this part of the reach to be taken.
const CLEARLY: f32 = 1e-3;

/// Where in their intervals, from 0 to 1, all joints start in the first new attempts.
const EVEN_STARTS: [f32; 5] = [0.5, 0.2, 0.8, 0.0, 1.0];

/// How many more attempts start from poses that are spread evenly over the limits.
const SPREAD_STARTS: usize = 12;

/// Multiples of these fall as evenly as can be between whole numbers, and for neighbouring
/// joints independently: the powers of the inverse of the plastic number, root of x³ = x + 1.
const SPREAD: [f32; 3] = [0.754_877_7, 0.569_840_3, 0.430_159_7];

/// Multiples of this fall as evenly as can be between whole numbers: the inverse of the golden
/// ratio.
const GOLDEN: f32 = 0.618_034;

/// Radians from the given pose that stand for the ends of a free joint's interval.
const CURL: f32 = 2.5;

/// Which joints turn more willingly than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    /// Those near the tip.
    Tip,
    /// Those near the root.
    Root,
    /// None.
    Nobody,
}

impl Lead {
    /// The weights of `count` joints, root first.
    fn weights(self, count: usize) -> impl Iterator<Item = f32> {
        let joints = count.saturating_sub(1).max(1) as f32;
        let ratio = match self {
            Self::Tip => WILLINGNESS.powf(1.0 / joints),
            Self::Root => WILLINGNESS.powf(-1.0 / joints),
            Self::Nobody => 1.0,
        };
        let first = ratio.powf(-0.5 * joints);
        std::iter::successors(Some(first), move |weight| Some(weight * ratio)).take(count)
    }
}

/// Leads the tip of `chain`, which is within its limits, to `target` in strides. Returns their
/// number.
pub(crate) fn follow(chain: &mut Chain, target: Vec2, lead: Lead, most: u32) -> u32 {
    stride(chain, target, lead, STRIDES, most.min(MOST_STRIDES))
}

fn stride(chain: &mut Chain, target: Vec2, lead: Lead, strides: f32, most: u32) -> u32 {
    let length = chain.tip().distance(target) / strides;
    let mut space = std::mem::take(&mut chain.scratch.workspace);
    space.begin(lead.weights(chain.joints().len()));
    let mut taken = 0;
    while taken < most {
        let way = target - chain.tip();
        let left = way.length();
        if left <= THERE * length {
            break;
        }
        let next = chain.tip() + way * (length / left).min(1.0);
        let largest = space.step(chain, next, DAMPING);
        taken += 1;
        if largest < STILL || !largest.is_finite() {
            break;
        }
    }
    chain.scratch.workspace = space;
    taken
}

/// Brings the tip of `chain`, which is within its limits, as near to `target` as they let it.
/// Returns the distance left, in chain units, and the number of steps. More than `tolerance`
/// calls for new attempts from other poses.
pub(crate) fn finish(chain: &mut Chain, target: Vec2, tolerance: f32) -> (f32, u32) {
    let (mut distance, mut steps) = descend(chain, target, tolerance);
    if distance <= tolerance {
        return (distance, steps);
    }
    let margin = CLEARLY * chain.reach();
    let mut best = std::mem::take(&mut chain.scratch.best_turns);
    active_set::remember(chain, &mut best);
    let evenly = EVEN_STARTS.map(Start::Even).into_iter();
    let spread = (1..=SPREAD_STARTS).map(Start::Spread);
    for start in evenly.chain(spread) {
        restart(chain, target, start);
        if matches!(start, Start::Even(_)) {
            steps += stride(chain, target, Lead::Nobody, NEW_STRIDES, MOST_NEW_STRIDES);
        }
        let (left, more) = descend(chain, target, tolerance);
        steps += more;
        if left <= tolerance || left < distance - margin {
            distance = left;
            active_set::remember(chain, &mut best);
        }
        if distance <= tolerance {
            break;
        }
    }
    chain.place_each(|place, joint| joint.turn = best[place.index]);
    chain.scratch.best_turns = best;
    (distance, steps)
}

/// Where in their intervals the joints start in a new attempt.
#[derive(Clone, Copy)]
enum Start {
    /// All at the same part.
    Even(f32),
    /// Every joint elsewhere; one of many such poses.
    Spread(usize),
}

impl Start {
    /// The part, from 0 to 1, for a joint.
    fn part(self, joint: usize) -> f32 {
        match self {
            Self::Even(part) => part,
            Self::Spread(number) => {
                // Without the shift, every third joint would do the same in every attempt.
                let shift = (joint / 3) as f32 * GOLDEN;
                (number as f32 * SPREAD[joint % 3] + shift).fract()
            }
        }
    }
}

/// Puts the joints where an attempt starts, and turns the root so that the tip lies in the
/// target's direction.
fn restart(chain: &mut Chain, target: Vec2, start: Start) {
    chain.place_each(|place, joint| {
        let part = start.part(place.index);
        match place.bound.filter(|bound| bound.has_ends()) {
            Some(bound) => bound.go_to(joint, part),
            None => {
                joint.turn = joint
                    .given
                    .then(Turn::from_angle((2.0 * part - 1.0) * CURL))
            }
        }
    });
    if let Some(turn) = Turn::between(chain.tip(), target) {
        let root = &mut chain.joints_mut()[0];
        root.turn = root.turn.then(turn);
        chain.place_within_limits();
    }
}
