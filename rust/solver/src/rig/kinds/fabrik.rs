//! FABRIK as a kind of modifier.

use crate::descent::Workspace;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::rig::kind::{Context, Inputs, Kind};
use crate::rig::kinds::chain::{CHAIN, Iterative};
use crate::rig::modifier::Modifier;
use crate::skeleton::report::Report;
use crate::solvers::fabrik::{self, Fabrik};

impl Kind for Fabrik {
    fn name(&self) -> &'static str {
        "FABRIK"
    }

    fn inputs(&self) -> &'static Inputs {
        &Inputs {
            effectors: true,
            ..CHAIN
        }
    }

    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable> {
        modifier.solve_iteratively(*self, context)
    }

    fn tolerance(&self) -> f32 {
        self.approach.tolerance
    }
}

impl Iterative for Fabrik {
    fn find(&self, tree: &mut Tree, workspace: &mut Workspace) -> u32 {
        fabrik::find(tree, workspace, self.approach.max_iterations)
    }
}
