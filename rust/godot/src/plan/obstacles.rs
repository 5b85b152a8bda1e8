//! The shapes that chains stay out of: `CollisionShape2D` nodes and what a pass reads of them.

use godot::classes::{
    CapsuleShape2D, CircleShape2D, CollisionShape2D, RectangleShape2D, SegmentShape2D, Shape2D,
};
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{Obstacle, Shape};

use crate::engine::live::Live;
use crate::engine::space::{frame_of, to_solver};
use crate::pass::{Stale, put};
use crate::plan::carried::Carried;
use crate::plan::problem::Problem;
use crate::plan::wiring::Wiring;
use crate::plan::{Plan, Planner};

/// An obstacle of the plan.
pub(crate) struct Watched {
    node: Live<CollisionShape2D>,
    /// The node's shape when the plan was made.
    shape: Option<Gd<Shape2D>>,
    /// The same, if the solver knows its kind.
    outline: Option<Outline>,
    /// Whether the chain itself carries it. Then it is ignored.
    on_chain: bool,
    pub(crate) problem: Option<Problem>,
}

impl Watched {
    /// Which node it is.
    pub(crate) fn id(&self) -> InstanceId {
        self.node.id()
    }
}

/// A shape of a kind that the solver knows. Nobody can free it: resources are counted.
enum Outline {
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
    fn read(&self) -> Shape {
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

impl Planner {
    /// Plans the obstacles of a modifier whose uppermost bone is `root`.
    pub(crate) fn watch_all(&mut self, wiring: &Wiring<'_>, root: Option<usize>) -> Vec<Watched> {
        let nodes = wiring.obstacles.into_iter().flat_map(|links| links.iter());
        nodes.map(|node| self.watch(node, root)).collect()
    }

    fn watch(&mut self, node: Gd<CollisionShape2D>, root: Option<usize>) -> Watched {
        let obstacle = node.get_name().to_string();
        let shape = node.get_shape();
        let outline = shape.as_ref().and_then(Outline::of);
        let on_chain = self.is_carried(&node.clone().upcast(), root);
        let problem = match &shape {
            _ if on_chain => Some(Problem::ObstacleOnChain { obstacle }),
            Some(shape) if outline.is_none() => Some(Problem::ObstacleShape {
                obstacle,
                class: shape.get_class().to_string(),
            }),
            _ => None,
        };
        Watched {
            node: Live::new(node),
            shape,
            outline,
            on_chain,
            problem,
        }
    }
}

impl Plan {
    /// Reads the obstacles of the modifier in slot `index`. Returns whether that is news.
    pub(crate) fn gather_obstacles(
        &mut self,
        index: usize,
        from_global: Affine2,
    ) -> Result<bool, Stale> {
        let Ok(wired) = &self.slots[index].wired else {
            return Ok(false);
        };
        let modifier = wired.index;
        let mut news = false;
        let mut count = 0;
        for number in 0..self.slots[index].obstacles.len() {
            let watched = &self.slots[index].obstacles[number];
            if let Some(obstacle) = self.locate_obstacle(watched, modifier, from_global)? {
                news |= put(&mut self.rig.modifiers[modifier].obstacles, count, obstacle);
                count += 1;
            }
        }
        let obstacles = &mut self.rig.modifiers[modifier].obstacles;
        news |= obstacles.len() > count;
        obstacles.truncate(count);
        Ok(news)
    }

    /// An obstacle of the modifier `index` of the rig, if it counts at present.
    fn locate_obstacle(
        &self,
        watched: &Watched,
        index: usize,
        from_global: Affine2,
    ) -> Result<Option<Obstacle>, Stale> {
        let here = watched.node.alive().ok_or(Stale)?;
        let node = watched.node.gd();
        if node.get_shape() != watched.shape {
            return Err(Stale);
        }
        let Some(outline) = &watched.outline else {
            return Ok(None);
        };
        if node.is_disabled() || !here.is_inside_tree() {
            return Ok(None);
        }
        let carried = Carried::find(&node.clone().upcast(), self.skeleton.gd());
        let Some(frame) = carried.frame else {
            return match watched.on_chain {
                true => Err(Stale),
                false => Ok(Some(Obstacle {
                    shape: outline.read(),
                    frame: from_global * frame_of(here.global_transform()),
                    bone: None,
                })),
            };
        };
        let bone = carried.bone.map(|bone| bone.instance_id());
        let bone = bone.map(|bone| self.index_of(bone).ok_or(Stale));
        let bone = bone.transpose()?;
        let root = self.rig.modifiers[index].joints.first().copied();
        let on_chain = bone.is_some() && self.rig.carries(root, bone);
        if on_chain != watched.on_chain {
            return Err(Stale);
        }
        Ok((!on_chain).then(|| Obstacle {
            shape: outline.read(),
            frame: frame_of(frame),
            bone,
        }))
    }
}
