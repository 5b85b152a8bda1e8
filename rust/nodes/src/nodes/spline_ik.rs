//! `TendonSplineIK2D`.

mod path;

use std::hash::Hash;

use godot::classes::Path2D;
use godot::register::property::PhantomVar;
use tendon_solver::{Path, Spline, SplineSettings};

use self::path::PlannedPath;
use crate::engine::link::Link;
use crate::engine::space::InSolver;
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::chain::ChainProperties;
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::search::Search;
use crate::plan::tip::BoneTip;
use crate::warnings::problem::Problem;

modifier_node! {
    /// Lays a chain of bones along a [Path2D].
    ///
    /// Use it for snakes, ropes, tank tracks, spines, and tails that are drawn by hand. Each
    /// joint is on the path, and each bone keeps its length. Where the path bends more sharply than
    /// a bone is long, the bone cuts across the bend. Animate [member progress] to move the chain
    /// along the path, or the points of the path to move the chain with it.
    ///
    /// If the root bone is not on the path, the first bones lead straight to the place of [member
    /// progress]. Past the end of the path, the chain goes straight on. A path whose last point is
    /// its first is closed, and the chain goes round it.
    ///
    /// The path can be anywhere in the scene, but not below a bone of the chain. It can be below
    /// another bone. Mirrored, scaled and skewed parents of the path and of the skeleton need no
    /// special setup. The curve may change at any time.
    ///
    /// The status is reached while the end of the chain is on the path, with all joints but those
    /// that lead to it. It is out of reach while the chain goes past the end of the path, is too
    /// short to come to the path, or is kept off it by a [TendonJointLimit2D].
    /// [method get_target_distance] says how far the chain is off its path.
    ///
    /// Add it below a [TendonRig2D]. This script makes a snake go along its path:
    ///
    /// ```gdscript
    /// extends Node2D
    ///
    /// @onready var snake: TendonSplineIK2D = $Skeleton2D/TendonRig2D/HeadSplineIK
    ///
    ///
    /// func _ready() -> void:
    ///     snake.move_root = true
    ///
    ///
    /// func _process(delta: float) -> void:
    ///     snake.progress += 120.0 * delta
    /// ```
    ///
    /// Tutorial: the chapter *Splines* of the manual, `addons/tendon/manual/splines.html`.
    TendonSplineIK2D line {
        /// The path that the chain lies along. Its curve needs at least two points. Without a path
        /// the modifier is idle.
        #[export]
        path_2d: Link<Path2D>,
    } {
        /// Where the chain begins on the path, as [member PathFollow2D.progress] counts it: in the
        /// units of the path, from its first point on. A [PathFollow2D] with the same progress is
        /// at the same place.
        ///
        /// With the default, `0.0`, it begins at the first point. Below `0.0`, and beyond the
        /// length of the path, the chain begins on the straight line that continues the path. On a
        /// closed path it goes round.
        #[export(range = (0.0, 10000.0, 0.01, or_less, or_greater, suffix = "px"))]
        progress: f32,
        /// The same as [member progress], as a part of the length of the path: `0.0` is the first
        /// point and `1.0` the last. Use it if you do not know the length of the path. It is not
        /// saved with the scene. Without a path it has no effect.
        #[export(range = (0.0, 1.0, 0.0001, or_less, or_greater))]
        #[var(get = get_progress_ratio, set = set_progress_ratio, usage_flags = [EDITOR])]
        progress_ratio: PhantomVar<f32>,
        /// If `true`, the root bone is moved to the place of [member progress] by its `position`.
        /// The chain then moves along the path like a train. If `false`, the default, the root
        /// stays where it is, and only the rest of the chain lies along the path.
        #[export]
        move_root: bool,
        /// The greatest factor by which the chain is lengthened to reach the end of the path. On a
        /// closed path it is lengthened until it goes round once. Bones are moved apart by their
        /// `position`; they are not scaled. The last bone can only be lengthened if it ends at a
        /// child bone: the one in [member tip], or its first child bone. The default, `1.0`, turns
        /// it off.
        #[export_group(name = "Constraints")]
        #[export(range = (1.0, 4.0, 0.001, or_greater))]
        #[init(val = 1.0)]
        stretch: f32,
    } impl {
        #[func]
        fn get_progress_ratio(&self) -> f32 {
            let length = self.path_length();
            if length > 0.0 { self.progress / length } else { 0.0 }
        }

        #[func]
        fn set_progress_ratio(&mut self, ratio: f32) {
            let length = self.path_length();
            // Without a path there is nothing to take a part of.
            if length > 0.0 {
                self.progress = ratio * length;
            }
        }
    }
}

/// The nodes of a chain along a path, as a plan knows them.
pub(crate) struct SplineNodes {
    tip: BoneTip,
    path: PlannedPath,
}

impl TendonSplineIK2D {
    /// The baked length of the path; 0 without one.
    fn path_length(&self) -> f32 {
        let curve = self.path_2d.get().and_then(|path| path.get_curve());
        curve.map_or(0.0, |curve| curve.get_baked_length())
    }

    fn chain(&self) -> ChainProperties<'_> {
        ChainProperties {
            moves_tip_bone: self.stretch > 1.0,
            ..self.line()
        }
    }
}

impl ModifierClass for TendonSplineIK2D {
    type Nodes = SplineNodes;
    type Solver = Spline;

    fn references(&self) -> impl Hash {
        (self.chain(), &self.path_2d)
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(SplineNodes, Spline), Problem> {
        let mut chain = self.chain().find(search.bones)?;
        let path = PlannedPath::find(search.bones, &self.path_2d, chain.root)?;
        chain.report(search);
        search.flaws.extend(path.flaw());
        let solver = Spline::new(chain.for_solver(), Path::default());
        let tip = chain.tip;
        Ok((SplineNodes { tip, path }, solver))
    }

    fn set(&self, into: &mut Spline) -> bool {
        let settings = SplineSettings!(self, InSolver::in_solver);
        set(&mut into.settings, settings) | set(&mut into.stretch, self.stretch)
    }
}

impl Gathered<Spline> for SplineNodes {
    fn gather(&self, from: &Gather<'_>, into: &mut Spline) -> Result<bool, Stale> {
        let changes = set(&mut into.chain.end, self.tip.locate(from)?);
        Ok(self.path.gather(from, &mut into.path)? | changes)
    }
}

impl PlannedNodes for SplineNodes {
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        vec![
            NodeReference::Tip(&self.tip),
            NodeReference::Path(&self.path.input),
        ]
    }
}

impl EditedModifier for TendonSplineIK2D {}
