//! How a value at a vertex differs from those around it: the cotangent Laplacian of a mesh.

use std::collections::BTreeMap;

use glam::DVec2;

use crate::geometry::turn;
use crate::mesh::Mesh;

/// The largest cotangent of an angle. A triangle with a smaller angle is a line: it would leave nothing of the others in
/// floating point numbers.
const LARGEST_COTANGENT: f64 = 1e6;

/// The smallest area around a vertex, as a part of the mean.
const LEAST_AREA: f64 = 1e-3;

pub(super) struct Laplacian {
    /// For each vertex its neighbours and itself, in their order, with their parts in the difference.
    pub(super) rows: Vec<Vec<(usize, f64)>>,
    /// The area of the places that are nearer to a vertex than to the others of a triangle.
    pub(super) areas: Vec<f64>,
}

impl Laplacian {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let count = mesh.vertices.len();
        let mut rows = vec![BTreeMap::new(); count];
        let mut areas = vec![0.0; count];
        for (triangle, &corners) in mesh.triangles.iter().enumerate() {
            let places = mesh.corners(triangle);
            let cotangents = cotangents(places);
            if cotangents.iter().any(|it| it.abs() > LARGEST_COTANGENT) {
                for corner in corners {
                    areas[corner] += area(places) / 3.0;
                }
                continue;
            }
            for corner in 0..3 {
                let (next, last) = ((corner + 1) % 3, (corner + 2) % 3);
                areas[corners[corner]] += area_at(places, cotangents, corner);
                for [from, to] in [[next, last], [last, next]] {
                    let half = cotangents[corner] / 2.0;
                    *rows[corners[from]].entry(corners[to]).or_insert(0.0) -= half;
                    *rows[corners[from]].entry(corners[from]).or_insert(0.0) += half;
                }
            }
        }
        let least = areas.iter().sum::<f64>() / count as f64 * LEAST_AREA;
        areas.iter_mut().for_each(|area| *area = area.max(least));
        Self {
            rows: rows
                .into_iter()
                .map(|row| row.into_iter().collect())
                .collect(),
            areas,
        }
    }
}

/// The cotangents of the angles of a triangle.
fn cotangents(places: [DVec2; 3]) -> [f64; 3] {
    [0, 1, 2].map(|corner| {
        let to = |other: usize| places[other % 3] - places[corner];
        let (left, right) = (to(corner + 1), to(corner + 2));
        left.dot(right) / left.perp_dot(right).abs()
    })
}

/// The part of the area of a triangle that belongs to a corner. In an obtuse triangle, half of it belongs to the obtuse one
/// (Meyer et al., *Discrete Differential-Geometry Operators*, 2003).
fn area_at(places: [DVec2; 3], cotangents: [f64; 3], corner: usize) -> f64 {
    let area = area(places);
    if cotangents[corner] < 0.0 {
        return area / 2.0;
    }
    if cotangents.iter().any(|&cotangent| cotangent < 0.0) {
        return area / 4.0;
    }
    let (next, last) = ((corner + 1) % 3, (corner + 2) % 3);
    let part = |end: usize, opposite: usize| {
        places[corner].distance_squared(places[end]) * cotangents[opposite] / 8.0
    };
    part(next, last) + part(last, next)
}

fn area([a, b, c]: [DVec2; 3]) -> f64 {
    turn(a, b, c).abs() / 2.0
}
