//! How deep a straight bone is inside a convex shape, and which way out is the shortest.
//!
//! The depth is signed: the shape's radius less the distance between the bone and the
//! shape's core, or, where they cross, the radius plus the shortest way that would part them.
//! Where two convex shapes in the plane overlap, that way is along the normal of one of their
//! edges, so it is enough to try those: the core's, and both sides of the bone itself. The
//! depth is continuous everywhere, and its derivative is minus the speed of the bone's
//! deepest point along the way out.
//!
//! Cost: O(vertices of the core). Bones that are clear of the disc around a shape are sorted
//! out first.
//!
//! Source: the separating axis theorem, S. Gottschalk, M. C. Lin and D. Manocha, *OBBTree*
//! (1996); minimum translation as in S. Cameron and R. K. Culley (1986).

use glam::DVec2;

use crate::obstacle::Core;

/// The deepest point of a bone in a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Penetration {
    /// How deep it is; negative outside.
    pub(crate) depth: f64,
    /// The point of the bone.
    pub(crate) point: DVec2,
    /// The unit vector along which the bone leaves the shape soonest.
    pub(crate) way_out: DVec2,
}

/// Where the bone from `a` to `b` is deepest in the shape of `core` and `vertices`. `None` when
/// it stays farther out than `margin`.
pub(crate) fn penetration(
    [a, b]: [DVec2; 2],
    core: &Core,
    vertices: &[DVec2],
    margin: f64,
) -> Option<Penetration> {
    let within = core.extent + margin;
    let nearest = nearest_on([a, b], core.centre);
    if nearest.distance_squared(core.centre) > within * within {
        return None;
    }
    let parting = part([a, b], vertices);
    let clear = match parting {
        Some((separation, ..)) if separation <= 0.0 => parting,
        Some((separation, ..)) if separation > core.radius + margin => return None,
        _ => Some(distance([a, b], vertices)),
    };
    let (separation, point, way_out) = clear?;
    let depth = core.radius - separation;
    (depth > -margin).then_some(Penetration {
        depth,
        point,
        way_out,
    })
}

/// The axis along which bone and core are farthest apart, or overlap least: the signed gap,
/// the point of the bone that faces the core, and the axis, from the core to the bone. `None`
/// when neither has an extent.
fn part([a, b]: [DVec2; 2], vertices: &[DVec2]) -> Option<(f64, DVec2, DVec2)> {
    let mut best: Option<(f64, DVec2, DVec2)> = None;
    let mut consider = |gap: f64, point: DVec2, axis: DVec2| {
        if best.is_none_or(|(widest, ..)| gap > widest) {
            best = Some((gap, point, axis));
        }
    };
    for (index, &vertex) in vertices.iter().enumerate() {
        let next = vertices[(index + 1) % vertices.len()];
        if let Some(along) = (next - vertex).try_normalize() {
            let out = -along.perp();
            let (at_a, at_b) = (out.dot(a - vertex), out.dot(b - vertex));
            if at_a <= at_b {
                consider(at_a, a, out);
            } else {
                consider(at_b, b, out);
            }
        }
    }
    if let Some(along) = (b - a).try_normalize() {
        for side in [along.perp(), -along.perp()] {
            // The core lies on the other side.
            let (gap, vertex) = support(vertices, -side, a);
            consider(gap, nearest_on([a, b], vertex), side);
        }
    }
    best
}

/// How far the core's first vertex along `direction` is from `origin`, and that vertex.
fn support(vertices: &[DVec2], direction: DVec2, origin: DVec2) -> (f64, DVec2) {
    let mut first = (f64::INFINITY, origin);
    for &vertex in vertices {
        let height = direction.dot(vertex - origin);
        if height < first.0 {
            first = (height, vertex);
        }
    }
    first
}

/// The distance of a bone from a core that it does not cross, with the point of the bone
/// and the direction towards it.
fn distance([a, b]: [DVec2; 2], vertices: &[DVec2]) -> (f64, DVec2, DVec2) {
    let mut square = f64::INFINITY;
    let mut nearest = (a, vertices[0]);
    for (index, &vertex) in vertices.iter().enumerate() {
        let edge = [vertex, vertices[(index + 1) % vertices.len()]];
        let pairs = [
            (nearest_on([a, b], vertex), vertex),
            (a, nearest_on(edge, a)),
            (b, nearest_on(edge, b)),
        ];
        for (point, opposite) in pairs {
            let candidate = point.distance_squared(opposite);
            if candidate < square {
                square = candidate;
                nearest = (point, opposite);
            }
        }
    }
    let (point, opposite) = nearest;
    let sideways = (b - a).perp().try_normalize().unwrap_or(DVec2::Y);
    let away = (point - opposite).try_normalize().unwrap_or(sideways);
    (square.sqrt(), point, away)
}

/// The point of a line from `a` to `b` that is nearest to `point`.
fn nearest_on([a, b]: [DVec2; 2], point: DVec2) -> DVec2 {
    let along = b - a;
    let square = along.length_squared();
    if square > 0.0 {
        a + along * ((point - a).dot(along) / square).clamp(0.0, 1.0)
    } else {
        a
    }
}
