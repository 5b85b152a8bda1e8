//! The properties of a modifier or an effector that name nodes.

use godot::classes::{Bone2D, CollisionShape2D, Curve, Path2D};
use godot::prelude::*;

use crate::engine::link::{Link, Links};

/// A bone property: its name, for messages, and what it is set to.
pub(super) type BoneProperty<'a> = (&'static str, &'a Link<Bone2D>);

/// The bones that a modifier turns.
#[derive(Clone, Copy)]
pub(crate) enum Joints<'a> {
    /// Those that a script turns, which may be any.
    OfScript,
    /// One bone.
    One(BoneProperty<'a>),
    /// These two, root first; bones between them stay rigid.
    Two(BoneProperty<'a>, BoneProperty<'a>),
    /// All bones from the first to the second.
    Line(BoneProperty<'a>, BoneProperty<'a>),
}

impl<'a> Joints<'a> {
    /// The first property, and the second if there is one. `None` for the bones of a script.
    pub(crate) fn properties(self) -> Option<(BoneProperty<'a>, Option<BoneProperty<'a>>)> {
        match self {
            Self::OfScript => None,
            Self::One(bone) => Some((bone, None)),
            Self::Two(root, tip) | Self::Line(root, tip) => Some((root, Some(tip))),
        }
    }
}

/// What a bone copies.
#[derive(Clone, Copy)]
pub(crate) struct SourceReference<'a> {
    pub(crate) link: &'a Link<Node2D>,
    /// Whether the modifier works without a source, too.
    pub(crate) is_optional: bool,
    /// Whether the rest poses count.
    pub(crate) is_relative: bool,
}

/// Everything that a modifier refers to.
pub(crate) struct References<'a> {
    pub(crate) joints: Joints<'a>,
    /// The end to bring to the target; the last bone's own end if there is none.
    pub(crate) tip: Option<&'a Link<Node2D>>,
    /// What the tip is brought to. `None` if the modifier has no such property.
    pub(crate) target: Option<&'a Link<Node2D>>,
    /// The side to bend to.
    pub(crate) pole: Option<&'a Link<Node2D>>,
    /// What is copied to the bone.
    pub(crate) source: Option<SourceReference<'a>>,
    /// Whether the end takes over the target's rotation.
    pub(crate) matches_rotation: bool,
    /// Whether the chain may be lengthened.
    pub(crate) stretches: bool,
    /// What the chain is laid along. `None` if the modifier has no such property.
    pub(crate) path: Option<&'a Link<Path2D>>,
    /// The shapes that the bones stay out of.
    pub(crate) obstacles: Option<&'a Links<CollisionShape2D>>,
    /// Curves along the chain, which the plan holds the values of.
    pub(crate) curves: [Option<&'a Gd<Curve>>; 2],
}

/// The identities behind [`References`]. They are equal as long as no property is set to another
/// node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReferenceIds {
    bones: [Option<InstanceId>; 2],
    tip: Option<InstanceId>,
    target: Option<InstanceId>,
    pole: Option<InstanceId>,
    /// The source's ID, and the other fields of [`SourceReference`].
    source: Option<(Option<InstanceId>, bool, bool)>,
    matches_rotation: bool,
    stretches: bool,
    path: Option<InstanceId>,
    obstacles: u64,
    curves: [Option<InstanceId>; 2],
}

impl ReferenceIds {
    /// Whether both copy the same node, or both none.
    pub(super) fn have_same_source(&self, other: &Self) -> bool {
        self.source.map(|source| source.0) == other.source.map(|source| source.0)
    }
}

impl<'a> References<'a> {
    /// References to the bones in `joints` and nothing else.
    pub(crate) fn new(joints: Joints<'a>) -> Self {
        Self {
            joints,
            tip: None,
            target: None,
            pole: None,
            source: None,
            matches_rotation: false,
            stretches: false,
            path: None,
            obstacles: None,
            curves: [None; 2],
        }
    }

    /// Whether a bone at the tip is moved or turned.
    pub(super) fn needs_tip_bone(&self) -> bool {
        let turns_it = self.matches_rotation && matches!(self.joints, Joints::Two(..));
        turns_it || self.stretches
    }

    /// Identifies what is set, without touching a node.
    pub(crate) fn ids(&self) -> ReferenceIds {
        let (first, second) = self.joints.properties().unzip();
        let bones = [first, second.flatten()];
        ReferenceIds {
            bones: bones.map(|bone| bone.and_then(|(_, link)| link.id())),
            tip: self.tip.and_then(Link::id),
            target: self.target.and_then(Link::id),
            pole: self.pole.and_then(Link::id),
            source: self
                .source
                .map(|source| (source.link.id(), source.is_optional, source.is_relative)),
            matches_rotation: self.matches_rotation,
            stretches: self.stretches,
            path: self.path.and_then(Link::id),
            obstacles: self.obstacles.map_or(0, Links::hash),
            curves: self
                .curves
                .map(|curve| curve.map(Gd::instance_id_unchecked)),
        }
    }
}
