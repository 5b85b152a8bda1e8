//! Obstacles: each is a `CollisionShape2D` that bones stay out of.

use godot::classes::{
    CapsuleShape2D, CircleShape2D, CollisionShape2D, RectangleShape2D, SegmentShape2D, Shape2D,
};
use godot::prelude::*;
use tendon_solver::{Obstacle, Shape};

use crate::engine::link::Links;
use crate::engine::of_node::OfNode;
use crate::engine::space::to_solver;
use crate::plan::change::set_list;
use crate::plan::locate::{Gather, Input, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

/// The obstacles of a modifier.
#[derive(Default)]
pub(crate) struct Obstacles {
    /// The property, whose array scripts may change in place.
    links: Links<CollisionShape2D>,
    /// [`Links::hash`] when the plan was made.
    hash: u64,
    obstacles: Vec<PlannedObstacle>,
    /// The first bone of the modifier. What it carries is ignored.
    root: Option<usize>,
}

struct PlannedObstacle {
    node: Gd<CollisionShape2D>,
    input: Input,
    held: OfNode<HeldShape>,
    /// `true` if the chain itself carries it. Then it is ignored.
    on_chain: bool,
}

struct HeldShape {
    /// The node's shape when the plan was made.
    shape: Option<Gd<Shape2D>>,
    /// That shape, if it is of a kind that the solver knows.
    outline: Option<KnownShape>,
}

impl Obstacles {
    /// The obstacles of a modifier whose uppermost bone is `root`.
    pub(crate) fn find(
        search: &mut Search<'_>,
        links: &Links<CollisionShape2D>,
        root: Option<usize>,
    ) -> Self {
        let nodes = links.ids().into_iter();
        // A node outside the tree is no obstacle until it enters, which makes the plan stale.
        let nodes = nodes.filter_map(|id| search.bones.find_in_tree::<CollisionShape2D>(id));
        let nodes: Vec<_> = nodes.collect();
        let obstacles = nodes.into_iter();
        let obstacles = obstacles.map(|node| PlannedObstacle::new(search, node, root));
        Self {
            links: links.clone(),
            hash: links.hash(),
            obstacles: obstacles.collect(),
            root,
        }
    }

    /// Reads the obstacles into `into`. Returns whether that changes them.
    pub(crate) fn gather(
        &self,
        from: &Gather<'_>,
        into: &mut Vec<Obstacle>,
    ) -> Result<bool, Stale> {
        if self.links.hash() != self.hash {
            return Err(Stale);
        }
        let obstacles = self.obstacles.iter();
        set_list(into, obstacles.map(|it| it.read(from, self.root)))
    }

    pub(crate) fn node_references(&self) -> impl Iterator<Item = NodeReference<'_>> {
        let obstacles = self.obstacles.iter();
        obstacles.map(|obstacle| NodeReference::Node(obstacle.input.node.id()))
    }
}

impl PlannedObstacle {
    fn new(search: &mut Search<'_>, node: Gd<CollisionShape2D>, root: Option<usize>) -> Self {
        let obstacle = node.get_name().to_string();
        let shape = node.get_shape();
        let outline = shape.as_ref().and_then(KnownShape::of);
        let (input, on_chain) = search.bones.input(node.clone().upcast(), root);
        search.flaws.extend(match &shape {
            _ if on_chain => Some(Problem::ObstacleOnChain { obstacle }),
            Some(shape) if outline.is_none() => Some(Problem::ObstacleShape {
                obstacle,
                class: shape.get_class().to_string(),
            }),
            _ => None,
        });
        let held = OfNode::new(&input.node, HeldShape { shape, outline });
        Self {
            node,
            input,
            held,
            on_chain,
        }
    }

    /// The obstacle, if it counts at present.
    fn read(&self, from: &Gather<'_>, root: Option<usize>) -> Result<Option<Obstacle>, Stale> {
        let is_inside_tree = self.input.is_inside_tree()?;
        let held = self.held.get().ok_or(Stale)?;
        if self.node.get_shape() != held.shape {
            return Err(Stale);
        }
        let Some(outline) = &held.outline else {
            return Ok(None);
        };
        if self.node.is_disabled() || !is_inside_tree {
            return Ok(None);
        }
        let place = from.place(&self.input)?;
        let on_chain = from.is_carried(place.bone, root);
        if on_chain != self.on_chain {
            return Err(Stale);
        }
        Ok((!on_chain).then(|| Obstacle {
            shape: outline.read(),
            frame: place.frame,
            bone: place.bone,
        }))
    }
}

/// A shape of a kind that the solver knows.
pub(crate) enum KnownShape {
    Circle(Gd<CircleShape2D>),
    Capsule(Gd<CapsuleShape2D>),
    Rectangle(Gd<RectangleShape2D>),
    Segment(Gd<SegmentShape2D>),
}

impl KnownShape {
    pub(crate) fn of(shape: &Gd<Shape2D>) -> Option<Self> {
        let circle = shape.clone().try_cast().map(Self::Circle);
        circle
            .or_else(|shape| shape.try_cast().map(Self::Capsule))
            .or_else(|shape| shape.try_cast().map(Self::Rectangle))
            .or_else(|shape| shape.try_cast().map(Self::Segment))
            .ok()
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
