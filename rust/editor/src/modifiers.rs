//! The modifier classes as the editor adds them: their entries in the menu, and which properties hold their
//! bones. All places of a new one: CONTRIBUTING.md, *Add a modifier*.

use godot::classes::Bone2D;
use godot::prelude::*;

/// Declares the modifier classes of the menu: the text of the entry of each, the bones that it gets, and the tooltip.
macro_rules! modifiers {
    ($($class:ident $title:literal $kind:ident $(($bones:expr))? $help:literal;)+) => {
        /// All modifier classes, in the order of the menu.
        pub(crate) const MODIFIERS: &[MenuModifier] = &[$(MenuModifier {
            class: stringify!($class),
            title: $title,
            help: $help,
            bones: MenuBones::$kind $(($bones))?,
        }),+];
    };
}

// A new one is added here.
modifiers! {
    TendonLookAt2D "Add Look-At" One("bone") "The selected bone points at a new target.";
    TendonTwoBoneIK2D "Add Two-Bone IK" Two(["bone_one", "bone_two"])
        "The selected limb of two bones reaches for a new target.";
    TendonCCDIK2D "Add CCD IK" Line(["root_bone", "tip_bone"])
        "The selected chain curls towards a new target, joint by joint.";
    TendonFABRIK2D "Add FABRIK" Line(["root_bone", "tip_bone"])
        "The selected chain bends smoothly towards a new target.";
    TendonFullBody2D "Add Full-Body IK" Tree("root_bone")
        "The body below the first selected bone, the hips, moves by the ends of the others: hands and feet.";
    TendonSpring2D "Add Spring" Line(["root_bone", "tip_bone"])
        "The selected chain lags behind and swings: hair, tails, ears, cloth.";
    TendonSplineIK2D "Add Spline IK" Line(["root_bone", "tip_bone"])
        "The selected chain lies along a new path, which follows its present pose.";
    TendonCopyTransform2D "Add Copy Transform" One("bone")
        "The selected bone copies another node's rotation, position or scale, or maps it.";
    TendonSlider2D "Add Slider" One("source") "The selected bone scrubs an animation: faces, doors, dials.";
    TendonTrail2D "Add Trail" Line(["root_bone", "tip_bone"])
        "The selected chain follows its first bone, which is the head: snakes, lizards.";
    TendonWave2D "Add Wave" Line(["root_bone", "tip_bone"])
        "A wave runs along the selected chain: swimming, breathing, flags.";
    TendonFootPlacement2D "Add Foot Placement" Legs("pelvis")
        "Puts the animated feet of the legs below the selected bones on the ground: a placement above the \
         modifiers of these legs, and a foot for each.";
    TendonGait2D "Add Legs That Step" Legs("pelvis")
        "Makes the legs below the selected bones step by themselves: a gait, and for each leg a foot and a \
         modifier that reaches.";
    TendonRagdoll2D "Add Ragdoll" Body("root_bone")
        "Lets the body fall and get up, or only what hangs on the selected bone. Joints without a limit get one.";
    TendonCustomModifier2D "Add Custom Modifier" None "A modifier that you write as a script.";
}

/// A modifier class, and the entry of the menu that adds one.
#[derive(Debug)]
pub(crate) struct MenuModifier {
    /// The name of the class.
    pub(crate) class: &'static str,
    /// The text of the entry, which is also that of the undo step.
    pub(crate) title: &'static str,
    /// The tooltip.
    pub(crate) help: &'static str,
    pub(crate) bones: MenuBones,
}

/// The selected bones that the new modifier gets, by its properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuBones {
    /// None: it works on any bones.
    None,
    One(&'static str),
    /// Two bones of one limb, and a third one as the tip.
    Two([&'static str; 2]),
    /// The first and the last bone of a chain.
    Line([&'static str; 2]),
    /// The bone that carries all legs. The legs get modifiers of their own.
    Legs(&'static str),
    /// The uppermost bone, which carries the others. These get effectors.
    Tree(&'static str),
    /// One bone with all that hangs on it, or the whole skeleton. Its joints get limits.
    Body(&'static str),
}

impl MenuBones {
    /// The properties of the first bone and of the last, if there are any.
    fn ends(self) -> Option<[&'static str; 2]> {
        match self {
            Self::None => None,
            Self::One(bone) | Self::Legs(bone) | Self::Tree(bone) | Self::Body(bone) => {
                Some([bone, bone])
            }
            Self::Two(ends) | Self::Line(ends) => Some(ends),
        }
    }
}

impl MenuModifier {
    /// The first and the last bone of `node`, a modifier.
    pub(crate) fn end_bones(node: &Gd<Node>) -> Option<[Option<Gd<Bone2D>>; 2]> {
        let mut modifiers = MODIFIERS.iter();
        let ends = modifiers.find(|it| node.is_class(it.class))?.bones.ends()?;
        Some(ends.map(|property| node.get(property).try_to().ok()))
    }
}
