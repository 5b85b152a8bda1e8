//! The matrix of inertia, and its factors.
//!
//! An entry that is not zero belongs to a coordinate and one above it. Eliminated from the leaves to the root,
//! such a matrix gets no further entries: `A = LᵀL`, where `L` has entries at the same places. A body of `n`
//! links that are `d` deep takes `n d²` multiplications instead of `n³ / 6`.
//!
//! Source: R. Featherstone, *Efficient Factorization of the Joint-Space Inertia Matrix for Branched Kinematic
//! Trees* (2005).

use glam::DVec2;

use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::kinematics::LinkKinematics;

/// A symmetric matrix over the state of a body, or its factor.
#[derive(Clone, Debug, Default)]
pub(super) struct MassMatrix {
    /// Row by row, the entries of a coordinate and of all above it, in the order of its path. So the entries of two
    /// coordinates of which one is above the other lie side by side from its own on.
    entries: Vec<f64>,
}

impl MassMatrix {
    /// Becomes a copy of another one, where there is room already.
    pub(super) fn copy(&mut self, other: &Self) {
        self.entries.clone_from(&other.entries);
    }

    /// Becomes the matrix of inertia of a body.
    pub(super) fn take_inertia(&mut self, body: &Body, kinematics: &LinkKinematics) {
        self.entries.clear();
        for &root in &body.roots {
            let mass = body.links[root].carried;
            self.entries.extend([mass, mass, 0.0]);
        }
        for (index, link) in body.links.iter().enumerate() {
            let moment = kinematics.moments[index];
            self.entries.push(link.swing);
            let mut below = index;
            while let Some(parent) = body.links[below].parent {
                self.entries.push(kinematics.arms[below].dot(moment));
                below = parent;
            }
            self.entries.extend([moment.x, -moment.y]);
        }
    }

    /// Adds to the entry of `row` and `column`, which is at or above it.
    pub(super) fn add(&mut self, body: &Body, row: usize, column: usize, value: f64) {
        let above = body.range(column).len();
        self.entries[body.range(row).end - above] += value;
    }

    /// Adds a spring between points of a link and of the world: `stiffness` times the square of its columns.
    pub(super) fn add_columns(
        &mut self,
        body: &Body,
        kinematics: &LinkKinematics,
        link: usize,
        place: DVec2,
        stiffness: f64,
    ) {
        let rows = body.path(body.angle(link)).iter();
        for (depth, (&row, one)) in rows.zip(kinematics.columns(body, link, place)).enumerate() {
            let others = kinematics.columns(body, link, place).skip(depth);
            for (entry, other) in self.entries[body.range(row)].iter_mut().zip(others) {
                *entry += stiffness * one.dot(other);
            }
        }
    }

    /// The product with a vector.
    pub(super) fn multiply(&self, body: &Body, vector: &[f64], product: &mut Vec<f64>) {
        product.clear();
        product.resize(body.size(), 0.0);
        for row in 0..body.size() {
            let (own, above) = self.row(body, row);
            product[row] += own * vector[row];
            for (&index, entry) in above {
                product[row] += entry * vector[index];
                product[index] += entry * vector[row];
            }
        }
    }

    /// Becomes its factor. `false` if it is not positive definite.
    pub(super) fn factor(&mut self, body: &Body) -> bool {
        for pivot in (0..body.size()).rev() {
            let range = body.range(pivot);
            let (above, own) = self.entries.split_at_mut(range.start);
            let own = &mut own[..range.len()];
            if own[0].is_nan() || own[0] <= 0.0 {
                return false;
            }
            own[0] = own[0].sqrt();
            let root = own[0];
            own[1..].iter_mut().for_each(|entry| *entry /= root);
            for (place, &row) in body.path(pivot).iter().enumerate().skip(1) {
                let known = &own[place..];
                for (entry, other) in above[body.range(row)].iter_mut().zip(known) {
                    *entry -= known[0] * other;
                }
            }
        }
        true
    }

    /// For the factor: `vector` becomes what `Lᵀ` makes it of.
    pub(super) fn solve_upwards(&self, body: &Body, vector: &mut [f64]) {
        for row in (0..body.size()).rev() {
            // Most of what pushes at a link is not felt by most others.
            if vector[row] == 0.0 {
                continue;
            }
            let (own, above) = self.row(body, row);
            let solved = vector[row] / own;
            vector[row] = solved;
            for (&index, entry) in above {
                vector[index] -= entry * solved;
            }
        }
    }

    /// For the factor: `vector` becomes what `L` makes it of.
    pub(super) fn solve_downwards(&self, body: &Body, vector: &mut [f64]) {
        for row in 0..body.size() {
            let (own, above) = self.row(body, row);
            let known: f64 = above.map(|(&index, entry)| entry * vector[index]).sum();
            vector[row] = (vector[row] - known) / own;
        }
    }

    /// The entry of a coordinate itself, and those of all above it.
    fn row<'a>(
        &'a self,
        body: &'a Body,
        row: usize,
    ) -> (f64, impl Iterator<Item = (&'a usize, &'a f64)>) {
        let (path, entries) = (body.path(row), &self.entries[body.range(row)]);
        (entries[0], path[1..].iter().zip(&entries[1..]))
    }
}
