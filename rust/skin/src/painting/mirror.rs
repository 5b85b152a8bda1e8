//! The weights of one side on the other.

use glam::DVec2;

use crate::mesh::Mesh;
use crate::mesh::origin::Origin;
use crate::weights::Weights;
use crate::weights::row::{Row, add};

/// Vertices that are so near to the line, in pixels, lie on it.
const ON_LINE: f64 = 0.01;

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
    pub(super) fn row(&self, mesh: &Mesh, weights: &Weights, vertex: usize) -> Row {
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
