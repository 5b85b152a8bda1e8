//! Obstacles as a plan and a pass use them: each is a `CollisionShape2D` that bones stay out of.

use godot::classes::{
    CapsuleShape2D, CircleShape2D, CollisionShape2D, RectangleShape2D, SegmentShape2D, Shape2D,
};
use godot::prelude::*;
use tendon_solver::Shape;

use crate::engine::live::Live;
use crate::engine::space::to_solver;
use crate::plan::bones::Bones;
use crate::plan::input_node::is_on_other_canvas;
use crate::plan::references::References;
use crate::warnings::problem::Problem;

/// An obstacle of the plan.
pub(crate) struct PlannedObstacle {
    pub(crate) node: Live<CollisionShape2D>,
    /// The node's shape when the plan was made.
    pub(crate) shape: Option<Gd<Shape2D>>,
    /// That shape, if it is of a kind that the solver knows.
    pub(crate) outline: Option<Outline>,
    /// Whether the chain itself carries it. Then it is ignored.
    pub(crate) on_chain: bool,
    /// Whether it is drawn on another canvas than the skeleton, in the same viewport.
    pub(crate) is_on_other_canvas: bool,
    pub(super) problem: Option<Problem>,
}

impl PlannedObstacle {
    /// Plans the obstacles of a modifier whose uppermost bone is `root`.
    pub(super) fn plan_all(
        bones: &mut Bones,
        references: &References<'_>,
        root: Option<usize>,
    ) -> Vec<Self> {
        let nodes = references.obstacles.into_iter();
        let nodes = nodes.flat_map(|links| links.iter());
        nodes.map(|node| Self::new(bones, node, root)).collect()
    }

    fn new(bones: &mut Bones, node: Gd<CollisionShape2D>, root: Option<usize>) -> Self {
        let obstacle = node.get_name().to_string();
        let shape = node.get_shape();
        let outline = shape.as_ref().and_then(Outline::of);
        let node_2d = node.clone().upcast();
        let on_chain = bones.is_carried(&node_2d, root);
        let problem = match &shape {
            _ if on_chain => Some(Problem::ObstacleOnChain { obstacle }),
            Some(shape) if outline.is_none() => Some(Problem::ObstacleShape {
                obstacle,
                class: shape.get_class().to_string(),
            }),
            _ => None,
        };
        Self {
            node: Live::new(node),
            shape,
            outline,
            on_chain,
            is_on_other_canvas: is_on_other_canvas(&node_2d, &bones.skeleton),
            problem,
        }
    }
}

/// A shape of a kind that the solver knows. Nobody can free it: resources are reference-counted.
pub(crate) enum Outline {
    Circle(Gd<CircleShape2D>),
    Capsule(Gd<CapsuleShape2D>),
    Rectangle(Gd<RectangleShape2D>),
    Segment(Gd<SegmentShape2D>),
}

impl Outline {
    fn of(shape: &Gd<Shape2D>) -> Option<Self> {
        let shape = match shape.clone().try_cast() {
            Ok(circle) => return Some(Self::Circle(circle)),
            Err(shape) => shape,
        };
        let shape = match shape.try_cast() {
            Ok(capsule) => return Some(Self::Capsule(capsule)),
            Err(shape) => shape,
        };
        let shape = match shape.try_cast() {
            Ok(rectangle) => return Some(Self::Rectangle(rectangle)),
            Err(shape) => shape,
        };
        shape.try_cast().ok().map(Self::Segment)
    }

    /// The shape's measures as they are now.
    pub(crate) fn read(&self) -> Shape {
        match self {
            Self::Circle(circle) => Shape::Circle {
                radius: circle.get_radius(),
            },
            Self::Capsule(capsule) => Shape::Capsule {
                radius: capsule.get_radius(),
                height: capsule.get_height(),
            },
            Self::Rectangle(rectangle) => Shape::Rectangle {
                size: to_solver(rectangle.get_size()),
            },
            Self::Segment(segment) => Shape::Segment {
                a: to_solver(segment.get_a()),
                b: to_solver(segment.get_b()),
            },
        }
    }
}
