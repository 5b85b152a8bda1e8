//! A mesh that is cut along lines.
//!
//! Vertices are put along the lines, and the triangulation is made anew with the lines in it, of the vertices that are not too
//! near to them. Then the vertices on the lines are doubled: what is on one side is no longer connected with the other.

use std::collections::BTreeSet;

use glam::DVec2;
use spade::handles::FixedVertexHandle;
use spade::{Point2, Triangulation};

use super::topology::{boundary_edges, torn};
use super::triangulation::{Triangles, Walls, ordered};
use super::{Mesh, MeshFault};
use crate::geometry::{nearest_on_segment, turn};

/// Vertices inside that are so near to a cut are left out, in parts of the length of edges there.
const CLEAR: f64 = 0.4;

/// A cut goes through vertices of the boundary that are so near to it, in parts of the length of edges there, and at most this
/// many pixels.
const SNAP: (f64, f64) = (0.1, 2.0);

/// A cut that ends so near to the boundary goes on to it, in the same units: outlines are further out than what is seen.
const CLOSE: (f64, f64) = (0.3, 3.0);

/// The distance that a line may have from the points that it is given by, in the same units: a hand is not steady.
const STEADY: (f64, f64) = (0.05, 1.0);

/// The distance by which a cut goes beyond the boundary, in pixels, so that it meets it despite rounding.
const BEYOND: f64 = 0.01;

/// A triangle that is not higher than this, in pixels, has no area.
const FLAT: f64 = 1e-6;

impl Mesh {
    /// The mesh, cut along lines through these points, in its space. What is beside the mesh of a line has no effect. Lines may
    /// cross each other, themselves and earlier cuts. A line of one point cuts nothing.
    ///
    /// The vertices on both sides of a cut are at the same places, and each belongs to its side alone. Where
    /// cuts part the mesh, it becomes several parts. Vertices come in another order, and those beside cuts elsewhere:
    /// [`Mesh::origins`] tells from where.
    pub fn cut(&self, cuts: &[Vec<DVec2>]) -> Result<Self, MeshFault> {
        let is_bad = |cut: &Vec<DVec2>| cut.iter().any(|point| !point.is_finite());
        if let Some(cut) = cuts.iter().position(is_bad) {
            return Err(MeshFault::Cut(cut));
        }
        let lines: Vec<Vec<DVec2>> = cuts.iter().filter_map(|cut| self.line(cut)).collect();
        if lines.is_empty() {
            return Ok(self.clone());
        }
        let mut cutting = Cutting::new(self, &lines)?;
        for line in &lines {
            cutting.add(line);
        }
        cutting.divide();
        cutting.finish()
    }

    /// A line with as few points as it needs, on to the boundary at its ends. None if it is nowhere near the mesh.
    fn line(&self, points: &[DVec2]) -> Option<Vec<DVec2>> {
        let (low, high) = self.bounds();
        let within: Vec<DVec2> = (points.windows(2))
            .filter_map(|ends| clipped([ends[0], ends[1]], low - DVec2::ONE, high + DVec2::ONE))
            .flatten()
            .collect();
        let &first = within.first()?;
        let mut line = vec![first];
        steady(&within, part_of(self.size_at(first), STEADY), &mut line);
        (line.len() > 1).then_some(line)
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        let places = || self.vertices.iter().copied();
        (
            places().fold(DVec2::MAX, DVec2::min),
            places().fold(DVec2::MIN, DVec2::max),
        )
    }

    /// Returns the mean length of the edges of the triangle at a place, in pixels.
    fn size_at(&self, place: DVec2) -> f64 {
        let corners = self.nearest(place).corners;
        let [a, b, c] = corners.map(|corner| self.vertices[corner]);
        (a.distance(b) + b.distance(c) + c.distance(a)) / 3.0
    }
}

/// The triangulation of a mesh, with cuts.
struct Cutting<'a> {
    mesh: &'a Mesh,
    boundary: Vec<[DVec2; 2]>,
    walls: Walls,
    /// The vertices from the beginning that are at the boundary or at earlier cuts.
    fixed: usize,
    /// The first vertex that a cut has brought.
    first: usize,
    triangles: Triangles,
}

impl<'a> Cutting<'a> {
    fn new(mesh: &'a Mesh, lines: &[Vec<DVec2>]) -> Result<Self, MeshFault> {
        let edges = boundary_edges(&mesh.triangles);
        // Both sides of an earlier cut are at the same places.
        let mut places: Vec<DVec2> = Vec::new();
        let mut index_of = |place: DVec2| {
            let found = places.iter().position(|&it| it == place);
            found.unwrap_or_else(|| {
                places.push(place);
                places.len() - 1
            })
        };
        let boundary: Vec<[DVec2; 2]> = (edges.iter())
            .map(|edge| edge.map(|vertex| mesh.vertices[vertex]))
            .collect();
        let welded: BTreeSet<[usize; 2]> = (boundary.iter())
            .map(|ends| ends.map(&mut index_of))
            .map(|[from, to]| [from.min(to), from.max(to)])
            .collect();
        let fixed = places.len();
        let inner: BTreeSet<usize> = mesh.triangles.iter().flatten().copied().collect();
        let at_boundary: BTreeSet<usize> = edges.into_iter().flatten().collect();
        for &vertex in inner.difference(&at_boundary) {
            let place = mesh.vertices[vertex];
            let clear = CLEAR * mesh.size_at(place);
            let is_near = |ends: &[DVec2]| {
                nearest_on_segment(place, [ends[0], ends[1]]).distance(place) < clear
            };
            if !lines.iter().any(|line| line.windows(2).any(is_near)) {
                places.push(place);
            }
        }
        let triangles = super::triangulation::constrained(&places, welded.into_iter().collect())?;
        Ok(Self {
            mesh,
            walls: Walls::new(boundary.iter().copied()),
            boundary,
            fixed,
            first: triangles.num_vertices(),
            triangles,
        })
    }

    /// Makes constraints of a line.
    fn add(&mut self, line: &[DVec2]) {
        let last = line.len() - 1;
        let mut from = None;
        for (index, &place) in line.iter().enumerate() {
            let beside = if index == 0 { line[1] } else { line[last - 1] };
            let place = match index == 0 || index == last {
                true => self.end(place, (place - beside).normalize_or_zero()),
                false => place,
            };
            let Some(to) = self.vertex_at(place) else {
                continue;
            };
            if let Some(from) = from.replace(to).filter(|&from| from != to) {
                self.connect(from, to);
            }
        }
    }

    /// Returns the end of a line that comes to `place`: beyond the boundary, if that is near, or else `place`.
    fn end(&self, place: DVec2, ahead: DVec2) -> DVec2 {
        let nearest = (self.boundary.iter())
            .map(|&edge| nearest_on_segment(place, edge))
            .min_by(|a, b| a.distance(place).total_cmp(&b.distance(place)));
        let nearest = nearest.unwrap_or(place);
        let way = nearest - place;
        let close = part_of(self.mesh.size_at(place), CLOSE);
        match way.length() < close && self.walls.contain(place) {
            true => nearest + way.try_normalize().unwrap_or(ahead) * BEYOND,
            false => place,
        }
    }

    /// The corners that cuts go through if they are near.
    fn corners(&self) -> impl Iterator<Item = (FixedVertexHandle, DVec2)> + '_ {
        let is_corner = |index: usize| index < self.fixed || index >= self.first;
        let vertices = self.triangles.vertices();
        vertices
            .filter(move |vertex| is_corner(vertex.index()))
            .map(|vertex| (vertex.fix(), place_of(vertex.position())))
    }

    /// The vertex of a cut at a place: a corner, if one is near.
    fn vertex_at(&mut self, place: DVec2) -> Option<FixedVertexHandle> {
        let snap = part_of(self.mesh.size_at(place), SNAP);
        let near = (self.corners())
            .filter(|(_, corner)| corner.distance(place) < snap)
            .min_by(|a, b| a.1.distance(place).total_cmp(&b.1.distance(place)));
        match near {
            Some((vertex, _)) => Some(vertex),
            None => self.triangles.insert(Point2::new(place.x, place.y)).ok(),
        }
    }

    /// Makes constraints from one vertex to another, through the corners that are near to the line.
    fn connect(&mut self, from: FixedVertexHandle, to: FixedVertexHandle) {
        let ends = [from, to].map(|vertex| place_of(self.triangles.vertex(vertex).position()));
        let way = ends[1] - ends[0];
        let beside = |(vertex, place): (FixedVertexHandle, DVec2)| {
            let point = nearest_on_segment(place, ends);
            let is_between = vertex != from && vertex != to && point != ends[0] && point != ends[1];
            let is_near = || point.distance(place) < part_of(self.mesh.size_at(place), SNAP);
            (is_between && is_near()).then(|| ((place - ends[0]).dot(way), vertex))
        };
        let mut through: Vec<_> = self.corners().filter_map(beside).collect();
        through.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut last = from;
        for next in through.into_iter().map(|(_, vertex)| vertex).chain([to]) {
            self.triangles.add_constraint_and_split(last, next, |it| it);
            last = next;
        }
    }

    /// Divides the edges of cuts that are longer than those around them.
    fn divide(&mut self) {
        let mut long = self.cut_edges();
        while let Some([from, to]) = long.pop() {
            let ends = [from, to].map(|vertex| place_of(self.triangles.vertex(vertex).position()));
            let middle = (ends[0] + ends[1]) / 2.0;
            if ends[0].distance(ends[1]) < 1.5 * self.mesh.size_at(middle) {
                continue;
            }
            let Some(edge) = self.triangles.get_edge_from_neighbors(from, to) else {
                continue;
            };
            self.triangles
                .remove_constraint_edge(edge.as_undirected().fix());
            if let Ok(vertex) = self.triangles.insert(Point2::new(middle.x, middle.y)) {
                self.triangles
                    .add_constraint_and_split(from, vertex, |it| it);
                self.triangles.add_constraint_and_split(vertex, to, |it| it);
                long.extend([[from, vertex], [vertex, to]]);
            }
        }
    }

    /// The constraints with the mesh on both sides.
    fn cut_edges(&self) -> Vec<[FixedVertexHandle; 2]> {
        let is_inner = |edge: spade::handles::DirectedEdgeHandle<_, _, _, _>| {
            let face = edge.face().as_inner();
            face.is_some_and(|face| self.is_inner(face.positions().map(place_of)))
        };
        let edges = self.triangles.undirected_edges();
        edges
            .filter(|edge| edge.is_constraint_edge())
            .filter(|edge| is_inner(edge.as_directed()) && is_inner(edge.as_directed().rev()))
            .map(|edge| edge.vertices().map(|vertex| vertex.fix()))
            .collect()
    }

    fn is_inner(&self, [a, b, c]: [DVec2; 3]) -> bool {
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        turn(a, b, c).abs() > FLAT * longest && self.walls.contain((a + b + c) / 3.0)
    }

    fn finish(self) -> Result<Mesh, MeshFault> {
        let cuts: BTreeSet<[usize; 2]> = (self.cut_edges().into_iter())
            .map(|ends| ends.map(|vertex| vertex.index()))
            .map(|[from, to]| [from.min(to), from.max(to)])
            .collect();
        let faces: Vec<[usize; 3]> = (self.triangles.inner_faces())
            .filter(|face| self.is_inner(face.positions().map(place_of)))
            .map(|face| face.vertices().map(|vertex| vertex.index()))
            .collect();
        let places: Vec<DVec2> = (self.triangles.vertices())
            .map(|vertex| place_of(vertex.position()))
            .collect();
        let (faces, origins) = torn(faces, places.len(), &cuts);
        ordered(
            &origins.into_iter().map(|it| places[it]).collect::<Vec<_>>(),
            &faces,
        )
    }
}

fn place_of(point: Point2<f64>) -> DVec2 {
    DVec2::new(point.x, point.y)
}

/// A length in parts of that of edges, and at most so many pixels.
fn part_of(size: f64, (part, most): (f64, f64)) -> f64 {
    (size * part).min(most)
}

/// The part of a segment that is in a box (Liang, Barsky, 1984).
fn clipped([from, to]: [DVec2; 2], low: DVec2, high: DVec2) -> Option<[DVec2; 2]> {
    let way = to - from;
    let (mut begin, mut end) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        let sides = [low[axis], high[axis]].map(|side| (side - from[axis]) / way[axis]);
        if way[axis] != 0.0 {
            begin = begin.max(sides[0].min(sides[1]));
            end = end.min(sides[0].max(sides[1]));
        } else if from[axis] < low[axis] || from[axis] > high[axis] {
            return None;
        }
    }
    (begin <= end).then(|| [begin, end].map(|at| (from + way * at).clamp(low, high)))
}

/// Adds the points after the first of a line that is nowhere further than `tolerance` from all points (Douglas, Peucker, 1973).
fn steady(points: &[DVec2], tolerance: f64, line: &mut Vec<DVec2>) {
    let &[first, .., last] = points else { return };
    let off = |point: DVec2| nearest_on_segment(point, [first, last]).distance(point);
    let inner = 1..points.len() - 1;
    let furthest = inner.max_by(|&a, &b| off(points[a]).total_cmp(&off(points[b])));
    match furthest.filter(|&at| off(points[at]) > tolerance) {
        Some(at) => {
            steady(&points[..=at], tolerance, line);
            steady(&points[at..], tolerance, line);
        }
        None if first != last => line.push(last),
        None => {}
    }
}
