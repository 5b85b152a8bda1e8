//! `TendonLookAt2D`.

use std::hash::Hash;

use godot::classes::{Bone2D, Curve};
use godot::prelude::*;
use tendon_solver::{LookAt, LookAtSettings, Point};

use crate::engine::held::Held;
use crate::engine::link::Link;
use crate::engine::space::InSolver;
use crate::nodes::chain::LineNodes;
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::chain::{ChainProperties, Joints};
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass};
use crate::plan::locate::{Gather, Stale};
use crate::plan::search::Search;
use crate::plan::target::Target;
use crate::warnings::problem::Problem;

modifier_node! {
    /// Turns one bone so that it points at a target.
    ///
    /// Use it for a head that follows the mouse, an eye or a turret. Add it below a [TendonRig2D].
    /// To keep a head from turning too far, add a [TendonJointLimit2D] below its bone.
    ///
    /// The bone points along its own axis: the line to its first child bone, or its *Bone Angle* if
    /// it has no child bone. If the picture of the bone points elsewhere, set
    /// [member additional_rotation], or a [member tip]: a muzzle or a gun's barrel points at the target then. If the target is exactly on the joint of the bone, the bone
    /// keeps its rotation.
    ///
    /// This script makes a head look at the mouse:
    ///
    /// ```gdscript
    /// extends Node2D
    ///
    /// @onready var head: TendonLookAt2D = $Skeleton2D/TendonRig2D/HeadLookAt
    ///
    ///
    /// func _process(_delta: float) -> void:
    ///     head.target.global_position = get_global_mouse_position()
    /// ```
    ///
    /// Tutorial: the chapter *From sprite parts to a walking character* of the manual,
    /// `addons/tendon/manual/guide.html`, part 3.
    TendonLookAt2D {
        /// The bone to turn. Without a bone the modifier is idle.
        #[export]
        bone: Link<Bone2D>,
        /// The first of the bones that share the turn, for example the lowest one of a spine. The bones
        /// from there to [member bone] turn together, so that spine, neck and head look. The turns
        /// add up to the exact aim: what a [TendonJointLimit2D] keeps from one bone, the others
        /// take. Where the target passes behind, the bones swing over to the other side. If it is
        /// empty, the default, [member bone] turns alone.
        #[export]
        chain_root: Link<Bone2D>,
        /// How much of the turn each bone takes, by its position along the chain: from the one in
        /// [member chain_root] at `0.0` to [member bone] at `1.0`. Only the proportions count. A
        /// curve that rises turns the head more than the spine. By default it is empty, and all
        /// bones turn alike. It has no effect without a [member chain_root].
        #[export]
        share_curve: Held<Curve>,
        /// What points at the target: a node below [member bone], as a muzzle that is beside the bone. The line
        /// from there along its X axis goes through the target. It cannot where the target is nearer to
        /// the joint of [member bone] than that line: the status is then out of reach. If it is empty, the
        /// default, the bone points along its own axis.
        #[export]
        tip: Link<Node2D>,
    } target {
        /// An angle in radians that is added after the bone points at the target. The default,
        /// `0.0`, points exactly at it. Change it if the artwork points in another direction than
        /// the bone. A change goes over within [member transition_duration], unless it is keyed and so a
        /// motion: no faster than 2 radians per second, or than twice as fast as in the frame before.
        #[export(range = (-180.0, 180.0, 0.1, or_less, or_greater, radians_as_degrees))]
        additional_rotation: f32,
    }
}

impl TendonLookAt2D {
    fn chain(&self) -> ChainProperties<'_> {
        ChainProperties {
            joints: match self.chain_root.id() {
                Some(_) => Joints::Line(("chain_root", &self.chain_root), ("bone", &self.bone)),
                None => Joints::One(("bone", &self.bone)),
            },
            tip: self.tip.id().map(|_| &self.tip),
            moves_tip_bone: false,
        }
    }
}

impl ModifierClass for TendonLookAt2D {
    type Nodes = LineNodes;
    type Solver = LookAt;

    fn references(&self) -> impl Hash {
        (self.chain(), &self.target, &self.share_curve)
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(LineNodes, LookAt), Problem> {
        let mut chain = self.chain().find(search.bones)?;
        let target = Target::find_or_let_go(search, &self.target, Some(chain.root))?;
        chain.report(search);
        let mut solver = LookAt::new(chain.for_solver(), Point::default());
        let joints = solver.chain.joints.len();
        solver.shares = search.sample(self.share_curve.as_ref(), joints);
        let nodes = LineNodes {
            target: Some(target),
            ..chain.tip.into()
        };
        Ok((nodes, solver))
    }

    fn set(&self, into: &mut LookAt) -> bool {
        let settings = LookAtSettings!(self, InSolver::in_solver);
        set(&mut into.settings, settings)
    }
}

impl Gathered<LookAt> for LineNodes {
    fn gather(&self, from: &Gather<'_>, into: &mut LookAt) -> Result<bool, Stale> {
        let target = self.target.as_ref().ok_or(Stale)?.locate(from)?;
        let mut changes = into.target.set(Some(target.point()));
        changes |= set(&mut into.sight, self.tip.direction(from)?);
        Ok(set(&mut into.chain.end, self.tip.locate(from)?) | changes)
    }
}

impl EditedModifier for TendonLookAt2D {}
