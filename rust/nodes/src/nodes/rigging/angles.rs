//! How far a joint may turn that gets a limit: as usual, or as far as its bone is turned already.

use godot::prelude::*;

use crate::nodes::joint_limit::TendonJointLimit2D;

/// The range of a limit, in degrees from the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Degrees {
    /// The least angle.
    pub min: f32,
    /// The greatest angle.
    pub max: f32,
}

/// The greatest turn to either side under a new limit, in degrees: as the node itself has it.
pub const USUAL: f32 = 45.0;

/// The least margin between the edge of a wider limit and the bone, in degrees: a pass that comes as far as the pose is
/// not to be held.
const MARGIN: f32 = 0.5;

impl Degrees {
    /// As the node itself has it.
    pub const USUAL: Self = Self {
        min: -USUAL,
        max: USUAL,
    };

    /// As far to either side, in degrees.
    pub(super) fn around(angle: f32) -> Self {
        Self {
            min: -angle,
            max: angle,
        }
    }

    /// Wide enough for `angle`, in radians.
    pub fn with(self, angle: f32) -> Self {
        let degrees = angle.to_degrees();
        if (self.min..=self.max).contains(&degrees) {
            return self;
        }
        Self {
            min: self.min.min((degrees - MARGIN).floor()),
            max: self.max.max((degrees + MARGIN).ceil()),
        }
    }

    /// A limit of this range, which is to become a child of a bone.
    pub fn limit(self) -> Gd<TendonJointLimit2D> {
        let mut limit = TendonJointLimit2D::new_alloc();
        limit.set_name("JointLimit");
        if self != Self::USUAL {
            limit.set("min_angle", &self.min.to_radians().to_variant());
            limit.set("max_angle", &self.max.to_radians().to_variant());
        }
        limit
    }
}
