//! What a solve tells its caller.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// How a solve ended.
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

/// The outcome of one solver on one chain or limb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How the solve ended.
    pub status: Status,
    /// How many iterations it took: sweeps of the named algorithm and constrained steps. Without
    /// memory, the steps from a pose that reaches to the nearest one do not count.
    pub iterations: u32,
}

impl Outcome {
    /// The outcome where nothing was turned.
    pub(crate) fn without_solve(status: Status) -> Self {
        Self {
            status,
            iterations: 0,
        }
    }

    /// The outcome of a solve in one step.
    pub(crate) fn aligned(is_aligned: bool) -> Self {
        let status = if is_aligned {
            Status::Reached
        } else {
            Status::OutOfReach
        };
        Self {
            status,
            iterations: 1,
        }
    }

    /// The outcome of a solve that left the tip `distance` from its target, where
    /// `tolerance` still counts as reached.
    pub(crate) fn at(distance: f32, tolerance: f32, iterations: u32) -> Self {
        let status = if distance <= tolerance {
            Status::Reached
        } else {
            Status::OutOfReach
        };
        Self { status, iterations }
    }
}

impl From<Outcome> for Report {
    /// A report without the places that are measured at the end of a pass.
    fn from(outcome: Outcome) -> Self {
        Self {
            status: outcome.status,
            iterations: outcome.iterations,
            ..Self::default()
        }
    }
}

/// What one modifier of a rig did in a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// How the solve ended.
    pub status: Status,
    /// Where the tip is after the pass, in skeleton space.
    #[serde(with = "crate::math::number")]
    pub tip: Vec2,
    /// The distance between tip and target after the pass, in skeleton units. For springs and
    /// chains along paths, the distance between the tip and its goal. 0 for modifiers without a
    /// target or a goal, and infinite for a tip that follows those of effectors.
    #[serde(with = "crate::math::number")]
    pub distance: f32,
    /// Iterations of the solve.
    pub iterations: u32,
    /// How deep the deepest bone is inside an obstacle, in skeleton units; 0 when all are outside.
    /// It may be more than the true depth if the frame in which the root hangs is stretched. If an
    /// obstacle covers the root, the depth that this alone makes unavoidable is not counted.
    #[serde(default, skip_serializing_if = "is_zero", with = "crate::math::number")]
    pub penetration: f32,
}

fn is_zero(value: &f32) -> bool {
    *value == 0.0
}
