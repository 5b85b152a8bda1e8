//! Further tips of a modifier.

use serde::{Deserialize, Serialize};

use crate::skeleton::bone::Point;

/// A further tip of a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effector {
    /// What is brought to the target. It hangs on a joint's bone, or below it.
    pub tip: Point,
    /// A bone at the tip that moves along: it hangs on a joint's bone, or below it, and its
    /// origin is the tip, whatever `tip` says. It is moved when its branch stretches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip_bone: Option<usize>,
    /// What is reached for. Nothing that the joints carry.
    pub target: Point,
    /// How much it counts, relative to the other effectors. If not all targets can be met, the sum
    /// of weight times squared distance is minimised. 0 does not count.
    #[serde(default = "full", with = "crate::math::number")]
    pub weight: f32,
}

fn full() -> f32 {
    1.0
}

impl Effector {
    /// What is brought to the target.
    pub fn tip_point(&self) -> Point {
        point_at(self.tip_bone, self.tip)
    }
}

/// The origin of the bone at a tip, or else the tip itself.
pub(super) fn point_at(tip_bone: Option<usize>, tip: Point) -> Point {
    tip_bone.map_or(tip, |bone| Point::origin_of(Some(bone)))
}
