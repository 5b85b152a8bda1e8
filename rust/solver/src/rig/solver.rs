//! The list of all solvers.

use serde::{Deserialize, Serialize};

use crate::solvers::ccd::Ccd;
use crate::solvers::copy_transform::CopyTransform;
use crate::solvers::fabrik::Fabrik;
use crate::solvers::look_at::LookAt;
use crate::solvers::spline::Spline;
use crate::solvers::spring::Spring;
use crate::solvers::two_bone::TwoBone;

/// Which algorithm a modifier runs, with its settings. What differs between them is in
/// `rig/kinds/`, a file for each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Solver {
    /// One bone looks at the target.
    LookAt(LookAt),
    /// Two bones reach the target in closed form.
    TwoBone(TwoBone),
    /// Cyclic coordinate descent.
    Ccd(Ccd),
    /// Forward and backward reaching.
    Fabrik(Fabrik),
    /// Bones that lag behind their goal and swing around it.
    Spring(Spring),
    /// A chain along a path.
    Spline(Spline),
    /// A channel of a transform copied or mapped to one of a bone.
    CopyTransform(CopyTransform),
    /// A script sets rotations.
    Custom,
}
