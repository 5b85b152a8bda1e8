//! Segments, triangles and rings in the plane.

use glam::DVec2;

/// Twice the signed area of a triangle.
pub(crate) fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The point of a segment that is nearest to `point`.
pub(crate) fn nearest_on_segment(point: DVec2, [from, to]: [DVec2; 2]) -> DVec2 {
    let along = to - from;
    let length_squared = along.length_squared();
    if length_squared <= 0.0 {
        return from;
    }
    from + along * ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
}

/// Returns `true` if two segments cross at a point inside both.
fn cross([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let (side_c, side_d) = (turn(a, b, c), turn(a, b, d));
    let (side_a, side_b) = (turn(c, d, a), turn(c, d, b));
    side_c * side_d < 0.0 && side_a * side_b < 0.0
}

/// Returns `true` if a way goes through a wall. Where two walls meet it goes through one of them, unless it just
/// touches both.
pub(crate) fn passes([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    (turn(a, b, c) > 0.0) != (turn(a, b, d) > 0.0) && turn(c, d, a) * turn(c, d, b) < 0.0
}

/// Returns the distance between two segments: 0 if they cross.
pub(crate) fn distance(first: [DVec2; 2], second: [DVec2; 2]) -> f64 {
    if cross(first, second) {
        return 0.0;
    }
    let to = |point: DVec2, segment| point.distance_squared(nearest_on_segment(point, segment));
    let nearest = to(first[0], second)
        .min(to(first[1], second))
        .min(to(second[0], first))
        .min(to(second[1], first));
    nearest.sqrt()
}

/// Returns `true` if a point is inside a triangle or on its edge. The triangle may turn either way.
pub(crate) fn is_in_triangle(point: DVec2, [a, b, c]: [DVec2; 3]) -> bool {
    let sides = [turn(a, b, point), turn(b, c, point), turn(c, a, point)];
    // A triangle without an area has all points of its line on the same side.
    let is_beside = point.cmplt(a.min(b).min(c)).any() || point.cmpgt(a.max(b).max(c)).any();
    !is_beside && (sides.iter().all(|&side| side >= 0.0) || sides.iter().all(|&side| side <= 0.0))
}

/// The point where two lines meet, each through two points. None if they are parallel.
pub(crate) fn meeting_point([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<DVec2> {
    let (first, second) = (b - a, d - c);
    let determinant = first.perp_dot(second);
    if determinant.abs() < 1e-9 {
        return None;
    }
    Some(a + first * ((c - a).perp_dot(second) / determinant))
}
