//! Cyclic coordinate descent: each joint in turn brings the tip onto its line to the target.
//!
//! From the tip to the root the end of the chain curls first and the root moves last; from
//! the root to the tip the chain stays stiffer and the root does most of the work. Either
//! sweep visits each joint once and costs O(joints): what lies beyond a joint is carried
//! along as one vector, never re-computed.
//!
//! Each step is exact in the joint's own frame, so mirrored, stretched and skewed bones
//! inside the chain need no case of their own. The convergence is slow near full reach;
//! [`crate::approach`] hands over to the finisher there.
//!
//! Source: L.-C. T. Wang and C. C. Chen, *A Combined Optimization Method for Solving the
//! Inverse Kinematics Problem of Mechanical Manipulators* (1991).

use glam::{Mat2, Vec2};
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
    let mut beyond = Vec2::ZERO;
    for joint in chain.joints_mut().iter_mut().rev() {
        let arm = joint.offset + joint.carry * beyond;
        let goal = joint.localize(target - joint.origin);
        if let Some(turn) = Turn::between(arm, goal) {
            joint.turn = turn;
        }
        beyond = joint.turn.apply(arm);
    }
    chain.place();
}

fn sweep_from_root(chain: &mut Chain, target: Vec2) {
    let mut beyond = Vec2::ZERO;
    for joint in chain.joints_mut().iter_mut().rev() {
        joint.arm = joint.offset + joint.carry * beyond;
        beyond = joint.turn.apply(joint.arm);
    }
    let mut origin = Vec2::ZERO;
    let mut basis = Mat2::IDENTITY;
    for joint in chain.joints_mut() {
        joint.origin = origin;
        joint.basis = basis;
        let goal = joint.localize(target - origin);
        if let Some(turn) = Turn::between(joint.arm, goal) {
            joint.turn = turn;
        }
        origin += joint.segment();
        basis = joint.next_basis();
    }
    chain.place();
}
