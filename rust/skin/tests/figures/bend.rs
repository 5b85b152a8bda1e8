//! What becomes of a skin when a joint bends.

use glam::DVec2;
use tendon_skin::{Skin, glam};

use super::Figure;

/// How many triangles are turned over, and how much of the area is lost or gained, as a part.
#[derive(Clone, Debug)]
pub struct Bent {
    pub flips: usize,
    pub area: f64,
}

impl Bent {
    /// Bends the joint of one bone by linear blend skinning.
    pub fn new(figure: &Figure, skin: &Skin, bone: usize, angle: f64) -> Self {
        let turned = |mut other: usize| {
            while other != bone {
                match figure.limbs[other].parent {
                    Some(parent) => other = parent,
                    None => return false,
                }
            }
            true
        };
        let joint = figure.limbs[bone].from;
        let moves: Vec<bool> = (0..figure.limbs.len()).map(turned).collect();
        let place = |vertex: usize| {
            let rest = skin.mesh.vertices[vertex];
            let moved = joint + DVec2::from_angle(angle).rotate(rest - joint);
            let part: f64 = skin
                .weights
                .of(vertex)
                .iter()
                .filter(|(bone, _)| moves[*bone])
                .map(|(_, weight)| weight)
                .sum();
            rest.lerp(moved, part)
        };
        let area = |[a, b, c]: [DVec2; 3]| (b - a).perp_dot(c - a) / 2.0;
        let rest = |triangle| area(skin.mesh.corners(triangle));
        let bent = |triangle: usize| area(skin.mesh.triangles[triangle].map(place));
        let triangles = 0..skin.mesh.triangles.len();
        let before: f64 = triangles.clone().map(rest).sum();
        let after: f64 = triangles.clone().map(bent).sum();
        let is_over = |triangle: &usize| bent(*triangle) * rest(*triangle) < 0.0;
        Self {
            flips: triangles.filter(is_over).count(),
            area: after / before - 1.0,
        }
    }
}
