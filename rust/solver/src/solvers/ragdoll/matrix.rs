//! The matrix of inertia, and its factors.
//!
//! An entry that is not zero belongs to a coordinate and one above it. Eliminated from the leaves to the root,
//! such a matrix gets no further entries: `A = LᵀL`, where `L` has entries at the same places. A body of `n`
//! links that are `d` deep takes `n d²` multiplications instead of `n³ / 6`.
//!
//! Source: R. Featherstone, *Efficient Factorization of the Joint-Space Inertia Matrix for Branched Kinematic
//! Trees* (2005).

use glam::DVec2;

use crate::math::clone_in_place::clone_in_place;
use crate::solvers::ragdoll::body::{Body, ROOT};
use crate::solvers::ragdoll::figure::Figure;

/// A symmetric matrix over the state of a body, or its factor.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    size: usize,
    /// Row by row, the lower triangle. Entries of coordinates that are not above one another are not used.
    entries: Vec<f64>,
}

clone_in_place!(Matrix: entries);

impl Matrix {
    /// Becomes the matrix of inertia of a body.
    pub(super) fn take_inertia(&mut self, body: &Body, figure: &Figure) {
        self.size = body.size();
        self.entries.clear();
        self.entries.resize(self.size * self.size, 0.0);
        let mass = body.mass();
        self.add(0, 0, mass);
        self.add(1, 1, mass);
        for (index, link) in body.links.iter().enumerate() {
            let (row, moment) = (ROOT + index, figure.moments[index]);
            self.add(row, row, link.swing);
            self.add(row, 0, -moment.y);
            self.add(row, 1, moment.x);
            let mut below = index;
            while let Some(parent) = body.links[below].parent {
                self.add(row, ROOT + parent, figure.arms[below].dot(moment));
                below = parent;
            }
        }
    }

    /// Adds to the entry of `row` and `column`, which is not after it.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.size + column] += value;
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    /// Adds a spring between points of a link and of the world: `stiffness` times the square of its columns.
    pub(super) fn add_columns(
        &mut self,
        body: &Body,
        figure: &Figure,
        link: usize,
        place: DVec2,
        stiffness: f64,
    ) {
        let columns = || body.path(link).zip(figure.columns(body, link, place));
        for (depth, (row, one)) in columns().enumerate() {
            for (column, other) in columns().skip(depth) {
                self.add(row, column, stiffness * one.dot(other));
            }
        }
    }

    /// The product with a vector.
    pub(super) fn multiply(&self, body: &Body, vector: &[f64], product: &mut Vec<f64>) {
        product.clear();
        product.resize(self.size, 0.0);
        for row in 0..self.size {
            product[row] += self.at(row, row) * vector[row];
            let mut column = body.above(row);
            while let Some(index) = column {
                product[row] += self.at(row, index) * vector[index];
                product[index] += self.at(row, index) * vector[row];
                column = body.above(index);
            }
        }
    }

    /// Becomes its factor. `false` if it is not positive definite.
    pub(super) fn factor(&mut self, body: &Body) -> bool {
        for pivot in (0..self.size).rev() {
            let diagonal = self.at(pivot, pivot);
            if diagonal.is_nan() || diagonal <= 0.0 {
                return false;
            }
            let root = diagonal.sqrt();
            self.entries[pivot * self.size + pivot] = root;
            let mut next = body.above(pivot);
            while let Some(index) = next {
                self.entries[pivot * self.size + index] /= root;
                next = body.above(index);
            }
            let mut next = body.above(pivot);
            while let Some(row) = next {
                let factor = self.at(pivot, row);
                let mut column = Some(row);
                while let Some(index) = column {
                    let known = factor * self.at(pivot, index);
                    self.add(row, index, -known);
                    column = body.above(index);
                }
                next = body.above(row);
            }
        }
        true
    }

    /// For the factor: `vector` becomes what `Lᵀ` makes it of.
    pub(super) fn solve_upwards(&self, body: &Body, vector: &mut [f64]) {
        for row in (0..self.size).rev() {
            let solved = vector[row] / self.at(row, row);
            vector[row] = solved;
            let mut column = body.above(row);
            while let Some(index) = column {
                vector[index] -= self.at(row, index) * solved;
                column = body.above(index);
            }
        }
    }

    /// The same of a vector that has entries along a path only. `entries` are those from `indices`, in the
    /// order of a path, or several of them from the leaves on.
    pub(super) fn solve_path_upwards(&self, indices: &[u16], entries: &mut [f64]) {
        for place in 0..indices.len() {
            let row = usize::from(indices[place]);
            let solved = entries[place] / self.at(row, row);
            entries[place] = solved;
            for (entry, &index) in entries[place + 1..].iter_mut().zip(&indices[place + 1..]) {
                *entry -= self.at(row, usize::from(index)) * solved;
            }
        }
    }

    /// For the factor: `vector` becomes what `L` makes it of.
    pub(super) fn solve_downwards(&self, body: &Body, vector: &mut [f64]) {
        for row in 0..self.size {
            let mut known = 0.0;
            let mut column = body.above(row);
            while let Some(index) = column {
                known += self.at(row, index) * vector[index];
                column = body.above(index);
            }
            vector[row] = (vector[row] - known) / self.at(row, row);
        }
    }
}
