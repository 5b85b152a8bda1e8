//! `TendonCCDIK2D`.

use godot::prelude::*;
use tendon_solver::Solver;
use tendon_solver::ccd::Ccd;

use crate::nodes::chain::chain_node;
use crate::nodes::modifier::{MenuBones, MenuEntry, ModifierClass};
use crate::plan::modifier::{Modifier, SolverSettings};
use crate::plan::references::References;

chain_node! {
    /// Bends a chain of bones so that its end reaches a target, one joint after the other.
    ///
    /// The method is cyclic coordinate descent: each joint in turn brings the end onto its line to
    /// the target. From the tip to the root, the end of the chain curls first, like the gripper of
    /// a robot. From the root to the tip ([member root_first]), the chain stays straighter.
    ///
    /// A reachable target is reached in the same frame: an exact step completes what [member
    /// max_iterations] leaves open. Add it below a [TendonRig2D].
    TendonCCDIK2D {
        /// If `true`, the joints are turned from the root to the tip instead of from the tip to the
        /// root.
        #[export]
        root_first: bool,
    }
}

#[godot_dyn]
impl Modifier for TendonCCDIK2D {
    fn references(&self) -> References<'_> {
        self.chain_references()
    }

    fn solver(&self) -> SolverSettings {
        self.chain_solver(Solver::Ccd {
            ccd: Ccd {
                root_first: self.root_first,
            },
            approach: self.approach(),
        })
    }
}

impl ModifierClass for TendonCCDIK2D {
    const MENU: MenuEntry = MenuEntry {
        title: "Add CCD IK",
        help: "The selected chain curls towards a new target, joint by joint.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    };
}
