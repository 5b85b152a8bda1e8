//! The outlines of the shapes that a chain stays out of.

use godot::prelude::*;
use tendon_nodes::engine::space::to_transform;
use tendon_solver::Shape;

use crate::gizmos::kinds::geometry::Outline;
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::Layer;
use crate::gizmos::view::View;

/// Draws an obstacle; more strongly if a bone is inside.
pub(in crate::gizmos) fn draw(outline: &Outline, is_entered: bool, pen: &mut Pen<'_>) {
    let points = outline_of(outline, &pen.view);
    let colour = if is_entered {
        pen.palette.invalid
    } else {
        pen.palette.bound
    };
    if points.len() > 2 {
        pen.sketch.area(points.clone(), colour.with_alpha(0.12));
    }
    let stroke = pen.solid(colour.with_alpha(0.9), 2.0);
    pen.sketch.line(Layer::Ring, points, stroke);
}

/// The outline as screen points, closed unless it is only a line.
fn outline_of(outline: &Outline, view: &View) -> Vec<Vector2> {
    let view = view.within(to_transform(outline.frame));
    let radius = match outline.shape {
        Shape::Circle { radius } | Shape::Capsule { radius, .. } => radius,
        Shape::Rectangle { .. } | Shape::Segment { .. } => 0.0,
    };
    let corners = outline.shape.outline(view.sides_of_circle(radius));
    let mut points: Vec<_> = corners.into_iter().map(|corner| view.at(corner)).collect();
    if points.len() > 2 {
        points.push(points[0]);
    }
    points
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
