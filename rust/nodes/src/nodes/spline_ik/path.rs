//! The path that a chain lies along: a `Path2D`.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::{Curve2D, Path2D};
use godot::prelude::*;
use tendon_solver::{Curve, CurvePoint, Path};

use crate::engine::link::Link;
use crate::engine::listener::TendonListener;
use crate::engine::of_node::OfNode;
use crate::engine::space::to_solver;
use crate::plan::bones::Bones;
use crate::plan::change::set;
use crate::plan::locate::{Gather, Input, Stale};
use crate::warnings::problem::Problem;

/// The path of a planned modifier.
pub(super) struct PlannedPath {
    node: Gd<Path2D>,
    /// The node as an input of the modifier.
    pub(super) input: Input,
    held: OfNode<HeldCurve>,
    /// Set if the curve has to be read.
    has_changed: Rc<Cell<bool>>,
    /// `true` if the curve had a length when the plan was made.
    has_length: bool,
}

struct HeldCurve {
    /// The node's curve when the plan was made.
    curve: Option<Gd<Curve2D>>,
    /// Receives changes of the curve.
    _listener: Option<Gd<TendonListener>>,
}

impl PlannedPath {
    /// The path that a property is set to, if the bones below `root` can lie along it.
    pub(super) fn find(
        bones: &mut Bones,
        link: &Link<Path2D>,
        root: usize,
    ) -> Result<Self, Problem> {
        let (node, input) = bones.find_input(("path_2d", link), Some(root))?;
        Ok(Self::new(node, input))
    }

    fn new(node: Gd<Path2D>, input: Input) -> Self {
        let curve = node.get_curve();
        let has_changed = Rc::new(Cell::new(true));
        let listener = curve.as_ref().map(|curve| {
            let has_changed = Rc::clone(&has_changed);
            let listener = TendonListener::new(move || has_changed.set(true));
            TendonListener::listen(&listener, curve, "changed");
            listener
        });
        let mut read = Curve::default();
        read_curve(curve.as_ref(), &mut read);
        let held = HeldCurve {
            curve,
            _listener: listener,
        };
        Self {
            node,
            held: OfNode::new(&input.node, held),
            input,
            has_changed,
            has_length: read.length() != 0.0,
        }
    }

    /// The problem with the curve, if there is one. The modifier is solved all the same: the curve may change at any
    /// time.
    pub(super) fn flaw(&self) -> Option<Problem> {
        let path = self.node.get_name().to_string();
        (!self.has_length).then_some(Problem::ShortCurve { path })
    }

    /// Reads the path into `into`. Returns whether that changes it.
    pub(super) fn gather(&self, from: &Gather<'_>, into: &mut Path) -> Result<bool, Stale> {
        let held = self.held.get().ok_or(Stale)?;
        if !self.input.is_inside_tree()? || self.node.get_curve() != held.curve {
            return Err(Stale);
        }
        let place = from.locate(&self.input)?;
        let mut changes = set(&mut into.frame, place.frame);
        changes |= set(&mut into.bone, place.bone);
        if self.has_changed.replace(false) {
            changes |= read_curve(held.curve.as_ref(), &mut into.curve);
            // What is wrong with the curve may be another thing now.
            if self.has_length != (into.curve.length() != 0.0) {
                self.has_changed.set(true);
                return Err(Stale);
            }
        }
        Ok(changes)
    }
}

/// Reads the curve `node` into `curve`. Returns whether that changes it.
fn read_curve(node: Option<&Gd<Curve2D>>, curve: &mut Curve) -> bool {
    let Some(node) = node else {
        return curve.replace(std::iter::empty(), 0.0);
    };
    let points = (0..node.get_point_count()).map(|index| CurvePoint {
        position: to_solver(node.get_point_position(index)),
        incoming: to_solver(node.get_point_in(index)),
        outgoing: to_solver(node.get_point_out(index)),
    });
    curve.replace(points, node.get_bake_interval())
}
