//! Weights that are changed by hand.
//!
//! Whatever changes, the weights of a vertex add up to 1, at most four bones have one, and those of locked bones stay.
//!
//! | file | what is in it |
//! |---|---|
//! | [`locks`] | new weights of a vertex beside those of locked bones |
//! | [`mirror`] | the weights of one side on the other |

mod locks;
pub(crate) mod mirror;

use smallvec::SmallVec;

use crate::mesh::Mesh;
use crate::painting::locks::Locks;
use crate::painting::mirror::Mirror;
use crate::weights::Weights;
use crate::weights::row::{Row, add, weight_in};

/// The number of passes of a smoothing brush, each of which takes the mean of the neighbours.
const PASSES: usize = 4;

/// A change that a brush makes to weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Brush {
    /// Brings the weight of a bone nearer to this one.
    Set {
        /// The bone.
        bone: usize,
        /// From 0 to 1.
        weight: f64,
    },
    /// Adds to the weight of a bone.
    Add {
        /// The bone.
        bone: usize,
        /// From -1 to 1.
        weight: f64,
    },
    /// Brings the weights of all bones nearer to those beside.
    Smooth,
}

impl Brush {
    /// Returns the strength of a brush at a distance from its center: 1 there, and 0 from the radius on.
    pub fn softness(distance: f64, radius: f64) -> f64 {
        if distance >= radius {
            return 0.0;
        }
        (1.0 - (distance / radius).powi(2)).powi(2)
    }
}

/// A mesh whose weights are changed.
pub struct Painting {
    mesh: Mesh,
    /// The vertices beside each, with how much they count.
    neighbours: Vec<SmallVec<[(usize, f64); 8]>>,
    locks: Locks,
}

impl Painting {
    /// The bones for which `locked` is true keep their weights.
    pub fn new(mesh: Mesh, locked: Vec<bool>) -> Self {
        let mut neighbours = vec![SmallVec::new(); mesh.vertices.len()];
        for &[a, b, c] in &mesh.triangles {
            for [from, to] in [[a, b], [b, c], [c, a], [b, a], [c, b], [a, c]] {
                let beside: &mut SmallVec<[(usize, f64); 8]> = &mut neighbours[from];
                if beside.iter().all(|&(other, _)| other != to) {
                    let length = mesh.vertices[from].distance(mesh.vertices[to]);
                    beside.push((to, 1.0 / length.max(f64::MIN_POSITIVE)));
                }
            }
        }
        Self {
            mesh,
            neighbours,
            locks: Locks(locked),
        }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Returns the weights `before` as a brush changes them by these amounts, from 0 to 1, one for each vertex.
    pub fn paint(&self, before: &Weights, brush: Brush, amounts: &[f64]) -> Weights {
        match brush {
            Brush::Set { bone, weight } => self.change(before, amounts, |row, amount| {
                let own = weight_in(row, bone);
                self.locks
                    .with_weight(row, bone, own + (weight - own) * amount)
            }),
            Brush::Add { bone, weight } => self.change(before, amounts, |row, amount| {
                let own = weight_in(row, bone);
                self.locks.with_weight(row, bone, own + weight * amount)
            }),
            Brush::Smooth => {
                let mut smooth = before.clone();
                for _ in 0..PASSES {
                    let rows = self.blended(&smooth, amounts, |vertex| self.mean(&smooth, vertex));
                    set_all(&mut smooth, rows);
                }
                smooth
            }
        }
    }

    /// The weights of one side on the other one.
    pub fn mirror(&self, before: &Weights, mirror: &Mirror, amounts: &[f64]) -> Weights {
        self.blend(before, amounts, |vertex| {
            mirror.row(&self.mesh, before, vertex)
        })
    }

    /// Other weights.
    pub fn replace(&self, before: &Weights, new: &Weights, amounts: &[f64]) -> Weights {
        self.blend(before, amounts, |vertex| Row::from_slice(new.of(vertex)))
    }

    /// The mean of the neighbours' weights.
    fn mean(&self, weights: &Weights, vertex: usize) -> Row {
        let mut mean = Row::new();
        for &(neighbour, part) in &self.neighbours[vertex] {
            add(&mut mean, weights.of(neighbour), part);
        }
        let sum: f64 = mean.iter().map(|&(_, weight)| weight).sum();
        mean.iter_mut().for_each(|(_, weight)| *weight /= sum);
        mean
    }

    /// Blends the weights of each vertex with others.
    fn blend(&self, before: &Weights, amounts: &[f64], wanted: impl Fn(usize) -> Row) -> Weights {
        let mut after = before.clone();
        set_all(&mut after, self.blended(before, amounts, wanted));
        after
    }

    /// The weights of those vertices that are blended with others.
    fn blended(
        &self,
        before: &Weights,
        amounts: &[f64],
        wanted: impl Fn(usize) -> Row,
    ) -> Vec<(usize, Row)> {
        let blended = |(vertex, &amount): (usize, &f64)| {
            let (row, other) = (before.of(vertex), wanted(vertex));
            // A vertex without weights has nothing to blend with.
            let amount = if row.is_empty() { 1.0 } else { amount };
            let mut blended = Row::new();
            add(&mut blended, row, 1.0 - amount);
            add(&mut blended, &other, amount);
            (!other.is_empty()).then(|| (vertex, self.locks.beside(row, &blended)))
        };
        let touched = amounts.iter().enumerate().filter(|&(_, &it)| it > 0.0);
        touched.filter_map(blended).collect()
    }

    fn change(
        &self,
        before: &Weights,
        amounts: &[f64],
        changed: impl Fn(&[(usize, f64)], f64) -> Row,
    ) -> Weights {
        let mut after = before.clone();
        for (vertex, &amount) in amounts.iter().enumerate().filter(|&(_, &it)| it > 0.0) {
            after.set(vertex, changed(before.of(vertex), amount));
        }
        after
    }
}

fn set_all(weights: &mut Weights, rows: Vec<(usize, Row)>) {
    for (vertex, row) in rows {
        weights.set(vertex, row);
    }
}
