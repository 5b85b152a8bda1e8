//! Which bones move a vertex, and how much.
//!
//! *Bone heat* (Baran, Popović, *Automatic Rigging and Animation of 3D Characters*, 2007): each vertex
//! is heated by the bone that is nearest through the shape, the more the nearer it is, and heat
//! spreads through the triangles. A bone's weights are the temperatures when it alone is hot.
//!
//! | file | what is in it |
//! |---|---|
//! | [`bone`] | where a bone is |
//! | [`fault`] | why there are no weights |
//! | [`sight`] | which bone is the nearest one that is seen through the shape |
//! | [`heat`] | the system of equations, and its solution for each bone |
//! | [`selection`] | the few bones that are left |

pub(crate) mod bone;
pub(crate) mod fault;
mod heat;
pub(crate) mod selection;
mod sight;

use smallvec::SmallVec;

use crate::mesh::Mesh;
use bone::Bone;
use fault::WeightFault;
use selection::MOST_BONES;
use sight::Sight;

/// For each vertex the bones that move it.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    vertices: Vec<SmallVec<[(usize, f64); MOST_BONES]>>,
}

impl Weights {
    /// The weights of these bones.
    ///
    /// `reach` is how far weights reach over a joint, in half widths of the limb: at this distance, a
    /// bone has about a sixth of the weight.
    pub fn new(mesh: &Mesh, bones: &[Bone], reach: f64) -> Result<Self, WeightFault> {
        if bones.is_empty() {
            return Err(WeightFault::NoBones);
        }
        if let Some(bone) = bones.iter().position(|bone| !bone.is_finite()) {
            return Err(WeightFault::Bone(bone));
        }
        if !(reach.is_finite() && reach > 0.0) {
            return Err(WeightFault::Reach);
        }
        let sources = Sight::new(mesh).sources(bones);
        let temperatures = heat::solve(mesh, &sources, bones.len(), reach)?;
        let vertices = 0..mesh.vertices.len();
        Ok(Self {
            vertices: vertices
                .map(|vertex| selection::select(&temperatures, vertex))
                .collect(),
        })
    }

    /// All vertices are moved by one bone alone.
    pub fn rigid(mesh: &Mesh, bone: usize) -> Self {
        Self {
            vertices: vec![SmallVec::from_slice(&[(bone, 1.0)]); mesh.vertices.len()],
        }
    }

    /// The bones that move a vertex, with weights that add up to 1, in the order of the bones.
    pub fn of(&self, vertex: usize) -> &[(usize, f64)] {
        &self.vertices[vertex]
    }

    /// The weights of one bone, for all vertices.
    pub fn of_bone(&self, bone: usize) -> impl Iterator<Item = f64> + '_ {
        self.vertices.iter().map(move |weights| {
            weights
                .iter()
                .find(|&&(other, _)| other == bone)
                .map_or(0.0, |&(_, weight)| weight)
        })
    }
}
