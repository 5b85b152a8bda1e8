//! Shapes that a chain stays out of.
//!
//! The shapes are those of Godot's `CollisionShape2D`, under any affine transform. Whether a
//! bone is inside a shape does not depend on the space, so shapes are transformed into the
//! chain's own space and met there, as a **core** (a convex polygon, which may be a line or a
//! point) with a radius around it:
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
//!
//! Source: cores with a radius are the *sphere-swept volumes* of C. Ericson, *Real-Time
//! Collision Detection* (2005), section 4.5.

use std::f64::consts::TAU;
use std::ops::Range;

use glam::{Affine2, DAffine2, DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::matrix::is_conformal;
use crate::math::trigonometry::{unit_vector, unit_vector_f32};

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
        match *self {
            Self::Circle { radius } => round_outline(radius.abs(), 0.0, corners),
            Self::Capsule { radius, height } => {
                let radius = radius.abs();
                round_outline(radius, (0.5 * height - radius).max(0.0), corners)
            }
            Self::Rectangle { size } => {
                let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
                corners.map(|corner| 0.5 * size * Vec2::from(corner)).into()
            }
            Self::Segment { a, b } => vec![a, b],
        }
    }
}

/// Two half circles, each `straight` away from the middle along Y.
fn round_outline(radius: f32, straight: f32, corners: usize) -> Vec<Vec2> {
    let step = std::f32::consts::TAU / corners as f32;
    let angles = (0..corners).map(|corner| (corner as f32 + 0.5) * step);
    let points = angles.map(|angle| {
        let direction = unit_vector_f32(angle);
        radius * direction + Vec2::Y * straight.copysign(direction.y)
    });
    points.collect()
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

/// A shape in a solver's space.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    vertices: Range<usize>,
    /// How far the shape reaches around its core.
    pub(super) radius: f64,
    /// The centre of a disc that holds the shape.
    pub(super) centre: DVec2,
    /// The radius of that disc.
    pub(super) extent: f64,
}

/// The vertices of a core, counter-clockwise from X to Y.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline<'a> {
    pub(super) vertices: &'a [DVec2],
    /// For each vertex, the outward normal of the edge that begins there; zero for none.
    pub(super) normals: &'a [DVec2],
}

impl Core {
    /// Whether the shape is a wall without thickness, or a mere point.
    pub(crate) fn is_thin(&self) -> bool {
        self.radius == 0.0 && self.vertices.len() <= 2
    }
}

/// The shapes around one tree, in its space. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cores {
    vertices: Vec<DVec2>,
    /// For each vertex, the outward normal of the edge that begins there; zero for none.
    normals: Vec<DVec2>,
    cores: Vec<Core>,
}

impl Cores {
    /// Removes all shapes.
    pub(crate) fn clear(&mut self) {
        self.vertices.clear();
        self.normals.clear();
        self.cores.clear();
    }

    /// Adds `shape`, transformed by `frame` into the space of the tree.
    pub(crate) fn push(&mut self, shape: Shape, frame: Affine2) {
        let frame = frame.as_daffine2();
        let first = self.vertices.len();
        let similar = similarity(&frame);
        let radius = match (shape, similar) {
            (Shape::Circle { radius }, Some(scale)) => {
                self.vertices.push(DVec2::ZERO);
                scale * round(radius)
            }
            (Shape::Circle { radius }, None) => {
                self.push_around(round(radius), 0.0);
                0.0
            }
            (Shape::Capsule { radius, height }, similar) => {
                let radius = round(radius);
                let straight = (0.5 * f64::from(height) - radius).max(0.0);
                if let Some(scale) = similar {
                    let end = DVec2::new(0.0, straight);
                    self.vertices.extend([end, -end]);
                    scale * radius
                } else {
                    self.push_around(radius, straight);
                    0.0
                }
            }
            (Shape::Rectangle { size }, _) => {
                let DVec2 { x, y } = 0.5 * size.as_dvec2().abs();
                let corners = [(x, y), (-x, y), (-x, -y), (x, -y)];
                self.vertices.extend(corners.map(DVec2::from));
                0.0
            }
            (Shape::Segment { a, b }, _) => {
                self.vertices.extend([a.as_dvec2(), b.as_dvec2()]);
                0.0
            }
        };
        self.finish(first, radius, &frame);
    }

    /// A polygon around a circle, or around a capsule along Y with `straight` between its
    /// middle and the centre of either round end. Counter-clockwise in X and Y.
    fn push_around(&mut self, radius: f64, straight: f64) {
        let corner = radius / unit_vector(0.5 * TAU / SIDES as f64).x;
        for index in 0..SIDES {
            let angle = (index as f64 + 0.5) * TAU / SIDES as f64;
            let around = corner * unit_vector(angle);
            let shift = if index < SIDES / 2 {
                straight
            } else {
                -straight
            };
            self.vertices.push(around + DVec2::new(0.0, shift));
        }
    }

    /// Carries the vertices from `first` on into the space of the tree, and makes a core of
    /// them.
    fn finish(&mut self, first: usize, radius: f64, frame: &DAffine2) {
        let vertices = &mut self.vertices[first..];
        for vertex in &mut *vertices {
            *vertex = frame.transform_point2(*vertex);
        }
        if frame.matrix2.determinant() < 0.0 {
            vertices.reverse();
        }
        for (index, vertex) in vertices.iter().enumerate() {
            let edge = vertices[(index + 1) % vertices.len()] - vertex;
            self.normals.push(-edge.perp().normalize_or_zero());
        }
        let centre = vertices.iter().sum::<DVec2>() / vertices.len() as f64;
        let farthest = vertices.iter().map(|vertex| vertex.distance(centre));
        let extent = radius + farthest.fold(0.0, f64::max);
        self.cores.push(Core {
            vertices: first..self.vertices.len(),
            radius,
            centre,
            extent,
        });
    }

    /// Makes every shape larger by a margin on all sides.
    pub(crate) fn grow(&mut self, margin: f64) {
        for core in &mut self.cores {
            core.radius += margin;
            core.extent += margin;
        }
    }

    /// How many shapes there are.
    pub(crate) fn len(&self) -> usize {
        self.cores.len()
    }

    /// Whether there is no shape.
    pub(crate) fn is_empty(&self) -> bool {
        self.cores.is_empty()
    }

    /// Each core with its outline.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Core, Outline<'_>)> {
        self.cores.iter().map(|core| {
            let outline = Outline {
                vertices: &self.vertices[core.vertices.clone()],
                normals: &self.normals[core.vertices.clone()],
            };
            (core, outline)
        })
    }

    /// Whether every number is.
    pub(crate) fn is_finite(&self) -> bool {
        // A NaN anywhere makes one of these.
        let finite = |core: &Core| core.centre.is_finite() && core.extent.is_finite();
        self.vertices.iter().all(|vertex| vertex.is_finite()) && self.cores.iter().all(finite)
    }
}

/// A radius that Godot would not refuse.
fn round(radius: f32) -> f64 {
    f64::from(radius).abs()
}

/// By how much `frame` scales everything, if it scales everything alike.
fn similarity(frame: &DAffine2) -> Option<f64> {
    let (x, y) = (frame.matrix2.x_axis, frame.matrix2.y_axis);
    let square = x.length_squared().max(y.length_squared());
    is_conformal(frame.matrix2).then(|| square.sqrt())
}

#[cfg(test)]
mod tests {
    use glam::Mat2;

    use super::*;

    /// How far `point` is outside the polygon of the only core.
    fn outside(cores: &Cores, point: DVec2) -> f64 {
        let (_, outline) = cores.iter().next().expect("a core");
        let edges = outline.vertices.iter().zip(outline.normals);
        let gaps = edges.map(|(vertex, normal)| normal.dot(point - *vertex));
        gaps.fold(f64::NEG_INFINITY, f64::max)
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
            let mut cores = Cores::default();
            cores.push(shape, frame);
            for step in 0..360 {
                let around = Vec2::from_angle((step as f32).to_radians());
                let shift = Vec2::Y * straight * around.y.signum();
                let at = |radius: f32| frame.transform_point2(radius * around + shift).as_dvec2();
                assert!(
                    outside(&cores, at(9.999)) < 0.0,
                    "{shape:?} at {step} degrees"
                );
                assert!(
                    outside(&cores, at(10.06)) > 0.0,
                    "{shape:?} at {step} degrees"
                );
            }
        }
    }

    #[test]
    fn mirrored_outlines_face_outwards_too() {
        for mirror in [1.0, -1.0] {
            let frame = Affine2::from_scale(Vec2::new(1.0, mirror));
            let mut cores = Cores::default();
            let size = Vec2::new(20.0, 10.0);
            cores.push(Shape::Rectangle { size }, frame);
            assert_eq!(outside(&cores, DVec2::new(3.0, 1.0)), -4.0);
            assert_eq!(outside(&cores, DVec2::new(12.0, -1.0)), 2.0);
        }
    }
}
