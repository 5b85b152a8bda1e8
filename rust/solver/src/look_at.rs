//! Look-at: one bone turned so that its axis points at a target.
//!
//! The angle of the target minus the angle of the bone's own axis, both seen from the
//! joint in chain space, where no ancestor's mirror or skew is left to mind. Closed form,
//! one step. A target on the joint itself can be seen from every angle; the bone then
//! stays as it is.
//!
//! A limit stops the bone at its end, and a stiff bone turns by its share of the way.
//!
//! Source: the plain geometry of `atan2`; the chain-space form is Tendon's.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::chain::Chain;
use crate::report::{Outcome, Status};
use crate::turn::Turn;

/// A bone that points this near to where it should, in radians, has reached.
const ALIGNED: f32 = 1e-4;

/// Settings of the look-at solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LookAt {
    /// Radians by which the bone turns past the target, in its parent's frame.
    #[serde(with = "crate::number")]
    pub additional_rotation: f32,
}

impl LookAt {
    /// Turns the first joint of `chain` so that its segment points at `target`, a position
    /// in chain space.
    pub fn solve(&self, chain: &mut Chain, target: Vec2) -> Outcome {
        let Some(&length) = chain.lengths.first() else {
            return Outcome::without_solve(Status::Idle);
        };
        let mut status = Status::Reached;
        if let Some(towards) = Turn::towards(target).filter(|_| length > 0.0) {
            let along = if self.additional_rotation == 0.0 {
                towards
            } else {
                towards.then(Turn::from_angle(self.additional_rotation))
            };
            chain.lay_along(|_| along.direction());
            chain.settle();
            if chain.is_limited() {
                status = keep_within_limits(chain, along);
            }
        }
        Outcome {
            status,
            iterations: 1,
        }
    }
}

impl LookAt {
    /// By how many radians more than what counts as aligned a segment that ends at `tip` looks
    /// past `target`, both seen from the joint in its parent's frame.
    pub(crate) fn shortfall(&self, tip: Vec2, target: Vec2) -> f32 {
        let along = Turn::towards(target).filter(|_| tip != Vec2::ZERO);
        along.map_or(0.0, |towards| {
            let along = towards.then(Turn::from_angle(self.additional_rotation));
            let along = along.direction();
            along.perp_dot(tip).atan2(along.dot(tip)).abs() - ALIGNED
        })
    }
}

/// Takes back what the joint of `chain` has turned beyond its limit, or against its stiffness.
/// It has reached if its segment still points `along`.
fn keep_within_limits(chain: &mut Chain, along: Turn) -> Status {
    chain.place_each(|place, joint| joint.hold_back(joint.given, place.share()));
    let off = along.direction().perp_dot(chain.tip());
    let ahead = along.direction().dot(chain.tip());
    if off.abs() <= ALIGNED * ahead {
        Status::Reached
    } else {
        Status::OutOfReach
    }
}
