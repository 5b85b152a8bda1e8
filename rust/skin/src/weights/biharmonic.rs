//! Bounded biharmonic weights (Jacobson, Baran, Popović, Sorkine, *Bounded Biharmonic Weights for Real-Time Deformation*,
//! 2011), for bones that hold a mesh from within.
//!
//! The weights `w` of one bone are from 0 to 1 and as smooth as they can be: of all such `w`, they have the smallest
//! `wᵀ (L M⁻¹ L) w + (w − p)ᵀ M H (w − p)`. `L` is the Laplacian, `M` the area around each vertex, `p` whether the nearest
//! bone of a vertex is this one, and `H` how firmly it holds the vertex, `1 / (reach × distance)⁴`. A vertex
//! on a bone is held by it alone, one far from all bones by its neighbours.

use super::bounded::Quadratic;
use super::laplacian::Laplacian;
use super::sight::NearestBones;

/// The distance, with the reach in it, from which bones hold no less firmly, in sizes of the mesh: what is smaller is lost
/// beside the rest in floating point numbers.
const FARTHEST: f64 = 10.0;

/// The same as a part of the size of what is around a vertex, from which they hold no more firmly.
const NEAREST: f64 = 1e-3;

/// The part by which what is on the diagonal is larger: with triangles of extreme shapes, the equations would have no solution in
/// floating point numbers.
const ROUNDING: f64 = 1e-11;

/// The weights of each bone, for each vertex. They do not add up to 1 yet. `None` if the equations have no solution in
/// floating point numbers.
pub(super) fn solve(
    laplacian: &Laplacian,
    sources: &[Option<NearestBones>],
    bone_count: usize,
    reach: f64,
) -> Option<Vec<Vec<f64>>> {
    let count = laplacian.areas.len();
    let farthest = FARTHEST * laplacian.areas.iter().sum::<f64>().sqrt();
    let mut energy = smoothness(laplacian);
    let mut pulls = vec![vec![0.0; count]; bone_count];
    for (vertex, source) in sources.iter().enumerate() {
        let Some(source) = source else { continue };
        let area = laplacian.areas[vertex];
        let length = (reach * source.distance).max(NEAREST * area.sqrt());
        let hold = area / length.min(farthest).powi(4);
        energy.add(vertex, vertex, hold);
        for &bone in &source.bones {
            pulls[bone][vertex] = hold / source.bones.len() as f64;
        }
    }
    energy.bounded_minima(&pulls)
}

/// `L M⁻¹ L`: how much the differences of a value from those around it differ from each other.
fn smoothness(laplacian: &Laplacian) -> Quadratic {
    let mut energy = Quadratic::new(laplacian.rows.len());
    for (row, area) in laplacian.rows.iter().zip(&laplacian.areas) {
        for &(from, left) in row {
            for &(to, right) in row {
                let firmer = if from == to { 1.0 + ROUNDING } else { 1.0 };
                energy.add(from, to, left * right / area * firmer);
            }
        }
    }
    energy
}
