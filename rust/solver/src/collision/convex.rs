//! Convex shapes as all meet them, chains and bodies: sides with normals, and a radius around them.
//!
//! | shape | sides |
//! |---|---|
//! | polygon | those between its corners |
//! | line | two, to and fro |
//! | point | one without a length, and without a normal |
//! | half of the plane | one without a length |
//!
//! Source: shapes with a radius are the *sphere-swept volumes* of C. Ericson, *Real-Time Collision Detection*
//! (2005), section 4.5.

use std::ops::Range;

use glam::DVec2;

use crate::math::interval::clamp;

/// A side of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) start: DVec2,
    pub(crate) direction: DVec2,
    pub(crate) length: f64,
    /// Away from the shape.
    pub(crate) normal: DVec2,
}

impl Side {
    /// Returns the distance of `point` from the line of this side; negative inside.
    pub(crate) fn height(&self, point: DVec2) -> f64 {
        self.normal.dot(point - self.start)
    }

    /// Returns the distance of `point` from the start, measured along this side.
    pub(crate) fn along(&self, point: DVec2) -> f64 {
        self.direction.dot(point - self.start)
    }

    /// The nearest of its points.
    pub(crate) fn nearest(&self, point: DVec2) -> DVec2 {
        self.start + clamp(self.along(point), 0.0, self.length) * self.direction
    }
}

/// A shape.
#[derive(Clone, Debug)]
pub(crate) struct Convex {
    sides: Range<usize>,
    /// The distance by which the shape extends beyond its sides.
    pub(crate) radius: f64,
    /// A disc that holds it; of infinite radius for half of the plane.
    pub(crate) centre: DVec2,
    pub(crate) extent: f64,
}

impl Convex {
    /// Returns `true` for a wall without thickness, or a single point.
    pub(crate) fn is_thin(&self) -> bool {
        self.radius == 0.0 && self.sides.len() <= 2
    }

    /// Returns `true` if the shape may be within `reach` of `point`.
    pub(crate) fn is_near(&self, point: DVec2, reach: f64) -> bool {
        let reach = self.extent + reach;
        self.centre.distance_squared(point) <= reach * reach
    }
}

/// Shapes in one space. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    sides: Vec<Side>,
    shapes: Vec<Convex>,
    /// Those of the shape that is added.
    pub(super) corners: Vec<DVec2>,
}

impl Shapes {
    /// Removes all shapes.
    pub(crate) fn clear(&mut self) {
        self.sides.clear();
        self.shapes.clear();
    }

    /// Adds a shape with `corners` in either order. Corners that are one with the next are none.
    pub(crate) fn push(
        &mut self,
        corners: impl ExactSizeIterator<Item = DVec2> + Clone,
        radius: f64,
    ) {
        let Some(origin) = corners.clone().next() else {
            return;
        };
        let nexts = || corners.clone().skip(1);
        let parts = nexts().zip(nexts().skip(1));
        let area: f64 = parts
            .map(|(one, next)| (one - origin).perp_dot(next - origin))
            .sum();
        let outwards = if area < 0.0 { 1.0 } else { -1.0 };
        let first = self.sides.len();
        for (start, end) in corners.clone().zip(nexts().chain([origin])) {
            let way = end - start;
            let length = way.length();
            if length != 0.0 {
                let direction = way.normalize_or_zero();
                self.sides.push(Side {
                    start,
                    direction,
                    length,
                    normal: outwards * direction.perp(),
                });
            }
        }
        if self.sides.len() == first {
            self.sides.push(Side {
                start: origin,
                direction: DVec2::ZERO,
                length: 0.0,
                normal: DVec2::ZERO,
            });
        }
        let own = &self.sides[first..];
        let centre = own.iter().map(|side| side.start).sum::<DVec2>() / own.len() as f64;
        let farthest = own.iter().map(|side| side.start.distance(centre));
        self.shapes.push(Convex {
            sides: first..self.sides.len(),
            radius,
            centre,
            extent: radius + farthest.fold(0.0, f64::max),
        });
    }

    /// Adds the half of the plane below `start`.
    pub(crate) fn push_plane(&mut self, start: DVec2, normal: DVec2) {
        let first = self.sides.len();
        self.sides.push(Side {
            start,
            direction: normal.perp(),
            length: 0.0,
            normal,
        });
        self.shapes.push(Convex {
            sides: first..first + 1,
            radius: 0.0,
            centre: start,
            extent: f64::INFINITY,
        });
    }

    /// Moves a shape.
    pub(crate) fn shift(&mut self, index: usize, way: DVec2) {
        let shape = &mut self.shapes[index];
        shape.centre += way;
        for side in &mut self.sides[shape.sides.clone()] {
            side.start += way;
        }
    }

    /// Makes every shape larger by a margin on all sides.
    pub(crate) fn grow(&mut self, margin: f64) {
        for shape in &mut self.shapes {
            shape.radius += margin;
            shape.extent += margin;
        }
    }

    /// Returns the number of shapes.
    pub(crate) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Returns `true` if there is no shape.
    pub(crate) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// A shape.
    pub(crate) fn get(&self, index: usize) -> &Convex {
        &self.shapes[index]
    }

    /// Its sides.
    pub(crate) fn sides(&self, index: usize) -> &[Side] {
        &self.sides[self.shapes[index].sides.clone()]
    }

    /// Each shape with its sides.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Convex, &[Side])> {
        let shapes = self.shapes.iter();
        shapes.map(|shape| (shape, &self.sides[shape.sides.clone()]))
    }

    /// Returns `true` if all numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        // A NaN anywhere makes one of these.
        let finite = |shape: &Convex| shape.centre.is_finite() && shape.extent.is_finite();
        self.sides.iter().all(|side| side.start.is_finite()) && self.shapes.iter().all(finite)
    }
}
