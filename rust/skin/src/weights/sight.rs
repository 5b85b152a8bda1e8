//! Which bone is the nearest one that a vertex sees through the shape.

use glam::DVec2;
use smallvec::SmallVec;

use super::bone::Bone;
use crate::geometry::{passes, turn};
use crate::giving_up::check;
use crate::mesh::Mesh;
use crate::mesh::topology::{boundary_edges, components};

/// Bones whose distances differ by less than this part are equally near, as those that share a joint.
const EQUAL: f64 = 1e-4;

/// A vertex is on a bone from this distance, as a part of the size of what is nearest to it.
const TOUCH: f64 = 0.05;

/// The number of parts into which a segment is divided to find a visible point when its nearest one is hidden.
const SAMPLES: usize = 8;

/// The number of edges of the boundary in one box, and the number of boxes in one around them.
const TOGETHER: usize = 12;
const BOXES: usize = 32;

/// The bones that hold a vertex, and their distance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NearestBones {
    /// Never smaller than what counts as touching.
    pub(super) distance: f64,
    /// The bones that are equally near. A vertex on a joint does not move when the joint turns: it has the first
    /// bone alone, so that the triangles on one side of it bend, and not those on both.
    pub(super) bones: SmallVec<[usize; 2]>,
}

/// Edges of the boundary of one component, and the box around them: most of them are far from a way.
struct SightWalls {
    component: usize,
    around: Extent,
    edges: SmallVec<[[usize; 2]; TOGETHER]>,
}

/// A box.
#[derive(Clone, Copy)]
struct Extent {
    low: DVec2,
    high: DVec2,
}

pub(super) struct Sight<'a> {
    mesh: &'a Mesh,
    /// For each vertex the distance from which it is on a bone.
    touch: Vec<f64>,
    /// For each vertex the smallest one that it is connected with.
    components: Vec<usize>,
    /// The boundary, in the order of the components that it is around.
    walls: Vec<SightWalls>,
    /// The box around each [`BOXES`] of these.
    extents: Vec<Extent>,
    /// The two other corners of each triangle at a vertex, such that the triangle turns from X to Y.
    fans: Vec<SmallVec<[[usize; 2]; 6]>>,
}

impl<'a> Sight<'a> {
    /// `areas` are those around the vertices.
    pub(super) fn new(mesh: &'a Mesh, areas: &[f64]) -> Self {
        let mut fans = vec![SmallVec::new(); mesh.vertices.len()];
        for &[a, b, c] in &mesh.triangles {
            let [p, q, r] = [a, b, c].map(|vertex| mesh.vertices[vertex]);
            let [b, c] = if turn(p, q, r) < 0.0 { [c, b] } else { [b, c] };
            fans[a].push([b, c]);
            fans[b].push([c, a]);
            fans[c].push([a, b]);
        }
        let components = components(mesh);
        let component = |edge: &[usize; 2]| components[edge[0]];
        let mut edges = boundary_edges(&mesh.triangles);
        edges.sort_by_key(component);
        let boundaries = edges.chunk_by(|first, second| component(first) == component(second));
        let boxes = boundaries.flat_map(|edges| edges.chunks(TOGETHER));
        let walls = boxes.map(|edges| SightWalls::new(component(&edges[0]), edges, &mesh.vertices));
        let walls: Vec<_> = walls.collect();
        let extents = walls.chunks(BOXES).map(|walls| {
            Extent::around(walls.iter().flat_map(|it| [it.around.low, it.around.high]))
        });
        Self {
            extents: extents.collect(),
            mesh,
            touch: areas.iter().map(|area| TOUCH * area.sqrt()).collect(),
            components,
            walls,
            fans,
        }
    }

    /// Returns the source of each vertex. `None` where no bone is seen: its neighbours hold it. A part that sees no
    /// bone at all is heated through the air.
    pub(super) fn sources(&self, bones: &[Bone]) -> Vec<Option<NearestBones>> {
        let vertices = 0..self.mesh.vertices.len();
        let mut sources: Vec<_> = vertices
            .clone()
            .map(|vertex| self.source(vertex, bones))
            .collect();
        let components = &self.components;
        let mut is_heated = vec![false; sources.len()];
        for vertex in vertices.clone() {
            is_heated[components[vertex]] |= sources[vertex].is_some();
        }
        for vertex in vertices.filter(|&vertex| !is_heated[components[vertex]]) {
            let place = self.mesh.vertices[vertex];
            let distance = |bone: &Bone| {
                let distances = bone.nearest_points(place).map(|it| it.distance(place));
                distances.fold(f64::INFINITY, f64::min)
            };
            sources[vertex] = NearestBones::nearest(bones.iter().map(distance), self.touch[vertex]);
        }
        sources
    }

    fn source(&self, vertex: usize, bones: &[Bone]) -> Option<NearestBones> {
        check();
        let (place, touch) = (self.mesh.vertices[vertex], self.touch[vertex]);
        let seen_from = |points: &mut dyn Iterator<Item = DVec2>, limit: f64| {
            let mut found = f64::INFINITY;
            for point in points {
                let distance = point.distance(place);
                if distance < found && distance <= limit && self.sees(vertex, point) {
                    found = distance;
                }
            }
            found
        };
        let mut limit = f64::INFINITY;
        let mut distances: SmallVec<[f64; 32]> = SmallVec::new();
        for bone in bones {
            let distance = seen_from(&mut bone.nearest_points(place), equal_to(limit, touch));
            limit = limit.min(distance);
            distances.push(distance);
        }
        if limit == f64::INFINITY {
            distances.clear();
            distances.extend(
                bones
                    .iter()
                    .map(|bone| seen_from(&mut bone.samples(SAMPLES), f64::INFINITY)),
            );
        }
        NearestBones::nearest(distances.into_iter(), touch)
    }

    /// Returns `true` if the way from a vertex to a point stays inside the shape.
    fn sees(&self, vertex: usize, point: DVec2) -> bool {
        let place = self.mesh.vertices[vertex];
        let begins_inside = self.fans[vertex].iter().any(|&[left, right]| {
            turn(place, self.mesh.vertices[left], point) >= -1e-9
                && turn(place, point, self.mesh.vertices[right]) >= -1e-9
        });
        let meets_wall = |&[from, to]: &[usize; 2]| {
            from != vertex
                && to != vertex
                && passes(
                    [place, point],
                    [self.mesh.vertices[from], self.mesh.vertices[to]],
                )
        };
        let meets = |walls: &SightWalls| {
            walls.around.may_meet([place, point]) && walls.edges.iter().any(meets_wall)
        };
        let mut boxes = self.extents.iter().zip(self.walls.chunks(BOXES));
        let mut meets_any = || {
            boxes.any(|(around, walls)| around.may_meet([place, point]) && walls.iter().any(meets))
        };
        point == place || begins_inside && !self.own_walls(vertex).iter().any(meets) && !meets_any()
    }

    /// The boundary of the component of a vertex: few ways get beyond it.
    fn own_walls(&self, vertex: usize) -> &[SightWalls] {
        let component = self.components[vertex];
        let from = self.walls.partition_point(|it| it.component < component);
        let to = self.walls.partition_point(|it| it.component <= component);
        &self.walls[from..to]
    }
}

impl SightWalls {
    fn new(component: usize, edges: &[[usize; 2]], vertices: &[DVec2]) -> Self {
        let places = edges.iter().flatten().map(|&vertex| vertices[vertex]);
        Self {
            component,
            around: Extent::around(places),
            edges: SmallVec::from_slice(edges),
        }
    }
}

impl Extent {
    fn around(points: impl Iterator<Item = DVec2>) -> Self {
        let none = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let (low, high) = points.fold(none, |(low, high), at| (low.min(at), high.max(at)));
        Self { low, high }
    }

    /// Returns `true` if a way may come into the box: not if it is beside it, or all of the box is on one side of it.
    fn may_meet(&self, [from, to]: [DVec2; 2]) -> bool {
        let is_beside = from.max(to).cmplt(self.low).any() || from.min(to).cmpgt(self.high).any();
        let (middle, half) = ((self.low + self.high) / 2.0, (self.high - self.low) / 2.0);
        let across = (to - from).perp();
        let reach = across.abs().dot(half) * (1.0 + 1e-9);
        !is_beside && across.dot(middle - from).abs() <= reach
    }
}

impl NearestBones {
    /// The bones at the smallest distance, unless that is infinite.
    fn nearest(distances: impl Iterator<Item = f64> + Clone, touch: f64) -> Option<Self> {
        let distance = distances.clone().fold(f64::INFINITY, f64::min);
        let is_nearest = |&(_, other): &(usize, f64)| other <= equal_to(distance, touch);
        let mut bones: SmallVec<_> = distances
            .enumerate()
            .filter(is_nearest)
            .map(|(bone, _)| bone)
            .collect();
        if distance <= touch {
            bones.truncate(1);
        }
        let distance = distance.max(touch);
        (distance < f64::INFINITY).then_some(Self { distance, bones })
    }
}

/// The largest distance that counts as the same.
fn equal_to(distance: f64, touch: f64) -> f64 {
    (distance * (1.0 + EQUAL)).max(touch)
}
