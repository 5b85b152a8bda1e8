//! Which nodes a modifier works on.

use godot::classes::{Bone2D, CollisionShape2D};
use godot::prelude::*;

use crate::engine::link::{Link, Links};

/// A bone property of a modifier: its name, for messages, and what it is set to.
pub(crate) type BoneSlot<'a> = (&'static str, &'a Link<Bone2D>);

/// The bones that a modifier turns.
#[derive(Clone, Copy)]
pub(crate) enum Joints<'a> {
    /// One bone.
    One(BoneSlot<'a>),
    /// These two, root first; bones between them stay rigid.
    Two(BoneSlot<'a>, BoneSlot<'a>),
    /// All bones from the first to the second.
    Line(BoneSlot<'a>, BoneSlot<'a>),
}

impl<'a> Joints<'a> {
    /// The first slot, and the second if there is one.
    pub(crate) fn slots(self) -> (BoneSlot<'a>, Option<BoneSlot<'a>>) {
        match self {
            Self::One(bone) => (bone, None),
            Self::Two(root, tip) | Self::Line(root, tip) => (root, Some(tip)),
        }
    }
}

/// Everything that a modifier refers to.
pub(crate) struct Wiring<'a> {
    pub(crate) joints: Joints<'a>,
    /// The end to bring to the target; the last bone's own end if there is none.
    pub(crate) tip: Option<&'a Link<Node2D>>,
    pub(crate) target: &'a Link<Node2D>,
    /// The side to bend to.
    pub(crate) pole: Option<&'a Link<Node2D>>,
    /// Whether the end takes over the target's rotation.
    pub(crate) matches_rotation: bool,
    /// Whether the chain may be lengthened.
    pub(crate) stretches: bool,
    /// What the bones stay out of, if the modifier minds.
    pub(crate) obstacles: Option<&'a Links<CollisionShape2D>>,
}

/// The identities behind a [`Wiring`]: equal prints mean that nothing was set anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Print {
    bones: [Option<InstanceId>; 2],
    tip: Option<InstanceId>,
    target: Option<InstanceId>,
    pole: Option<InstanceId>,
    matches_rotation: bool,
    stretches: bool,
    obstacles: u64,
}

impl Wiring<'_> {
    /// Whether a bone at the tip has a part in it: it is moved, or it is turned.
    pub(crate) fn needs_tip_bone(&self) -> bool {
        let turns_it = self.matches_rotation && matches!(self.joints, Joints::Two(..));
        turns_it || self.stretches
    }

    /// Identifies what is set, without touching a node.
    pub(crate) fn print(&self) -> Print {
        let (first, second) = self.joints.slots();
        Print {
            bones: [first.1.id(), second.and_then(|(_, link)| link.id())],
            tip: self.tip.and_then(Link::id),
            target: self.target.id(),
            pole: self.pole.and_then(Link::id),
            matches_rotation: self.matches_rotation,
            stretches: self.stretches,
            obstacles: self.obstacles.map_or(0, Links::print),
        }
    }
}
