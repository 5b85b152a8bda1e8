//! The shapes of the world as contacts are found on them, in double precision.

use glam::DVec2;

use crate::collision::convex::{Shapes, Side};
use crate::solvers::ragdoll::solid::{RagdollTick, Solid, SolidOutline};

/// A shape and its motion in the tick.
#[derive(Clone, Debug)]
pub(super) struct TerrainShape {
    pub(super) solid: Solid,
    /// Two corners of a box that holds it while it moves in the tick.
    bounds: [DVec2; 2],
    /// The way that it has moved since the tick began.
    shift: DVec2,
}

/// All shapes of a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Terrain {
    shapes: Shapes,
    /// For each shape.
    pub(super) grounds: Vec<TerrainShape>,
}

/// The depth of a point inside a shape from which on it counts as covered by it, in pixels: touching shapes have gaps.
pub(super) const COVER: f64 = 0.02;

impl Terrain {
    /// Takes over the shapes that reach into the box between two corners, as they are when the tick begins.
    pub(super) fn load(&mut self, tick: &RagdollTick, [low, high]: [DVec2; 2]) {
        self.shapes.clear();
        self.grounds.clear();
        for &solid in &tick.solids {
            let corners = tick.points_of(&solid).iter().map(|point| point.as_dvec2());
            let reach = DVec2::splat(f64::from(solid.radius) + tick.way_of(&solid));
            let (least, most) = corners.clone().fold(
                (DVec2::INFINITY, DVec2::NEG_INFINITY),
                |(least, most), corner| (least.min(corner), most.max(corner)),
            );
            let bounds = match solid.outline {
                SolidOutline::Plane => [DVec2::NEG_INFINITY, DVec2::INFINITY],
                // A polygon whose corners are one, as a file may have it.
                SolidOutline::Polygon if least == most => continue,
                _ => [least - reach, most + reach],
            };
            if !overlap(bounds, [low, high]) {
                continue;
            }
            match (solid.outline, tick.points_of(&solid)) {
                (SolidOutline::Plane, &[start, normal, ..]) => {
                    let normal = normal.as_dvec2().normalize_or(DVec2::NEG_Y);
                    self.shapes.push_plane(start.as_dvec2(), normal);
                }
                _ => self.shapes.push(corners, solid.radius.into()),
            }
            self.grounds.push(TerrainShape {
                solid,
                bounds,
                shift: DVec2::ZERO,
            });
        }
    }

    /// Returns `true` if any shape is in the box between two corners at some time of the tick; for a body that `is_quiet`, any
    /// that does not stand firm. The box is asked for only if there are such.
    pub(super) fn reaches_into(&self, bounds: impl Fn() -> [DVec2; 2], is_quiet: bool) -> bool {
        let counts = |it: &&TerrainShape| !(is_quiet && it.solid.stands_firm());
        let mut grounds = self.grounds.iter().filter(counts).peekable();
        if grounds.peek().is_none() {
            return false;
        }
        let bounds = bounds();
        grounds.any(|ground| overlap(ground.bounds, bounds))
    }

    pub(super) fn stands_still(&self) -> bool {
        self.grounds.iter().all(|ground| !ground.solid.moves)
    }

    /// Moves the shapes to where they are `time` seconds after the tick began.
    pub(super) fn advance(&mut self, time: f64) {
        for (index, ground) in self.grounds.iter_mut().enumerate() {
            if ground.solid.moves {
                let centre = self.shapes.get(index).centre;
                let wanted = time * ground.velocity_at(centre);
                self.shapes.shift(index, wanted - ground.shift);
                ground.shift = wanted;
            }
        }
    }

    pub(super) fn sides(&self, ground: usize) -> &[Side] {
        self.shapes.sides(ground)
    }

    /// Returns `true` if a shape may be within `reach` of `point`.
    pub(super) fn is_near(&self, ground: usize, point: DVec2, reach: f64) -> bool {
        self.shapes.get(ground).is_near(point, reach)
    }

    /// Returns `true` if another shape than `own` covers `point`: what is there is no surface of the world.
    pub(super) fn is_covered(&self, point: DVec2, own: usize) -> bool {
        let covered = &self.grounds[own].solid;
        self.grounds.iter().enumerate().any(|(index, ground)| {
            if index == own || !self.is_near(index, point, 0.0) || !ground.solid.covers(covered) {
                return false;
            }
            let mut sides = self.sides(index).iter();
            match ground.solid.outline {
                SolidOutline::Line => {
                    let radius = f64::from(ground.solid.radius) - COVER;
                    sides.any(|side| side.nearest(point).distance(point) < radius)
                }
                _ => sides.all(|side| side.height(point) < -COVER),
            }
        })
    }

    /// Returns `true` if the way out at the place of a side that is nearest to `point` is not into another shape.
    pub(super) fn is_open(&self, ground: usize, side: &Side, point: DVec2) -> bool {
        let exit = side.nearest(point) + 2.0 * COVER * side.normal;
        !self.is_covered(exit, ground)
    }

    /// The side of a polygon that is nearest to `point` from outside, or from inside the one with the shortest way out
    /// that is not into another shape; and how far outside of it that is.
    pub(super) fn nearest_side(&self, ground: usize, point: DVec2) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for (index, side) in self.sides(ground).iter().enumerate() {
            let height = side.height(point);
            let is_nearer = best.is_none_or(|(_, most)| height > most);
            if is_nearer && (height > 0.0 || self.is_open(ground, side, point)) {
                best = Some((index, height));
            }
        }
        best
    }
}

/// Returns `true` if two boxes overlap, each given by two corners.
fn overlap([low, high]: [DVec2; 2], [other_low, other_high]: [DVec2; 2]) -> bool {
    low.cmple(other_high).all() && high.cmpge(other_low).all()
}

impl TerrainShape {
    /// Returns the velocity of its surface at `point`.
    pub(super) fn velocity_at(&self, point: DVec2) -> DVec2 {
        let arm = point - self.solid.centre.as_dvec2();
        self.solid.velocity.as_dvec2() + f64::from(self.solid.spin) * arm.perp()
    }
}
