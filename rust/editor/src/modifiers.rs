//! The modifier classes as the editor adds them: their entries in the menu, and which properties hold their
//! bones. All places of a new one: CONTRIBUTING.md, *Add a modifier*.

use godot::classes::Bone2D;
use godot::prelude::*;

/// All modifier classes, in the order of the menu. A new one is added here.
pub(crate) const MODIFIERS: &[MenuModifier] = &[
    MenuModifier {
        class: "TendonLookAt2D",
        title: "Add Look-At",
        help: "The selected bone points at a new target.",
        bones: MenuBones::One("bone"),
    },
    MenuModifier {
        class: "TendonTwoBoneIK2D",
        title: "Add Two-Bone IK",
        help: "The selected limb of two bones reaches for a new target.",
        bones: MenuBones::Two(["bone_one", "bone_two"]),
    },
    MenuModifier {
        class: "TendonCCDIK2D",
        title: "Add CCD IK",
        help: "The selected chain curls towards a new target, joint by joint.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    },
    MenuModifier {
        class: "TendonFABRIK2D",
        title: "Add FABRIK",
        help: "The selected chain bends smoothly towards a new target.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    },
    MenuModifier {
        class: "TendonFullBody2D",
        title: "Add Full-Body IK",
        help: "The body below the first selected bone, the hips, moves by the ends of the others: hands and feet.",
        bones: MenuBones::Tree("root_bone"),
    },
    MenuModifier {
        class: "TendonSpring2D",
        title: "Add Spring",
        help: "The selected chain lags behind and swings: hair, tails, ears, cloth.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    },
    MenuModifier {
        class: "TendonSplineIK2D",
        title: "Add Spline IK",
        help: "The selected chain lies along a new path, which follows its present pose.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    },
    MenuModifier {
        class: "TendonCopyTransform2D",
        title: "Add Copy Transform",
        help: "The selected bone copies another node's rotation, position or scale, or maps it.",
        bones: MenuBones::One("bone"),
    },
    MenuModifier {
        class: "TendonSlider2D",
        title: "Add Slider",
        help: "The selected bone scrubs an animation: faces, doors, dials.",
        bones: MenuBones::One("source"),
    },
    MenuModifier {
        class: "TendonTrail2D",
        title: "Add Trail",
        help: "The selected chain follows its first bone, which is the head: snakes, lizards.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    },
    MenuModifier {
        class: "TendonWave2D",
        title: "Add Wave",
        help: "A wave runs along the selected chain: swimming, breathing, flags.",
        bones: MenuBones::Line(["root_bone", "tip_bone"]),
    },
    MenuModifier {
        class: "TendonFootPlacement2D",
        title: "Add Foot Placement",
        help: "Puts the animated feet of the legs below the selected bones on the ground: a placement above the \
               modifiers of these legs, and a foot for each.",
        bones: MenuBones::Legs("pelvis"),
    },
    MenuModifier {
        class: "TendonGait2D",
        title: "Add Legs That Step",
        help: "Makes the legs below the selected bones step by themselves: a gait, and for each leg a \
               foot and a modifier that reaches.",
        bones: MenuBones::Legs("pelvis"),
    },
    MenuModifier {
        class: "TendonRagdoll2D",
        title: "Add Ragdoll",
        help: "Lets the body fall and get up, or only what hangs on the selected bone. Joints without a limit \
               get one.",
        bones: MenuBones::Body("root_bone"),
    },
    MenuModifier {
        class: "TendonCustomModifier2D",
        title: "Add Custom Modifier",
        help: "A modifier that you write as a script.",
        bones: MenuBones::None,
    },
];

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
