//! Paths as a plan and a pass use them: each is a `Path2D` that a chain lies along.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::{Curve2D, Path2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::{Curve, CurvePoint};

use crate::engine::link::Link;
use crate::engine::listener::TendonListener;
use crate::engine::live::Live;
use crate::engine::space::to_solver;
use crate::plan::bones::Bones;
use crate::plan::input_node::InputNode;
use crate::warnings::problem::Problem;

/// The path of a planned modifier.
pub(crate) struct PlannedPath {
    pub(crate) node: Live<Path2D>,
    /// The node as an input of the modifier.
    pub(crate) input: InputNode,
    /// The node's curve when the plan was made. Nobody can free it: resources are
    /// reference-counted.
    pub(crate) curve: Option<Gd<Curve2D>>,
    /// Whether the curve has to be read.
    pub(crate) has_changed: Rc<Cell<bool>>,
    /// Whether the curve had a length when the plan was made.
    pub(crate) has_length: bool,
    /// Receives changes of the curve.
    _listener: Option<Gd<TendonListener>>,
}

impl PlannedPath {
    /// The path that a property is set to, if the bones below `root` can lie along it.
    pub(super) fn find(
        bones: &mut Bones,
        link: &Link<Path2D>,
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        let node = link.get().ok_or(Problem::NoPath)?;
        let path = node.get_name().to_string();
        if !node.is_inside_tree() {
            Err(Problem::PathOutside { path })
        } else if bones.is_carried(&node.clone().upcast(), root) {
            Err(Problem::PathOnChain { path })
        } else {
            Ok(Self::new(node, &bones.skeleton))
        }
    }

    fn new(node: Gd<Path2D>, skeleton: &Gd<Skeleton2D>) -> Self {
        let curve = node.get_curve();
        let has_changed = Rc::new(Cell::new(true));
        let listener = curve.as_ref().map(|curve| {
            let has_changed = Rc::clone(&has_changed);
            let listener = TendonListener::new(move || has_changed.set(true));
            TendonListener::listen(&listener, curve, "changed");
            listener
        });
        let mut path = Self {
            input: InputNode::new(node.clone().upcast(), skeleton),
            node: Live::new(node),
            curve,
            has_changed,
            has_length: false,
            _listener: listener,
        };
        let mut curve = Curve::default();
        path.read_curve(&mut curve);
        path.has_length = curve.length() != 0.0;
        path
    }

    /// What is wrong with the curve, although the modifier is solved: it may change at any time.
    pub(super) fn flaw(&self) -> Option<Problem> {
        let path = self.node.gd().get_name().to_string();
        (!self.has_length).then_some(Problem::ShortCurve { path })
    }

    /// Reads the curve into `curve`. Returns whether that changes it.
    pub(crate) fn read_curve(&self, curve: &mut Curve) -> bool {
        let Some(node) = &self.curve else {
            return curve.replace(std::iter::empty(), 0.0);
        };
        let points = (0..node.get_point_count()).map(|index| CurvePoint {
            position: to_solver(node.get_point_position(index)),
            incoming: to_solver(node.get_point_in(index)),
            outgoing: to_solver(node.get_point_out(index)),
        });
        curve.replace(points, node.get_bake_interval())
    }
}
