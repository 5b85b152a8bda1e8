//! What several kinds of modifiers are composed of: a chain, its end, and further tips.

use serde::{Deserialize, Serialize};

use crate::rig::fault::{Fault, Skeleton};
use crate::rig::pose::Pose;
use crate::skeleton::bone::{Direction, Point};

/// The end of a chain, which is brought to its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A point of the last joint's bone, or of one below it.
    Point(Point),
    /// Index of a bone that hangs on the last joint's bone: its origin is the end. It is moved when
    /// the last segment stretches.
    Bone(usize),
}

impl End {
    /// The end as a point, wherever the bone at the end is moved to.
    pub fn point(self) -> Point {
        match self {
            Self::Point(point) => point,
            Self::Bone(bone) => Point::origin_of(Some(bone)),
        }
    }

    /// The bone at the end.
    pub fn bone(self) -> Option<usize> {
        match self {
            Self::Point(_) => None,
            Self::Bone(bone) => Some(bone),
        }
    }

    /// The end as a point of what carries it in `pose`. A bone ends the chain where it begins,
    /// whatever its scale.
    pub(super) fn in_pose(self, pose: &Pose) -> Point {
        match self {
            Self::Point(point) => point,
            Self::Bone(bone) => pose.bone(bone).origin(),
        }
    }
}

/// A line of bones that turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// Indices of the bones, root first. Each hangs below the one before it, directly or by way of
    /// bones that stay rigid. With further effectors they are all joints of a tree, each below one
    /// that comes before it.
    pub joints: Vec<usize>,
    /// The end.
    pub end: End,
}

impl Chain {
    /// A chain of these joints, root first.
    pub fn new(joints: Vec<usize>, end: End) -> Self {
        Self { joints, end }
    }

    /// Checks that the joints and the end are one line.
    pub(super) fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        skeleton.check_line(&self.joints, self.end)
    }

    /// Checks that the joints, the end and those of the effectors are one tree.
    pub(super) fn validate_tree(
        &self,
        effectors: &[Effector],
        skeleton: &Skeleton<'_>,
    ) -> Result<(), Fault> {
        let further = effectors.iter().map(|effector| effector.end);
        skeleton.check_tree(&self.joints, further.chain([self.end]))
    }
}

/// The checks of joints and their ends.
impl Skeleton<'_> {
    /// Checks that each joint hangs below the one before it, and the end below the last.
    pub(super) fn check_line(&self, joints: &[usize], end: End) -> Result<(), Fault> {
        self.check_bones(joints.iter().copied().chain(end.point().bone))?;
        let &last = joints.last().ok_or(Fault::NoJoints)?;
        let mut pairs = joints.windows(2);
        let is_line = pairs.all(|pair| pair[0] != pair[1] && self.carries(pair[0], Some(pair[1])))
            && self.carries(last, end.point().bone);
        let hangs_on_last = |bone: usize| self.bones[bone].parent == Some(last);
        match end.bone() {
            _ if !is_line => Err(Fault::BrokenLine),
            Some(bone) if !hangs_on_last(bone) => Err(Fault::TipBone),
            _ => Ok(()),
        }
    }

    /// Checks that every joint but the first hangs below one before it and below none after it, and
    /// every end below the first.
    pub(super) fn check_tree(
        &self,
        joints: &[usize],
        ends: impl Iterator<Item = End> + Clone,
    ) -> Result<(), Fault> {
        let mut tips = ends.map(|end| end.point().bone);
        self.check_bones(joints.iter().copied().chain(tips.clone().flatten()))?;
        let &root = joints.first().ok_or(Fault::NoJoints)?;
        let in_order = joints.iter().enumerate().all(|(index, &joint)| {
            let (before, rest) = joints.split_at(index);
            (index == 0 || before.iter().any(|&above| self.carries(above, Some(joint))))
                && !rest[1..]
                    .iter()
                    .any(|&after| self.carries(after, Some(joint)))
        });
        let is_tree = in_order && tips.all(|tip| self.carries(root, tip));
        is_tree.then_some(()).ok_or(Fault::BrokenTree)
    }
}

/// A further tip of a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effector {
    /// The end that is brought to the target: on a joint's bone, or below it.
    pub end: End,
    /// The point that is reached for. The joints must not carry it.
    pub target: Point,
    /// The weight, relative to the other effectors. If not all targets can be met, the sum of weight times squared
    /// distance is minimised. 0 does not count.
    #[serde(default = "crate::math::number::one", with = "crate::math::number")]
    pub weight: f32,
    /// The direction in which the joint that carries it must point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<Direction>,
}

impl Effector {
    /// A tip that counts in full, whatever way it points.
    pub fn new(end: End, target: Point) -> Self {
        Self {
            end,
            target,
            weight: 1.0,
            heading: None,
        }
    }

    /// The bones that carry what it reaches for.
    pub(super) fn carriers(&self) -> [Option<usize>; 2] {
        [self.target.bone, self.heading.and_then(|it| it.bone)]
    }
}
