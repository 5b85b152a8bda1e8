//! How far a chain reaches, as rings around its root: full reach and nearest fold, where it begins
//! to ease, and a limb's least and greatest distance.

use tendon_nodes::engine::space::to_transform;
use tendon_solver::glam::Vec2;

use crate::gizmos::kinds::geometry::ReachExtent;
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::{DashPattern, Layer};
use crate::gizmos::view::View;

/// Draws the rings of `extent`.
pub(in crate::gizmos) fn draw(extent: &ReachExtent, pen: &mut Pen<'_>) {
    let ReachExtent {
        reach, softness, ..
    } = *extent;
    let chain = pen.view.within(to_transform(extent.mount));
    ring(&chain, reach, (0.55, 1.5, DashPattern::Solid), pen);
    ring(&chain, extent.nearest, (0.4, 1.0, DashPattern::Solid), pen);
    if extent.stretch > 1.0 {
        let stretched = reach * extent.stretch;
        ring(&chain, stretched, (0.35, 1.0, DashPattern::Solid), pen);
    }
    if softness > 0.0 {
        let radius = reach * (1.0 - softness.min(1.0));
        ring(&chain, radius, (0.8, 1.5, DashPattern::Dotted), pen);
    }
    let skeleton = pen.view.around(extent.mount.translation);
    for distance in extent.distances.into_iter().flatten() {
        ring(&skeleton, distance, (0.8, 1.5, DashPattern::Dashed), pen);
    }
}

/// Draws how far the root of a body goes from `centre` at most.
pub(in crate::gizmos) fn draw_root(centre: Vec2, distance: f32, pen: &mut Pen<'_>) {
    let view = pen.view.around(centre);
    ring(&view, distance, (0.8, 1.5, DashPattern::Dashed), pen);
}

fn ring(view: &View, radius: f32, look: (f32, f32, DashPattern), pen: &mut Pen<'_>) {
    let (opacity, width, pattern) = look;
    if radius > 0.0 {
        let stroke = pen.stroke(pen.palette.bone.with_alpha(opacity), width, pattern);
        pen.sketch.line(Layer::Ring, view.circle(radius), stroke);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::sketch::{Mark, Sketch};
    use godot::prelude::*;
    use tendon_solver::glam::{Affine2, Vec2};

    /// The radii of the rings of a limb of 40 and 30, in a skeleton that is seen mirrored and twice as large.
    fn radii(distances: [f32; 2], softness: f32) -> Vec<f32> {
        let extent = ReachExtent {
            mount: Affine2::from_translation(Vec2::new(20.0, 10.0)),
            reach: 70.0,
            nearest: 10.0,
            stretch: 1.5,
            softness,
            distances: Some(distances),
        };
        let to_screen = Transform2D::from_cols(
            Vector2::new(-2.0, 0.0),
            Vector2::new(0.0, 2.0),
            Vector2::new(300.0, 100.0),
        );
        let view = View {
            to_screen,
            scale: 1.0,
        };
        let root = Vector2::new(260.0, 120.0);
        let sketch = Sketch::drawn(view, |pen| draw(&extent, pen));
        let radius = |mark: &&Mark| match mark {
            Mark::Path { points, .. } | Mark::Dashes { points, .. } => points[0].distance_to(root),
            other => panic!("{other:?}"),
        };
        sketch.marks().iter().map(radius).collect()
    }

    #[test]
    fn there_is_a_ring_for_each_distance_that_counts() {
        for (distances, softness, expected) in [
            ([0.0, 0.0], 0.0, vec![140.0, 20.0, 210.0]),
            (
                [25.0, 50.0],
                0.25,
                vec![140.0, 20.0, 210.0, 105.0, 50.0, 100.0],
            ),
        ] {
            let radii = radii(distances, softness);
            assert_eq!(radii.len(), expected.len());
            for (radius, expected) in radii.into_iter().zip(expected) {
                assert!((radius - expected).abs() < 1e-2, "{radius}");
            }
        }
    }
}
