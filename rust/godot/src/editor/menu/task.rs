//! The entries of the Tendon menu: whether each fits the selection, and what it does. The entry that
//! adds a modifier is `MENU` in the file of its class, in `nodes/`.

use godot::classes::{Bone2D, Resource};
use godot::prelude::*;

use crate::editor::bake::dialog::players_in;
use crate::editor::convert::{convert, is_done};
use crate::editor::menu::notice::Outcome;
use crate::editor::menu::sort::Sorting;
use crate::editor::new_nodes::{NewModifier, add_effector, add_limits, add_tips, is_flipped};
use crate::editor::pose;
use crate::editor::selection::{Limb, Selection};
use crate::engine::modification_stack::stack_of;
use crate::engine::skeleton::has_rest;
use crate::nodes::joint_limit::limit_on;
use crate::nodes::modifier::MenuBones;
use crate::nodes::modifier_list::{ListedModifier, MODIFIERS};
use crate::nodes::rig::TendonRig2D;
use crate::plan::modifier::Modifier;

/// An entry of the menu.
#[derive(Clone, Copy)]
pub(super) enum Command {
    AddModifier(&'static ListedModifier),
    Effector,
    JointLimit,
    TipMarker,
    Preview,
    Sort,
    ResetToRest,
    ApplyPose,
    ConvertStack,
    Bake,
}

/// The entries, in groups: first the modifiers, then the others.
pub(super) fn groups() -> Vec<Vec<Command>> {
    vec![
        MODIFIERS.iter().map(Command::AddModifier).collect(),
        vec![Command::Effector, Command::JointLimit, Command::TipMarker],
        vec![Command::Preview, Command::Sort],
        vec![Command::ResetToRest, Command::ApplyPose, Command::Bake],
        vec![Command::ConvertStack],
    ]
}

/// What a command will do, after the selection was checked.
pub(super) enum Task {
    AddModifier(NewModifier),
    AddEffector {
        modifier: Gd<Node>,
        bone: Gd<Bone2D>,
    },
    AddLimits(Vec<Gd<Bone2D>>),
    AddTips(Vec<Gd<Bone2D>>),
    Preview(Gd<TendonRig2D>),
    Sort(Sorting),
    Reset(Vec<Gd<Bone2D>>),
    Apply(Gd<TendonRig2D>),
    Convert(Gd<Resource>),
    AskForBake,
}

impl Command {
    /// The command with the number `id` in the menu: its place among all.
    pub(super) fn numbered(id: i64) -> Option<Self> {
        let mut commands = groups().into_iter().flatten();
        commands.nth(usize::try_from(id).ok()?)
    }

    /// The entry's text, which is also that of the undo step.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::AddModifier(modifier) => modifier.menu.title,
            Self::Effector => "Add Effector",
            Self::JointLimit => "Add Joint Limit",
            Self::TipMarker => "Add Tip Marker",
            Self::Preview => "Preview in Editor",
            Self::Sort => "Sort Modifiers",
            Self::ResetToRest => "Reset Bones to Rest",
            Self::ApplyPose => "Apply Solved Pose",
            Self::Bake => "Bake to Animation…",
            Self::ConvertStack => "Convert Modification Stack",
        }
    }

    /// The name of its icon: a class, or one of the editor's own icons. The preview has a check
    /// mark in its place.
    pub(super) fn icon(self) -> String {
        let name = match self {
            Self::AddModifier(modifier) => return modifier.class(),
            Self::Effector => "TendonEffector2D",
            Self::JointLimit => "TendonJointLimit2D",
            Self::TipMarker => "Marker2D",
            Self::Preview => "",
            Self::Sort => "Sort",
            Self::ResetToRest => "Reload",
            Self::ApplyPose => "ImportCheck",
            Self::Bake => "Bake",
            Self::ConvertStack => "Skeleton2D",
        };
        name.into()
    }

    /// What it does, for the tooltip.
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::AddModifier(modifier) => modifier.menu.help,
            Self::Effector => {
                "Gives a FABRIK modifier a further tip: the end of the selected bone."
            }
            Self::JointLimit => "Says how far each selected bone may turn.",
            Self::TipMarker => {
                "Marks where each selected bone ends. Move the marker to that place."
            }
            Self::Preview => {
                "Shows in the editor what the rig solves. Off, bones show the base pose."
            }
            Self::Sort => {
                "Puts each modifier of the rig below those that move its bones or its target."
            }
            Self::ResetToRest => {
                "Puts the base pose of the selected bones back to their rest pose."
            }
            Self::ApplyPose => "Makes the pose that the rig has solved the one that is saved.",
            Self::Bake => "Writes what the rig does into an animation, as keys.",
            Self::ConvertStack => {
                "Makes Tendon's nodes of the Skeleton2D's own modifications, and switches those off."
            }
        }
    }

    /// What it would do with `selection`. It changes nothing.
    ///
    /// # Errors
    /// Why the selection does not fit, with advice what to do.
    pub(super) fn prepare(self, selection: &Selection) -> Result<Task, String> {
        match self {
            Self::AddModifier(modifier) => new_modifier(modifier, selection).map(Task::AddModifier),
            Self::JointLimit => {
                if selection.bones.is_empty() {
                    return Err("Select the bones to limit.".into());
                }
                let bones = selection.bones.iter();
                let bones: Vec<_> = bones
                    .filter(|bone| limit_on(bone).is_none())
                    .cloned()
                    .collect();
                match bones.is_empty() {
                    true => Err("The selected bones have a joint limit already.".into()),
                    false => Ok(Task::AddLimits(bones)),
                }
            }
            Self::Effector => new_effector(selection),
            Self::TipMarker => match selection.bones.is_empty() {
                true => Err("Select the bones whose ends are to be marked.".into()),
                false => Ok(Task::AddTips(selection.bones.clone())),
            },
            Self::Preview => {
                let rig = selection.rig();
                let rig = rig.ok_or("This Skeleton2D has no TendonRig2D.")?;
                Ok(Task::Preview(rig))
            }
            Self::Sort => {
                let rig = selection.rig();
                let rig = rig.ok_or("This Skeleton2D has no TendonRig2D.")?;
                Sorting::of(&rig).map(Task::Sort)
            }
            Self::ResetToRest => {
                if selection.bones.is_empty() {
                    return Err("Select the bones to reset. For all of them, select the \
                                Skeleton2D and choose Skeleton2D > Reset to Rest Pose."
                        .into());
                }
                match selection.bones.iter().any(has_rest) {
                    true => Ok(Task::Reset(selection.bones.clone())),
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

    /// Does `task`, except for the one that opens a dialog first.
    pub(super) fn carry_out(self, task: Task, selection: &Selection) -> Result<Outcome, String> {
        let title = self.title();
        let no_history = || "This scene has no undo history.".to_string();
        match task {
            Task::AddModifier(modifier) => {
                modifier.add(selection, title).ok_or_else(no_history)?;
            }
            Task::AddLimits(bones) => {
                add_limits(&bones, &selection.scene, title).ok_or_else(no_history)?;
            }
            Task::AddEffector { modifier, bone } => {
                add_effector(&modifier, &bone, selection, title).ok_or_else(no_history)?;
            }
            Task::AddTips(bones) => {
                let rig = selection.rig();
                add_tips(&bones, rig.as_ref(), &selection.scene, title).ok_or_else(no_history)?;
            }
            Task::Preview(rig) => {
                pose::switch_preview(&rig, selection, title).ok_or_else(no_history)?;
            }
            Task::Sort(sorting) => sorting.run(selection, title).ok_or_else(no_history)?,
            Task::Reset(bones) => return pose::reset(&bones, selection, title).map(Outcome::Done),
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

impl Task {
    /// Which nodes it is about, for the tooltip.
    pub(super) fn subject(&self) -> Option<String> {
        let named = |bones: &[Gd<Bone2D>]| names(bones.iter().map(|bone| bone.clone().upcast()));
        Some(match self {
            Self::AddModifier(modifier) => {
                names(modifier.wires.iter().map(|(_, node)| node.clone()))
            }
            Self::AddEffector { modifier, bone } => {
                names([modifier.clone(), bone.clone().upcast()].into_iter())
            }
            Self::AddLimits(bones) | Self::AddTips(bones) | Self::Reset(bones) => named(bones),
            _ => return None,
        })
    }
}

/// The names of `nodes`, in a row.
fn names(nodes: impl Iterator<Item = Gd<Node>>) -> String {
    let names = nodes.map(|node| format!("\"{}\"", node.get_name()));
    names.collect::<Vec<_>>().join(", ")
}

/// An effector for the selected bone, of the one modifier in whose tree the bone is.
fn new_effector(selection: &Selection) -> Result<Task, String> {
    let [bone] = selection.bones.as_slice() else {
        return Err("Select the one bone whose end is to be a further tip.".into());
    };
    let rig = selection.rig();
    let rig = rig.ok_or("Add a TendonFABRIK2D first: effectors give it further tips.")?;
    let below = rig.find_children_ex("*").owned(false).done();
    let trees = below.iter_shared().filter(|node| {
        let Ok(modifier) = node.clone().try_dynify::<dyn Modifier>() else {
            return false;
        };
        let modifier = modifier.dyn_bind();
        let root = modifier.references().joints.properties();
        let root = root.and_then(|((_, root), _)| root.get());
        let is_below = root.is_some_and(|root| root == *bone || root.is_ancestor_of(bone));
        modifier.takes_effectors() && is_below
    });
    let trees: Vec<_> = trees.collect();
    match <[_; 1]>::try_from(trees) {
        Ok([modifier]) => Ok(Task::AddEffector {
            modifier,
            bone: bone.clone(),
        }),
        Err(trees) if trees.is_empty() => Err(format!(
            "No TendonFABRIK2D of this rig has a root bone at or above \"{}\".",
            bone.get_name()
        )),
        Err(trees) => Err(format!(
            "This bone belongs to several modifiers: {}. Add a TendonEffector2D below one of them \
             by hand.",
            names(trees.into_iter())
        )),
    }
}

/// A modifier for the selected bones.
fn new_modifier(
    modifier: &'static ListedModifier,
    selection: &Selection,
) -> Result<NewModifier, String> {
    match modifier.menu.bones {
        MenuBones::None => Ok(NewModifier::without_bones(modifier)),
        MenuBones::One(property) => {
            let bone = selection.one_bone()?;
            Ok(NewModifier::new(modifier, &bone).with(property, &bone))
        }
        MenuBones::Two(properties) => {
            let limb = selection.limb()?;
            Ok(new_limb_modifier(modifier, properties, &limb))
        }
        MenuBones::Line([first, last]) => {
            let (root, tip) = selection.chain()?;
            let new = NewModifier::new(modifier, &tip).with(first, &root);
            Ok(new.with(last, &tip))
        }
    }
}

fn new_limb_modifier(
    modifier: &'static ListedModifier,
    [upper, lower]: [&'static str; 2],
    limb: &Limb,
) -> NewModifier {
    let mut new = NewModifier::new(modifier, &limb.lower);
    // A bone at the end that is not the first child has to be named.
    if let Some(tip) = &limb.tip
        && tip.get_parent().as_ref() == Some(&limb.lower.clone().upcast())
    {
        new.tip = tip.get_position();
        new = new.with("tip", tip);
    }
    // The limb keeps the bend that it has.
    let flips = is_flipped(&limb.upper, &limb.lower, new.tip);
    new.settings
        .push(("flip_bend_direction", flips.to_variant()));
    new.with(upper, &limb.upper).with(lower, &limb.lower)
}

/// The rig, if it is active and has modifiers.
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
