//! The entries of the Tendon menu: their order, texts and icons. What an entry does when it is
//! chosen is in [`task`](super::task), `Command::prepare` and `Command::carry_out`. Those that
//! add a modifier are in [`modifiers`](crate::modifiers).

use godot::global::Key;

use crate::modifiers::{MODIFIERS, MenuModifier};

/// An entry of the menu.
#[derive(Clone, Copy)]
pub(super) enum Command {
    AddModifier(&'static MenuModifier),
    Effector,
    JointLimit,
    TipMarker,
    RigCharacter,
    Preview,
    Sort,
    CopyPose,
    PastePose,
    PasteMirrored,
    ResetPose,
    HideBones,
    ShowBones,
    KeyCharacter,
    KeyLimb,
    KeySolved,
    LimbToForward,
    LimbToInverse,
    ApplyPose,
    Skin,
    ReplaceDrawing,
    PartsToBones,
    ConvertStack,
    Bake,
    BakeTargets,
}

/// Entries that belong together.
pub(super) struct Group {
    /// That of the submenu that has them. Without one, they are in the menu itself.
    pub(super) title: Option<&'static str>,
    pub(super) commands: Vec<Command>,
    /// `true` if a line is below them.
    pub(super) ends: bool,
}

impl Group {
    fn of(commands: impl IntoIterator<Item = Command>) -> Self {
        Self {
            title: None,
            commands: commands.into_iter().collect(),
            ends: true,
        }
    }

    /// In a submenu: all entries at once would be higher than many screens.
    fn below(title: &'static str, commands: impl IntoIterator<Item = Command>) -> Self {
        Self {
            title: Some(title),
            ends: false,
            ..Self::of(commands)
        }
    }
}

/// The entries, in groups: first the modifiers, then the others.
pub(super) fn groups() -> Vec<Group> {
    vec![
        Group::of(MODIFIERS.iter().map(Command::AddModifier)),
        Group::of([Command::Effector, Command::JointLimit, Command::TipMarker]),
        Group::of([Command::RigCharacter, Command::Preview, Command::Sort]),
        Group::below(
            "Pose",
            [
                Command::CopyPose,
                Command::PastePose,
                Command::PasteMirrored,
                Command::ResetPose,
                Command::ApplyPose,
                Command::HideBones,
                Command::ShowBones,
            ],
        ),
        Group::below(
            "Animation",
            [
                Command::KeyCharacter,
                Command::KeyLimb,
                Command::KeySolved,
                Command::LimbToForward,
                Command::LimbToInverse,
                Command::Bake,
                Command::BakeTargets,
            ],
        ),
        Group {
            ends: false,
            ..Group::of([
                Command::Skin,
                Command::ReplaceDrawing,
                Command::PartsToBones,
                Command::ConvertStack,
            ])
        },
    ]
}

/// All entries, in their order.
pub(super) fn all() -> impl Iterator<Item = Command> {
    groups().into_iter().flat_map(|group| group.commands)
}

impl Command {
    /// The command with the ID `id` in the menu: IDs number the entries of all groups from 0.
    pub(super) fn numbered(id: i64) -> Option<Self> {
        all().nth(usize::try_from(id).ok()?)
    }

    /// The entry's text, which is also that of the undo step.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::AddModifier(modifier) => modifier.title,
            Self::Effector => "Add Effector",
            Self::JointLimit => "Add Joint Limit",
            Self::TipMarker => "Add Tip Marker",
            Self::RigCharacter => "Rig a Character…",
            Self::Preview => "Preview in Editor",
            Self::Sort => "Sort Modifiers",
            Self::CopyPose => "Copy Pose",
            Self::PastePose => "Paste Pose",
            Self::PasteMirrored => "Paste Mirrored Pose",
            Self::ResetPose => "Reset Pose",
            Self::HideBones => "Hide Bones",
            Self::ShowBones => "Show All Bones",
            Self::KeyCharacter => "Key Whole Character",
            Self::KeyLimb => "Key Limb",
            Self::KeySolved => "Key Solved Pose",
            Self::LimbToForward => "Limb to FK",
            Self::LimbToInverse => "Limb to IK",
            Self::ApplyPose => "Apply Solved Pose",
            Self::Bake => "Bake to Animation…",
            Self::BakeTargets => "Bake to Targets…",
            Self::Skin => "Skin to Bones…",
            Self::ReplaceDrawing => "Replace Drawing…",
            Self::PartsToBones => "Parts to Bones…",
            Self::ConvertStack => "Convert Modification Stack",
        }
    }

    /// The name of the entry's icon: a class, or one of the editor's own icons. The preview has a
    /// check mark instead.
    pub(super) fn icon(self) -> String {
        let name = match self {
            Self::AddModifier(modifier) => return modifier.class.into(),
            Self::Effector => "TendonEffector2D",
            Self::JointLimit => "TendonJointLimit2D",
            Self::TipMarker => "Marker2D",
            Self::RigCharacter => "TendonRig2D",
            Self::Preview => "",
            Self::Sort => "Sort",
            Self::CopyPose => "ActionCopy",
            Self::PastePose => "ActionPaste",
            Self::PasteMirrored => "MirrorX",
            Self::ResetPose => "Reload",
            Self::HideBones => "GuiVisibilityHidden",
            Self::ShowBones => "GuiVisibilityVisible",
            Self::KeyCharacter | Self::KeyLimb | Self::KeySolved => "Key",
            Self::LimbToForward => "Unlinked",
            Self::LimbToInverse => "Instance",
            Self::ApplyPose => "ImportCheck",
            Self::Bake | Self::BakeTargets => "Bake",
            Self::Skin => "Polygon2D",
            Self::ReplaceDrawing => "Texture2D",
            Self::PartsToBones => "Bone2D",
            Self::ConvertStack => "Skeleton2D",
        };
        name.into()
    }

    /// The key that chooses it, with Shift and Alt: of what an animator does again at each pose.
    pub(super) fn key(self) -> Option<Key> {
        match self {
            Self::Preview => Some(Key::P),
            Self::KeyCharacter => Some(Key::K),
            Self::CopyPose => Some(Key::C),
            Self::PastePose => Some(Key::V),
            Self::PasteMirrored => Some(Key::M),
            _ => None,
        }
    }

    /// The tooltip: one sentence that says what the entry is for.
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::AddModifier(modifier) => modifier.help,
            Self::Effector => {
                "Gives a full-body or FABRIK modifier a further tip: the end of the selected bone."
            }
            Self::JointLimit => "Says how far each selected bone may turn.",
            Self::TipMarker => {
                "Marks where each selected bone ends. Move the marker to that place."
            }
            Self::RigCharacter => {
                "Adds a modifier for each arm, leg, head and tail, which it knows by the names of the bones. It \
                 shows first what it would add."
            }
            Self::Preview => {
                "Shows in the editor what the rig solves. Off, bones show the base pose."
            }
            Self::Sort => {
                "Puts each modifier of the rig below those that move its bones or its target."
            }
            Self::CopyPose => {
                "Copies the base pose of the selected bones, or of the whole skeleton."
            }
            Self::PastePose => {
                "Gives the selected bones, or the whole skeleton, the pose that was copied. Bones are \
                 found by their names."
            }
            Self::PasteMirrored => {
                "Gives the bones of the left side the pose that was copied from the right side, and \
                 the other way round."
            }
            Self::ResetPose => {
                "Puts the base pose of the selected bones, or of the whole skeleton, back to the rest \
                 pose."
            }
            Self::HideBones => {
                "Pose mode neither shows nor takes the selected bones. That is saved with the scene."
            }
            Self::ShowBones => "Pose mode shows all bones of the skeleton again.",
            Self::KeyCharacter => {
                "Inserts keys for the base pose of all bones and for all targets into the animation that is \
                 edited, and adds the tracks that are missing."
            }
            Self::KeyLimb => {
                "The same for the limb of each selected bone, with what is below and the targets that it follows."
            }
            Self::KeySolved => {
                "Inserts keys for the pose that the rig has solved, of the selected bones or of the whole \
                 skeleton, into the animation that is edited."
            }
            Self::LimbToForward => {
                "Gives the bones of the selected limb the pose that is seen, and switches its modifier off. Both \
                 get keys in the animation that is edited."
            }
            Self::LimbToInverse => {
                "Moves the target of the selected limb to where the limb is, and switches its modifier on. Both \
                 get keys in the animation that is edited."
            }
            Self::ApplyPose => "Makes the pose that the rig has solved the one that is saved.",
            Self::Bake => "Writes what the rig does into an animation, as keys.",
            Self::BakeTargets => {
                "Writes keys for the targets of modifiers, so that they follow the bones of an animation."
            }
            Self::Skin => {
                "Makes polygons of the selected sprites that bend with the selected bones, or each with those \
                 that run through it. With one bone they stay stiff. Polygons get new weights."
            }
            Self::ReplaceDrawing => {
                "Gives the selected skin another drawing. Weights are kept by place, also those that were painted."
            }
            Self::PartsToBones => {
                "Makes bones of sprites, polygons and nodes that are parents of each other. Animations go on as before."
            }
            Self::ConvertStack => {
                "Makes Tendon's nodes of the Skeleton2D's own modifications, and switches those off."
            }
        }
    }
}
