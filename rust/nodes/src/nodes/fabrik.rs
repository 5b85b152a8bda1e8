//! `TendonFABRIK2D`.

use godot::obj::WithBaseField;
use tendon_solver::Algorithm;

use crate::engine::children::children;
use crate::nodes::chain::{ChainModifier, chain_node};

chain_node! {
    /// Bends a chain of bones smoothly so that its end reaches a target.
    ///
    /// Use it for tails, tentacles, ropes and spines. Add it below a [TendonRig2D]. The method is
    /// called forward and backward reaching inverse kinematics (FABRIK): the chain is pulled to the
    /// target by its end and put back on its root, several times. It finds the first pose. Then the
    /// chain follows its target.
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

impl TendonFABRIK2D {
    const ADDS_TIPS: bool = true;

    fn planned(&self) -> ChainModifier<'_> {
        let mut modifier = self.modifier();
        modifier.effectors = children(&self.to_gd()).collect();
        modifier
    }

    fn algorithm(&self) -> Algorithm {
        Algorithm::Fabrik
    }
}
