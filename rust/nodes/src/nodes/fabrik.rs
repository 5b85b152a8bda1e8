//! `TendonFABRIK2D`.

use std::rc::Rc;

use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{Fabrik, Modifier, Point, Rig};

use crate::engine::children::children;
use crate::nodes::chain::{References, chain_node};
use crate::nodes::effector::{PlannedEffector, TendonEffector2D};
use crate::nodes::modifier::EditedModifier;
use crate::plan::bones::Bones;
use crate::plan::chain::FoundChain;
use crate::plan::change::{set, set_list};
use crate::plan::child::PlannedChild;
use crate::plan::class::{Mention, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::obstacles::Obstacles;
use crate::plan::target::Target;
use crate::plan::tip::Tip;
use crate::warnings::problem::Problem;

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

/// What a plan knows of a FABRIK chain or tree.
pub(crate) struct Nodes {
    tip: Tip,
    /// `None` for a tip that is free to follow those of effectors.
    target: Option<Target>,
    /// Whether the last bone takes over the target's rotation.
    matches_rotation: bool,
    obstacles: Obstacles,
    /// All effectors, also those that are ignored.
    effectors: Vec<Rc<PlannedEffector>>,
}

impl TendonFABRIK2D {
    /// Plans the effectors below it. `root` is its uppermost bone.
    fn find_effectors(&self, bones: &mut Bones, root: Option<usize>) -> Vec<Rc<PlannedEffector>> {
        let stretches = self.stretch > 1.0;
        let effectors = children::<TendonEffector2D, _>(&self.to_gd());
        let effectors = effectors.map(|effector| {
            let effector = Rc::new(PlannedEffector::new(bones, &effector, root, stretches));
            bones.children.push(effector.clone());
            effector
        });
        effectors.collect()
    }

    /// Finds the chain and the target, without which it works if it `has_effectors`.
    fn find_ends(
        &self,
        bones: &mut Bones,
        has_effectors: bool,
    ) -> Result<(FoundChain, Option<Target>), Problem> {
        let mut chain = self.chain().find(bones)?;
        let target = match has_effectors {
            true => Target::find(bones, &self.target, Some(chain.root)),
            false => Target::find_or_let_go(bones, &self.target, Some(chain.root)),
        };
        let (target, flaw) = match target {
            Ok(target) => (Some(target), None),
            Err(Problem::NoTarget) if has_effectors => (None, None),
            Err(flaw @ Problem::TargetOutside { .. }) if has_effectors => (None, Some(flaw)),
            Err(problem) => return Err(problem),
        };
        chain.report(bones);
        bones.flaws.extend(flaw);
        Ok((chain, target))
    }
}

impl ModifierClass for TendonFABRIK2D {
    type References = References;
    type Nodes = Nodes;
    type Solver = Fabrik;
    const TAKES_EFFECTORS: bool = true;

    fn references(&self) -> References {
        self.chain_references()
    }

    fn find(&self, bones: &mut Bones) -> Result<(Nodes, Fabrik), Problem> {
        let root = self.chain().root(bones);
        let effectors = self.find_effectors(bones, root);
        let has_effectors = effectors.iter().any(|effector| effector.last().is_some());
        let ends = self.find_ends(bones, has_effectors);
        let obstacles = Obstacles::find(bones, &self.obstacles, root);
        let (mut chain, target) = ends?;
        let mut solver = Fabrik::new(chain.for_solver(), Point::default());
        // Each joint comes below one that comes before it.
        let joints = &mut solver.chain.joints;
        for last in effectors.iter().filter_map(|effector| effector.last()) {
            let line = bones.with_ancestors(last);
            let line: Vec<_> = line.take_while(|index| !joints.contains(index)).collect();
            joints.extend(line.into_iter().rev());
        }
        let nodes = Nodes {
            tip: chain.tip,
            matches_rotation: self.match_target_rotation && target.is_some(),
            target,
            obstacles,
            effectors,
        };
        Ok((nodes, solver))
    }

    fn set(&self, into: &mut Fabrik) -> bool {
        let mut changes = set(&mut into.approach, self.approach());
        changes |= set(&mut into.elasticity, self.elasticity());
        set(&mut into.deterministic, self.deterministic) | changes
    }

    fn gather(nodes: &Nodes, from: &Gather<'_>, into: &mut Fabrik) -> Result<bool, Stale> {
        let target = nodes.target.as_ref();
        let target = target.map(|target| target.locate(from)).transpose()?;
        let (target, direction) = target.unzip();
        let mut changes = set(&mut into.target, target);
        changes |= set(
            &mut into.heading,
            direction.filter(|_| nodes.matches_rotation),
        );
        changes |= set(&mut into.chain.end, nodes.tip.locate(from)?);
        let effectors = nodes.effectors.iter();
        changes |= set_list(&mut into.effectors, effectors.map(|it| it.read(from)))?;
        Ok(nodes.obstacles.gather(from, &mut into.obstacles)? | changes)
    }
}

impl PlannedNodes for Nodes {
    fn mentions(&self) -> Vec<Mention<'_>> {
        let tip = [Mention::Tip(&self.tip)].into_iter();
        let target = self.target.iter().map(Target::mention);
        let effectors = self.effectors.iter();
        let effectors = effectors.flat_map(|effector| effector.mentions());
        let ends = tip.chain(target).chain(effectors);
        ends.chain(self.obstacles.mentions()).collect()
    }

    fn takes_directions(&self) -> bool {
        self.matches_rotation
    }

    fn publish(&self, solved: &Modifier, rig: &Rig, to_global: Affine2) {
        let mut solved = solved.parts().effectors().iter();
        for effector in &self.effectors {
            match effector.last().and_then(|_| solved.next()) {
                Some(solved) => effector.publish(solved, rig, to_global),
                None => effector.go_idle(),
            }
        }
    }
}

impl EditedModifier for TendonFABRIK2D {}
