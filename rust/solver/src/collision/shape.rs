//! Shapes that a chain stays out of.
//!
//! The shapes are those of Godot's `CollisionShape2D`, under any affine transform. Whether a
//! bone is inside a shape does not depend on the space, so shapes are transformed into the
//! chain's own space and met there, as convex ones ([`Shapes`]):
//!
//! | shape | transform keeps angles | any other transform |
//! |---|---|---|
//! | circle | a point and a radius | polygon of 32 sides around the ellipse |
//! | capsule | a line and a radius | polygon of 34 sides around it |
//! | rectangle | parallelogram | parallelogram |
//! | segment | a line | a line |
//!
//! The polygons are circumscribed, so what is outside them is outside the shape. They stand
//! off from it by at most 0.5 % of the round part's half width.

use std::f64::consts::TAU;

use glam::{Affine2, DAffine2, DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::collision::convex::Shapes;
use crate::math::matrix::is_conformal;
use crate::math::trigonometry::unit_vector;

/// Sides of the polygon around a circle that is not one any more.
const SIDES: usize = 32;

/// A shape about its own origin, with the meanings that Godot gives its members.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A disc.
    Circle {
        /// Its radius.
        #[serde(with = "crate::math::number")]
        radius: f32,
    },
    /// A rectangle with two half discs, along the Y axis.
    Capsule {
        /// The radius of the half discs.
        #[serde(with = "crate::math::number")]
        radius: f32,
        /// The whole length along Y, with both half discs.
        #[serde(with = "crate::math::number")]
        height: f32,
    },
    /// A filled rectangle.
    Rectangle {
        /// Its width and height.
        #[serde(with = "crate::math::number")]
        size: Vec2,
    },
    /// A wall without thickness.
    Segment {
        /// One end.
        #[serde(with = "crate::math::number")]
        a: Vec2,
        /// The other end.
        #[serde(with = "crate::math::number")]
        b: Vec2,
    },
}

impl Shape {
    /// The outline about the shape's own origin, as a polygon: with this many corners, an even
    /// number, where the shape is round. A segment is a line of two points.
    pub fn outline(&self, corners: usize) -> Vec<Vec2> {
        let mut outline = Vec::new();
        self.push_outline(corners, 1.0, &mut outline);
        outline.into_iter().map(|corner| corner.as_vec2()).collect()
    }

    /// Adds the corners of its outline, counter-clockwise from X to Y. What is round is wider by one by
    /// `inside`.
    fn push_outline(&self, corners: usize, inside: f64, outline: &mut Vec<DVec2>) {
        let (radius, straight) = match *self {
            Self::Circle { radius } => (round(radius), 0.0),
            Self::Capsule { radius, height } => capsule(radius, height),
            Self::Rectangle { size } => {
                let DVec2 { x, y } = 0.5 * size.as_dvec2().abs();
                let corners = [(x, y), (-x, y), (-x, -y), (x, -y)];
                outline.extend(corners.map(DVec2::from));
                return;
            }
            Self::Segment { a, b } => {
                outline.extend([a, b].map(|end| end.as_dvec2()));
                return;
            }
        };
        let corner = radius / inside;
        outline.extend((0..corners).map(|index| {
            let angle = (index as f64 + 0.5) * TAU / corners as f64;
            let shift = if index < corners / 2 {
                straight
            } else {
                -straight
            };
            corner * unit_vector(angle) + DVec2::new(0.0, shift)
        }));
    }
}

/// A shape and where it is, as a rig's data has them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// The shape.
    pub shape: Shape,
    /// The frame that it is in, seen from `bone`: X axis, Y axis, origin.
    #[serde(with = "crate::math::number")]
    pub frame: Affine2,
    /// The bone that carries it; `None` for one that is fixed in skeleton space. Not one that
    /// the joints carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bone: Option<usize>,
}

impl Shapes {
    /// Adds `shape`, transformed by `frame` into this space.
    pub(crate) fn push_shape(&mut self, shape: Shape, frame: Affine2) {
        let frame = frame.as_daffine2();
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        let radius = match (shape, similarity(&frame)) {
            (Shape::Circle { radius }, Some(scale)) => {
                corners.push(DVec2::ZERO);
                scale * round(radius)
            }
            (Shape::Capsule { radius, height }, Some(scale)) => {
                let (radius, straight) = capsule(radius, height);
                let end = DVec2::new(0.0, straight);
                corners.extend([end, -end]);
                scale * radius
            }
            _ => {
                let inside = unit_vector(0.5 * TAU / SIDES as f64).x;
                shape.push_outline(SIDES, inside, &mut corners);
                0.0
            }
        };
        if frame.matrix2.determinant() < 0.0 {
            corners.reverse();
        }
        let places = corners.iter().map(|&corner| frame.transform_point2(corner));
        self.push(places, radius);
        self.corners = corners;
    }
}

/// A radius that Godot would not refuse.
fn round(radius: f32) -> f64 {
    f64::from(radius).abs()
}

/// The radius of a capsule, and how far its ends are from its middle.
fn capsule(radius: f32, height: f32) -> (f64, f64) {
    let radius = round(radius);
    (radius, (0.5 * f64::from(height) - radius).max(0.0))
}

/// Returns the scale of `frame`, if it scales all directions alike.
fn similarity(frame: &DAffine2) -> Option<f64> {
    let (x, y) = (frame.matrix2.x_axis, frame.matrix2.y_axis);
    let square = x.length_squared().max(y.length_squared());
    is_conformal(frame.matrix2).then(|| square.sqrt())
}

#[cfg(test)]
mod tests {
    use glam::Mat2;

    use super::*;

    /// How far `point` is outside the polygon of the only shape.
    fn outside(shapes: &Shapes, point: DVec2) -> f64 {
        let heights = shapes.sides(0).iter().map(|side| side.height(point));
        heights.fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn polygons_are_drawn_closely_around_stretched_shapes() {
        let skewed = Mat2::from_cols(Vec2::new(2.0, 0.3), Vec2::new(0.4, -0.7));
        let frame = Affine2::from_mat2_translation(skewed, Vec2::new(30.0, -7.0));
        for (shape, straight) in [
            (Shape::Circle { radius: 10.0 }, 0.0),
            (
                Shape::Capsule {
                    radius: 10.0,
                    height: 50.0,
                },
                15.0,
            ),
        ] {
            let mut shapes = Shapes::default();
            shapes.push_shape(shape, frame);
            for step in 0..360 {
                let around = Vec2::from_angle((step as f32).to_radians());
                let shift = Vec2::Y * straight * around.y.signum();
                let at = |radius: f32| frame.transform_point2(radius * around + shift).as_dvec2();
                assert!(
                    outside(&shapes, at(9.999)) < 0.0,
                    "{shape:?} at {step} degrees"
                );
                assert!(
                    outside(&shapes, at(10.06)) > 0.0,
                    "{shape:?} at {step} degrees"
                );
            }
        }
    }

    #[test]
    fn mirrored_outlines_face_outwards_too() {
        for mirror in [1.0, -1.0] {
            let frame = Affine2::from_scale(Vec2::new(1.0, mirror));
            let mut shapes = Shapes::default();
            let size = Vec2::new(20.0, 10.0);
            shapes.push_shape(Shape::Rectangle { size }, frame);
            assert_eq!(outside(&shapes, DVec2::new(3.0, 1.0)), -4.0);
            assert_eq!(outside(&shapes, DVec2::new(12.0, -1.0)), 2.0);
        }
    }
}
