//! `TendonTrail2D`.

use std::hash::Hash;

use godot::prelude::*;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Trail, TrailSettings};

use crate::engine::link::Link;
use crate::engine::space::InSolver;
use crate::nodes::chain::LineNodes;
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass};
use crate::plan::locate::{Gather, Place, Stale};
use crate::plan::search::Search;
use crate::plan::target::Target;
use crate::warnings::problem::Problem;

modifier_node! {
    /// Draws a body behind its head: snakes, lizards, centipedes, worms, trains.
    ///
    /// Each joint follows the way that the one before it took. Move the character, or the node in
    /// [member leader], and the body comes along. The shape depends on the way of the head alone,
    /// not on the frame rate and not on how fast the head went.
    ///
    /// The bones begin at the head: [member root_bone] is the head's, and the chain leads to the end
    /// of the tail. Where the head jumps far in one frame, or the character is turned round with
    /// `scale.x = -1`, the body begins again with the pose as it is. Call [method reset] after a
    /// shorter jump.
    ///
    /// Each bone stays within its [TendonJointLimit2D]. Add it below a [TendonRig2D].
    ///
    /// This script lets a snake follow the mouse:
    ///
    /// ```gdscript
    /// extends Node2D
    ///
    /// @onready var leader: Marker2D = $Leader
    ///
    ///
    /// func _process(delta: float) -> void:
    ///     var mouse: Vector2 = get_global_mouse_position()
    ///     leader.global_position = leader.global_position.move_toward(mouse, 200.0 * delta)
    /// ```
    ///
    /// Tutorial: the chapter *Trails* of the manual, `addons/tendon/manual/trails.html`.
    TendonTrail2D line {
        /// The node that the head is moved to, by the `position` of [member root_bone]. It must not
        /// be below a bone of the chain. If it is empty, the default, the head stays where animations and
        /// scripts put it, and the body follows it when the character moves.
        #[export]
        leader: Link<Node2D>,
    } {
        /// The largest angle between two bones, in radians, beside the one that they have in the
        /// pose. The default is 45 degrees. Lower values make a body that turns in wide bends, as
        /// that of a lizard.
        #[export(range = (0.0, 180.0, 0.1, radians_as_degrees))]
        #[init(val = TrailSettings::default().max_bend)]
        max_bend: f32,
        /// How much of a bend returns to the pose while the body moves on by the length of a bone:
        /// from `0.0`, the default, nothing, to `1.0`, all of it. A body that stands still keeps
        /// its shape.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_stiffness)]
        stiffness: f32,
        /// The number of resets, wrapped around.
        resets: u32,
    } impl {
        #[func]
        fn set_stiffness(&mut self, stiffness: f32) {
            self.stiffness = clamp01(stiffness);
        }

        /// Begins again with the pose as it is. Call it after a cut, or a teleport over a short
        /// distance. [method TendonRig2D.reset] does this for all modifiers of a rig.
        #[func]
        fn reset(&mut self) {
            self.resets = self.resets.wrapping_add(1);
        }
    }
}

impl ModifierClass for TendonTrail2D {
    type Nodes = LineNodes;
    type Solver = Trail;

    fn references(&self) -> impl Hash {
        (self.line(), &self.leader)
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(LineNodes, Trail), Problem> {
        let mut chain = self.line().find(search.bones)?;
        let leader = ("leader", &self.leader);
        let leader = match Target::find(search.bones, leader, Some(chain.root)) {
            Ok(leader) => Some(leader),
            Err(Problem::Missing { .. }) => None,
            Err(problem) => return Err(problem),
        };
        chain.report(search);
        let solver = Trail::new(chain.for_solver());
        let nodes = LineNodes {
            guide: leader,
            ..chain.tip.into()
        };
        Ok((nodes, solver))
    }

    fn set(&self, into: &mut Trail) -> bool {
        let settings = TrailSettings!(self, InSolver::in_solver);
        set(&mut into.settings, settings)
    }
}

impl Gathered<Trail> for LineNodes {
    fn gather(&self, from: &Gather<'_>, into: &mut Trail) -> Result<bool, Stale> {
        let leader = self.guide.as_ref();
        let leader = leader.map(|leader| leader.locate(from)).transpose()?;
        let changes = set(&mut into.leader, leader.map(Place::point));
        Ok(set(&mut into.chain.end, self.tip.locate(from)?) | changes)
    }
}

impl EditedModifier for TendonTrail2D {}
