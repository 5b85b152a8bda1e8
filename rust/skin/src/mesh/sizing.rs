//! How long the edges of a mesh may be at a place.

use glam::DVec2;

use super::FINEST;
use crate::geometry::nearest_on_segment;
use crate::picture::outline::Outline;

/// The part of a limb's half width that an edge at its joint may be long.
const PART_OF_WIDTH: f64 = 0.6;

/// The smallest part of the detail that an edge at a joint may be long: a thin limb is not to take
/// all vertices.
const FINEST_AT_JOINT: f64 = 0.2;

/// The radius around a joint within which edges are shortest, in half widths of the limb.
const AROUND: f64 = 1.0;

/// The length by which edges may be longer for each pixel further away from a joint, in pixels.
const GROWTH: f64 = 0.5;

/// A place at which a shape bends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshJoint {
    /// The position, in pixels.
    pub place: DVec2,
    /// Half the width of the limb there.
    pub radius: f64,
}

impl MeshJoint {
    /// A joint in an outline, or none if the place is outside.
    pub fn within(outline: &Outline, place: DVec2) -> Option<Self> {
        let to_edge = |edge| nearest_on_segment(place, edge).distance(place);
        let radius = outline.edges().map(to_edge).fold(f64::INFINITY, f64::min);
        (place.is_finite() && outline.contains(place)).then_some(Self { place, radius })
    }
}

/// The lengths that edges may have: the detail, and less at joints.
pub(super) struct Sizing<'a> {
    detail: f64,
    joints: &'a [MeshJoint],
}

impl<'a> Sizing<'a> {
    pub(super) fn new(detail: f64, joints: &'a [MeshJoint]) -> Self {
        Self { detail, joints }
    }

    pub(super) fn at(&self, place: DVec2) -> f64 {
        let near = |joint: &MeshJoint| {
            let least = (self.detail * FINEST_AT_JOINT).max(FINEST);
            let fine = (joint.radius * PART_OF_WIDTH).max(least);
            let beyond = joint.place.distance(place) - joint.radius * AROUND;
            fine + beyond.max(0.0) * GROWTH
        };
        self.joints.iter().map(near).fold(self.detail, f64::min)
    }
}
