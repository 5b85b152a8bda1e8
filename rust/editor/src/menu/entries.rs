//! The entries of the Tendon menu: their order, texts and icons. What an entry does when it is
//! chosen is in [`task`](super::task), `Command::prepare` and `Command::carry_out`. Those that
//! add a modifier are in [`modifiers`](crate::modifiers).

use godot::global::Key;

use crate::modifiers::{MODIFIERS, MenuModifier};

/// An entry as it is shown.
pub(super) struct ShownEntry {
    pub(super) title: &'static str,
    /// The name of its icon: a class, or one of the editor's own icons. The preview has a check mark instead.
    pub(super) icon: &'static str,
    /// The key that chooses it, with Shift and Alt: of what an animator does again at each pose.
    pub(super) key: Option<Key>,
    /// The tooltip: one sentence that says what the entry is for.
    pub(super) help: &'static str,
}

/// Entries that belong together, with the title of the submenu that has them: all at once would be higher than many
/// screens. Without one, they are in the menu itself.
type Group = (Option<&'static str>, Vec<Command>);

/// Declares the groups of [`Command`]s, each with its title, icon, key and help.
macro_rules! commands {
    ($($($submenu:literal)? {
        $($command:ident $title:literal $icon:literal $(key $key:ident)? $help:literal;)+
    })+) => {
        /// A command of the menu.
        #[derive(Clone, Copy)]
        pub(super) enum Command {
            AddModifier(&'static MenuModifier),
            $($($command,)+)+
        }

        /// The commands, in groups: first the modifiers, then the others.
        pub(super) fn groups() -> Vec<Group> {
            let modifiers = MODIFIERS.iter().map(Command::AddModifier);
            vec![
                (None, modifiers.collect()),
                $((<[_]>::first(&[$($submenu)?]).copied(), vec![$(Command::$command),+])),+
            ]
        }

        impl Command {
            pub(super) fn entry(self) -> ShownEntry {
                let (title, icon, key, help) = match self {
                    Self::AddModifier(it) => (it.title, it.class, None, it.help),
                    $($(Self::$command => {
                        ($title, $icon, <[_]>::first(&[$(Key::$key)?]).copied(), $help)
                    })+)+
                };
                ShownEntry { title, icon, key, help }
            }
        }
    };
}

commands! {
    {
        Effector "Add Effector" "TendonEffector2D"
            "Gives a full-body or FABRIK modifier a further tip: the end of the selected bone.";
        JointLimit "Add Joint Limit" "TendonJointLimit2D" "Says how far each selected bone may turn.";
        TipMarker "Add Tip Marker" "Marker2D" "Marks where each selected bone ends. Move the marker to that place.";
    }
    {
        RigCharacter "Rig a Character…" "TendonRig2D"
            "Adds a modifier for each arm, leg, head and tail, which it knows by the names of the bones. It shows \
             first what it would add.";
        Preview "Preview in Editor" "" key P
            "Shows in the editor what the rig solves. Off, bones show the base pose.";
        Sort "Sort Modifiers" "Sort" "Puts each modifier of the rig below those that move its bones or its target.";
    }
    "Pose" {
        CopyPose "Copy Pose" "ActionCopy" key C
            "Copies the base pose of the selected bones, or of the whole skeleton.";
        PastePose "Paste Pose" "ActionPaste" key V
            "Gives the selected bones, or the whole skeleton, the pose that was copied. Bones are found by their \
             names.";
        PasteMirrored "Paste Mirrored Pose" "MirrorX" key M
            "Gives the bones of the left side the pose that was copied from the right side, and the other way \
             round.";
        ResetPose "Reset Pose" "Reload"
            "Puts the base pose of the selected bones, or of the whole skeleton, back to the rest pose.";
        ApplyPose "Apply Solved Pose" "ImportCheck" "Makes the pose that the rig has solved the one that is saved.";
        HideBones "Hide Bones" "GuiVisibilityHidden"
            "Pose mode neither shows nor takes the selected bones. That is saved with the scene.";
        ShowBones "Show All Bones" "GuiVisibilityVisible" "Pose mode shows all bones of the skeleton again.";
    }
    "Animation" {
        KeyCharacter "Key Whole Character" "Key" key K
            "Inserts keys for the base pose of all bones and for all targets into the animation that is edited, \
             and adds the tracks that are missing.";
        KeyLimb "Key Limb" "Key"
            "The same for the limb of each selected bone, with what is below and the targets that it follows.";
        KeySolved "Key Solved Pose" "Key"
            "Inserts keys for the pose that the rig has solved, of the selected bones or of the whole skeleton, \
             into the animation that is edited.";
        LimbToForward "Limb to FK" "Unlinked"
            "Gives the bones of the selected limb the pose that is seen, and switches its modifier off. Both get \
             keys in the animation that is edited.";
        LimbToInverse "Limb to IK" "Instance"
            "Moves the target of the selected limb to where the limb is, and switches its modifier on. Both get \
             keys in the animation that is edited.";
        Bake "Bake to Animation…" "Bake" "Writes what the rig does into an animation, as keys.";
        BakeTargets "Bake to Targets…" "Bake"
            "Writes keys for the targets of modifiers, so that they follow the bones of an animation.";
    }
    {
        Skin "Skin to Bones…" "Polygon2D"
            "Makes polygons of the selected sprites that bend with the selected bones, or each with those that \
             run through it. With one bone they stay stiff. Polygons get new weights.";
        ReplaceDrawing "Replace Drawing…" "Texture2D"
            "Gives the selected skin another drawing. Weights are kept by place, also those that were painted.";
        PartsToBones "Parts to Bones…" "Bone2D"
            "Makes bones of sprites, polygons and nodes that are parents of each other. Animations go on as \
             before.";
        ConvertStack "Convert Modification Stack" "Skeleton2D"
            "Makes Tendon's nodes of the Skeleton2D's own modifications, and switches those off.";
    }
}

/// All commands, in their order.
pub(super) fn all() -> impl Iterator<Item = Command> {
    groups().into_iter().flat_map(|(_, commands)| commands)
}

impl Command {
    /// The command with the ID `id` in the menu: IDs number those of all groups from 0.
    pub(super) fn numbered(id: i64) -> Option<Self> {
        all().nth(usize::try_from(id).ok()?)
    }

    /// The title of its undo step.
    pub(super) fn step(self) -> &'static str {
        self.entry().title.trim_end_matches('…')
    }
}
