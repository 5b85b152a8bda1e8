//! Weights that turn no triangle over when a joint bends.
//!
//! Where a joint turns by `R`, a vertex at `x` from it, of which the part `w` moves, goes by `w (R − 1) x`. At the inner
//! side of a bend, and in the web between two limbs, triangles have no room for parts that differ much, and turn over.
//! So each joint is bent, and each triangle that loses too much asks for the smallest change of its three parts that gives
//! it back (a step of Newton's method). A vertex takes the mean of what its triangles ask for. This is done
//! again and again: what one triangle gets is taken from those beside it, until all have enough.

use crate::giving_up::check;
use glam::DVec2;

use super::bone::Bone;
use super::row::{MOST_BONES, Row, add, fitted};
use crate::geometry::turn;
use crate::mesh::Mesh;

/// The angles by which joints are bent, in degrees.
const ANGLES: [f64; 4] = [60.0, -60.0, 90.0, -90.0];

/// The part of its area that a triangle is to keep.
const KEPT: f64 = 0.1;

/// The factor by which a vertex goes further than to the mean: triangles that want the same are many, and those that
/// need nothing do not pull back.
const STRIDE: f64 = 2.0;

/// The number of times that all joints are bent at most. What is left then has no room at all.
const ROUNDS: usize = 60;

/// Changes the weights of all vertices such that fewer triangles turn over.
pub(super) fn unfold(mesh: &Mesh, bones: &[Bone], rows: &mut [Row]) {
    let joints: Vec<BendingJoint> = (0..bones.len())
        .filter_map(|bone| BendingJoint::of(bones, bone))
        .collect();
    for _ in 0..ROUNDS {
        let mut has_changed = false;
        for joint in &joints {
            check();
            has_changed |= joint.unfold(mesh, rows);
        }
        if !has_changed {
            break;
        }
    }
    for row in rows {
        *row = fitted(row, MOST_BONES, 1.0);
    }
}

/// The joint of a bone, with all bones that hang on it.
struct BendingJoint {
    bone: usize,
    parent: usize,
    place: DVec2,
    /// `true` for each bone that turns with the joint.
    turns: Vec<bool>,
}

/// The changes that triangles ask of a vertex.
#[derive(Clone, Default)]
struct Asked {
    sum: f64,
    count: f64,
}

impl BendingJoint {
    fn of(bones: &[Bone], bone: usize) -> Option<Self> {
        Some(Self {
            bone,
            parent: bones[bone].parent?,
            place: bones[bone].joint(),
            turns: (0..bones.len())
                .map(|other| Bone::is_at_or_below(bones, other, bone))
                .collect(),
        })
    }

    /// Returns whether it had to change anything.
    fn unfold(&self, mesh: &Mesh, rows: &mut [Row]) -> bool {
        let parts: Vec<f64> = rows.iter().map(|row| self.part(row)).collect();
        let asked = self.asked(mesh, &parts);
        let mut has_changed = false;
        for (vertex, asked) in asked.iter().enumerate().filter(|(_, it)| it.count > 0.0) {
            let wanted = parts[vertex] + STRIDE * asked.sum / asked.count;
            self.change(&mut rows[vertex], parts[vertex], wanted.clamp(0.0, 1.0));
            has_changed = true;
        }
        has_changed
    }

    /// Returns the part of a vertex that turns with the joint, from 0 to 1.
    fn part(&self, row: &Row) -> f64 {
        let turning = row.iter().filter(|&&(bone, _)| self.turns[bone]);
        turning.map(|&(_, weight)| weight).sum()
    }

    /// Returns the changes of the vertices' parts that triangles ask for.
    fn asked(&self, mesh: &Mesh, parts: &[f64]) -> Vec<Asked> {
        let rotations = ANGLES.map(|angle| DVec2::from_angle(angle.to_radians()));
        let mut asked = vec![Asked::default(); parts.len()];
        for &corners in &mesh.triangles {
            let part = corners.map(|vertex| parts[vertex]);
            if part[0] == part[1] && part[1] == part[2] {
                continue;
            }
            let rest = corners.map(|vertex| mesh.vertices[vertex] - self.place);
            for rotation in rotations {
                let Some(changes) = changes(rest, part, rotation) else {
                    continue;
                };
                for (vertex, change) in corners.into_iter().zip(changes) {
                    asked[vertex].sum += change;
                    asked[vertex].count += 1.0;
                }
            }
        }
        asked
    }

    /// Makes `wanted` of the part of a vertex that turns. What no longer turns is left to the parent, so that the bones
    /// beside do not get what this one could not hold.
    fn change(&self, row: &mut Row, part: f64, wanted: f64) {
        let turns = |&(bone, _): &(usize, f64)| self.turns[bone];
        let (turning, staying): (Row, Row) = std::mem::take(row).into_iter().partition(turns);
        if wanted > part {
            add(row, &staying, (1.0 - wanted) / (1.0 - part));
        } else {
            add(row, &staying, 1.0);
            add(row, &[(self.parent, 1.0)], part - wanted);
        }
        match part > 0.0 {
            true => add(row, &turning, wanted / part),
            false => add(row, &[(self.bone, 1.0)], wanted),
        }
    }
}

/// Returns the changes of the parts of a triangle's corners with which it keeps enough of its area. `None` if it does
/// already. The corners are relative to the joint.
fn changes(rest: [DVec2; 3], part: [f64; 3], rotation: DVec2) -> Option<[f64; 3]> {
    let ways = rest.map(|corner| rotation.rotate(corner) - corner);
    let bent = [0, 1, 2].map(|corner| rest[corner] + ways[corner] * part[corner]);
    let area = turn(rest[0], rest[1], rest[2]);
    let missing = KEPT - turn(bent[0], bent[1], bent[2]) / area;
    let slopes = [0, 1, 2].map(|corner: usize| {
        let opposite = bent[(corner + 1) % 3] - bent[(corner + 2) % 3];
        ways[corner].perp_dot(opposite) / area
    });
    let steepness: f64 = slopes.iter().map(|slope| slope * slope).sum();
    let is_to_change = missing > 0.0 && steepness > f64::EPSILON;
    is_to_change.then(|| slopes.map(|slope| slope * missing / steepness))
}
