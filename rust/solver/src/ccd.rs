//! Cyclic coordinate descent: each joint in turn brings the tip onto its line to the target.
//!
//! From the tip to the root the end of the chain curls first and the root moves last; from
//! the root to the tip the chain stays stiffer and the root does most of the work. Either
//! sweep visits each joint once and costs O(joints): what lies beyond a joint swings with
//! it as a whole, so only the tip is followed, and the segments are swung once at the end.
//!
//! Where joints are limited, each is turned into its limit at once, so that the joints after
//! it make up for what it could not do; a stiff joint follows in part.
//!
//! The convergence is slow near full reach; [`crate::approach`] hands over to the finisher
//! there.
//!
//! Source: L.-C. T. Wang and C. C. Chen, *A Combined Optimization Method for Solving the
//! Inverse Kinematics Problem of Mechanical Manipulators* (1991).

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::approach::{Approach, approach};
use crate::chain::Chain;
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
        if self.root_first {
            approach(chain, target, limits, sweep_from_root)
        } else {
            approach(chain, target, limits, sweep_from_tip)
        }
    }
}

fn sweep_from_tip(chain: &mut Chain, target: Vec2) {
    if chain.is_limited() {
        return sweep_from_tip_within_limits(chain, target);
    }
    let mut tip = chain.tip();
    let swings = &mut chain.scratch.columns;
    swings.clear();
    for &joint in chain.points.iter().rev().skip(1) {
        let swing = Turn::between(tip - joint, target - joint).unwrap_or(Turn::NONE);
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

fn sweep_from_root(chain: &mut Chain, target: Vec2) {
    if chain.is_limited() {
        return sweep_from_root_within_limits(chain, target);
    }
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

fn sweep_from_tip_within_limits(chain: &mut Chain, target: Vec2) {
    // The tip, seen from the next joint in that joint's frame.
    let mut beyond = Vec2::ZERO;
    for index in (0..chain.joints().len()).rev() {
        let joint = chain.joints()[index];
        let lever = joint.offset + joint.carry * beyond;
        let way = target - chain.points[index];
        let joint = chain.turn_within_limits(index, |joint| joint.swing(lever, way));
        beyond = joint.turn.apply(lever);
    }
    // A limit fixed in the skeleton may be crossed by joints that turned after its own.
    chain.place_within_limits();
}

fn sweep_from_root_within_limits(chain: &mut Chain, target: Vec2) {
    let mut levers = std::mem::take(&mut chain.scratch.columns);
    levers.clear();
    let mut beyond = Vec2::ZERO;
    levers.extend(chain.joints().iter().rev().map(|joint| {
        let lever = joint.offset + joint.carry * beyond;
        beyond = joint.turn.apply(lever);
        lever
    }));
    levers.reverse();
    chain.place_each(|place, joint| {
        let before = joint.turn;
        joint.swing(levers[place.index], target - place.origin);
        joint.hold_back(before, place.share());
    });
    chain.scratch.columns = levers;
}
