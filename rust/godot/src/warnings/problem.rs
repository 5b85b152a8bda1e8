//! What can be wrong with the setup of modifiers, effectors and joint limits.

use std::fmt;

/// Why a modifier, an effector or a joint limit cannot work, or not fully. Shown as a configuration
/// warning in the editor. A running game prints it once if it
/// [is worth a warning](Self::is_worth_a_warning).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The modifier is not below a rig.
    NoRig,
    /// A bone property is empty, or its bone was freed.
    NoBone { property: &'static str },
    /// `target` is empty, or was freed.
    NoTarget,
    /// The target is not in the scene tree.
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
    /// The chain carries its own pole.
    PoleOnChain { pole: String },
    /// No bone at the end of the limb could take over the target's rotation.
    NoBoneAtTip,
    /// A joint limit is not the child of a bone.
    LimitElsewhere,
    /// A joint limit's bone has another one.
    SecondLimit { first: String },
    /// A joint limit's least angle is above its greatest.
    LimitReversed,
    /// A joint limit's angles or stiffness are not finite.
    LimitNotFinite,
    /// A joint limit's bone has no rest pose.
    LimitWithoutRest { bone: String },
    /// A joint limit's bone belongs to no skeleton that has a rig.
    LimitWithoutRig,
    /// An effector is not the child of a modifier that has branches.
    EffectorElsewhere,
    /// An effector's bone is not below the root of the tree.
    NotBelowRoot { bone: String },
    /// A shape of a kind that bones cannot keep out of.
    ObstacleShape { obstacle: String, class: String },
    /// The chain carries what it should stay out of.
    ObstacleOnChain { obstacle: String },
    /// A foot placement has no foot.
    NoFeet,
    /// A foot is not the child of a foot placement.
    FootElsewhere,
    /// `limb` is empty, or was freed.
    NoLimb,
    /// A foot's limb is no modifier with a target, or one of another rig.
    LimbElsewhere { limb: String },
    /// A foot's limb runs before the foot is placed.
    LimbAbove { limb: String },
    /// Another foot has the same limb.
    LimbTaken { limb: String },
    /// A modifier runs before others that carry its bones or its target.
    OutOfOrder { order: String },
    /// A chain ends at its last bone's own length and angle, elsewhere than that bone's child.
    EndBesideChild { bone: String, child: String },
    /// `path_2d` is empty, or was freed.
    NoPath,
    /// The path is not in the scene tree.
    PathOutside { path: String },
    /// The chain carries its own path.
    PathOnChain { path: String },
    /// The path has no curve, or one without length.
    ShortCurve { path: String },
    /// A bone of the chain, or above it, is top-level.
    TopLevelBone { bone: String },
    /// No script overrides the method that does the work.
    NoScript,
    /// The source of a copied transform was freed.
    NoSource,
    /// The source of a copied transform is not in the scene tree.
    SourceOutside { source: String },
    /// The source of a copied transform moves with the bone that copies it.
    SourceOnBone { source: String },
    /// A modifier that copies has neither a source nor a space in which the bone could keep its own
    /// direction.
    NothingToCopy,
    /// A bone whose motion counts from its rest pose has none.
    CopyWithoutRest { bone: String },
    /// A slider has no source, or it was freed.
    NothingScrubs,
    /// A slider has no animation player, or it was freed.
    NoPlayer,
    /// The player of a slider has no such animation.
    NoAnimation { player: String, animation: String },
    /// No track of a slider's animation poses a bone of the skeleton.
    NoBoneTracks { animation: String },
    /// A bone that an additive slider poses has no rest pose.
    AdditiveWithoutRest { bone: String },
    /// A chain ends at its last bone, whose length is automatic but which has no child.
    UnknownEnd { bone: String, takes_tip: bool },
    /// The rig above is not where it can run.
    IdleRig { rig: String },
    /// What it refers to was not where a plan had just found it.
    Outdated,
}

impl Problem {
    /// Whether a running game prints it. A game may remove targets, paths and sources on purpose.
    /// Where a bone ends is something that the editor warns of.
    pub(crate) fn is_worth_a_warning(&self) -> bool {
        !matches!(
            self,
            Self::NoTarget
                | Self::TargetOutside { .. }
                | Self::NoPath
                | Self::PathOutside { .. }
                | Self::EndBesideChild { .. }
                | Self::NoSource
                | Self::SourceOutside { .. }
                | Self::UnknownEnd { .. }
        )
    }

    /// Whether the cause can vanish without any notification, so that the rig has to check again.
    pub(crate) fn may_vanish_unnoticed(&self) -> bool {
        matches!(
            self,
            Self::TargetOutside { .. }
                | Self::TipElsewhere { .. }
                | Self::TargetOnChain { .. }
                | Self::PoleOnChain { .. }
                | Self::PathOutside { .. }
                | Self::PathOnChain { .. }
                | Self::TopLevelBone { .. }
                | Self::SourceOutside { .. }
                | Self::SourceOnBone { .. }
                | Self::NoAnimation { .. }
                | Self::NoBoneTracks { .. }
        )
    }

    /// The bit of the cause, in the bits of the causes that were reported: each is reported once.
    pub(crate) fn bit(&self) -> u64 {
        let cause = match self {
            Self::NoRig => 0,
            Self::NoBone { .. } => 1,
            Self::NoTarget => 2,
            Self::ForeignBone { .. } => 3,
            Self::NotOneLine { .. } => 4,
            Self::TipElsewhere { .. } => 5,
            Self::TargetOnChain { .. } => 6,
            Self::TargetOutside { .. } => 7,
            Self::PoleOnChain { .. } => 8,
            Self::NoBoneAtTip => 9,
            Self::LimitElsewhere => 10,
            Self::SecondLimit { .. } => 11,
            Self::LimitReversed => 12,
            Self::LimitNotFinite => 13,
            Self::LimitWithoutRest { .. } => 14,
            Self::EffectorElsewhere => 15,
            Self::NotBelowRoot { .. } => 16,
            Self::ObstacleShape { .. } => 17,
            Self::ObstacleOnChain { .. } => 18,
            Self::LimitWithoutRig => 19,
            Self::OutOfOrder { .. } => 20,
            Self::EndBesideChild { .. } => 21,
            Self::TopLevelBone { .. } => 22,
            Self::NoPath => 26,
            Self::PathOutside { .. } => 27,
            Self::PathOnChain { .. } => 28,
            Self::ShortCurve { .. } => 29,
            Self::CopyWithoutRest { .. } => 32,
            Self::NothingToCopy => 33,
            Self::SourceOnBone { .. } => 34,
            Self::SourceOutside { .. } => 35,
            Self::NoSource => 36,
            Self::NoScript => 37,
            Self::UnknownEnd { .. } => 30,
            Self::IdleRig { .. } => 31,
            Self::Outdated => 38,
            Self::NoFeet => 39,
            Self::FootElsewhere => 40,
            Self::NoLimb => 41,
            Self::LimbElsewhere { .. } => 42,
            Self::LimbAbove { .. } => 43,
            Self::NothingScrubs => 44,
            Self::NoPlayer => 45,
            Self::NoAnimation { .. } => 46,
            Self::NoBoneTracks { .. } => 47,
            Self::AdditiveWithoutRest { .. } => 48,
            Self::LimbTaken { .. } => 49,
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
                let label = label(property);
                write!(f, "Set \"{label}\" to a Bone2D of the skeleton.")
            }
            Self::NoTarget => write!(f, "Set \"Target\" to the Node2D to follow."),
            Self::TargetOutside { target } => write!(
                f,
                "The target \"{target}\" is not inside the scene tree any more. Set \"Target\" to \
                 another Node2D, or undo the deletion."
            ),
            Self::ForeignBone { property, bone } => write!(
                f,
                "\"{}\" is set to \"{bone}\", which is not a bone of this rig's skeleton. Choose a \
                 Bone2D below it, with nothing but Bone2D nodes between the two.",
                label(property)
            ),
            Self::NotOneLine { upper, lower } => write!(
                f,
                "The bone in \"{}\" is not below the bone in \"{}\". Choose two bones of one \
                 limb, the upper one first.",
                label(lower),
                label(upper)
            ),
            Self::TipElsewhere { tip } => write!(
                f,
                "The tip \"{tip}\" is not below the chain's last bone, so the chain cannot \
                 move it. Make it a descendant of that bone, or clear \"Tip\"."
            ),
            Self::TargetOnChain { target } => write!(
                f,
                "The target \"{target}\" is below a bone of the chain that reaches for it, and would move \
                 away with it. Move it out of the chain's bones."
            ),
            Self::PoleOnChain { pole } => write!(
                f,
                "The pole \"{pole}\" is below a bone of the limb that bends towards it, and would move with \
                 it. Move it out of the limb's bones."
            ),
            Self::NoBoneAtTip => write!(
                f,
                "\"Match Target\" has no effect: no Bone2D at the limb's end could take \
                 over the rotation. Set \"Tip\" to a Bone2D that is a child of \"Bone Two\"."
            ),
            Self::LimitElsewhere => write!(
                f,
                "Make this node a child of the Bone2D whose rotation it should limit."
            ),
            Self::SecondLimit { first } => write!(
                f,
                "Only the first limit of a bone counts, which is \"{first}\". Remove one of the two."
            ),
            Self::LimitReversed => write!(
                f,
                "This limit is ignored: \"Min Angle\" is greater than \"Max Angle\". Lower \
                 \"Min Angle\", or raise \"Max Angle\"."
            ),
            Self::LimitNotFinite => write!(
                f,
                "This limit is ignored: \"Min Angle\", \"Max Angle\" and \"Stiffness\" must be \
                 finite numbers."
            ),
            Self::LimitWithoutRest { bone } => write!(
                f,
                "This limit is ignored: its angles count from the rest pose, and the bone \"{bone}\" \
                 has none. Select the Skeleton2D and choose Skeleton2D > Overwrite Rest Pose."
            ),
            Self::LimitWithoutRig => write!(
                f,
                "Nothing obeys this limit. Add a TendonRig2D as a child of the Skeleton2D that \
                 this limit's bone belongs to."
            ),
            Self::EffectorElsewhere => write!(
                f,
                "Make this node a child of the TendonFABRIK2D that should have a further tip."
            ),
            Self::NotBelowRoot { bone } => write!(
                f,
                "\"Tip Bone\" is set to \"{bone}\", which is not below the \"Root Bone\" of \
                 the TendonFABRIK2D above. Choose a bone that is, or a root that they share."
            ),
            Self::ObstacleShape { obstacle, class } => write!(
                f,
                "The obstacle \"{obstacle}\" has a {class}, which bones cannot stay out of. Give \
                 it a CircleShape2D, a CapsuleShape2D, a RectangleShape2D or a SegmentShape2D."
            ),
            Self::ObstacleOnChain { obstacle } => write!(
                f,
                "The obstacle \"{obstacle}\" is below a bone of the chain that should stay out of it, and \
                 is ignored. Move it out of the chain's bones."
            ),
            Self::OutOfOrder { order } => write!(
                f,
                "A modifier below this one moves the bones above it, or its target, so it \
                 misses. Choose Tendon > Sort Modifiers. The order that works is: {order}."
            ),
            Self::EndBesideChild { bone, child } => write!(
                f,
                "The length and angle of the bone \"{bone}\" are set by hand, and it ends \
                 elsewhere than at its child \"{child}\". To bring that bone to the target, set \
                 \"Tip\" to it."
            ),
            Self::UnknownEnd {
                bone,
                takes_tip: true,
            } => write!(
                f,
                "Nothing says where the bone \"{bone}\" ends: its length and angle are automatic, but \
                 it has no child bone. Select it and choose Tendon > Add Tip Marker."
            ),
            Self::UnknownEnd { bone, .. } => write!(
                f,
                "Nothing says where the bone \"{bone}\" points: its length and angle are automatic, \
                 but it has no child bone. Switch off its \"Auto Calculate Length and Angle\", and \
                 set \"Length\" and \"Bone Angle\"."
            ),
            Self::IdleRig { rig } => write!(
                f,
                "The TendonRig2D above, \"{rig}\", does not run, as its own warning says. Move this \
                 node below the one that does."
            ),
            Self::Outdated => write!(
                f,
                "The rig has looked up what this node refers to, and found it changed in the same pass, \
                 twice. So it has not run. Do not change modifiers or the tree in what a pass calls, \
                 such as handlers of signals of its bones. If nothing does, report it as a bug of \
                 Tendon."
            ),
            Self::NoFeet => write!(
                f,
                "Add a TendonFoot2D for each leg as a child of this node."
            ),
            Self::FootElsewhere => write!(
                f,
                "Make this node a child of the TendonFootPlacement2D or TendonGait2D that should place \
                 the foot."
            ),
            Self::NoLimb => write!(
                f,
                "Set \"Limb\" to the modifier that moves the leg, such as a TendonTwoBoneIK2D."
            ),
            Self::LimbElsewhere { limb } => write!(
                f,
                "The limb \"{limb}\" cannot reach for the ground. Choose a modifier with a target, such \
                 as a TendonTwoBoneIK2D, below the same TendonRig2D."
            ),
            Self::LimbAbove { limb } => write!(
                f,
                "The limb \"{limb}\" runs before its foot is placed. Move it below the \
                 node that has the foot as a child."
            ),
            Self::LimbTaken { limb } => write!(
                f,
                "Another TendonFoot2D has the limb \"{limb}\" already. Give each foot a limb of its own."
            ),
            Self::NoPath => write!(f, "Set \"Path 2D\" to the Path2D to lie along."),
            Self::PathOutside { path } => {
                write!(f, "The path \"{path}\" is not inside the scene tree.")
            }
            Self::PathOnChain { path } => write!(
                f,
                "The path \"{path}\" is below a bone of the chain that should lie along it, and would move \
                 away with it. Move it out of the chain's bones."
            ),
            Self::ShortCurve { path } => write!(
                f,
                "The curve of the path \"{path}\" has no length. Give it at least two points, at \
                 different places."
            ),
            Self::TopLevelBone { bone } => write!(
                f,
                "The bone \"{bone}\" is top-level, so it does not move with the bones above it. \
                 Switch off its \"Top Level\", or choose bones that are not below it."
            ),
            Self::NoScript => write!(
                f,
                "Give this node a script that overrides _process_modification(). Tendon > Add Custom \
                 Modifier makes one with such a script."
            ),
            Self::NoSource => write!(f, "The node in \"Source\" was freed. Set it again."),
            Self::SourceOutside { source } => {
                write!(f, "The source \"{source}\" is not inside the scene tree.")
            }
            Self::SourceOnBone { source } => write!(
                f,
                "The source \"{source}\" moves with the bone that copies it. Choose a node that is \
                 not that bone and is not below it."
            ),
            Self::NothingToCopy => write!(
                f,
                "Set \"Source\" to the node to copy. Or set \"Space\" to Skeleton or Global: without \
                 a source the bone does not inherit the rotation of its parent there."
            ),
            Self::NothingScrubs => write!(
                f,
                "Set \"Source\" to the bone or the Node2D that scrubs the animation."
            ),
            Self::NoPlayer => write!(
                f,
                "Set \"Animation Player\" to the AnimationPlayer that has the animation."
            ),
            Self::NoAnimation { player, animation } => write!(
                f,
                "Set \"Animation\" to an animation of \"{player}\", which has none called \
                 \"{animation}\"."
            ),
            Self::NoBoneTracks { animation } => write!(
                f,
                "The animation \"{animation}\" has no track that poses a bone of this skeleton. Add keys \
                 for the rotation, position or scale of its bones, and check \"Root Node\" of the \
                 AnimationPlayer."
            ),
            Self::AdditiveWithoutRest { bone } => write!(
                f,
                "The difference from the rest pose is added, and the bone \"{bone}\" has none. Select \
                 the Skeleton2D and choose Skeleton2D > Overwrite Rest Pose, or switch \"Additive\" off."
            ),
            Self::CopyWithoutRest { bone } => write!(
                f,
                "The motion counts from the rest pose, and the bone \"{bone}\" has none. Select the \
                 Skeleton2D and choose Skeleton2D > Overwrite Rest Pose, or switch \"Relative\" off."
            ),
        }
    }
}

/// What the inspector writes for `property`.
fn label(property: &str) -> String {
    let words = property.split('_').map(|word| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    });
    words.collect::<Vec<_>>().join(" ")
}
