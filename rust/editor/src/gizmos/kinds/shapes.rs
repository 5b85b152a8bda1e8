//! The shapes that a chain stays out of, and the limbs of a ragdoll as it is simulated, with its centre of mass.

use godot::prelude::*;
use tendon_nodes::engine::space::to_transform;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{LimbOutline, Shape};

use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::Layer;
use crate::gizmos::view::View;

/// The radius of the mark of the centre of mass, in pixels of the editor's design.
const CENTRE: f32 = 5.0;

/// A shape, and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) struct PlacedShape {
    pub(super) shape: Shape,
    /// From the shape's own frame to skeleton space.
    pub(in crate::gizmos) frame: Affine2,
}

/// Draws an obstacle; more strongly if a bone is inside.
pub(in crate::gizmos) fn draw_obstacle(
    obstacle: &PlacedShape,
    is_entered: bool,
    pen: &mut Pen<'_>,
) {
    let colour = match is_entered {
        true => pen.palette.invalid,
        false => pen.palette.bound,
    };
    draw(obstacle, colour, pen);
}

/// Draws the limbs of a ragdoll.
pub(in crate::gizmos) fn draw_body(limbs: &[LimbOutline], pen: &mut Pen<'_>) {
    let colour = pen.palette.bound;
    for limb in limbs {
        draw(&capsule(limb), colour, pen);
    }
    let (centre, radius) = (pen.view.at(centre_of_mass(limbs)), pen.pixels(CENTRE));
    let stroke = pen.solid(colour, 1.5);
    pen.sketch.ring(Layer::Point, centre, radius, stroke);
    for across in [Vector2::RIGHT, Vector2::DOWN] {
        let ends = [-1.0, 1.0].map(|sign| centre + sign * radius * across);
        pen.sketch.line(Layer::Point, ends.to_vec(), stroke);
    }
}

fn draw(placed: &PlacedShape, colour: Color, pen: &mut Pen<'_>) {
    let points = outline_of(placed, &pen.view);
    if points.len() > 2 {
        pen.sketch.area(points.clone(), colour.with_alpha(0.12));
    }
    let stroke = pen.solid(colour.with_alpha(0.9), 2.0);
    pen.sketch.line(Layer::Ring, points, stroke);
}

fn capsule(limb: &LimbOutline) -> PlacedShape {
    let along = (limb.to - limb.from).normalize_or(Vec2::Y);
    let radius = limb.radius;
    PlacedShape {
        shape: Shape::Capsule {
            radius,
            height: limb.length() + 2.0 * radius,
        },
        frame: Affine2::from_angle_translation(
            Vec2::Y.angle_to(along),
            0.5 * (limb.from + limb.to),
        ),
    }
}

fn centre_of_mass(limbs: &[LimbOutline]) -> Vec2 {
    let mass: f32 = limbs.iter().map(|limb| limb.mass).sum();
    let limbs = limbs.iter();
    let weighed = limbs.map(|limb| limb.mass * 0.5 * (limb.from + limb.to));
    weighed.sum::<Vec2>() / mass.max(f32::MIN_POSITIVE)
}

/// The outline as screen points, closed unless it is only a line.
fn outline_of(placed: &PlacedShape, view: &View) -> Vec<Vector2> {
    let view = view.within(to_transform(placed.frame));
    let radius = match placed.shape {
        Shape::Circle { radius } | Shape::Capsule { radius, .. } => radius,
        Shape::Rectangle { .. } | Shape::Segment { .. } => 0.0,
    };
    let corners = placed.shape.outline(view.sides_of_circle(radius));
    let mut points: Vec<_> = corners.into_iter().map(|corner| view.at(corner)).collect();
    if points.len() > 2 {
        points.push(points[0]);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outline of `shape` in a frame that mirrors and stretches it.
    fn seen(shape: Shape) -> Vec<Vector2> {
        let frame =
            Affine2::from_scale_angle_translation(Vec2::new(-2.0, 1.0), 0.0, Vec2::new(100.0, 0.0));
        let view = View {
            to_screen: Transform2D::IDENTITY,
            scale: 1.0,
        };
        outline_of(&PlacedShape { shape, frame }, &view)
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

    /// Limbs of 40 to the right and of 20 down, of different weights.
    const LIMBS: [LimbOutline; 2] = [
        LimbOutline {
            from: Vec2::ZERO,
            to: Vec2::new(40.0, 0.0),
            radius: 5.0,
            mass: 3.0,
        },
        LimbOutline {
            from: Vec2::new(40.0, 0.0),
            to: Vec2::new(40.0, 20.0),
            radius: 3.0,
            mass: 1.0,
        },
    ];

    #[test]
    fn limbs_are_as_wide_as_their_radius_on_all_sides() {
        let view = View {
            to_screen: Transform2D::IDENTITY,
            scale: 1.0,
        };
        let expected = [[-5.0, 45.0, -5.0, 5.0], [37.0, 43.0, -3.0, 23.0]];
        for (limb, expected) in LIMBS.iter().zip(expected) {
            let seen = bounds(&outline_of(&capsule(limb), &view));
            let off = seen.into_iter().zip(expected).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f32::max) < 0.2, "{seen:?}");
        }
    }

    #[test]
    fn the_centre_of_mass_is_nearer_to_the_heavier_limb() {
        assert_eq!(centre_of_mass(&LIMBS), Vec2::new(25.0, 2.5));
    }
}
