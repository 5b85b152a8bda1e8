//! Conversions between Godot's vectors and transforms and those of the solver, and between their spaces.

use godot::prelude::*;
use tendon_solver::Impulses;
use tendon_solver::glam::{Affine2, Vec2};

/// The value of a property, as the solver has it.
pub(crate) trait InSolver<T> {
    fn in_solver(&self) -> T;
}

macro_rules! same_in_solver {
    ($($type:ty),+) => {
        $(impl InSolver<$type> for $type {
            fn in_solver(&self) -> $type {
                *self
            }
        })+
    };
}

same_in_solver!(f32, bool, u32, Vec2, Impulses);

impl InSolver<u32> for i64 {
    fn in_solver(&self) -> u32 {
        (*self).clamp(0, u32::MAX.into()) as u32
    }
}

impl InSolver<Vec2> for Vector2 {
    fn in_solver(&self) -> Vec2 {
        to_solver(*self)
    }
}

/// A Godot vector for the solver.
pub fn to_solver(vector: Vector2) -> Vec2 {
    Vec2::new(vector.x, vector.y)
}

/// A solver vector for Godot.
pub fn to_godot(vector: Vec2) -> Vector2 {
    Vector2::new(vector.x, vector.y)
}

/// A Godot transform for the solver.
pub fn frame_of(transform: Transform2D) -> Affine2 {
    Affine2::from_cols(
        to_solver(transform.a),
        to_solver(transform.b),
        to_solver(transform.origin),
    )
}

/// The same for a frame in which others are placed. The engine takes a scale of 0 for a tiny one, by which
/// distances would be huge: here it is 0 again.
pub(crate) fn frame_of_space(transform: Transform2D) -> Affine2 {
    let frame = frame_of(transform);
    let [x, y] = [frame.matrix2.x_axis, frame.matrix2.y_axis].map(unless_tiny);
    Affine2::from_cols(x, y, frame.translation)
}

/// The scale of a node, where 0 is 0.
pub(crate) fn true_scale(scale: Vec2) -> Vec2 {
    let of_axis = |scale: f32| if scale.abs() <= NOTHING { 0.0 } else { scale };
    Vec2::new(of_axis(scale.x), of_axis(scale.y))
}

fn unless_tiny(axis: Vec2) -> Vec2 {
    match axis.length() <= NOTHING {
        true => Vec2::ZERO,
        false => axis,
    }
}

/// The greatest scale that counts as 0. The engine takes a scale of 0 for 1e-5; this is that with its rounding.
const NOTHING: f32 = 1.01e-5;

/// A solver frame for Godot.
pub fn to_transform(frame: Affine2) -> Transform2D {
    Transform2D::from_cols(
        to_godot(frame.matrix2.x_axis),
        to_godot(frame.matrix2.y_axis),
        to_godot(frame.translation),
    )
}

/// The global transform of the frame that `node` is placed in.
pub fn frame_above(node: &Gd<Node2D>) -> Transform2D {
    let parent = node.get_parent().filter(|_| !node.is_set_as_top_level());
    let parent = parent.and_then(|parent| parent.try_cast::<Node2D>().ok());
    parent.map_or(Transform2D::IDENTITY, |parent| {
        parent.get_global_transform()
    })
}
