//! How a space is seen in the viewport, and the curves that become ellipses there.

use std::f32::consts::TAU;

use godot::prelude::*;
use tendon_nodes::engine::space::to_godot;
use tendon_solver::glam::Vec2;

/// From a space to the viewport's pixels, however that mirrors, stretches or skews.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    pub(super) to_screen: Transform2D,
    /// Screen pixels for each pixel of the editor's design.
    pub(super) scale: f32,
}

impl View {
    pub(crate) fn at(&self, point: Vec2) -> Vector2 {
        self.to_screen * to_godot(point)
    }

    /// The view of what is placed by `frame` in this space.
    pub(crate) fn within(&self, frame: Transform2D) -> Self {
        Self {
            to_screen: self.to_screen * frame,
            ..*self
        }
    }

    /// The view of the same space with its origin at `point`.
    pub(super) fn around(&self, point: Vec2) -> Self {
        self.within(Transform2D {
            origin: to_godot(point),
            ..Transform2D::IDENTITY
        })
    }

    /// Screen pixels for each unit of the space, on average over all directions.
    pub(super) fn zoom(&self) -> f32 {
        self.to_screen.determinant().abs().sqrt()
    }

    /// The arc around the origin with this radius, from one angle to another, as screen points.
    pub(super) fn arc(&self, radius: f32, from: f32, to: f32) -> Vec<Vector2> {
        let count = sides(radius * self.zoom(), to - from);
        let step = (to - from) / count as f32;
        let point = |index| self.on_circle(radius, from + step * index as f32);
        (0..=count).map(point).collect()
    }

    /// The circle around the origin with this radius, closed.
    pub(super) fn circle(&self, radius: f32) -> Vec<Vector2> {
        self.arc(radius, 0.0, TAU)
    }

    /// The point of the circle around the origin with this radius at `angle`, in radians, on the screen.
    pub(super) fn on_circle(&self, radius: f32, angle: f32) -> Vector2 {
        self.to_screen * (Vector2::from_angle(angle) * radius)
    }

    /// The number of straight lines, an even one, with which a circle of this radius looks round.
    pub(super) fn sides_of_circle(&self, radius: f32) -> usize {
        sides(radius * self.zoom(), TAU).next_multiple_of(2)
    }

    /// The point of the space that is seen at `place`. `None` in a space that is seen as a line.
    pub(super) fn point_under(&self, place: Vector2) -> Option<Vector2> {
        let is_flat = self.to_screen.determinant().abs() < f32::MIN_POSITIVE;
        let point = (!is_flat).then(|| self.to_screen.affine_inverse() * place)?;
        point.is_finite().then_some(point)
    }
}

/// The number of straight lines with which an arc of `angle` with a radius of this many pixels
/// looks round.
fn sides(radius: f32, angle: f32) -> usize {
    let turns = (angle / TAU).abs().min(1.0);
    // Off the arc by a tenth of a pixel.
    let all = std::f32::consts::PI * (radius.max(1.0) / 0.2).sqrt();
    ((all * turns).ceil() as usize).clamp(2, 512)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(to_screen: Transform2D) -> View {
        View {
            to_screen,
            scale: 1.0,
        }
    }

    #[test]
    fn circles_in_a_stretched_space_are_ellipses() {
        let frame = Transform2D::from_cols(
            Vector2::new(-2.0, 0.0),
            Vector2::new(0.0, 0.5),
            Vector2::new(10.0, 20.0),
        );
        let points = view(frame).circle(30.0);
        let of = |pick: fn(&Vector2) -> f32| {
            let values = points.iter().map(pick);
            let least = values.clone().fold(f32::INFINITY, f32::min);
            (least, values.fold(f32::NEG_INFINITY, f32::max))
        };
        let (left, right) = of(|point| point.x);
        let (top, bottom) = of(|point| point.y);
        assert!((left + 50.0).abs() < 0.2 && (right - 70.0).abs() < 0.2);
        assert!((top - 5.0).abs() < 0.2 && (bottom - 35.0).abs() < 0.2);
        assert!(points[0].distance_to(points[points.len() - 1]) < 1e-3);
    }

    #[test]
    fn arcs_are_round_at_any_zoom() {
        for zoom in [0.01, 1.0, 40.0] {
            let frame = Transform2D::from_cols(
                Vector2::new(zoom, 0.0),
                Vector2::new(0.0, zoom),
                Vector2::ZERO,
            );
            let points = view(frame).arc(100.0, -0.5, 1.0);
            let off = points.windows(2).map(|pair| {
                let middle = (pair[0] + pair[1]) * 0.5;
                100.0 * zoom - middle.length()
            });
            assert!(off.fold(0.0, f32::max) < 0.2, "{zoom}");
            assert!(points.len() < 600);
        }
    }

    #[test]
    fn what_is_seen_is_found_again() {
        let frame = Transform2D::from_cols(
            Vector2::new(-2.0, 0.3),
            Vector2::new(0.4, 0.5),
            Vector2::new(10.0, 20.0),
        );
        let view = view(frame);
        let point = Vector2::new(3.0, -7.0);
        let again = view.point_under(view.to_screen * point).unwrap();
        assert!(again.distance_to(point) < 1e-4);
        let flat = Transform2D::from_cols(Vector2::RIGHT, Vector2::RIGHT, Vector2::ZERO);
        assert_eq!(
            super::View {
                to_screen: flat,
                scale: 1.0
            }
            .point_under(point),
            None
        );
    }
}
