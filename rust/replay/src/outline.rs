//! The outlines of obstacles, as polygons: what carries them may stretch and skew.

use std::f32::consts::TAU;

use tendon_solver::Shape;
use tendon_solver::glam::Vec2;

/// Corners of the polygon for something round.
const CORNERS: usize = 64;

/// The outline of `shape` about its own origin.
pub fn of(shape: Shape) -> Vec<Vec2> {
    match shape {
        Shape::Circle { radius } => around(radius.abs(), 0.0),
        Shape::Capsule { radius, height } => {
            let radius = radius.abs();
            around(radius, (0.5 * height - radius).max(0.0))
        }
        Shape::Rectangle { size } => {
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            corners.map(|corner| 0.5 * size * Vec2::from(corner)).into()
        }
        Shape::Segment { a, b } => vec![a, b],
    }
}

/// Two half circles, apart by `straight` from the middle along Y.
fn around(radius: f32, straight: f32) -> Vec<Vec2> {
    let corners = (0..CORNERS).map(|corner| {
        let way = Vec2::from_angle((corner as f32 + 0.5) / CORNERS as f32 * TAU);
        radius * way + Vec2::Y * straight.copysign(way.y)
    });
    corners.collect()
}
