//! What can be wrong with the setup of modifiers, effectors and joint limits.

use std::fmt;

use godot::classes::Engine;
use godot::obj::Singleton;

/// Declares [`Problem`]: each cause, what the text names, and the text.
macro_rules! problems {
    (
        $(# $attribute:tt)*
        $problem:ident {
            $(
                $(# $of_cause:tt)*
                $cause:ident $({ $($name:ident: $type:ty),+ })? => $text:literal $(, $argument:expr)*;
            )+
        }
    ) => {
        $(# $attribute)*
        pub enum $problem {
            $($(# $of_cause)* $cause $({ $($name: $type),+ })?,)+
        }

        impl $problem {
            /// The bit of the cause, in the bits of the causes that were reported: each is reported once.
            pub(crate) fn bit(&self) -> u64 {
                enum Cause {
                    $($cause),+
                }
                const { assert!([$(Cause::$cause as u64),+].len() <= 64, "each needs a bit") };
                1 << match self {
                    $(Self::$cause { .. } => Cause::$cause as u64,)+
                }
            }
        }

        impl fmt::Display for $problem {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$cause $({ $($name),+ })? => write!(f, $text $(, $argument)*),)+
                }
            }
        }
    };
}

problems! {
    /// A reason why a modifier, an effector or a joint limit cannot work, or not fully. Shown as a configuration
    /// warning in the editor. A running game prints it once if it
    /// [is worth a warning](Self::is_worth_a_warning).
    #[derive(Clone, Debug, PartialEq, Eq)]
    Problem {
        /// The modifier is not below a rig.
        NoRig => "Move this node below a TendonRig2D that is a child of a Skeleton2D: the rig runs it.";
        /// A bone property is empty, or its bone was freed.
        NoBone { property: &'static str } => "Set \"{}\" to a Bone2D of the skeleton.", label(property);
        /// A property with a node to go by is empty, or its node was freed.
        Missing { property: &'static str } =>
            "Set \"{}\" to the Node2D to follow.", label(property);
        /// That node is not in the scene tree.
        Outside { property: &'static str, node: String } =>
            "The {} \"{node}\" is not inside the scene tree any more. Set \"{}\" to another node, or undo the deletion.",
            noun(property), label(property);
        /// That node moves with the bones that go by it.
        Carried { property: &'static str, node: String } =>
            "The {} \"{node}\" is below a bone of the chain that goes by it, and would move away with it. Move it out of \
             the chain's bones, or clear \"{}\".", noun(property), label(property);
        /// A bone that is not part of the rig's skeleton.
        ForeignBone { property: &'static str, bone: String } =>
            "\"{}\" is set to \"{bone}\", which is not a bone of this rig's skeleton. Choose a Bone2D \
             below it, with nothing but Bone2D nodes between the two.", label(property);
        /// Two bones that should be one line are not.
        NotOneLine { upper: &'static str, lower: &'static str } =>
            "The bone in \"{}\" is not below the bone in \"{}\". Choose two bones of one limb, the \
             upper one first.", label(lower), label(upper);
        /// The tip does not move with the chain.
        TipElsewhere { tip: String } =>
            "The tip \"{tip}\" is not below the chain's last bone, so the chain cannot move it. Make \
             it a descendant of that bone, or clear \"Tip\".";
        /// An animation of a slider has tracks that it does not play.
        SkippedTracks { animation: String, tracks: String } =>
            "Only bones are posed. The animation \"{animation}\" also has tracks of other nodes or properties, \
             which do not move: {tracks}. Play these with the AnimationPlayer.";
        /// No bone at the end of the limb could take over the target's rotation.
        NoBoneAtTip =>
            "\"Match Target\" has no effect: no Bone2D at the limb's end could take over the rotation. \
             Set \"Tip\" to a Bone2D that is a child of \"Bone Two\".";
        /// A joint limit is not the child of a bone.
        LimitElsewhere => "Make this node a child of the Bone2D whose rotation it should limit.";
        /// A joint limit's bone has another one.
        SecondLimit { first: String } =>
            "Only the first limit of a bone counts, which is \"{first}\". Remove one of the two.";
        /// A joint limit's least angle is above its greatest.
        LimitReversed =>
            "This limit is ignored: \"Min Angle\" is greater than \"Max Angle\". Lower \"Min Angle\", \
             or raise \"Max Angle\".";
        /// A joint limit's angles or stiffness are not finite.
        LimitNotFinite =>
            "This limit is ignored: \"Min Angle\", \"Max Angle\" and \"Stiffness\" must be finite \
             numbers.";
        /// A joint limit's bone has no rest pose.
        LimitWithoutRest { bone: String } =>
            "This limit is ignored: its angles count from the rest pose, and the bone \"{bone}\" has \
             none. Select the Skeleton2D and choose Skeleton2D > Overwrite Rest Pose.";
        /// A joint limit's bone belongs to no skeleton that has a rig.
        LimitWithoutRig =>
            "Nothing obeys this limit. Add a TendonRig2D as a child of the Skeleton2D that this \
             limit's bone belongs to.";
        /// An effector is not the child of a modifier that has branches.
        EffectorElsewhere =>
            "Make this node a child of the TendonFABRIK2D or TendonFullBody2D that should have a further tip.";
        /// A body has no effector that works.
        NoEffectors =>
            "Add a TendonEffector2D for each hand and foot as a child of this node, with a \"Tip Bone\" and a \
             \"Target\". Without one there is nothing to reach for.";
        /// An effector's bone is not below the root of the tree.
        NotBelowRoot { bone: String } =>
            "\"Tip Bone\" is set to \"{bone}\", which is not below the \"Root Bone\" of the \
             node above. Choose a bone that is, or a root that they share.";
        /// A shape of a kind that bones cannot keep out of.
        ObstacleShape { obstacle: String, class: String } =>
            "The obstacle \"{obstacle}\" has a {class}, which bones cannot stay out of. Give it a \
             CircleShape2D, a CapsuleShape2D, a RectangleShape2D or a SegmentShape2D.";
        /// The chain carries what it should stay out of.
        ObstacleOnChain { obstacle: String } =>
            "The obstacle \"{obstacle}\" is below a bone of the chain that should stay out of it, and \
             is ignored. Move it out of the chain's bones.";
        /// A ragdoll's skeleton has no bones.
        NoBodyBones => "Add Bone2D nodes to the skeleton: there is nothing that could fall.";
        /// A mass was given to what is no limb.
        MassOfNoLimb { name: String } =>
            "\"{name}\" in \"Masses\" is the name of no bone of this ragdoll. Write the name of one, or \
             remove the entry.";
        /// A frequency was given to what is no limb.
        FrequencyOfNoLimb { name: String } =>
            "\"{name}\" in \"Frequencies\" is the name of no bone of this ragdoll. Write the name of one, or \
             remove the entry.";
        /// A limb has a mass that nothing has.
        NoMass { name: String } =>
            "The mass of \"{name}\" in \"Masses\" is not above 0, so it is ignored. Set one in kilograms, or \
             remove the entry.";
        /// The limbs that have a mass weigh more than the body.
        HeavyLimbs =>
            "The limbs in \"Masses\" weigh more than the whole body, so the others have nearly no mass. Set a \
             larger \"Mass\", or lighter limbs.";
        /// A foot placement has no foot.
        NoFeet => "Add a TendonFoot2D for each leg as a child of this node.";
        /// A foot is not the child of a foot placement.
        FootElsewhere =>
            "Make this node a child of the TendonFootPlacement2D or TendonGait2D that should place the \
             foot.";
        /// `limb` is empty, or was freed.
        NoLimb => "Set \"Limb\" to the modifier that moves the leg, such as a TendonTwoBoneIK2D.";
        /// A foot's limb is no modifier that reaches, or one of another rig.
        LimbElsewhere { limb: String } =>
            "The limb \"{limb}\" cannot reach for the ground. Choose a TendonTwoBoneIK2D, TendonCCDIK2D or \
             TendonFABRIK2D below the same TendonRig2D.";
        /// A foot's limb runs before the foot is placed.
        LimbAbove { limb: String } =>
            "The limb \"{limb}\" runs before its foot is placed. Move it below the node that has the \
             foot as a child.";
        /// Another foot has the same limb.
        LimbTaken { limb: String } =>
            "Another TendonFoot2D has the limb \"{limb}\" already. Give each foot a limb of its own.";
        /// A modifier runs before others that carry its bones or its target.
        OutOfOrder { order: String } =>
            "A modifier below this one moves the bones above it, or its target, so it misses. Choose \
             Tendon > Sort Modifiers. The order that works is: {order}.";
        /// A node that it reads hangs on a bone of a rig that runs later in the frame.
        LaterRig { node: String, rig: String } =>
            "\"{node}\" hangs on a bone of another skeleton, whose \"{rig}\" runs after this rig: it is seen where \
             it was a frame before. Give both rigs the same callback_mode_process, and this one a higher \
             process_priority, or in physics frames process_physics_priority.";
        /// A chain ends at its last bone's own length and angle, elsewhere than that bone's child.
        EndBesideChild { bone: String, child: String } =>
            "The length and angle of the bone \"{bone}\" are set by hand, and it ends elsewhere than \
             at its child \"{child}\". To bring that bone to the target, set \"Tip\" to it.";
        /// The path has no curve, or one without length.
        ShortCurve { path: String } =>
            "The curve of the path \"{path}\" has no length. Give it at least two points, at different \
             places.";
        /// A bone of the chain, or above it, is top-level.
        TopLevelBone { bone: String } =>
            "The bone \"{bone}\" is top-level, so it does not move with the bones above it. Switch off \
             its \"Top Level\", or choose bones that are not below it.";
        /// No script overrides the method that does the work.
        NoScript =>
            "Give this node a script that overrides _process_modification(). Tendon > Add Custom \
             Modifier makes one with such a script.";
        /// A modifier that copies has neither a source nor a space in which the bone could keep its own
        /// direction.
        NothingToCopy =>
            "Set \"Source\" to the node to copy. Or set \"Space\" to Skeleton or Global: without a \
             source the bone does not inherit the rotation of its parent there.";
        /// A bone whose motion counts from its rest pose has none.
        CopyWithoutRest { bone: String } =>
            "The motion counts from the rest pose, and the bone \"{bone}\" has none. Select the \
             Skeleton2D and choose Skeleton2D > Overwrite Rest Pose, or switch \"Relative\" off.";
        /// A slider has no source, or it was freed.
        NothingScrubs => "Set \"Source\" to the bone or the Node2D that scrubs the animation.";
        /// A slider has no animation player, or it was freed.
        NoPlayer => "Set \"Animation Player\" to the AnimationPlayer that has the animation.";
        /// The player of a slider has no such animation.
        NoAnimation { player: String, animation: String } =>
            "Set \"Animation\" to an animation of \"{player}\", which has none called \"{animation}\".";
        /// No track of a slider's animation poses a bone of the skeleton.
        NoBoneTracks { animation: String } =>
            "The animation \"{animation}\" has no track that poses a bone of this skeleton. Add keys \
             for the rotation, position or scale of its bones, and check \"Root Node\" of the \
             AnimationPlayer.";
        /// A bone that an additive slider poses has no rest pose.
        AdditiveWithoutRest { bone: String } =>
            "The difference from the rest pose is added, and the bone \"{bone}\" has none. Select the \
             Skeleton2D and choose Skeleton2D > Overwrite Rest Pose, or switch \"Additive\" off.";
        /// A chain that takes a tip ends at its last bone, whose length is automatic but which has no child.
        UnknownTip { bone: String } =>
            "Nothing says where the bone \"{bone}\" ends: its length and angle are automatic, but it \
             has no child bone. So it ends along its X axis. Select it and choose Tendon > Add Tip Marker.";
        /// The same for a bone that only points.
        UnknownEnd { bone: String } =>
            "Nothing says where the bone \"{bone}\" points: its length and angle are automatic, but it \
             has no child bone. So it points along its X axis. Switch off its \"Auto Calculate Length and \
             Angle\", and set \"Length\" and \"Bone Angle\".";
        /// Another modifier of the same kind turns the same bones after it.
        Overridden { other: String } =>
            "\"{other}\" below turns the same bones in the same way, so only its result is seen, and this \
             modifier may say that it misses. Remove one of the two, or switch one off: they can share the \
             bones by their \"Influence\".";
        /// Another modifier turns some of its bones after it, to another target.
        PartlyOverridden { other: String, bones: String } =>
            "\"{other}\" below turns {bones} again, towards another target, so this modifier's tip leaves its own. Let \
             its chain end before these bones, or give both the same target. If the two take turns, switch one \
             off, or blend them by their \"Influence\".";
        /// A value that it reads, or a bone, is not finite or is scaled to nothing.
        NotFinite { what: String } =>
            "{what} is not finite (NaN or infinity), or is scaled to 0. This modifier leaves its bones alone \
             until it is a number again. Look for what sets it.";
        /// The rig above is not where it can run.
        IdleRig { rig: String } =>
            "The TendonRig2D above, \"{rig}\", does not run, as its own warning says. Move this node \
             below the one that does.";
        /// A node that it refers to was not where a plan had just found it.
        Outdated =>
            "The rig has looked up what this node refers to, and found it changed in the same pass, \
             twice. So it has not run. Do not change modifiers or the tree in what a pass calls, such \
             as handlers of signals of its bones. If nothing does, report it as a bug of Tendon.";
    }
}

impl Problem {
    /// Returns `true` if a running game prints it. A game may remove targets, paths and sources on purpose.
    /// Only the editor warns of the ends of bones.
    pub(crate) fn is_worth_a_warning(&self) -> bool {
        !matches!(
            self,
            Self::Missing { .. }
                | Self::Outside { .. }
                | Self::SkippedTracks { .. }
                | Self::EndBesideChild { .. }
                | Self::UnknownTip { .. }
                | Self::UnknownEnd { .. }
        )
    }

    /// Returns `true` if the cause can vanish without any notification, so that the rig has to check again.
    pub(crate) fn may_vanish_unnoticed(&self) -> bool {
        matches!(
            self,
            // In a game nobody reads it again, and to look for it in each frame takes time.
            Self::LaterRig { .. } if Engine::singleton().is_editor_hint()
        ) || matches!(
            self,
            Self::Outside { .. }
                | Self::Carried { .. }
                | Self::TipElsewhere { .. }
                | Self::TopLevelBone { .. }
                | Self::NoAnimation { .. }
                | Self::NoBoneTracks { .. }
        )
    }
}

/// The label of `property` in the inspector.
fn label(property: &str) -> String {
    let words = property.split('_').map(|word| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    });
    words.collect::<Vec<_>>().join(" ").replace("2d", "2D")
}

/// The noun for the node in `property`: its first word.
fn noun(property: &str) -> &str {
    property.split('_').next().unwrap_or(property)
}
