//! How fine a mesh is to be.

use super::sizing::{MeshJoint, Sizing};
use super::{FINEST, MOST, Mesh, MeshFault, triangulation};
use crate::picture::outline::Outline;

/// The search ends when the number of vertices is this near to the wanted one, as a part of it.
const CLOSE: f64 = 0.08;

/// The number of meshes that the search makes at most.
const TRIES: usize = 12;

/// The fineness of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Density {
    /// As fine as the shape needs: an eighth of its width, if it were a square.
    #[default]
    Automatic,
    /// Vertices are about this far apart, in pixels, and nearer at joints.
    Detail(f64),
    /// About this many vertices. If the outline needs more, there are more.
    Vertices(usize),
}

impl Mesh {
    /// Returns the distance between vertices, in pixels, that are as fine as the shape needs.
    pub(crate) fn natural_detail(outline: &Outline) -> f64 {
        (outline.area().max(0.0).sqrt() / 8.0).max(FINEST)
    }

    /// A mesh of the inside of an outline.
    pub fn within(
        outline: &Outline,
        joints: &[MeshJoint],
        density: Density,
    ) -> Result<Self, MeshFault> {
        let natural = Self::natural_detail(outline);
        let mesh = |detail| triangulation::mesh(outline, &Sizing::new(detail, joints));
        match density {
            Density::Automatic => mesh(natural),
            Density::Detail(detail) if detail.is_finite() && detail >= FINEST => {
                // Of triangles with sides of this length.
                let count = outline.area() / (detail * detail * 0.75_f64.sqrt());
                match count <= MOST {
                    true => mesh(detail),
                    false => Err(MeshFault::TooFine(count as usize)),
                }
            }
            Density::Detail(_) => Err(MeshFault::Detail),
            Density::Vertices(count) => search(count as f64, natural, mesh),
        }
    }
}

/// The mesh whose number of vertices is nearest to `count`. The finer the detail, the more vertices.
fn search(
    count: f64,
    natural: f64,
    mesh: impl Fn(f64) -> Result<Mesh, MeshFault>,
) -> Result<Mesh, MeshFault> {
    let off = |mesh: &Mesh| (mesh.vertices.len() as f64 / count.max(1.0)).ln();
    let mut best = mesh(natural)?;
    let mut nearest = off(&best);
    let (mut fine, mut coarse) = (FINEST, natural * 64.0);
    // By which power of the detail the number of vertices goes: its square, except along the outline.
    let mut power = -2.0;
    let mut detail = natural;
    let mut last = nearest;
    for _ in 1..TRIES {
        if nearest.abs() < CLOSE {
            break;
        }
        if last > 0.0 {
            fine = detail;
        } else {
            coarse = detail;
        }
        if coarse <= fine * 1.01 {
            break;
        }
        let step = detail * (-last / power).exp();
        let margin = (coarse / fine).powf(0.1);
        let (previous, previous_detail) = (last, detail);
        detail = if step > fine * margin && step < coarse / margin {
            step
        } else {
            (fine * coarse).sqrt()
        };
        let found = mesh(detail)?;
        last = off(&found);
        power = ((last - previous) / (detail / previous_detail).ln()).clamp(-2.5, -0.2);
        if last.abs() < nearest.abs() {
            nearest = last;
            best = found;
        }
    }
    Ok(best)
}
