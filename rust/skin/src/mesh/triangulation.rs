//! The constrained Delaunay triangulation of an outline, and its refinement.
//!
//! The edges of the outline are divided to the size that is wanted there. Then the centres of the
//! circles around too large triangles become vertices, and last `spade` refines what has too small
//! angles (Ruppert's algorithm).

use std::collections::{BTreeMap, HashSet};

use glam::DVec2;
use spade::handles::FixedFaceHandle;
use spade::{
    AngleLimit, ConstrainedDelaunayTriangulation, Point2, RefinementParameters, Triangulation,
};

use super::sizing::Sizing;
use super::topology::boundary_edges;
use super::{Mesh, MeshFault};
use crate::geometry::{nearest_on_segment, turn};
use crate::giving_up::check;
use crate::picture::outline::{Outline, is_within};

pub(super) type Triangles = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// The smallest angle of a triangle, in degrees, where the outline allows it.
const SMALLEST_ANGLE: f64 = 22.0;

/// The circle around a triangle whose edges are as long as they may be, in parts of their length. In a
/// triangle with equal sides it is 0.58.
const CIRCLE: f64 = 0.7;

/// The number of times that large triangles are looked for at most. Each time, their edges become about half as long.
const ROUNDS: usize = 24;

pub(super) fn mesh(outline: &Outline, sizing: &Sizing) -> Result<Mesh, MeshFault> {
    let divided = divided(outline, sizing);
    let mut triangles = of_outline(&divided)?;
    let walls = Walls::new(divided.edges());
    for _ in 0..ROUNDS {
        check();
        if !insert_centres(&mut triangles, &walls, sizing) {
            break;
        }
    }
    let parameters = RefinementParameters::new()
        .exclude_outer_faces(true)
        .with_angle_limit(AngleLimit::from_deg(SMALLEST_ANGLE))
        .with_max_additional_vertices(4 * triangles.num_vertices() + 1000);
    let outer = triangles.refine(parameters).excluded_faces;
    let outer: HashSet<_> = outer.into_iter().collect();
    inner_mesh(&triangles, |face| !outer.contains(&face))
}

/// The outline with vertices that are not further apart than the sizing wants.
fn divided(outline: &Outline, sizing: &Sizing) -> Outline {
    let rings = outline.rings.iter().map(|ring| {
        let mut points = Vec::new();
        for (index, &from) in ring.iter().enumerate() {
            let to = ring[(index + 1) % ring.len()];
            divide(&mut points, [from, to], sizing);
        }
        points
    });
    Outline {
        rings: rings.collect(),
    }
}

/// Adds the points of an edge without its end.
fn divide(points: &mut Vec<DVec2>, [from, to]: [DVec2; 2], sizing: &Sizing) {
    let middle = (from + to) / 2.0;
    let size = sizing
        .at(middle)
        .min((sizing.at(from) + sizing.at(to)) / 2.0);
    if from.distance(to) > 1.5 * size {
        divide(points, [from, middle], sizing);
        divide(points, [middle, to], sizing);
    } else {
        points.push(from);
    }
}

fn of_outline(outline: &Outline) -> Result<Triangles, MeshFault> {
    let mut edges = Vec::new();
    let mut first = 0;
    for ring in &outline.rings {
        let count = ring.len();
        edges.extend((0..count).map(|index| [first + index, first + (index + 1) % count]));
        first += count;
    }
    constrained(&outline.rings.concat(), edges)
}

/// A triangulation of these places with these edges.
pub(super) fn constrained(
    places: &[DVec2],
    edges: Vec<[usize; 2]>,
) -> Result<Triangles, MeshFault> {
    let vertices = places.iter().map(|it| Point2::new(it.x, it.y)).collect();
    let mut is_crossing = false;
    let triangles = Triangles::try_bulk_load_cdt(vertices, edges, |_| is_crossing = true);
    match triangles {
        Ok(triangles) if !is_crossing => Ok(triangles),
        _ => Err(MeshFault::Crossing),
    }
}

/// Makes vertices of the centres of the circles around triangles that are too large. Returns whether there are such.
fn insert_centres(triangles: &mut Triangles, walls: &Walls, sizing: &Sizing) -> bool {
    let mut large: Vec<(f64, DVec2)> = Vec::new();
    for face in triangles.inner_faces() {
        let corners = face.positions().map(|point| DVec2::new(point.x, point.y));
        let (centre, radius_squared) = face.circumcircle();
        let centre = DVec2::new(centre.x, centre.y);
        let excess = radius_squared.sqrt() / (sizing.at(centre) * CIRCLE);
        if excess > 1.0
            && walls.contain((corners[0] + corners[1] + corners[2]) / 3.0)
            && walls.contain(centre)
        {
            large.push((excess, centre));
        }
    }
    large.sort_by(|first, second| second.0.total_cmp(&first.0));
    // A circle has no vertex in it but those that have just been inserted.
    let mut inserted: Vec<DVec2> = Vec::new();
    for (_, centre) in large {
        check();
        let spacing = sizing.at(centre) * CIRCLE;
        let is_free = inserted
            .iter()
            .all(|other| other.distance(centre) >= spacing);
        if is_free
            && !walls.are_near(centre, spacing)
            && triangles.insert(Point2::new(centre.x, centre.y)).is_ok()
        {
            inserted.push(centre);
        }
    }
    !inserted.is_empty()
}

/// The edges around a mesh, by their height: most of them are far above or below a place.
pub(super) struct Walls {
    low: f64,
    /// The height of a row, in pixels.
    height: f64,
    rows: Vec<Vec<[DVec2; 2]>>,
    /// Half of the length of the longest edge.
    reach: f64,
}

impl Walls {
    pub(super) fn new(edges: impl Iterator<Item = [DVec2; 2]>) -> Self {
        let edges: Vec<_> = edges.collect();
        let heights = || edges.iter().flatten().map(|end| end.y);
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        let lengths = edges.iter().map(|[from, to]| from.distance(*to));
        let count = edges.len().max(1);
        let mut walls = Self {
            low,
            height: ((high - low) / count as f64).max(f64::MIN_POSITIVE),
            rows: vec![Vec::new(); count],
            reach: lengths.fold(0.0, f64::max) / 2.0,
        };
        for edge in edges {
            let rows = walls.rows_within(edge[0].y.min(edge[1].y), edge[0].y.max(edge[1].y));
            for row in rows {
                walls.rows[row].push(edge);
            }
        }
        walls
    }

    fn rows_within(&self, low: f64, high: f64) -> std::ops::RangeInclusive<usize> {
        let row = |height: f64| ((height - self.low) / self.height).max(0.0) as usize;
        let last = self.rows.len() - 1;
        row(low).min(last)..=row(high).min(last)
    }

    /// Returns `true` if a place is within the walls.
    pub(super) fn contain(&self, place: DVec2) -> bool {
        let row = *self.rows_within(place.y, place.y).start();
        is_within(self.rows[row].iter().copied(), place)
    }

    /// Returns `true` if a vertex at this place would be too near to one of the walls.
    fn are_near(&self, place: DVec2, spacing: f64) -> bool {
        let reach = self.reach.max(spacing);
        let rows = self.rows_within(place.y - reach, place.y + reach);
        let mut edges = rows.flat_map(|row| &self.rows[row]);
        edges.any(|&edge| {
            let [from, to] = edge;
            let is_in_circle = (from - place).dot(to - place) < 0.0;
            is_in_circle || nearest_on_segment(place, edge).distance(place) < spacing / 2.0
        })
    }
}

/// The inner triangles.
fn inner_mesh(
    triangles: &Triangles,
    is_inner: impl Fn(FixedFaceHandle<spade::handles::InnerTag>) -> bool,
) -> Result<Mesh, MeshFault> {
    let faces: Vec<[usize; 3]> = triangles
        .inner_faces()
        .filter(|face| is_inner(face.fix()))
        .map(|face| face.vertices().map(|vertex| vertex.fix().index()))
        .collect();
    let places: Vec<DVec2> = triangles
        .vertices()
        .map(|vertex| DVec2::new(vertex.position().x, vertex.position().y))
        .collect();
    ordered(&places, &faces)
}

/// The mesh of these triangles, with the vertices of the boundary first, ring by ring, and without those of no triangle.
pub(super) fn ordered(places: &[DVec2], faces: &[[usize; 3]]) -> Result<Mesh, MeshFault> {
    let rings = ring_order(faces);
    let boundary_count = rings.len();
    let mut order: BTreeMap<usize, usize> = rings.into_iter().zip(0..).collect();
    for &vertex in faces.iter().flatten() {
        let next = order.len();
        order.entry(vertex).or_insert(next);
    }
    let mut vertices = vec![DVec2::ZERO; order.len()];
    for (&vertex, &index) in &order {
        vertices[index] = places[vertex];
    }
    let renumbered = faces
        .iter()
        .map(|corners| corners.map(|vertex| order[&vertex]));
    let wound = renumbered.map(|[a, b, c]| {
        if turn(vertices[a], vertices[b], vertices[c]) < 0.0 {
            [a, c, b]
        } else {
            [a, b, c]
        }
    });
    let triangles = wound.collect::<Vec<_>>();
    if triangles.is_empty() {
        return Err(MeshFault::Empty);
    }
    Ok(Mesh {
        vertices,
        triangles,
        boundary_count,
    })
}

/// The vertices of the boundary along its rings.
fn ring_order(faces: &[[usize; 3]]) -> Vec<usize> {
    let mut after: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for [from, to] in boundary_edges(faces) {
        after.entry(from).or_default().push(to);
    }
    let mut order = Vec::with_capacity(after.len());
    while let Some((&start, _)) = after.iter().next() {
        let mut vertex = start;
        while let Some(next) = after.remove(&vertex) {
            order.push(vertex);
            vertex = next[0];
        }
    }
    order
}
