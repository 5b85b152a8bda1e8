//! Where places are in a mesh, and the vertices of a mesh in another one of the same drawing.

use glam::DVec2;

use super::Mesh;
use crate::geometry::nearest_on_segment;

/// A vertex is looked for at this part of the way to the middle of a triangle of it: vertices on two sides of a cut are
/// at the same place.
const INWARD: f64 = 1e-6;

/// A part of a corner that is this near to none or to all is that.
const WHOLE: f64 = 1e-9;

/// The place of a vertex in another mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// The corners of the triangle at its place, or of the nearest one.
    pub corners: [usize; 3],
    /// The weight of each of them, from 0 to 1. Their sum is 1.
    pub parts: [f64; 3],
    /// The distance from the place to the triangle, in pixels: 0 in it.
    pub distance: f64,
}

impl Mesh {
    /// For each vertex where it is in `old`. A vertex at a cut is looked for on its side of it.
    pub fn origins(&self, old: &Self) -> Vec<Origin> {
        let mut inward = self.vertices.clone();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            let [a, b, c] = self.corners(triangle);
            for &corner in corners {
                inward[corner] = self.vertices[corner].lerp((a + b + c) / 3.0, INWARD);
            }
        }
        let vertices = self.vertices.iter().zip(inward);
        vertices
            .map(|(&place, inward)| old.origin(place, inward))
            .collect()
    }

    /// The triangle at a place, or else the one that is nearest to it, with the place of it that is.
    pub fn nearest(&self, place: DVec2) -> Origin {
        if let Some((corners, parts)) = self.at(place) {
            return Origin {
                corners,
                parts,
                distance: 0.0,
            };
        }
        let mut nearest = Origin {
            corners: [0; 3],
            parts: [1.0, 0.0, 0.0],
            distance: f64::INFINITY,
        };
        for &[a, b, c] in &self.triangles {
            for [from, to, other] in [[a, b, c], [b, c, a], [c, a, b]] {
                let edge = [self.vertices[from], self.vertices[to]];
                let point = nearest_on_segment(place, edge);
                let distance = point.distance(place);
                if distance < nearest.distance {
                    let part = point.distance(edge[0]) / edge[0].distance(edge[1]).max(1e-12);
                    nearest = Origin {
                        corners: [from, to, other],
                        parts: [1.0 - part, part, 0.0],
                        distance,
                    };
                }
            }
        }
        nearest
    }

    /// Returns the origin of a place in this mesh. `inward` is beside it, in one of its triangles.
    fn origin(&self, place: DVec2, inward: DVec2) -> Origin {
        let at = self.at(inward).map(|(corners, _)| Origin {
            corners,
            parts: self.parts(corners, place),
            distance: 0.0,
        });
        let is_inside = at.is_some();
        let Origin { corners, parts, .. } = at.unwrap_or_else(|| self.nearest(place));
        let whole = parts.iter().position(|&part| part > 1.0 - WHOLE);
        let parts = match whole {
            Some(corner) => [0, 1, 2].map(|it| f64::from(u8::from(it == corner))),
            None => {
                let parts = parts.map(|part| if part < WHOLE { 0.0 } else { part });
                parts.map(|part| part / parts.iter().sum::<f64>())
            }
        };
        let found: DVec2 = corners
            .into_iter()
            .zip(parts)
            .map(|(corner, part)| self.vertices[corner] * part)
            .sum();
        Origin {
            corners,
            parts,
            distance: if is_inside {
                0.0
            } else {
                found.distance(place)
            },
        }
    }
}
