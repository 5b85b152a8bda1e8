//! How heat spreads through the triangles of a mesh.
//!
//! The temperatures `w` of one bone solve `(L + M H) w = M H p`: `L` is the cotangent Laplacian, `M` the
//! area around each vertex, `H` how much a vertex is heated, `1 / (reach × distance)²`, and `p` whether
//! by this bone. The matrix is the same for all bones, so it is factorized once.

use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, Side};

use super::fault::WeightFault;
use super::sight::Source;
use crate::mesh::Mesh;

/// The distance of a vertex that lies on a bone, as a part of the mean length of edges there: smaller ones
/// would only make the numbers worse.
const NEAREST: f64 = 0.05;

/// The distance from which a bone is as good as at the end of the world, in sizes of the mesh: larger ones would leave nothing
/// of the heat in floating point numbers.
const FARTHEST: f64 = 1e3;

/// The smallest part of its largest conductance that an edge has. Cotangents of obtuse triangles at the
/// boundary are negative, and temperatures below 0 would follow.
const LEAST_CONDUCTANCE: f64 = 1e-6;

/// The temperatures of each vertex, in columns of bones.
pub(super) fn solve(
    mesh: &Mesh,
    sources: &[Option<Source>],
    bone_count: usize,
    reach: f64,
) -> Result<Mat<f64>, WeightFault> {
    let conductances = Conductances::new(mesh);
    let count = mesh.vertices.len();
    let farthest = FARTHEST * conductances.areas.iter().sum::<f64>().sqrt();
    let mut heat = Mat::<f64>::zeros(count, bone_count);
    let mut triplets = Vec::with_capacity(count * 7);
    for (vertex, source) in sources.iter().enumerate() {
        let Some(source) = source else { continue };
        let area = conductances.areas[vertex];
        let nearest = NEAREST * area.sqrt();
        let heating = area / (reach * source.distance.max(nearest).min(farthest)).powi(2);
        triplets.push(Triplet::new(vertex, vertex, heating));
        // A vertex on a joint does not move when the joint turns: it is held by the first bone, so that
        // the triangles on one side of it bend, and not those on both.
        let is_on_bone = source.distance < nearest;
        let bones = if is_on_bone {
            &source.bones[..1]
        } else {
            &source.bones[..]
        };
        for &bone in bones {
            heat[(vertex, bone)] = heating / bones.len() as f64;
        }
    }
    for &([from, to], conductance) in &conductances.edges {
        triplets.push(Triplet::new(from, from, conductance));
        triplets.push(Triplet::new(to, to, conductance));
        triplets.push(Triplet::new(from.max(to), from.min(to), -conductance));
    }
    let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(count, count, &triplets);
    let factors = matrix
        .ok()
        .and_then(|matrix| matrix.sp_cholesky(Side::Lower).ok());
    factors
        .ok_or(WeightFault::Unsolvable)?
        .solve_in_place(&mut heat);
    Ok(heat)
}

/// How well heat flows along edges, and the areas around vertices.
struct Conductances {
    edges: Vec<([usize; 2], f64)>,
    areas: Vec<f64>,
}

impl Conductances {
    fn new(mesh: &Mesh) -> Self {
        let mut areas = vec![0.0; mesh.vertices.len()];
        let mut edges = std::collections::BTreeMap::new();
        for &[a, b, c] in &mesh.triangles {
            for [apex, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
                let [apex_place, from_place, to_place] =
                    [apex, from, to].map(|vertex| mesh.vertices[vertex]);
                let (left, right) = (from_place - apex_place, to_place - apex_place);
                let doubled_area = left.perp_dot(right).abs();
                areas[apex] += doubled_area / 6.0;
                let edge = edges
                    .entry([from.min(to), from.max(to)])
                    .or_insert((0.0, 0.0));
                let cotangent: f64 = left.dot(right) / doubled_area / 2.0;
                *edge = (edge.0 + cotangent, f64::max(edge.1, cotangent.abs()));
            }
        }
        let least = areas.iter().sum::<f64>() / areas.len() as f64 * 1e-6;
        areas.iter_mut().for_each(|area| *area = area.max(least));
        let positive = |(sum, largest): (f64, f64)| sum.max(largest * LEAST_CONDUCTANCE);
        Self {
            edges: edges
                .into_iter()
                .map(|(edge, cotangents)| (edge, positive(cotangents)))
                .collect(),
            areas,
        }
    }
}
