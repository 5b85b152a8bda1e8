//! What can be wrong with how a rig is set up, in words that say what to do.

use std::fmt;

use godot::global::push_warning;
use godot::prelude::*;

/// Why a modifier cannot work, or not fully. Shown as a configuration warning in the editor, and
/// once for each cause while the game runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The modifier is not below a rig.
    NoRig,
    /// A bone property is empty, or its bone was freed.
    NoBone { property: &'static str },
    /// `target` is empty, or was freed.
    NoTarget,
    /// The target is not in the scene tree, and so nowhere.
    TargetOutside { target: String },
    /// A bone that is not part of the rig's skeleton.
    ForeignBone {
        property: &'static str,
        bone: String,
    },
    /// Two bones that should be one line are not.
    NotOneLine {
        upper: &'static str,
        lower: &'static str,
    },
    /// The tip does not move with the chain.
    TipElsewhere { tip: String },
    /// The chain carries its own target.
    TargetOnChain { target: String },
    /// An effector is not the child of a modifier that has branches.
    EffectorAstray,
    /// An effector's bone does not hang below the root of the tree.
    NotBelowRoot { bone: String },
    /// A shape of a kind that bones cannot keep out of.
    ObstacleShape { obstacle: String, class: String },
    /// The chain carries what it should stay out of.
    ObstacleOnChain { obstacle: String },
}

impl Problem {
    /// Whether a running game should hear of it. Taking the target away is how a game lets
    /// go of things, so that is not worth a warning.
    pub(crate) fn is_worth_a_warning(&self) -> bool {
        !matches!(self, Self::NoTarget | Self::TargetOutside { .. })
    }

    /// Whether the cause can go away without the rig being told, so that it has to look.
    pub(crate) fn may_heal_unseen(&self) -> bool {
        matches!(
            self,
            Self::TargetOutside { .. } | Self::TipElsewhere { .. } | Self::TargetOnChain { .. }
        )
    }

    /// One bit for each cause, so that each is reported once.
    pub(crate) fn bit(&self) -> u32 {
        let cause = match self {
            Self::NoRig => 0,
            Self::NoBone { .. } => 1,
            Self::NoTarget => 2,
            Self::ForeignBone { .. } => 3,
            Self::NotOneLine { .. } => 4,
            Self::TipElsewhere { .. } => 5,
            Self::TargetOnChain { .. } => 6,
            Self::TargetOutside { .. } => 7,
            Self::EffectorAstray => 8,
            Self::NotBelowRoot { .. } => 9,
            Self::ObstacleShape { .. } => 10,
            Self::ObstacleOnChain { .. } => 11,
        };
        1 << cause
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRig => write!(
                f,
                "Move this node below a TendonRig2D that is a child of a Skeleton2D: the rig runs it."
            ),
            Self::NoBone { property } => {
                write!(f, "Set \"{property}\" to a Bone2D of the skeleton.")
            }
            Self::NoTarget => write!(f, "Set \"target\" to the Node2D to follow."),
            Self::TargetOutside { target } => {
                write!(f, "The target \"{target}\" is not inside the scene tree.")
            }
            Self::ForeignBone { property, bone } => write!(
                f,
                "\"{property}\" is set to \"{bone}\", which is not a bone of this rig's skeleton. \
                 Choose a Bone2D below it, with nothing but Bone2D nodes between the two."
            ),
            Self::NotOneLine { upper, lower } => write!(
                f,
                "The bone in \"{lower}\" does not hang below the bone in \"{upper}\". \
                 Choose two bones of one limb, the upper one first."
            ),
            Self::TipElsewhere { tip } => write!(
                f,
                "The tip \"{tip}\" does not hang below the chain's last bone, so the chain cannot \
                 move it. Make it a descendant of that bone, or clear \"tip\"."
            ),
            Self::TargetOnChain { target } => write!(
                f,
                "The target \"{target}\" hangs on the chain that reaches for it, and would move \
                 away with it. Move it out of the chain's bones."
            ),
            Self::EffectorAstray => write!(
                f,
                "Make this node a child of the TendonFABRIK2D that should have a further tip."
            ),
            Self::NotBelowRoot { bone } => write!(
                f,
                "\"tip_bone\" is set to \"{bone}\", which does not hang below the \"root_bone\" of \
                 the TendonFABRIK2D above. Choose a bone that does, or a root that they share."
            ),
            Self::ObstacleShape { obstacle, class } => write!(
                f,
                "The obstacle \"{obstacle}\" has a {class}, which bones cannot stay out of. Give \
                 it a CircleShape2D, a CapsuleShape2D, a RectangleShape2D or a SegmentShape2D."
            ),
            Self::ObstacleOnChain { obstacle } => write!(
                f,
                "The obstacle \"{obstacle}\" hangs on the chain that should stay out of it, and \
                 is ignored. Move it out of the chain's bones."
            ),
        }
    }
}

/// Warns in the log, naming the node that the warning is about.
pub(crate) fn complain(node: &Gd<Node>, advice: impl fmt::Display) {
    // Only a node in the tree has a path.
    let name = match node.is_inside_tree() {
        true => node.get_path().to_string(),
        false => node.get_name().to_string(),
    };
    let message = format!("{} \"{name}\": {advice}", node.get_class());
    push_warning(&[message.to_variant()]);
}
