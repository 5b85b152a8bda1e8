//! What a solve tells its caller.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::number;

/// The outcome of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing was solved.
    #[default]
    Idle,
    /// The tip is at the target, or the bone looks at it. A modifier without a target has done its
    /// work.
    Reached,
    /// The target cannot be reached: the nearest possible pose was applied.
    OutOfReach,
    /// The chain or the target was not finite, or scaled to nothing: the pose was left alone.
    Invalid,
}

/// The report of one modifier of a rig in a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The outcome of the solve.
    pub status: Status,
    /// The position of the tip after the pass, in skeleton space.
    #[serde(with = "number")]
    pub tip: Vec2,
    /// The distance between tip and target after the pass, in skeleton units. For springs and
    /// chains along paths, the distance between the tip and its goal. 0 for modifiers without a
    /// target or a goal, and infinite for a tip that follows those of effectors.
    #[serde(with = "number")]
    pub distance: f32,
    /// The number of iterations of the solve: sweeps of the named algorithm and constrained steps. Without memory, the
    /// steps from a pose that reaches to the nearest one do not count.
    pub iterations: u32,
    /// The depth of the deepest bone inside an obstacle, in skeleton units; 0 when all are outside. It may be more than
    /// the true depth if the frame in which the root hangs is stretched. If an obstacle covers the root, the depth that
    /// this alone makes unavoidable is not counted.
    #[serde(default, skip_serializing_if = "number::is_usual", with = "number")]
    pub penetration: f32,
}

/// Reports without the places that are measured at the end of a pass.
impl Report {
    /// Returns the report of a modifier that has turned nothing, or reached for no target.
    pub(crate) fn without_solve(status: Status) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// Of a solve in one step.
    pub(crate) fn in_one_step(is_reached: bool) -> Self {
        Self::after(1, is_reached)
    }

    /// Of a solve that left the tip `distance` from its target, where `tolerance` still counts as
    /// reached.
    pub(crate) fn at(distance: f32, tolerance: f32, iterations: u32) -> Self {
        Self::after(iterations, distance <= tolerance)
    }

    fn after(iterations: u32, is_reached: bool) -> Self {
        let status = if is_reached {
            Status::Reached
        } else {
            Status::OutOfReach
        };
        Self {
            iterations,
            ..Self::without_solve(status)
        }
    }
}
