//! The named algorithms, as a choice.

use serde::{Deserialize, Serialize};

use crate::descent::SolveSpace;
use crate::kinematics::tree::Tree;
use crate::solvers::ccd::Sweep;
use crate::solvers::fabrik;

/// By which way the first pose is found, from where a chain then follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// Cyclic coordinate descent. Of chains with one tip.
    Ccd(Sweep),
    /// Forward and backward reaching.
    Fabrik,
}

impl Algorithm {
    /// Brings `tree` from its present pose near to its targets. Returns the number of sweeps and
    /// steps.
    pub(crate) fn find_first_pose(
        self,
        tree: &mut Tree,
        workspace: &mut SolveSpace,
        max_iterations: u32,
    ) -> u32 {
        match self {
            Self::Ccd(sweep) => sweep.find_first_pose(tree, workspace, max_iterations),
            Self::Fabrik => fabrik::find_first_pose(tree, workspace, max_iterations),
        }
    }

    /// Returns the cost of a turn of joint `index` of `count`, relative to that of other joints.
    pub(crate) fn cost(self, index: usize, count: usize) -> f32 {
        match self {
            Self::Ccd(sweep) => sweep.cost(index, count),
            Self::Fabrik => 1.0,
        }
    }
}
