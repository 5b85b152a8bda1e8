//! `TendonFABRIK2D`.

use godot::prelude::*;
use tendon_solver::Solver;

use crate::nodes::chain::chain_node;
use crate::nodes::modifier::{MenuBones, MenuEntry, ModifierClass};
use crate::plan::modifier::{Modifier, SolverSettings};
use crate::plan::references::References;

chain_node! {
    /// Bends a chain of bones smoothly so that its end reaches a target.
    ///
    /// The method is forward and backward reaching inverse kinematics: the chain is pulled to the
    /// target by its end and put back on its root, several times. Use it for tails, tentacles,
    /// ropes and spines.
    ///
    /// The chain bends from its base pose. A chain that is posed as a gentle arc stays round. A
    /// chain that is folded up far from its target may unfold in zigzags.
    ///
    /// A reachable target is reached in the same frame: an exact step completes what [member
    /// max_iterations] leaves open. Add it below a [TendonRig2D].
    ///
    /// [TendonEffector2D] children give it further tips, each with its own target: the bones from
    /// the root to all tips then bend as one tree. Its own tip can then go without a target, and
    /// follows the others. In a tree, [member softness] applies to each tip over the reach of its
    /// own line of bones. [member stretch] lengthens all bones by one factor: the least that brings
    /// each target within the reach of its tip. Tips that pull against one another may still not
    /// reach their targets. [member match_target_rotation] applies to the tip of this node only.
    TendonFABRIK2D {}
}

#[godot_dyn]
impl Modifier for TendonFABRIK2D {
    fn references(&self) -> References<'_> {
        self.chain_references()
    }

    fn solver(&self) -> SolverSettings {
        self.chain_solver(Solver::Fabrik {
            approach: self.approach(),
        })
    }

    fn takes_effectors(&self) -> bool {
        true
    }
}

impl ModifierClass for TendonFABRIK2D {
    const MENU: MenuEntry = MenuEntry {
        title: "Add FABRIK",
        help: "The selected chain bends smoothly towards a new target.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    };
}
