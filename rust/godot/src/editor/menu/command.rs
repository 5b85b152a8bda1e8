//! The entries of the Tendon menu: whether each fits the selection, and what it does.

use godot::classes::{Bone2D, Resource};
use godot::prelude::*;

use crate::editor::bake::dialog::players_in;
use crate::editor::convert::{convert, is_done};
use crate::editor::menu::add_nodes::{NewModifier, add_limits, is_limited};
use crate::editor::menu::notice::Outcome;
use crate::editor::menu::pose::{self, has_rest};
use crate::editor::menu::sort::Sorting;
use crate::editor::selection::{Selection, bones_of};
use crate::engine::old_stack::stack_of;
use crate::nodes::rig::TendonRig2D;

/// An entry of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    LookAt,
    TwoBone,
    Ccd,
    Fabrik,
    JointLimit,
    Sort,
    ResetToRest,
    ApplyPose,
    ConvertStack,
    Bake,
}

/// The entries, in groups. A command's number in the menu is its place among all.
pub(crate) const GROUPS: [&[Command]; 4] = [
    &[
        Command::LookAt,
        Command::TwoBone,
        Command::Ccd,
        Command::Fabrik,
    ],
    &[Command::JointLimit, Command::Sort],
    &[Command::ResetToRest, Command::ApplyPose, Command::Bake],
    &[Command::ConvertStack],
];

/// What a command will do, once it is certain that it fits.
pub(crate) enum Task {
    AddModifier(NewModifier),
    AddLimits(Vec<Gd<Bone2D>>),
    Sort(Sorting),
    Reset(Vec<Gd<Bone2D>>),
    Apply(Gd<TendonRig2D>),
    Convert(Gd<Resource>),
    AskForBake,
}

impl Command {
    /// The command with the number `id` in the menu.
    pub(crate) fn numbered(id: i64) -> Option<Self> {
        let mut commands = GROUPS.iter().copied().flatten();
        commands.nth(usize::try_from(id).ok()?).copied()
    }

    /// The entry's text, which is also that of the undo step.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::LookAt => "Add Look-At",
            Self::TwoBone => "Add Two-Bone IK",
            Self::Ccd => "Add CCD IK",
            Self::Fabrik => "Add FABRIK",
            Self::JointLimit => "Add Joint Limit",
            Self::Sort => "Sort Modifiers",
            Self::ResetToRest => "Reset to Rest Pose",
            Self::ApplyPose => "Apply Solved Pose",
            Self::Bake => "Bake to Animation…",
            Self::ConvertStack => "Convert Modification Stack",
        }
    }

    /// What it does, for the tooltip.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::LookAt => "The selected bone points at a new target.",
            Self::TwoBone => "The selected limb of two bones reaches for a new target.",
            Self::Ccd => "The selected chain curls towards a new target, joint by joint.",
            Self::Fabrik => "The selected chain bends smoothly towards a new target.",
            Self::JointLimit => "Says how far each selected bone may turn.",
            Self::Sort => {
                "Puts each modifier of the rig below those that move its bones or its target."
            }
            Self::ResetToRest => "Puts the selected bones, or all, into their rest pose.",
            Self::ApplyPose => "Makes the pose that the rig has solved the one that is saved.",
            Self::Bake => "Writes what the rig does into an animation, as keys.",
            Self::ConvertStack => {
                "Makes Tendon's nodes of the Skeleton2D's own modifications, and switches those off."
            }
        }
    }

    /// What it would do with `selection`. Changes nothing.
    ///
    /// # Errors
    /// Why it does not fit, in words that say what to do.
    pub(crate) fn prepare(self, selection: &Selection) -> Result<Task, String> {
        match self {
            Self::LookAt => {
                let bone = selection.one_bone()?;
                let modifier = NewModifier::new("TendonLookAt2D", &bone);
                Ok(Task::AddModifier(modifier.with("bone", &bone)))
            }
            Self::TwoBone => two_bone(selection),
            Self::Ccd => chain("TendonCCDIK2D", selection),
            Self::Fabrik => chain("TendonFABRIK2D", selection),
            Self::JointLimit => {
                if selection.bones.is_empty() {
                    return Err("Select the bones to limit.".into());
                }
                let bones = selection.bones.iter();
                let bones: Vec<_> = bones.filter(|bone| !is_limited(bone)).cloned().collect();
                match bones.is_empty() {
                    true => Err("The selected bones have a joint limit already.".into()),
                    false => Ok(Task::AddLimits(bones)),
                }
            }
            Self::Sort => {
                let rig = selection.rig();
                let rig = rig.ok_or("This Skeleton2D has no TendonRig2D.")?;
                Sorting::of(&rig).map(Task::Sort)
            }
            Self::ResetToRest => {
                let bones = match selection.bones.is_empty() {
                    true => bones_of(&selection.skeleton),
                    false => selection.bones.clone(),
                };
                match bones.iter().any(has_rest) {
                    true => Ok(Task::Reset(bones)),
                    false => Err(
                        "No rest pose was set for these bones. Select the Skeleton2D and \
                                  choose Skeleton2D > Overwrite Rest Pose."
                            .into(),
                    ),
                }
            }
            Self::ApplyPose => working_rig(selection).map(Task::Apply),
            Self::Bake => {
                working_rig(selection)?;
                match players_in(&selection.scene).is_empty() {
                    true => Err("Add an AnimationPlayer with an animation to this scene.".into()),
                    false => Ok(Task::AskForBake),
                }
            }
            Self::ConvertStack => stack_to_convert(selection).map(Task::Convert),
        }
    }

    /// Carries `task` out; all but the one that has to ask first.
    pub(crate) fn carry_out(self, task: Task, selection: &Selection) -> Result<Outcome, String> {
        let title = self.title();
        let no_history = || "This scene has no undo history.".to_string();
        match task {
            Task::AddModifier(modifier) => {
                modifier.add(selection, title).ok_or_else(no_history)?;
            }
            Task::AddLimits(bones) => {
                add_limits(&bones, &selection.scene, title).ok_or_else(no_history)?;
            }
            Task::Sort(sorting) => sorting.run(selection, title).ok_or_else(no_history)?,
            Task::Reset(bones) => pose::reset(&bones, selection, title)?,
            Task::Apply(rig) => {
                pose::apply(selection, &rig, title)?;
                return Ok(Outcome::Done(
                    "The solved pose is the base pose now.".into(),
                ));
            }
            Task::Convert(stack) => {
                return convert(selection, &stack, title).map(Outcome::Report);
            }
            Task::AskForBake => {}
        }
        Ok(Outcome::Seen)
    }
}

fn two_bone(selection: &Selection) -> Result<Task, String> {
    let limb = selection.limb()?;
    let class = "TendonTwoBoneIK2D";
    // Another bone at the end than the first one has to be named.
    let mut modifier = NewModifier::new(class, &limb.lower);
    if let Some(tip) = &limb.tip
        && tip.get_parent().as_ref() == Some(&limb.lower.clone().upcast())
    {
        modifier.tip = tip.get_position();
        modifier = modifier.with("tip", tip);
    }
    let modifier = modifier.with("bone_one", &limb.upper);
    Ok(Task::AddModifier(modifier.with("bone_two", &limb.lower)))
}

fn chain(class: &'static str, selection: &Selection) -> Result<Task, String> {
    let (root, tip) = selection.chain()?;
    let modifier = NewModifier::new(class, &tip).with("root_bone", &root);
    Ok(Task::AddModifier(modifier.with("tip_bone", &tip)))
}

/// The rig, if it has anything to do.
fn working_rig(selection: &Selection) -> Result<Gd<TendonRig2D>, String> {
    let rig = selection
        .rig()
        .ok_or("This Skeleton2D has no TendonRig2D.")?;
    if rig.get("active") != true.to_variant() {
        return Err("The rig is not active.".into());
    }
    match rig.get_child_count() {
        0 => Err("The rig has no modifiers.".into()),
        _ => Ok(rig),
    }
}

fn stack_to_convert(selection: &Selection) -> Result<Gd<Resource>, String> {
    let stack = stack_of(&selection.skeleton);
    let stack = stack.ok_or("This Skeleton2D has no modification stack.")?;
    if stack.get("modification_count") == 0.to_variant() {
        return Err("The modification stack is empty.".into());
    }
    match is_done(selection, &stack) {
        true => Err("The rig has counterparts of all that is in the modification stack.".into()),
        false => Ok(stack),
    }
}
