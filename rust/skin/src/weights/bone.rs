//! Where a bone is.

use glam::DVec2;
use smallvec::SmallVec;

use crate::geometry::nearest_on_segment;

/// The number of parts into which a segment is divided to look at points of it.
const SAMPLES: usize = 16;

/// A bone: a segment, or several that begin at the same joint, one to each joint of a child.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Each from the joint to where the bone ends.
    pub segments: SmallVec<[[DVec2; 2]; 1]>,
    /// The bone that it turns with, by its index among all that move a mesh. None if it turns with none of them.
    pub parent: Option<usize>,
}

impl Bone {
    /// A bone of one segment.
    pub fn new(from: DVec2, to: DVec2) -> Self {
        Self {
            segments: SmallVec::from_elem([from, to], 1),
            parent: None,
        }
    }

    /// The same bone, below another one.
    pub fn below(self, parent: Option<usize>) -> Self {
        Self { parent, ..self }
    }

    /// Returns `true` if one of `bones` turns with another one, or is that one. Parents must not go in circles.
    pub(super) fn is_at_or_below(bones: &[Self], bone: usize, other: usize) -> bool {
        ancestors(bones, bone).any(|above| above == other)
    }

    /// The first of `bones` whose parent is none of them, or whose parents go in a circle.
    pub(super) fn first_astray(bones: &[Self]) -> Option<usize> {
        (0..bones.len()).find(|&bone| {
            let is_there = bones[bone].parent.is_none_or(|parent| parent < bones.len());
            !is_there || ancestors(bones, bone).nth(bones.len()).is_some()
        })
    }

    /// Returns the position of the joint that the bone turns about, in pixels.
    pub fn joint(&self) -> DVec2 {
        self.segments[0][0]
    }

    /// Returns the part of the bone, from 0 to 1, that lies where `is_inside` returns `true`.
    pub(super) fn part_in(&self, is_inside: impl Fn(DVec2) -> bool) -> f64 {
        let (mut inside, mut all) = (0, 0);
        for point in self.samples(SAMPLES) {
            inside += usize::from(point.is_finite() && is_inside(point));
            all += 1;
        }
        f64::from(inside as u32) / f64::from(all.max(1) as u32)
    }

    /// The length of all segments.
    pub(super) fn length(&self) -> f64 {
        self.segments
            .iter()
            .map(|[from, to]| from.distance(*to))
            .sum()
    }

    /// The indices of `bones`, those that others turn with first. Parents must not go in circles.
    pub(super) fn from_roots(bones: &[Self]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..bones.len()).collect();
        order.sort_by_key(|&bone| ancestors(bones, bone).count());
        order
    }

    pub(super) fn is_finite(&self) -> bool {
        let is_finite = |[from, to]: &[DVec2; 2]| from.is_finite() && to.is_finite();
        !self.segments.is_empty() && self.segments.iter().all(is_finite)
    }

    /// The nearest point of each segment.
    pub(super) fn nearest_points(&self, place: DVec2) -> impl Iterator<Item = DVec2> + '_ {
        self.segments
            .iter()
            .map(move |&segment| nearest_on_segment(place, segment))
    }

    /// Points along the segments.
    pub(super) fn samples(&self, count: usize) -> impl Iterator<Item = DVec2> + '_ {
        let at = move |[from, to]: [DVec2; 2], index| from.lerp(to, index as f64 / count as f64);
        self.segments
            .iter()
            .flat_map(move |&segment| (0..=count).map(move |index| at(segment, index)))
    }
}

/// A bone and all that it turns with, upwards.
fn ancestors(bones: &[Bone], bone: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(bone), |&bone| bones.get(bone)?.parent)
}
