//! Triangles within an outline, finer at joints.
//!
//! | file | what is in it |
//! |---|---|
//! | [`density`] | the fineness of a mesh, and the search for a number of vertices |
//! | [`sizing`] | the length that edges may have at a place |
//! | [`triangulation`] | the constrained Delaunay triangulation, and its refinement |
//! | [`cut`] | a mesh that is cut along lines |
//! | [`origin`] | the places of the vertices of a mesh in another one |
//! | [`topology`] | the edges at the boundary, and the components |

mod cut;
pub(crate) mod density;
pub(crate) mod origin;
pub(crate) mod sizing;
pub(crate) mod topology;
mod triangulation;

use glam::DVec2;
use thiserror::Error;

use crate::geometry::turn;

/// The smallest detail, in pixels: finer than what a picture shows.
const FINEST: f64 = 1.0;

/// More vertices would take minutes.
const MOST: f64 = 20_000.0;

/// Vertices, and triangles between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The positions in pixels. Those at the boundary come first, ring by ring.
    pub vertices: Vec<DVec2>,
    /// The three vertices of each triangle.
    pub triangles: Vec<[usize; 3]>,
    /// The number of vertices at the boundary.
    pub boundary_count: usize,
}

/// The reason that there is no mesh.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum MeshFault {
    /// There is nothing to make weights for.
    #[error("the mesh has no triangles")]
    Empty,
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but there are {count} vertices")]
    Vertex {
        /// The index of the triangle.
        triangle: usize,
        /// The index of the vertex.
        vertex: usize,
        /// The number of vertices.
        count: usize,
    },
    /// A position is infinite or not a number.
    #[error("vertex {0} is not a finite position")]
    NotFinite(usize),
    /// The distance between vertices is not a number of pixels that can be kept.
    #[error("the detail has to be at least {} pixels", FINEST)]
    Detail,
    /// There would be more vertices than can be weighed.
    #[error("there would be about {0} vertices, more than {most}: choose a larger detail", most = MOST)]
    TooFine(usize),
    /// A cut has a point that is infinite or not a number.
    #[error("cut {0} has a point that is not finite")]
    Cut(usize),
    /// The outline crosses itself.
    #[error("the outline crosses itself")]
    Crossing,
}

impl Mesh {
    /// A mesh of these vertices and triangles, which come from elsewhere. Triangles without an area are left out.
    pub fn new(vertices: Vec<DVec2>, triangles: Vec<[usize; 3]>) -> Result<Self, MeshFault> {
        if let Some(vertex) = vertices.iter().position(|vertex| !vertex.is_finite()) {
            return Err(MeshFault::NotFinite(vertex));
        }
        let count = vertices.len();
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex >= count) {
                return Err(MeshFault::Vertex {
                    triangle,
                    vertex,
                    count,
                });
            }
        }
        let has_area =
            |[a, b, c]: &[usize; 3]| turn(vertices[*a], vertices[*b], vertices[*c]) != 0.0;
        let triangles: Vec<_> = triangles.into_iter().filter(has_area).collect();
        if triangles.is_empty() {
            return Err(MeshFault::Empty);
        }
        Ok(Self {
            vertices,
            triangles,
            boundary_count: count,
        })
    }

    /// The triangle at a place, and how much each of its corners counts there.
    pub fn at(&self, place: DVec2) -> Option<([usize; 3], [f64; 3])> {
        let parts = |&corners: &[usize; 3]| {
            let parts = self.parts(corners, place);
            let is_inside = parts.iter().all(|&part| part >= 0.0);
            is_inside.then_some((corners, parts))
        };
        self.triangles.iter().find_map(parts)
    }

    /// Returns the barycentric coordinates of a place in the plane of a triangle, one for each corner.
    pub fn parts(&self, corners: [usize; 3], place: DVec2) -> [f64; 3] {
        let [a, b, c] = corners.map(|vertex| self.vertices[vertex]);
        let parts = [turn(b, c, place), turn(c, a, place), turn(a, b, place)];
        parts.map(|part| part / turn(a, b, c))
    }

    /// The edges of all triangles, each once, with the smaller vertex first.
    pub fn edges(&self) -> Vec<[usize; 2]> {
        let triangles = self.triangles.iter();
        let edges = triangles.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<_> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [DVec2; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex])
    }
}
