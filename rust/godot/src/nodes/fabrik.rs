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
    /// Forward and backward reaching: the chain is pulled to the target from its end and put
    /// back on its root, again and again. Made for tails, tentacles, ropes and spines.
    ///
    /// The chain bends from the pose that it is given. One that is posed in a gentle arc stays
    /// round; one that is folded up far from its target may unfold in zigzags.
    ///
    /// A reachable target is reached in the same frame: what [member max_iterations] leaves
    /// open, a last exact step closes. Put it below a [TendonRig2D].
    ///
    /// [TendonEffector2D] children give it further tips, each with a target of its own: the
    /// bones from the root to all tips then bend as one tree. Its own tip may then go without a
    /// target, and follows the rest. In a tree, [member softness] eases every tip over the reach of
    /// its own line of bones. [member stretch] lengthens all bones by one factor, the least
    /// that brings each target within the reach of its own tip; where tips pull against one another,
    /// they may be left short of it. [member match_target_rotation] is for the node's own tip.
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
