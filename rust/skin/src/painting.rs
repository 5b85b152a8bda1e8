//! Weights that are changed by hand.
//!
//! Whatever changes, the weights of a vertex add up to 1, at most four bones have one, and those of locked bones stay.
//!
//! | file | what is in it |
//! |---|---|
//! | [`locks`] | new weights of a vertex beside those of locked bones |

mod locks;

use glam::DVec2;
use smallvec::SmallVec;

use crate::mesh::Mesh;
use crate::mesh::origin::Origin;
use crate::painting::locks::Locks;
use crate::weights::Weights;
use crate::weights::row::{Row, add, weight_in};

/// Vertices that are so near to the line, in pixels, lie on it.
const ON_LINE: f64 = 0.01;

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
            Brush::Smooth => (0..PASSES).fold(before.clone(), |smooth, _| {
                self.blend(&smooth, amounts, |vertex| self.mean(&smooth, vertex))
            }),
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
        for (vertex, &amount) in amounts.iter().enumerate().filter(|&(_, &it)| it > 0.0) {
            let (row, other) = (before.of(vertex), wanted(vertex));
            if other.is_empty() {
                continue;
            }
            // A vertex without weights has nothing to blend with.
            let amount = if row.is_empty() { 1.0 } else { amount };
            let mut blended = Row::new();
            add(&mut blended, row, 1.0 - amount);
            add(&mut blended, &other, amount);
            after.set(vertex, self.locks.beside(row, &blended));
        }
        after
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

/// A line between two sides, of which one is copied.
pub struct Mirror {
    /// A point of the line.
    pub place: DVec2,
    /// Square to the line, towards the side that is copied. Of length 1.
    pub towards: DVec2,
    /// For each bone the one on the other side: itself if it is in the middle.
    pub partners: Vec<usize>,
}

impl Mirror {
    /// Returns the wanted weights of a vertex: those at its mirror image, or its own on the side that is copied.
    fn row(&self, mesh: &Mesh, weights: &Weights, vertex: usize) -> Row {
        let own = weights.of(vertex);
        let place = mesh.vertices[vertex];
        let distance = (place - self.place).dot(self.towards);
        if distance > ON_LINE {
            return Row::from_slice(own);
        }
        let image = place - self.towards * (2.0 * distance);
        let Origin { corners, parts, .. } = mesh.nearest(image);
        let mut row = Row::new();
        for (corner, part) in corners.into_iter().zip(parts) {
            add(&mut row, weights.of(corner), part);
        }
        let mut mirrored: Row = row
            .iter()
            .map(|&(bone, weight)| (self.partners[bone], weight))
            .collect();
        // Both sides are one there.
        if distance.abs() <= ON_LINE {
            add(&mut mirrored, &row, 1.0);
        }
        mirrored
    }
}
