//! `TendonFABRIK2D`.

use godot::prelude::*;
use tendon_solver::{Fabrik, Solver};

use crate::nodes::chain::chain_node;
use crate::nodes::modifier::{MenuBones, MenuEntry, ModifierClass};
use crate::plan::modifier::{Modifier, SolverSettings};
use crate::plan::references::References;

chain_node! {
    /// Bends a chain of bones smoothly so that its end reaches a target.
    ///
    /// Use it for tails, tentacles, ropes and spines. Add it below a [TendonRig2D]. The method is
    /// called forward and backward reaching inverse kinematics (FABRIK): the chain is pulled to the
    /// target by its end and put back on its root, several times.
    ///
    /// The chain bends from its base pose. A chain that is posed as a gentle arc stays round. A
    /// target within reach is reached in the same frame. A [TendonJointLimit2D] below a bone limits
    /// how far it turns, and the chain stays out of its [member obstacles]. Only a chain that these
    /// force to swing over takes up to half a second.
    ///
    /// **Several tips.** Each [TendonEffector2D] below this node adds a tip with its own target.
    /// The bones from the root to all tips then bend as one tree. This node itself then needs no
    /// [member target]. In a tree, [member softness] applies to each tip by itself, and [member
    /// stretch] lengthens all bones by the same factor. [member match_target_rotation] applies to
    /// the tip of this node only.
    ///
    /// This script has a tentacle avoid all rocks of a level:
    ///
    /// ```gdscript
    /// func avoid_rocks() -> void:
    ///     var tentacle: TendonFABRIK2D = $Skeleton2D/TendonRig2D/TipFABRIK
    ///     for shape: CollisionShape2D in get_tree().get_nodes_in_group("rocks"):
    ///         tentacle.obstacles.append(shape)
    /// ```
    ///
    /// Tutorial: the scenes `scenes/fabrik/fabrik.tscn`, `scenes/torso/torso.tscn` and
    /// `scenes/obstacles/obstacles.tscn` of the demo project.
    TendonFABRIK2D {}
}

#[godot_dyn]
impl Modifier for TendonFABRIK2D {
    fn references(&self) -> References<'_> {
        self.chain_references()
    }

    fn solver(&self) -> SolverSettings {
        self.chain_solver(Solver::Fabrik(Fabrik {
            approach: self.approach(),
        }))
    }
}

impl ModifierClass for TendonFABRIK2D {
    const MENU: MenuEntry = MenuEntry {
        title: "Add FABRIK",
        help: "The selected chain bends smoothly towards a new target.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    };
}
