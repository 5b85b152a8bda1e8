//! Cyclic coordinate descent: each joint in turn brings the tip onto its line to the target.
//!
//! From the tip to the root the end of the chain curls first and the root moves last; from
//! the root to the tip the chain stays stiffer and the root does most of the work. Either
//! sweep visits each joint once and costs O(joints): what lies beyond a joint swings with
//! it as a whole, so only the tip is followed, and the segments are swung once at the end.
//!
//! Unbridled, the sweep from the tip rolls a long chain up: its last joints make the whole way
//! to the target, and the next sweep has to undo it. Each joint therefore swings by no more
//! than its share of one whole turn. That changes nothing for two joints, and spreads the bend
//! over many.
//!
//! Where joints are limited, [`crate::pursuit`] takes the place of the sweeps, and the joints that
//! would turn first turn most willingly.
//!
//! The convergence is slow near full reach; [`crate::approach`] hands over to the finisher
//! there.
//!
//! Source: L.-C. T. Wang and C. C. Chen, *A Combined Optimization Method for Solving the
//! Inverse Kinematics Problem of Mechanical Manipulators* (1991).

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::approach::{Approach, approach, approach_within_limits};
use crate::chain::Chain;
use crate::pursuit::Lead;
use crate::report::Outcome;
use crate::turn::Turn;

/// Settings of the CCD solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ccd {
    /// Sweeps from the root to the tip instead of from the tip to the root.
    pub root_first: bool,
}

impl Ccd {
    /// Turns the joints of `chain` so that its tip meets `target`, a position in chain
    /// space, or comes as near as it can.
    pub fn solve(&self, chain: &mut Chain, target: Vec2, limits: Approach) -> Outcome {
        if chain.is_limited() {
            let lead = if self.root_first {
                Lead::Root
            } else {
                Lead::Tip
            };
            return approach_within_limits(chain, target, limits, lead);
        }
        if self.root_first {
            approach(chain, target, limits, sweep_from_root)
        } else {
            approach(chain, target, limits, sweep_from_tip)
        }
    }
}

fn sweep_from_tip(chain: &mut Chain, target: Vec2) {
    let mut tip = chain.tip();
    let most = widest_swing(chain.segments.len());
    let swings = &mut chain.scratch.columns;
    swings.clear();
    for &joint in chain.points.iter().rev().skip(1) {
        let swing = Turn::between(tip - joint, target - joint).unwrap_or(Turn::NONE);
        let swing = swing.at_most(most);
        tip = joint + swing.apply(tip - joint);
        swings.push(swing.direction());
    }
    // A segment swings with its own joint and with all before it.
    let mut swung = Vec2::X;
    for (segment, swing) in chain.segments.iter_mut().zip(swings.iter().rev()) {
        swung = swung.rotate(*swing);
        *segment = segment.rotate(swung);
    }
    chain.sum_up();
    chain.follow_points();
}

/// How far one joint swings in a sweep from the tip at most: all joints together by one whole
/// turn.
fn widest_swing(joints: usize) -> Turn {
    Turn::from_angle((TAU / joints as f32).min(PI))
}

fn sweep_from_root(chain: &mut Chain, target: Vec2) {
    let tip = chain.tip();
    let mut swung = Turn::NONE;
    let mut start = Vec2::ZERO;
    for index in 0..chain.segments.len() {
        let to_tip = swung.apply(tip - chain.points[index]);
        chain.points[index] = start;
        if let Some(swing) = Turn::between(to_tip, target - start) {
            swung = swung.then(swing);
        }
        let segment = swung.apply(chain.segments[index]);
        chain.segments[index] = segment;
        start += segment;
    }
    chain.sum_up();
    chain.follow_points();
}
