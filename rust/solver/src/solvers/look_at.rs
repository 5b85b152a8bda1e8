//! Look-at: one bone turned so that its axis points at a target.
//!
//! The angle of the target minus the angle of the bone's own axis, both seen from the
//! joint in chain space, where no ancestor mirrors or skews. Closed form,
//! one step. A target on the joint itself can be seen from every angle; the bone then
//! stays as it is.
//!
//! A limit stops the bone at its end, and a stiff bone turns by `1 − stiffness` of the angle.
//!
//! Source: the plain geometry of `atan2`; the chain-space form is Tendon's.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::kinematics::limb::Limb;
use crate::math::rotation::{Rotation, conjugate_times};
use crate::math::trigonometry::angle_of_f32;
use crate::skeleton::report::{Outcome, Status};

/// A bone that points this near to where it should, in radians, has reached.
pub(crate) const ALIGNED: f32 = 1e-4;

/// Settings of the look-at solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LookAt {
    /// Radians by which the bone turns past the target, in its parent's frame.
    #[serde(with = "crate::math::number")]
    pub additional_rotation: f32,
}

impl LookAt {
    /// Turns the joint of `limb` so that its segment points at `target`, a position in chain
    /// space.
    pub(crate) fn solve(&self, limb: &mut Limb, target: Vec2) {
        if let Some(along) = self.direction(limb, target) {
            limb.lay_along(|_| along.direction());
            let weight = limb.bounds[0].as_ref().map_or(1.0, |bound| bound.weight);
            limb.place_each(|_, joint| joint.hold_back(weight), true);
        }
    }

    /// Which way the segment of `limb` should point to look at `target`. `None` for a target on the
    /// joint itself, which is seen from every angle.
    fn direction(&self, limb: &Limb, target: Vec2) -> Option<Rotation> {
        let towards = Rotation::towards(target).filter(|_| limb.reach() > 0.0)?;
        Some(self.turn_past(towards))
    }

    /// `towards`, turned by the additional rotation.
    fn turn_past(&self, towards: Rotation) -> Rotation {
        // Most bones turn to the target itself.
        match self.additional_rotation {
            0.0 => towards,
            angle => towards.then(Rotation::from_angle(angle)),
        }
    }

    /// By how many radians more than what counts as aligned a segment that ends at `tip` looks past
    /// `target`, both in chain space.
    pub(crate) fn excess_angle(&self, tip: Vec2, target: Vec2) -> f32 {
        let along = Rotation::towards(target).filter(|_| tip != Vec2::ZERO);
        along.map_or(0.0, |towards| {
            let along = self.turn_past(towards).direction();
            angle_of_f32(conjugate_times(along, tip)).abs() - ALIGNED
        })
    }

    /// What came of it: whether the segment points at `target`.
    pub(crate) fn outcome(&self, limb: &Limb, target: Vec2) -> Outcome {
        let is_aligned = self.direction(limb, target).is_none_or(|along| {
            let off = along.direction().perp_dot(limb.tip());
            let ahead = along.direction().dot(limb.tip());
            off.abs() <= ALIGNED * ahead
        });
        Outcome {
            status: if is_aligned {
                Status::Reached
            } else {
                Status::OutOfReach
            },
            iterations: 1,
        }
    }
}
