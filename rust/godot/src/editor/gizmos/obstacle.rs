//! The outlines of the shapes that a chain stays out of.

use std::f32::consts::PI;

use godot::prelude::*;
use tendon_solver::Shape;

use crate::editor::gizmos::limb::Outline;
use crate::editor::gizmos::palette::{Palette, faded, solid};
use crate::editor::gizmos::sketch::{Layer, Sketch};
use crate::editor::gizmos::view::View;
use crate::engine::space::{to_godot, to_transform};

/// Draws an obstacle; more strongly if a bone is inside.
pub(crate) fn draw(
    outline: &Outline,
    view: &View,
    palette: &Palette,
    is_entered: bool,
    sketch: &mut Sketch,
) {
    let points = outline_of(outline, view);
    let colour = if is_entered {
        palette.invalid
    } else {
        palette.bound
    };
    if points.len() > 2 {
        sketch.area(points.clone(), faded(colour, 0.12));
    }
    let stroke = solid(faded(colour, 0.9), 2.0 * view.scale);
    sketch.line(Layer::Ring, points, stroke);
}

/// The outline as screen points, closed unless it is a mere line.
fn outline_of(outline: &Outline, view: &View) -> Vec<Vector2> {
    let view = view.within(to_transform(outline.frame));
    match outline.shape {
        Shape::Circle { radius } => view.circle(radius),
        Shape::Capsule { radius, height } => {
            let half = (height / 2.0 - radius).max(0.0);
            let cap = |y: f32, from: f32| {
                let mut moved = Transform2D::IDENTITY;
                moved.origin = Vector2::new(0.0, y);
                view.within(moved).arc(radius, from, from + PI)
            };
            let mut points = cap(half, 0.0);
            points.extend(cap(-half, PI));
            points.extend(points.first().copied());
            points
        }
        Shape::Rectangle { size } => {
            let (x, y) = (size.x / 2.0, size.y / 2.0);
            let corners = [(x, y), (-x, y), (-x, -y), (x, -y), (x, y)];
            let corners = corners.map(|(x, y)| view.to_screen * Vector2::new(x, y));
            corners.to_vec()
        }
        Shape::Segment { a, b } => [a, b].map(|end| view.to_screen * to_godot(end)).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tendon_solver::glam::{Affine2, Vec2};

    /// The outline of `shape` in a frame that mirrors and stretches it.
    fn seen(shape: Shape) -> Vec<Vector2> {
        let frame =
            Affine2::from_scale_angle_translation(Vec2::new(-2.0, 1.0), 0.0, Vec2::new(100.0, 0.0));
        let view = View {
            to_screen: Transform2D::IDENTITY,
            scale: 1.0,
        };
        outline_of(&Outline { shape, frame }, &view)
    }

    /// The sides of the box around `points`: left, right, top, bottom.
    fn bounds(points: &[Vector2]) -> [f32; 4] {
        let mut bounds = [f32::INFINITY, -f32::INFINITY, f32::INFINITY, -f32::INFINITY];
        for point in points {
            bounds[0] = bounds[0].min(point.x);
            bounds[1] = bounds[1].max(point.x);
            bounds[2] = bounds[2].min(point.y);
            bounds[3] = bounds[3].max(point.y);
        }
        bounds
    }

    #[test]
    fn outlines_are_as_large_as_the_shapes() {
        let size = Vec2::new(30.0, 50.0);
        for (shape, expected) in [
            (Shape::Circle { radius: 10.0 }, [80.0, 120.0, -10.0, 10.0]),
            (
                Shape::Capsule {
                    radius: 10.0,
                    height: 60.0,
                },
                [80.0, 120.0, -30.0, 30.0],
            ),
            (Shape::Rectangle { size }, [70.0, 130.0, -25.0, 25.0]),
        ] {
            let points = seen(shape);
            let off = bounds(&points).into_iter().zip(expected);
            let off = off.map(|(side, expected)| (side - expected).abs());
            assert!(off.fold(0.0, f32::max) < 0.2, "{shape:?}: {points:?}");
            let ends = [points[0], points[points.len() - 1]];
            assert!(ends[0].distance_to(ends[1]) < 1e-3, "{shape:?}");
        }
    }

    #[test]
    fn a_wall_is_a_line() {
        let wall = Shape::Segment {
            a: Vec2::ZERO,
            b: Vec2::X,
        };
        assert_eq!(
            seen(wall),
            [Vector2::new(100.0, 0.0), Vector2::new(98.0, 0.0)]
        );
    }
}
