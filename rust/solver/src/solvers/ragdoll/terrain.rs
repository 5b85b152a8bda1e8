//! The shapes of the world as contacts are found on them: sides with normals, in double precision.

use glam::DVec2;

use crate::math::interval::clamp;
use crate::solvers::ragdoll::solid::{Outline, RagdollTick, Solid};

/// A side of a polygon, or a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) start: DVec2,
    pub(super) direction: DVec2,
    pub(super) length: f64,
    /// Away from the polygon.
    pub(super) normal: DVec2,
}

/// A shape.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) solid: Solid,
    first: usize,
    count: usize,
    /// A disc that holds it; of infinite radius for a plane.
    centre: DVec2,
    extent: f64,
    /// Two corners of a box that holds it while it moves in the tick.
    bounds: [DVec2; 2],
    /// How far it has moved since the tick began.
    shift: DVec2,
}

/// All shapes of a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Terrain {
    sides: Vec<Side>,
    pub(super) grounds: Vec<Ground>,
}

/// How deep a point is inside a shape until it counts as covered by it: touching shapes have gaps.
pub(super) const COVER: f64 = 0.02;

impl Terrain {
    /// Takes over the shapes that reach into the box between two corners, as they are when the tick begins.
    pub(super) fn load(&mut self, tick: &RagdollTick, [low, high]: [DVec2; 2]) {
        self.sides.clear();
        self.grounds.clear();
        for &solid in &tick.solids {
            let points = tick.points_of(&solid);
            let corners = points.iter().map(|point| point.as_dvec2());
            let reach = DVec2::splat(f64::from(solid.radius) + tick.way_of(&solid));
            let (least, most) = corners.fold(
                (DVec2::INFINITY, DVec2::NEG_INFINITY),
                |(least, most), corner| (least.min(corner), most.max(corner)),
            );
            let bounds = match solid.outline {
                Outline::Plane => [DVec2::NEG_INFINITY, DVec2::INFINITY],
                _ => [least - reach, most + reach],
            };
            if !overlap(bounds, [low, high]) {
                continue;
            }
            let first = self.sides.len();
            match solid.outline {
                Outline::Plane => self.push_plane(points[0].as_dvec2(), points[1].as_dvec2()),
                _ => self.push_sides(points),
            }
            let own = &self.sides[first..];
            // A polygon whose corners are one, as a file may have it.
            if own.is_empty() {
                continue;
            }
            let sum: DVec2 = own.iter().map(|side| side.start).sum();
            let centre = sum / own.len() as f64;
            let distances = own.iter().flat_map(|side| {
                [side.start, side.start + side.length * side.direction]
                    .map(|end| end.distance(centre))
            });
            let extent = match solid.outline {
                Outline::Plane => f64::INFINITY,
                _ => distances.fold(0.0, f64::max) + f64::from(solid.radius),
            };
            self.grounds.push(Ground {
                solid,
                first,
                count: self.sides.len() - first,
                centre,
                extent,
                bounds,
                shift: DVec2::ZERO,
            });
        }
    }

    /// Whether any shape is in the box between two corners at some time of the tick.
    pub(super) fn reaches_into(&self, bounds: [DVec2; 2]) -> bool {
        let mut grounds = self.grounds.iter();
        grounds.any(|ground| overlap(ground.bounds, bounds))
    }

    fn push_plane(&mut self, start: DVec2, normal: DVec2) {
        let normal = normal.normalize_or(DVec2::NEG_Y);
        self.sides.push(Side {
            start,
            direction: normal.perp(),
            length: 0.0,
            normal,
        });
    }

    /// The sides of a polygon, each of a positive length, or those of a line to and fro.
    fn push_sides(&mut self, points: &[glam::Vec2]) {
        let corner = |index: usize| points[index % points.len()].as_dvec2();
        let area: f64 = (1..points.len().saturating_sub(1))
            .map(|index| (corner(index) - corner(0)).perp_dot(corner(index + 1) - corner(0)))
            .sum();
        let outwards = if area < 0.0 { 1.0 } else { -1.0 };
        for index in 0..points.len() {
            let (start, way) = (corner(index), corner(index + 1) - corner(index));
            let length = way.length();
            if length > 0.0 || points.len() == 1 {
                let direction = way.normalize_or_zero();
                self.sides.push(Side {
                    start,
                    direction,
                    length,
                    normal: outwards * direction.perp(),
                });
            }
        }
    }

    /// Moves the shapes to where they are `time` seconds after the tick began.
    pub(super) fn advance(&mut self, time: f64) {
        for ground in &mut self.grounds {
            if !ground.solid.moves {
                continue;
            }
            let wanted = time * ground.velocity_at(ground.centre);
            let shift = wanted - ground.shift;
            ground.shift = wanted;
            ground.centre += shift;
            for side in &mut self.sides[ground.first..ground.first + ground.count] {
                side.start += shift;
            }
        }
    }

    pub(super) fn sides(&self, ground: usize) -> &[Side] {
        let ground = &self.grounds[ground];
        &self.sides[ground.first..ground.first + ground.count]
    }

    /// Whether another shape than `own` covers `point`: what is there is no surface of the world.
    pub(super) fn is_covered(&self, point: DVec2, own: usize) -> bool {
        self.grounds.iter().enumerate().any(|(index, ground)| {
            if index == own
                || !ground.is_near(point, 0.0)
                || ground.solid.one_way != glam::Vec2::ZERO
            {
                return false;
            }
            let mut sides = self.sides(index).iter();
            match ground.solid.outline {
                Outline::Line => {
                    let radius = f64::from(ground.solid.radius) - COVER;
                    sides.any(|side| side.nearest(point).distance(point) < radius)
                }
                _ => sides.all(|side| side.height(point) < -COVER),
            }
        })
    }
}

/// Whether two boxes overlap, each given by two corners.
fn overlap([low, high]: [DVec2; 2], [other_low, other_high]: [DVec2; 2]) -> bool {
    low.cmple(other_high).all() && high.cmpge(other_low).all()
}

impl Ground {
    /// Whether it may be within `radius` of `point`.
    pub(super) fn is_near(&self, point: DVec2, radius: f64) -> bool {
        let reach = self.extent + radius;
        self.centre.distance_squared(point) <= reach * reach
    }

    /// How fast its surface moves at `point`.
    pub(super) fn velocity_at(&self, point: DVec2) -> DVec2 {
        let arm = point - self.solid.centre.as_dvec2();
        self.solid.velocity.as_dvec2() + f64::from(self.solid.spin) * arm.perp()
    }
}

impl Side {
    /// How far `point` is outside of it.
    pub(super) fn height(&self, point: DVec2) -> f64 {
        self.normal.dot(point - self.start)
    }

    /// How far along it `point` is.
    pub(super) fn along(&self, point: DVec2) -> f64 {
        self.direction.dot(point - self.start)
    }

    /// The nearest of its points.
    pub(super) fn nearest(&self, point: DVec2) -> DVec2 {
        self.start + clamp(self.along(point), 0.0, self.length) * self.direction
    }
}
