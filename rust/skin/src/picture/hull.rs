//! Fewer and longer edges around a picture, none of which comes nearer to an opaque pixel.
//!
//! A ring only ever grows, as in progressive hulls (Sander, Gu, Gortler, Hoppe, Snyder, *Silhouette
//! Clipping*, 2000): an inward corner is cut off by a straight edge, or the two neighbours of an edge
//! are made longer until they meet in its place. What adds the least area comes first. A step is
//! left out if a point of its new edges would be too far from the picture, outside of it, or at
//! another edge.

use crate::giving_up::check;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec2;

use super::cells::Cells;
use super::edge_grid::EdgeGrid;
use super::field::Field;
use crate::geometry::{distance, is_in_triangle, meeting_point, turn};

/// Edges that are not neighbours stay this far apart, in pixels.
const GAP: f64 = 0.2;

/// The distance between the points of an edge that have to be in its room, in pixels.
const SAMPLING: f64 = 0.2;

/// The precision of the distance of an edge from the picture, in pixels.
const PRECISION: f64 = 0.01;

/// The cosine of the sharpest corner that two longer edges may make: sharper ones make thin triangles.
const SHARPEST: f64 = 0.17;

/// The area that a step adds, in the order of numbers.
#[derive(Clone, Copy, PartialEq)]
struct Area(f64);

impl Eq for Area {}

impl PartialOrd for Area {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Area {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// One vertex fewer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Removal {
    /// The vertex is left out.
    Cut(u32),
    /// The vertex and the next one become one.
    Extend(u32),
}

impl Removal {
    fn corner(self) -> u32 {
        let (Self::Cut(corner) | Self::Extend(corner)) = self;
        corner
    }
}

/// A vertex in its ring.
#[derive(Clone, Copy)]
struct Corner {
    place: DVec2,
    before: u32,
    after: u32,
    /// Counts the changes around the vertex: a step that was planned before one of them is stale.
    change: u32,
}

pub(super) struct Hull<'a> {
    extent: DVec2,
    picture: &'a Field,
    room: &'a Cells,
    limit: f64,
    corners: Vec<Corner>,
    ring_starts: Vec<u32>,
    edges: EdgeGrid,
    planned: BinaryHeap<Reverse<(Area, Removal, u32)>>,
}

impl<'a> Hull<'a> {
    /// Rings that may be up to `limit` pixels from an opaque pixel, which `picture` knows, and stay in `room`, which has the gaps that
    /// are not to be closed.
    pub(super) fn new(
        picture: &'a Field,
        room: &'a Cells,
        rings: &[Vec<DVec2>],
        limit: f64,
    ) -> Self {
        let extent = DVec2::new(room.width as f64, room.height as f64) / 2.0;
        let mut hull = Self {
            extent,
            picture,
            room,
            limit: limit - PRECISION,
            corners: Vec::with_capacity(rings.iter().map(Vec::len).sum()),
            ring_starts: Vec::with_capacity(rings.len()),
            edges: EdgeGrid::new(extent),
            planned: BinaryHeap::new(),
        };
        for ring in rings {
            hull.add_ring(ring);
        }
        hull
    }

    fn add_ring(&mut self, ring: &[DVec2]) {
        let (first, count) = (self.corners.len() as u32, ring.len() as u32);
        self.ring_starts.push(first);
        for (index, &place) in (0..).zip(ring) {
            let before = first + (index + count - 1) % count;
            let after = first + (index + 1) % count;
            self.corners.push(Corner {
                place,
                before,
                after,
                change: 0,
            });
            self.edges
                .insert(first + index, [place, ring[((index + 1) % count) as usize]]);
        }
    }

    /// The rings with as few vertices as can be.
    pub(super) fn simplified(mut self) -> Vec<Vec<DVec2>> {
        for corner in 0..self.corners.len() as u32 {
            self.plan(corner);
        }
        while let Some(Reverse((_, step, change))) = self.planned.pop() {
            check();
            if self.corners[step.corner() as usize].change == change && self.is_step_allowed(step) {
                self.take(step);
                self.plan_around(step.corner());
            }
        }
        self.ring_starts
            .iter()
            .map(|&start| self.ring(start))
            .collect()
    }

    fn ring(&self, start: u32) -> Vec<DVec2> {
        let mut ring = vec![self.at(start)];
        let mut corner = self.after(start);
        while corner != start {
            ring.push(self.at(corner));
            corner = self.after(corner);
        }
        ring
    }

    fn at(&self, corner: u32) -> DVec2 {
        self.corners[corner as usize].place
    }

    fn before(&self, corner: u32) -> u32 {
        self.corners[corner as usize].before
    }

    fn after(&self, corner: u32) -> u32 {
        self.corners[corner as usize].after
    }

    /// Plans the steps at a vertex as it is now.
    fn plan(&mut self, corner: u32) {
        let change = self.corners[corner as usize].change;
        if self.after(self.after(corner)) == self.before(corner) {
            return; // A triangle has no vertex to spare.
        }
        for step in [Removal::Cut(corner), Removal::Extend(corner)] {
            let area = self.added_area(step);
            // Most steps are planned anew before it is their turn: whether they are allowed is looked at then.
            self.planned
                .extend(area.map(|area| Reverse((Area(area), step, change))));
        }
    }

    /// The area that a step adds. None if it would take some away, or cannot be done at all.
    fn added_area(&self, step: Removal) -> Option<f64> {
        let corner = step.corner();
        let area = match step {
            Removal::Cut(_) => {
                let corners = [self.before(corner), corner, self.after(corner)];
                let [a, b, c] = corners.map(|corner| self.at(corner));
                -turn(a, b, c)
            }
            Removal::Extend(_) => {
                let apex = self.apex(corner)?;
                turn(self.at(corner), apex, self.at(self.after(corner)))
            }
        };
        (area >= 0.0).then_some(area)
    }

    fn is_step_allowed(&self, step: Removal) -> bool {
        match step {
            Removal::Cut(corner) => {
                let own = [self.before(corner), corner, self.after(corner)];
                let [a, b, c] = own.map(|corner| self.at(corner));
                self.is_allowed([a, c]) && self.is_free([a, b, c], &[[a, c]], own)
            }
            Removal::Extend(corner) => {
                let own = [self.before(corner), corner, self.after(corner)];
                let [_, b, c] = own.map(|corner| self.at(corner));
                self.apex(corner).is_some_and(|apex| {
                    let edges = [[b, apex], [apex, c]];
                    edges.into_iter().all(|edge| self.is_allowed(edge))
                        && self.is_free([b, apex, c], &edges, own)
                })
            }
        }
    }

    /// Returns the point at which the neighbours of the edge after a vertex meet, outside of the ring.
    fn apex(&self, corner: u32) -> Option<DVec2> {
        let end = self.after(corner);
        let [a, b, c, d] =
            [self.before(corner), corner, end, self.after(end)].map(|corner| self.at(corner));
        if turn(a, b, c) <= 0.0 || turn(b, c, d) <= 0.0 {
            return None;
        }
        let apex = meeting_point([a, b], [d, c])?;
        let (from, to) = (
            (a - apex).normalize_or_zero(),
            (d - apex).normalize_or_zero(),
        );
        let is_ahead = (apex - b).dot(b - a) > 0.0 && (apex - c).dot(c - d) > 0.0;
        let is_inside = apex.cmpge(DVec2::ZERO).all() && apex.cmple(self.extent).all();
        (is_ahead && is_inside && from.dot(to) <= SHARPEST).then_some(apex)
    }

    fn is_allowed(&self, edge @ [from, to]: [DVec2; 2]) -> bool {
        let count = (from.distance(to) / SAMPLING).ceil().max(1.0);
        // The ends are at the border of cells.
        let stays = |sample: u32| {
            self.room
                .contains(from.lerp(to, (f64::from(sample) + 0.5) / count))
        };
        self.is_near_the_picture(edge) && (0..count as u32).all(stays)
    }

    /// Returns `true` if all points of an edge are within the limit. Distances differ by no more than the points do.
    fn is_near_the_picture(&self, [from, to]: [DVec2; 2]) -> bool {
        let (middle, half) = ((from + to) / 2.0, from.distance(to) / 2.0);
        if half < self.limit && self.picture.is_near(middle, self.limit - half) {
            return true;
        }
        self.picture.is_near(middle, self.limit)
            && (half < PRECISION
                || self.is_near_the_picture([from, middle])
                    && self.is_near_the_picture([middle, to]))
    }

    /// Returns `true` if no edge is at the new edges but those at `own` vertices, and no other vertex is in the new
    /// area.
    fn is_free(&self, area: [DVec2; 3], new_edges: &[[DVec2; 2]], own: [u32; 3]) -> bool {
        self.edges.near(area, GAP).all(|edge| {
            let (from, to) = (self.at(edge), self.at(self.after(edge)));
            let touches = own.contains(&edge) || own.contains(&self.after(edge));
            let is_apart = || {
                new_edges
                    .iter()
                    .all(|&new_edge| distance([from, to], new_edge) >= GAP)
            };
            (own.contains(&edge) || !is_in_triangle(from, area)) && (touches || is_apart())
        })
    }

    fn take(&mut self, step: Removal) {
        match step {
            Removal::Cut(corner) => self.remove(corner),
            Removal::Extend(corner) => {
                let Some(apex) = self.apex(corner) else {
                    return;
                };
                let end = self.after(corner);
                self.remove(end);
                self.detach(corner);
                self.corners[corner as usize].place = apex;
                self.attach(corner);
            }
        }
    }

    /// Leaves out a vertex.
    fn remove(&mut self, corner: u32) {
        let (before, after) = (self.before(corner), self.after(corner));
        self.detach(corner);
        self.corners[before as usize].after = after;
        self.corners[after as usize].before = before;
        self.corners[corner as usize].change += 1;
        self.edges.insert(before, [self.at(before), self.at(after)]);
        for start in &mut self.ring_starts {
            if *start == corner {
                *start = after;
            }
        }
    }

    fn detach(&mut self, corner: u32) {
        let (before, after) = (self.before(corner), self.after(corner));
        self.edges
            .remove(before, [self.at(before), self.at(corner)]);
        self.edges.remove(corner, [self.at(corner), self.at(after)]);
    }

    fn attach(&mut self, corner: u32) {
        let (before, after) = (self.before(corner), self.after(corner));
        self.edges
            .insert(before, [self.at(before), self.at(corner)]);
        self.edges.insert(corner, [self.at(corner), self.at(after)]);
    }

    /// Plans again what depends on a vertex that was changed or left out.
    fn plan_around(&mut self, corner: u32) {
        let before = self.before(corner);
        let mut around = self.before(self.before(before));
        for _ in 0..7 {
            self.corners[around as usize].change += 1;
            self.plan(around);
            around = self.after(around);
        }
    }
}
