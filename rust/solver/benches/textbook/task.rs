//! One problem of inverse kinematics, and an answer to it.
//!
//! Bones form a tree, parents first; a chain is a tree without branches. Each bone begins
//! where its parent ends, the first at the origin, so a pose is either one angle for each
//! bone, relative to its parent, or one position for each bone's end. Both are here.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

use super::obstacle::{Circle, deepest};

/// One bone of a [`Task`].
#[derive(Clone, Copy, Debug)]
pub struct Bone {
    /// Index of the parent, smaller than the bone's own; `None` for the first.
    pub parent: Option<usize>,
    /// How long the bone is.
    pub length: f64,
    /// The angle to its parent that it starts from, in radians.
    pub start: f64,
    /// The least and the greatest angle that it may have.
    pub limit: Option<(f64, f64)>,
}

/// A bone whose end has somewhere to go.
#[derive(Clone, Copy, Debug)]
pub struct Effector {
    /// Index of the bone.
    pub bone: usize,
    /// What its end is to reach.
    pub target: DVec2,
}

/// What to solve, and when to stop.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// The tree.
    pub bones: Vec<Bone>,
    /// What is to be brought where.
    pub effectors: Vec<Effector>,
    /// What no bone may be in.
    pub circles: Vec<Circle>,
    /// How near to its target an effector has arrived.
    pub tolerance: f64,
    /// Iterations at most.
    pub cap: u32,
    /// An iteration that moves the effectors by less is the last. Zero: there is no such rule.
    pub still: f64,
}

/// A pose that a solver found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Each bone's angle to its parent, in radians.
    pub angles: Vec<f64>,
    /// How many iterations that took.
    pub iterations: u32,
}

/// How deep inside a circle still counts as outside, in parts of the reach.
pub const FREE: f64 = 1e-3;

impl Task {
    /// The angles that the task starts from.
    pub fn start(&self) -> Vec<f64> {
        self.bones.iter().map(|bone| bone.start).collect()
    }

    /// Whether a bone's end is an effector.
    pub fn is_tip(&self, bone: usize) -> bool {
        self.effectors.iter().any(|effector| effector.bone == bone)
    }

    /// Where a bone begins.
    pub fn origin(&self, ends: &[DVec2], bone: usize) -> DVec2 {
        let parent = self.bones[bone].parent;
        parent.map_or(DVec2::ZERO, |parent| ends[parent])
    }

    /// The direction in which a bone's parent points, in radians; zero for the first bone.
    pub fn heading_above(&self, ends: &[DVec2], bone: usize) -> f64 {
        let parent = self.bones[bone].parent;
        parent.map_or(0.0, |parent| self.heading(ends, parent))
    }

    /// The direction in which a bone points, in radians.
    pub fn heading(&self, ends: &[DVec2], bone: usize) -> f64 {
        (ends[bone] - self.origin(ends, bone)).to_angle()
    }

    /// Forward kinematics: where the bones end.
    pub fn place(&self, angles: &[f64]) -> Vec<DVec2> {
        let mut headings: Vec<f64> = Vec::with_capacity(angles.len());
        let mut ends: Vec<DVec2> = Vec::with_capacity(angles.len());
        for (bone, angle) in self.bones.iter().zip(angles) {
            let (above, origin) = bone.parent.map_or((0.0, DVec2::ZERO), |parent| {
                (headings[parent], ends[parent])
            });
            headings.push(above + angle);
            ends.push(origin + DVec2::from_angle(above + angle) * bone.length);
        }
        ends
    }

    /// The angles of the bones that end where `ends` says.
    pub fn angles(&self, ends: &[DVec2]) -> Vec<f64> {
        let bones = 0..self.bones.len();
        bones
            .map(|bone| self.heading(ends, bone) - self.heading_above(ends, bone))
            .map(|angle| nearest_turn(angle, 0.0))
            .collect()
    }

    /// The way from the first bone's beginning to the farthest end, along the bones.
    pub fn reach(&self) -> f64 {
        let mut ways: Vec<f64> = Vec::with_capacity(self.bones.len());
        for bone in &self.bones {
            ways.push(bone.length + bone.parent.map_or(0.0, |parent| ways[parent]));
        }
        ways.into_iter().fold(0.0, f64::max)
    }

    /// How far the effector that is worst off is from its target.
    pub fn left(&self, ends: &[DVec2]) -> f64 {
        let lefts = self.effectors.iter();
        lefts
            .map(|effector| ends[effector.bone].distance(effector.target))
            .fold(0.0, f64::max)
    }

    /// How far inside a circle the bone is that is worst off.
    pub fn depth(&self, ends: &[DVec2]) -> f64 {
        let depths = ends.iter().enumerate();
        depths
            .map(|(bone, &end)| deepest(&self.circles, self.origin(ends, bone), end))
            .fold(0.0, f64::max)
    }

    /// How far the angle that is worst off is outside its limits, in radians.
    pub fn excess(&self, angles: &[f64]) -> f64 {
        let excesses = self.bones.iter().zip(angles);
        excesses
            .map(|(bone, &angle)| (within(angle, bone.limit) - angle).abs())
            .map(|excess| nearest_turn(excess, 0.0).abs())
            .fold(0.0, f64::max)
    }

    /// Whether nothing is left to do.
    pub fn is_met(&self, ends: &[DVec2]) -> bool {
        let near = self.left(ends) <= self.tolerance;
        near && (self.circles.is_empty() || self.depth(ends) <= FREE * self.reach())
    }
}

/// `angle`, or where the limits end that is nearest to it, whole turns apart.
pub fn within(angle: f64, limit: Option<(f64, f64)>) -> f64 {
    limit.map_or(angle, |(least, greatest)| {
        nearest_turn(angle, 0.5 * (least + greatest)).clamp(least, greatest)
    })
}

/// `angle`, whole turns apart, as near to `middle` as that gets.
fn nearest_turn(angle: f64, middle: f64) -> f64 {
    middle - PI + (angle - middle + PI).rem_euclid(TAU)
}
