use glam::Vec2;

use crate::skeleton::path::{Curve, CurvePoint};

fn point(x: f32, y: f32) -> CurvePoint {
    CurvePoint {
        position: Vec2::new(x, y),
        ..CurvePoint::default()
    }
}

fn bent() -> CurvePoint {
    CurvePoint {
        incoming: Vec2::new(-40.0, 10.0),
        outgoing: Vec2::new(40.0, -10.0),
        ..point(100.0, 80.0)
    }
}

#[test]
fn progress_is_a_length_along_a_straight_line() {
    let line = Curve::new(vec![point(10.0, 0.0), point(110.0, 0.0)], 5.0);
    assert_eq!(line.length(), 100.0);
    for progress in [-30.0, 0.0, 0.3, 50.0, 99.9, 100.0, 250.0] {
        let found = line.position_at(progress);
        assert!(found.distance(Vec2::new(10.0 + progress as f32, 0.0)) < 1e-4);
    }
}

/// Handles that are not spread evenly: the parameter runs at different speeds.
#[test]
fn progress_is_even_however_the_parameter_runs() {
    let mut first = point(0.0, 0.0);
    first.outgoing = Vec2::new(90.0, 0.0);
    let line = Curve::new(vec![first, point(100.0, 0.0)], 5.0);
    for progress in 0..=100 {
        let found = line.position_at(f64::from(progress));
        assert!((found.x - progress as f32).abs() < 0.02, "{found}");
    }
}

#[test]
fn places_are_the_lengths_of_baked_chords_apart() {
    let curve = Curve::new(vec![point(0.0, 0.0), bent(), point(200.0, 0.0)], 5.0);
    for pair in curve.knots.windows(2) {
        let [from, to] = [pair[0].length, pair[1].length];
        let chord = curve.position_at(from).distance(curve.position_at(to));
        assert!((f64::from(chord) - (to - from)).abs() < 1e-4);
        assert!(to - from <= 5.0);
    }
}

#[test]
fn a_closed_curve_wraps() {
    let curve = vec![point(0.0, 0.0), bent(), point(200.0, 0.0), point(0.0, 0.0)];
    let curve = Curve::new(curve, 5.0);
    assert!(curve.is_closed());
    for progress in [1.0, 77.0, 300.0] {
        let places = [-1.0, 0.0, 1.0, 5.0].map(|rounds| {
            let progress = progress + rounds * curve.length();
            curve.position_at(progress)
        });
        assert!(places.iter().all(|place| place.distance(places[0]) < 1e-4));
    }
}

#[test]
fn curves_without_length_have_no_places() {
    let teardrop = CurvePoint {
        incoming: Vec2::new(-50.0, 50.0),
        outgoing: Vec2::new(50.0, 50.0),
        ..point(3.0, 4.0)
    };
    for points in [
        vec![],
        vec![point(3.0, 4.0)],
        vec![point(3.0, 4.0); 3],
        // The engine bakes nothing of it either.
        vec![teardrop; 2],
    ] {
        let curve = Curve::new(points, 5.0);
        assert_eq!(curve.length(), 0.0);
        assert_eq!(curve.place_at(0.0), None);
    }
}

#[test]
fn replacing_tells_whether_anything_is_new() {
    let points = [point(0.0, 0.0), bent()];
    let mut curve = Curve::default();
    assert!(curve.replace(points.into_iter(), 5.0));
    assert!(!curve.replace(points.into_iter(), 5.0));
    assert!(curve.replace(points.into_iter(), 6.0));
    assert!(curve.replace([points[1], points[0]].into_iter(), 6.0));
    let fresh = Curve::new(vec![points[1], points[0]], 6.0);
    assert_eq!(curve, fresh);
}

#[test]
fn a_curve_comes_back_from_its_text() {
    let curve = Curve::new(vec![point(0.1, f32::NAN), bent()], 5.0);
    let text = serde_json::to_string(&curve).expect("it can be written");
    let read: Curve = serde_json::from_str(&text).expect("and read");
    assert_eq!(serde_json::to_string(&read).expect("again"), text);
    assert!(!read.is_finite());
}
