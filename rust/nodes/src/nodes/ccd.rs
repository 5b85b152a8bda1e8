//! `TendonCCDIK2D`.

use tendon_solver::{Ccd, Point, Sweep};

use crate::nodes::chain::{References, chain_node};
use crate::nodes::modifier::EditedModifier;
use crate::plan::bones::Bones;
use crate::plan::chain::FoundChain;
use crate::plan::change::set;
use crate::plan::class::{Mention, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::obstacles::Obstacles;
use crate::plan::target::Target;
use crate::plan::tip::Tip;
use crate::warnings::problem::Problem;

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

/// What a plan knows of a CCD chain.
pub(crate) struct Nodes {
    tip: Tip,
    target: Target,
    /// Whether the last bone takes over the target's rotation.
    matches_rotation: bool,
    obstacles: Obstacles,
}

impl TendonCCDIK2D {
    fn find_ends(&self, bones: &mut Bones) -> Result<(FoundChain, Target), Problem> {
        let mut chain = self.chain().find(bones)?;
        let target = Target::find_or_let_go(bones, &self.target, Some(chain.root))?;
        chain.report(bones);
        Ok((chain, target))
    }
}

impl ModifierClass for TendonCCDIK2D {
    type References = References;
    type Nodes = Nodes;
    type Solver = Ccd;

    fn references(&self) -> References {
        self.chain_references()
    }

    fn find(&self, bones: &mut Bones) -> Result<(Nodes, Ccd), Problem> {
        let root = self.chain().root(bones);
        let ends = self.find_ends(bones);
        let obstacles = Obstacles::find(bones, &self.obstacles, root);
        let (mut chain, target) = ends?;
        let solver = Ccd::new(chain.for_solver(), Point::default());
        let nodes = Nodes {
            tip: chain.tip,
            target,
            matches_rotation: self.match_target_rotation,
            obstacles,
        };
        Ok((nodes, solver))
    }

    fn set(&self, into: &mut Ccd) -> bool {
        let sweep = Sweep {
            root_first: self.root_first,
        };
        let mut changes = set(&mut into.sweep, sweep);
        changes |= set(&mut into.approach, self.approach());
        changes |= set(&mut into.elasticity, self.elasticity());
        set(&mut into.deterministic, self.deterministic) | changes
    }

    fn gather(nodes: &Nodes, from: &Gather<'_>, into: &mut Ccd) -> Result<bool, Stale> {
        let (target, direction) = nodes.target.locate(from)?;
        let heading = nodes.matches_rotation.then_some(direction);
        let mut changes = set(&mut into.target, target);
        changes |= set(&mut into.heading, heading);
        changes |= set(&mut into.chain.end, nodes.tip.locate(from)?);
        Ok(nodes.obstacles.gather(from, &mut into.obstacles)? | changes)
    }
}

impl PlannedNodes for Nodes {
    fn mentions(&self) -> Vec<Mention<'_>> {
        let ends = [Mention::Tip(&self.tip), self.target.mention()];
        ends.into_iter().chain(self.obstacles.mentions()).collect()
    }

    fn takes_directions(&self) -> bool {
        self.matches_rotation
    }
}

impl EditedModifier for TendonCCDIK2D {}
