//! How deep a straight bone is inside a convex shape, and which way out is the shortest.
//!
//! The depth is signed: the shape's radius less the distance between the bone and the
//! shape's core, which its sides are around, or, where they cross, the radius plus the shortest way that would part them.
//! Where two convex shapes in the plane overlap, that way is along the normal of one of their
//! edges, so it is enough to try those: the shape's, and both sides of the bone itself. The
//! depth is continuous everywhere, and its derivative is minus the speed of the bone's
//! deepest point along the way out.
//!
//! Cost: O(vertices of the core). Bones that are clear of the disc around a shape are sorted
//! out first.
//!
//! How chains are kept out of shapes: [`crate::descent::obstacle_avoidance`]; springs: `stay_outside`
//! in `rig/kinds/spring/spring_chain.rs`.
//!
//! Source: the separating axis theorem, S. Gottschalk, M. C. Lin and D. Manocha, *OBBTree*
//! (1996); minimum translation as in S. Cameron and R. K. Culley (1986).

use glam::DVec2;

use crate::collision::convex::{Convex, Side};

/// The deepest point of a bone in a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Penetration {
    /// The depth below the surface of the shape; negative outside.
    pub(crate) depth: f64,
    /// The point of the bone.
    pub(crate) point: DVec2,
    /// The unit vector along which the bone leaves the shape soonest.
    pub(crate) way_out: DVec2,
}

/// Returns the deepest point of `bone` in `shape`, which has these sides. `None` if the bone stays farther out than
/// `margin`.
pub(crate) fn penetration(
    bone: [DVec2; 2],
    (shape, sides): (&Convex, &[Side]),
    margin: f64,
) -> Option<Penetration> {
    if !shape.is_near(nearest_on(bone, shape.centre), margin) {
        return None;
    }
    let parting = part(bone, sides, shape.radius + margin);
    let gap = if parting.width > shape.radius + margin {
        return None;
    } else if parting.width > f64::NEG_INFINITY && parting.width <= 0.0 {
        parting
    } else {
        distance(bone, sides)
    };
    let depth = shape.radius - gap.width;
    (depth > -margin).then_some(Penetration {
        depth,
        point: gap.point,
        way_out: gap.axis,
    })
}

/// The room between a bone and a core.
#[derive(Clone, Copy)]
struct Gap {
    /// Negative where they overlap.
    width: f64,
    /// The point of the bone that faces the core.
    point: DVec2,
    /// The unit vector from the core to the bone.
    axis: DVec2,
}

/// The widest gap along any axis, or the first that is wider than `enough`. Its width is
/// −∞ when neither bone nor core has an extent.
fn part([a, b]: [DVec2; 2], sides: &[Side], enough: f64) -> Gap {
    let mut widest = Gap {
        width: f64::NEG_INFINITY,
        point: a,
        axis: DVec2::ZERO,
    };
    for side in sides.iter().filter(|side| side.normal != DVec2::ZERO) {
        let (at_a, at_b) = (side.height(a), side.height(b));
        let (width, point) = if at_a <= at_b { (at_a, a) } else { (at_b, b) };
        if width > widest.width {
            let axis = side.normal;
            widest = Gap { width, point, axis };
            if width > enough {
                return widest;
            }
        }
    }
    let sideways = (b - a).perp().normalize_or_zero();
    if sideways != DVec2::ZERO {
        for axis in [sideways, -sideways] {
            // The core lies on the other side.
            let (width, vertex) = support(sides, -axis, a);
            if width > widest.width {
                let point = nearest_on([a, b], vertex);
                widest = Gap { width, point, axis };
            }
        }
    }
    widest
}

/// Returns the distance along `direction` from `origin` to the first corner, and that corner.
fn support(sides: &[Side], direction: DVec2, origin: DVec2) -> (f64, DVec2) {
    let mut first = (f64::INFINITY, origin);
    for side in sides {
        let height = direction.dot(side.start - origin);
        if height < first.0 {
            first = (height, side.start);
        }
    }
    first
}

/// The gap between a bone and a core that do not cross.
fn distance([a, b]: [DVec2; 2], sides: &[Side]) -> Gap {
    let mut square = f64::INFINITY;
    let mut nearest = (a, sides[0].start);
    for (index, side) in sides.iter().enumerate() {
        let vertex = side.start;
        let edge = [vertex, sides[(index + 1) % sides.len()].start];
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
    Gap {
        width: square.sqrt(),
        point,
        axis: (point - opposite).try_normalize().unwrap_or(sideways),
    }
}

/// The point of a line from `a` to `b` that is nearest to `point`.
pub(crate) fn nearest_on([a, b]: [DVec2; 2], point: DVec2) -> DVec2 {
    let along = b - a;
    let square = along.length_squared();
    if square > 0.0 {
        a + along * ((point - a).dot(along) / square).clamp(0.0, 1.0)
    } else {
        a
    }
}

#[cfg(test)]
mod tests {
    use glam::{Affine2, Vec2};

    use super::*;
    use crate::collision::convex::Shapes;
    use crate::collision::shape::Shape;

    const SHAPES: [Shape; 4] = [
        Shape::Circle { radius: 9.0 },
        Shape::Capsule {
            radius: 6.0,
            height: 30.0,
        },
        Shape::Rectangle {
            size: Vec2::new(30.0, 14.0),
        },
        Shape::Segment {
            a: Vec2::new(-12.0, 3.0),
            b: Vec2::new(14.0, -2.0),
        },
    ];

    fn meet(shape: Shape, bone: [DVec2; 2]) -> Option<Penetration> {
        let mut shapes = Shapes::default();
        shapes.push_shape(shape, Affine2::from_angle(0.4));
        penetration(bone, (shapes.get(0), shapes.sides(0)), 4.0)
    }

    /// Bones of many lengths and places around the origin.
    fn bones() -> impl Iterator<Item = [DVec2; 2]> {
        (0..2_000).map(|index| {
            let part = |step: f64| 40.0 * ((step * f64::from(index)).fract() - 0.5);
            let a = DVec2::new(part(0.754_877_666), part(0.569_840_290));
            [a, DVec2::new(part(0.819_172_513), part(0.671_043_607))]
        })
    }

    #[test]
    fn the_way_out_leads_out_by_the_depth() {
        for shape in SHAPES {
            for bone in bones() {
                let Some(found) = meet(shape, bone) else {
                    continue;
                };
                let way = found.way_out * found.depth;
                let moved = meet(shape, bone.map(|end| end + way)).expect("still near");
                assert!(
                    moved.depth.abs() < 1e-9,
                    "{shape:?} {bone:?}: {}",
                    moved.depth
                );
            }
        }
    }

    #[test]
    fn the_depth_changes_as_the_deepest_point_moves() {
        let (mut smooth, mut all) = (0, 0);
        for shape in SHAPES {
            for [a, b] in bones() {
                let Some(found) = meet(shape, [a, b]) else {
                    continue;
                };
                // The bone turns a little about its first end, one way and the other.
                let turned = |angle: f64| {
                    let end = a + DVec2::from_angle(angle).rotate(b - a);
                    meet(shape, [a, end]).map(|found| found.depth)
                };
                let (Some(more), Some(less)) = (turned(1e-6), turned(-1e-6)) else {
                    continue;
                };
                let slope = (more - less) / 2e-6;
                let expected = -found.way_out.dot((found.point - a).perp());
                all += 1;
                smooth += u32::from((slope - expected).abs() < 1e-3 * (1.0 + slope.abs()));
            }
        }
        // All but those at a kink, where the deepest point jumps.
        assert!(smooth > all - all / 50, "{smooth} of {all}");
    }
}
