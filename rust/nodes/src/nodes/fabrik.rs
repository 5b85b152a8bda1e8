//! `TendonFABRIK2D`.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Algorithm;

use crate::engine::optional::Optional;
use crate::nodes::chain::chain_node;
use crate::nodes::effector::{TendonEffector2D, add_effector};

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
    /// the tip of this node: each effector has one of its own. With a [member transition_duration],
    /// effectors that are added, removed or have another target or weight go over within it.
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

    fn algorithm(&self) -> Algorithm {
        Algorithm::Fabrik
    }
}

#[godot_api(secondary)]
impl TendonFABRIK2D {
    /// Adds a further tip: a [TendonEffector2D] that brings the end of `tip_bone`, which is at or below
    /// [member root_bone], to `target`. Returns it, so that its other properties can be set.
    ///
    /// ```gdscript
    /// func hold(torso: TendonFABRIK2D, hand: Bone2D, rope: Node2D) -> void:
    ///     torso.add_effector(hand, rope).weight = 0.5
    /// ```
    #[func(gd_self)]
    fn add_effector(
        this: Gd<Self>,
        tip_bone: Option<Gd<Bone2D>>,
        #[opt(default = Optional::NONE)] target: Optional<Node2D>,
    ) -> Option<Gd<TendonEffector2D>> {
        add_effector(&this.upcast(), tip_bone, target)
    }
}
