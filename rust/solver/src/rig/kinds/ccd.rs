//! CCD as a kind of modifier.

use crate::descent::Workspace;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::rig::kind::{Context, Inputs, Kind};
use crate::rig::kinds::chain::{CHAIN, Iterative};
use crate::rig::modifier::Modifier;
use crate::skeleton::report::Report;
use crate::solvers::ccd::Ccd;

impl Kind for Ccd {
    fn name(&self) -> &'static str {
        "CCD"
    }

    fn inputs(&self) -> &'static Inputs {
        &CHAIN
    }

    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable> {
        modifier.solve_iteratively(*self, context)
    }

    fn tolerance(&self) -> f32 {
        self.approach.tolerance
    }

    fn cost(&self, index: usize, count: usize) -> f32 {
        self.sweep.cost(index, count)
    }
}

impl Iterative for Ccd {
    fn find(&self, tree: &mut Tree, workspace: &mut Workspace) -> u32 {
        self.sweep
            .find(tree, workspace, self.approach.max_iterations)
    }
}
