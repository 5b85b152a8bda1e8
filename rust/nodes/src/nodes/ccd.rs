//! `TendonCCDIK2D`.

use tendon_solver::{Algorithm, Sweep};

use crate::nodes::chain::chain_node;

chain_node! {
    /// Bends a chain of bones so that its end reaches a target, one joint after the other.
    ///
    /// Use it for grabbers, cranes and snakes. Add it below a [TendonRig2D]. The end of the chain
    /// curls first. With [member root_first], the chain stays straighter. The method is called
    /// cyclic coordinate descent (CCD): each joint in turn points the end of the chain at the
    /// target. It finds the first pose. Then the chain follows its target.
    ///
    /// A target within reach is reached in the same frame. Only a chain that limits or
    /// [member obstacles] force to swing over takes up to half a second. A [TendonJointLimit2D]
    /// below a bone limits how far it turns.
    ///
    /// This script opens a gripper when its arm has reached something:
    ///
    /// ```gdscript
    /// extends Node2D
    ///
    /// @onready var arm: TendonCCDIK2D = $Skeleton2D/TendonRig2D/GripperCCDIK
    ///
    ///
    /// func _ready() -> void:
    ///     arm.target_reached.connect(func() -> void: $Gripper.play("open"))
    ///     arm.target_lost.connect(func() -> void: $Gripper.play("close"))
    /// ```
    ///
    /// Tutorial: the scene `scenes/ccd/ccd.tscn` of the demo project.
    TendonCCDIK2D {
        /// If `true`, the joints are turned from the root to the tip, and the chain stays
        /// straighter. If `false`, the default, they are turned from the tip to the root, and its
        /// end curls.
        #[export]
        root_first: bool,
    }
}

impl TendonCCDIK2D {
    const ADDS_TIPS: bool = false;

    fn algorithm(&self) -> Algorithm {
        Algorithm::Ccd(Sweep {
            root_first: self.root_first,
        })
    }
}
