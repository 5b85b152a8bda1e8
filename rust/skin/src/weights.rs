//! Which bones move a vertex, and how much.
//!
//! Each vertex is held by the bone that is nearest through the shape, the firmer the nearer it is. Between
//! them, weights are as smooth as they can be from 0 to 1. Where triangles would turn over when a joint bends, they give way.
//!
//! | file | what is in it |
//! |---|---|
//! | [`bone`] | the segments of a bone |
//! | [`choice`] | the bones that move a part of a cut-out |
//! | [`sight`] | the nearest bone that is seen through the shape |
//! | [`biharmonic`] | the smoothest weights that are held so |
//! | [`laplacian`] | the difference of a value at a vertex from those around it |
//! | [`bounded`] | the smallest value of a quadratic function within bounds |
//! | [`factor`] | the equations of some of the rows of a matrix |
//! | [`unfolding`] | weights that turn no triangle over |
//! | [`carrying`] | weights of one mesh for another one |
//! | [`row`] | the weights of one vertex, by the few bones that are left |

mod biharmonic;
pub(crate) mod bone;
mod bounded;
mod carrying;
pub(crate) mod choice;
mod factor;
mod laplacian;
pub(crate) mod row;
mod sight;
mod unfolding;

use glam::DVec2;
use smallvec::SmallVec;
use thiserror::Error;

use crate::mesh::Mesh;
use bone::Bone;
use laplacian::Laplacian;
use row::{MOST_BONES, Row, add, fitted, weight_in};
use sight::Sight;

/// The reason that there are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WeightFault {
    /// Nothing could move the mesh.
    #[error("there are no bones")]
    NoBones,
    /// A bone has no segment, or one that is not finite.
    #[error("bone {0} has no finite position and length")]
    Bone(usize),
    /// A bone turns with one that is not there, or with itself.
    #[error("bone {0} has no parent among the bones, or is its own ancestor")]
    Parent(usize),
    /// The reach is not a positive number.
    #[error("the reach has to be a positive number")]
    Reach,
    /// The equations have no solution in floating point numbers, as with triangles of extreme sizes.
    #[error("the triangles are too thin for weights")]
    Unsolvable,
}

/// For each vertex the bones that move it.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    vertices: Vec<Row>,
}

impl Weights {
    /// The weights of these bones.
    ///
    /// `reach` is about how long the part of a limb is that bends at a joint, in half widths of the limb.
    pub fn new(mesh: &Mesh, bones: &[Bone], reach: f64) -> Result<Self, WeightFault> {
        if bones.is_empty() {
            return Err(WeightFault::NoBones);
        }
        if let Some(bone) = bones.iter().position(|bone| !bone.is_finite()) {
            return Err(WeightFault::Bone(bone));
        }
        if let Some(bone) = Bone::first_astray(bones) {
            return Err(WeightFault::Parent(bone));
        }
        if !(reach.is_finite() && reach > 0.0) {
            return Err(WeightFault::Reach);
        }
        let laplacian = Laplacian::new(mesh);
        let sources = Sight::new(mesh, &laplacian.areas).sources(bones);
        let weights = biharmonic::solve(&laplacian, &sources, bones.len(), reach);
        let weights = weights.ok_or(WeightFault::Unsolvable)?;
        let vertices = 0..mesh.vertices.len();
        let mut rows: Vec<Row> = vertices
            .map(|vertex| row::select(&weights, vertex))
            .collect();
        unfolding::unfold(mesh, bones, &mut rows);
        Ok(Self { vertices: rows })
    }

    /// Weights that come from elsewhere: of each bone, for `count` vertices. The four largest of a vertex are
    /// made to add up to 1. A vertex may be left without any.
    pub fn from_bones(count: usize, bones: &[Vec<f64>]) -> Self {
        let row = |vertex: usize| {
            let weights = bones.iter().map(|weights| weights.get(vertex));
            let weights = weights.map(|weight| weight.copied().unwrap_or(0.0));
            let row: SmallVec<[_; 16]> = weights
                .enumerate()
                .filter(|&(_, weight)| weight > 0.0 && weight.is_finite())
                .collect();
            fitted(&row, MOST_BONES, 1.0)
        };
        Self {
            vertices: (0..count).map(row).collect(),
        }
    }

    /// These weights, of bones that have these indices among others.
    pub fn renumbered(&self, bones: &[usize]) -> Self {
        let rows = self.vertices.iter().map(|row| {
            let row: Row = row.iter().map(|&(bone, it)| (bones[bone], it)).collect();
            fitted(&row, MOST_BONES, 1.0)
        });
        Self {
            vertices: rows.collect(),
        }
    }

    /// The bones that move a vertex, with weights that add up to 1, in the order of the bones.
    pub fn of(&self, vertex: usize) -> &[(usize, f64)] {
        &self.vertices[vertex]
    }

    /// The weight of a bone for a vertex.
    pub fn weight(&self, vertex: usize, bone: usize) -> f64 {
        weight_in(self.of(vertex), bone)
    }

    /// The weights of one bone, for all vertices.
    pub fn of_bone(&self, bone: usize) -> impl Iterator<Item = f64> + '_ {
        self.vertices.iter().map(move |row| weight_in(row, bone))
    }

    /// The weights at a place of `mesh`, the largest first, or none beside it.
    pub fn at(&self, mesh: &Mesh, place: DVec2) -> Vec<(usize, f64)> {
        let mut row = Row::new();
        if let Some((corners, parts)) = mesh.at(place) {
            for (corner, part) in corners.into_iter().zip(parts) {
                add(&mut row, self.of(corner), part);
            }
        }
        row.sort_by(|first, second| second.1.total_cmp(&first.1));
        row.into_vec()
    }

    pub(crate) fn set(&mut self, vertex: usize, row: Row) {
        self.vertices[vertex] = row;
    }
}
