//! Weights of one mesh for another one of the same drawing, or of a drawing that has changed.
//!
//! What lies in the old mesh keeps its weights by place. Beside it, where the drawing has grown, they go on through the new mesh as
//! evenly as they can, and further out those come in that were computed anew.

use std::collections::BTreeSet;

use super::Weights;
use super::bounded::Quadratic;
use super::laplacian::Laplacian;
use super::row::{MOST_BONES, Row, add, fitted, weight_in};
use crate::mesh::Mesh;
use crate::mesh::origin::Origin;

/// The distance from the old mesh up to which its weights go on, as a part of the width that the drawing had, were it a
/// square.
const BESIDE: f64 = 0.125;

/// A vertex that is nearer to the old mesh than this is in it, in parts of that distance.
const SAME: f64 = 1e-6;

/// The least that neighbours count for each other.
const LEAST_PART: f64 = 1e-3;

impl Weights {
    /// These weights, of the mesh `from`, for the mesh `to`. `fresh` are weights of the same bones that were computed for `to`: they
    /// are what is far from `from`.
    pub fn carried(&self, from: &Mesh, to: &Mesh, fresh: &Self) -> Self {
        let laplacian = Laplacian::new(to);
        let beside = BESIDE * Laplacian::new(from).areas.iter().sum::<f64>().sqrt();
        let origins = to.origins(from);
        let kept = |origin: &Origin| {
            if let Some(corner) = origin.parts.iter().position(|&part| part == 1.0) {
                return Row::from_slice(self.of(origin.corners[corner]));
            }
            let mut row = Row::new();
            for (corner, part) in origin.corners.into_iter().zip(origin.parts) {
                add(&mut row, self.of(corner), part);
            }
            fitted(&row, MOST_BONES, 1.0)
        };
        let known: Vec<Option<Row>> = (origins.iter())
            .map(|origin| (origin.distance <= SAME * beside).then(|| kept(origin)))
            .collect();
        let beyond = continued(&laplacian, &known);
        let row = |vertex: usize| {
            if let Some(row) = &known[vertex] {
                return row.clone();
            }
            let away = (origins[vertex].distance / beside).min(1.0);
            // Where nothing of the old mesh is.
            let away = if beyond[vertex].is_empty() { 1.0 } else { away };
            let mut row = Row::new();
            add(&mut row, &beyond[vertex], 1.0 - away);
            add(&mut row, fresh.of(vertex), away);
            fitted(&row, MOST_BONES, 1.0)
        };
        Self {
            vertices: (0..to.vertices.len()).map(row).collect(),
        }
    }
}

/// Rows for the vertices that have none: as even as they can be between those that have. Empty where there are none around.
fn continued(laplacian: &Laplacian, known: &[Option<Row>]) -> Vec<Row> {
    let mut rows = vec![Row::new(); known.len()];
    let reached = reached(laplacian, known);
    let is_open = |&vertex: &usize| known[vertex].is_none() && reached[vertex];
    let open: Vec<usize> = (0..known.len()).filter(is_open).collect();
    let mut places = vec![None; known.len()];
    for (place, &vertex) in open.iter().enumerate() {
        places[vertex] = Some(place);
    }
    let bones: BTreeSet<usize> = known.iter().flatten().flatten().map(|it| it.0).collect();
    let bones: Vec<usize> = bones.into_iter().collect();
    let mut differences = Quadratic::new(open.len());
    let mut pulls = vec![vec![0.0; open.len()]; bones.len()];
    for (place, &vertex) in open.iter().enumerate() {
        for &(other, part) in laplacian.rows[vertex].iter().filter(|it| it.0 != vertex) {
            // Beyond obtuse corners it would pull the wrong way.
            let part = (-part).max(LEAST_PART);
            differences.add(place, place, part);
            if let Some(beside) = places[other] {
                differences.add(place, beside, -part);
            }
            for (pull, &bone) in pulls.iter_mut().zip(&bones) {
                pull[place] += known[other]
                    .as_ref()
                    .map_or(0.0, |row| part * weight_in(row, bone));
            }
        }
    }
    for (values, bone) in differences
        .bounded_minima(&pulls)
        .into_iter()
        .flatten()
        .zip(bones)
    {
        for (&vertex, value) in open.iter().zip(values) {
            add(&mut rows[vertex], &[(bone, value)], 1.0);
        }
    }
    rows
}

/// Returns for each vertex `true` if it is connected with one that is known.
fn reached(laplacian: &Laplacian, known: &[Option<Row>]) -> Vec<bool> {
    let mut reached: Vec<bool> = known.iter().map(Option::is_some).collect();
    let mut next: Vec<usize> = (0..known.len()).filter(|&it| reached[it]).collect();
    while let Some(vertex) = next.pop() {
        for &(other, _) in &laplacian.rows[vertex] {
            if !std::mem::replace(&mut reached[other], true) {
                next.push(other);
            }
        }
    }
    reached
}
