//! What the entries of the Tendon menu do: [`Command::prepare`] checks whether an entry fits the
//! selection, and [`Command::carry_out`] does the work. Their texts are in
//! [`entries`](super::entries).

use godot::classes::{Bone2D, Polygon2D, Resource};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::parent_bone;
use tendon_nodes::engine::children::all_below;
use tendon_nodes::engine::modification_stack::stack_of;
use tendon_nodes::nodes::joint_limit::limit_on;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::draft::Draft;
use tendon_nodes::nodes::rigging::names;
use tendon_nodes::plan::modifier::Modifier;

use crate::action::{Action, NO_HISTORY};
use crate::bake::form::players_in;
use crate::bake::targets::modifiers_with_targets;
use crate::convert::{convert, is_done};
use crate::menu::entries::Command;
use crate::modifiers::{MenuBones, MenuModifier};
use crate::new_character::NewCharacter;
use crate::new_nodes::{NewModifier, add_effector, add_limits, add_tips};
use crate::new_stance::NewStance;
use crate::notice::CommandResult;
use crate::painting::redrawing::selected_skin;
use crate::parts::PartsToBones;
use crate::posing::exchange;
use crate::posing::exchange::text::{NamedPose, read_clipboard};
use crate::posing::hidden_bones::{bones_to_hide, bones_to_show, hide_bones};
use crate::posing::key_pose::KeyedPose;
use crate::posing::key_solved::{apply, key_solved};
use crate::posing::limb_switch::LimbSwitch;
use crate::preview;
use crate::reach::Kinematics;
use crate::refusal::Refusal;
use crate::selection::{SelectedLimb, Selection};
use crate::skin::selected::Pictures;

/// The task of an entry, for a selection that fits.
pub(super) enum MenuTask {
    AddModifier(NewModifier),
    AddStance(NewStance),
    AddEffector {
        modifier: Gd<Node>,
        bone: Gd<Bone2D>,
    },
    AddLimits(Vec<Gd<Bone2D>>),
    AddTips(Vec<Gd<Bone2D>>),
    /// Asked first, and then added.
    RigCharacter(NewCharacter),
    Preview(Gd<TendonRig2D>),
    Sort(Gd<TendonRig2D>),
    Copy(Vec<Gd<Bone2D>>),
    Paste(NamedPose),
    PasteMirrored(NamedPose),
    Reset(Vec<Gd<Bone2D>>),
    HideBones(Vec<Gd<Bone2D>>),
    ShowBones(Vec<Gd<Bone2D>>),
    KeyPose(KeyedPose),
    KeySolved(Gd<TendonRig2D>),
    SwitchLimb(LimbSwitch),
    Apply(Gd<TendonRig2D>),
    Convert(Gd<Resource>),
    AskForBake,
    AskForTargets(Gd<TendonRig2D>),
    AskForSkin(Pictures),
    AskForParts(PartsToBones),
    AskForDrawing(Gd<Polygon2D>),
}

impl Command {
    /// Returns the task of the entry for `selection`. Changes nothing.
    ///
    /// # Errors
    /// Why the selection does not fit, with advice what to do.
    pub(super) fn prepare(
        self,
        selection: &Result<Selection, Refusal>,
    ) -> Result<MenuTask, Refusal> {
        match (self, selection) {
            (_, Ok(selection)) => self.prepare_for(selection),
            // These need no skeleton.
            (Self::PartsToBones, _) => PartsToBones::selected().map(MenuTask::AskForParts),
            (Self::ReplaceDrawing, _) => selected_skin().map(MenuTask::AskForDrawing),
            (_, Err(reason)) => Err(reason.clone()),
        }
    }

    fn prepare_for(self, selection: &Selection) -> Result<MenuTask, Refusal> {
        match self {
            Self::AddModifier(modifier) => match modifier.bones {
                MenuBones::Legs(_) => {
                    NewStance::of(modifier.class, selection).map(MenuTask::AddStance)
                }
                _ => {
                    let new = new_modifier(modifier, selection)?;
                    refuse_second(new.draft(), selection)?;
                    Ok(MenuTask::AddModifier(new))
                }
            },
            Self::JointLimit => bones_to_limit(selection).map(MenuTask::AddLimits),
            Self::Effector => new_effector(selection),
            Self::TipMarker => match selection.bones.is_empty() {
                true => Err("Select the bones whose ends are to be marked.".into()),
                false => Ok(MenuTask::AddTips(selection.bones.clone())),
            },
            Self::RigCharacter => NewCharacter::of(selection).map(MenuTask::RigCharacter),
            Self::Preview => rig_of_selection(selection).map(MenuTask::Preview),
            Self::Sort => rig_to_sort(selection).map(MenuTask::Sort),
            Self::CopyPose => exchange::bones_with_rest(selection).map(MenuTask::Copy),
            Self::PastePose => pose_to_paste(selection).map(MenuTask::Paste),
            Self::PasteMirrored => pose_to_paste(selection).map(MenuTask::PasteMirrored),
            Self::ResetPose => exchange::bones_with_rest(selection).map(MenuTask::Reset),
            Self::HideBones => bones_to_hide(selection).map(MenuTask::HideBones),
            Self::ShowBones => bones_to_show(selection).map(MenuTask::ShowBones),
            Self::KeyCharacter => {
                any_player(selection)?;
                KeyedPose::whole(selection).map(MenuTask::KeyPose)
            }
            Self::KeyLimb => {
                any_player(selection)?;
                KeyedPose::limb(selection).map(MenuTask::KeyPose)
            }
            Self::KeySolved => working_rig(selection).map(MenuTask::KeySolved),
            Self::LimbToForward => limb_switch(selection, Kinematics::Forward),
            Self::LimbToInverse => limb_switch(selection, Kinematics::Inverse),
            Self::ApplyPose => working_rig(selection).map(MenuTask::Apply),
            Self::Bake => {
                working_rig(selection)?;
                any_player(selection).map(|()| MenuTask::AskForBake)
            }
            Self::BakeTargets => {
                let rig = working_rig(selection)?;
                any_player(selection)?;
                match modifiers_with_targets(&rig).is_empty() {
                    true => Err("No modifier of this rig has a target.".into()),
                    false => Ok(MenuTask::AskForTargets(rig)),
                }
            }
            Self::Skin => Pictures::selected(selection).map(MenuTask::AskForSkin),
            Self::PartsToBones => PartsToBones::selected().map(MenuTask::AskForParts),
            Self::ReplaceDrawing => selected_skin().map(MenuTask::AskForDrawing),
            Self::ConvertStack => stack_to_convert(selection).map(MenuTask::Convert),
        }
    }

    /// Does `task`. Baking opens a dialog first, so it is not done here but by
    /// `TendonMenuPlugin`.
    pub(super) fn carry_out(
        self,
        task: MenuTask,
        selection: &Selection,
    ) -> Result<CommandResult, Refusal> {
        let (title, scene) = (self.step(), &selection.scene);
        let seen = |result: Result<(), Refusal>| result.map(|()| CommandResult::Seen);
        let told = |result: Result<String, Refusal>| result.map(CommandResult::Done);
        let noted = |result: Result<Option<String>, Refusal>| {
            result.map(|notice| notice.map_or(CommandResult::Seen, CommandResult::Done))
        };
        match task {
            MenuTask::AddModifier(modifier) => noted(modifier.add(selection, title)),
            MenuTask::AddStance(stance) => {
                seen(stance.add(selection, title).ok_or(NO_HISTORY.into()))
            }
            MenuTask::AddLimits(bones) => noted(add_limits(&bones, selection, title)),
            MenuTask::AddEffector { modifier, bone } => {
                seen(add_effector(&modifier, &bone, selection, title))
            }
            MenuTask::AddTips(bones) => {
                seen(add_tips(&bones, selection.rig().as_ref(), scene, title))
            }
            MenuTask::RigCharacter(character) => seen(character.add(selection, title)),
            MenuTask::Preview(rig) => seen(preview::switch_preview(&rig, selection, title)),
            MenuTask::Sort(rig) => seen(sort(&rig, scene, title)),
            MenuTask::Copy(bones) => Ok(CommandResult::Done(exchange::copy(&bones, selection))),
            MenuTask::Paste(pose) => told(exchange::paste(&pose, selection, title)),
            MenuTask::PasteMirrored(pose) => {
                told(exchange::paste_mirrored(&pose, selection, title))
            }
            MenuTask::Reset(bones) => told(exchange::reset(&bones, selection, title)),
            MenuTask::HideBones(bones) => seen(hide_bones(&bones, true, scene, title)),
            MenuTask::ShowBones(bones) => seen(hide_bones(&bones, false, scene, title)),
            MenuTask::KeyPose(pose) => told(pose.key(selection, title)),
            MenuTask::KeySolved(rig) => told(key_solved(selection, &rig, title)),
            MenuTask::SwitchLimb(switch) => told(switch.run(selection, title)),
            MenuTask::Apply(rig) => told(apply(selection, &rig, title)),
            MenuTask::Convert(stack) => {
                convert(selection, &stack, title).map(CommandResult::Report)
            }
            MenuTask::AskForBake
            | MenuTask::AskForTargets(_)
            | MenuTask::AskForSkin(_)
            | MenuTask::AskForParts(_)
            | MenuTask::AskForDrawing(_) => Ok(CommandResult::Seen),
        }
    }
}

impl MenuTask {
    /// Returns the names of the nodes of `selection` that it is about, for the tooltip.
    pub(super) fn subject(&self, selection: &Selection) -> Option<String> {
        let named = |bones: &[Gd<Bone2D>]| names(bones.iter().cloned());
        Some(match self {
            Self::AddModifier(modifier) => names(modifier.draft().nodes()),
            Self::AddStance(stance) => named(&stance.bones()),
            Self::AddEffector { modifier, bone } => {
                names([modifier.clone(), bone.clone().upcast()])
            }
            Self::AddLimits(bones)
            | Self::AddTips(bones)
            | Self::HideBones(bones)
            | Self::ShowBones(bones) => named(bones),
            Self::Copy(bones) | Self::Reset(bones) => exchange::taken(bones, selection),
            Self::KeyPose(pose) => pose.told(),
            _ => return None,
        })
    }
}

/// An effector for the selected bone, of the one modifier in whose tree the bone is.
fn new_effector(selection: &Selection) -> Result<MenuTask, Refusal> {
    let [bone] = selection.bones.as_slice() else {
        return Err("Select the one bone whose end is to be a further tip.".into());
    };
    let rig = selection.rig();
    let rig =
        rig.ok_or("Add a TendonFullBody2D or a TendonFABRIK2D first: effectors give it tips.")?;
    let mut trees = all_below::<Node>(&rig.upcast());
    trees.retain(|node| {
        let Ok(modifier) = node.clone().try_dynify::<dyn Modifier>() else {
            return false;
        };
        let root = MenuModifier::end_bones(node).and_then(|[root, _]| root);
        let is_below = root.is_some_and(|root| root == *bone || root.is_ancestor_of(bone));
        modifier.dyn_bind().takes_effectors() && is_below
    });
    match <[_; 1]>::try_from(trees) {
        Ok([modifier]) => Ok(MenuTask::AddEffector {
            modifier,
            bone: bone.clone(),
        }),
        Err(trees) if trees.is_empty() => Err(format!(
            "No TendonFullBody2D or TendonFABRIK2D of this rig has a root bone at or above \"{}\".",
            bone.get_name()
        )
        .into()),
        Err(trees) => Err(format!(
            "This bone belongs to several modifiers: {}. Add a TendonEffector2D below one of them \
             by hand.",
            names(trees)
        )
        .into()),
    }
}

/// A modifier for the selected bones.
fn new_modifier(
    modifier: &'static MenuModifier,
    selection: &Selection,
) -> Result<NewModifier, Refusal> {
    let class = modifier.class;
    match modifier.bones {
        MenuBones::None => Ok(NewModifier::scripted(class, &selection.bones)),
        MenuBones::One(property) | MenuBones::Legs(property) => {
            let copies = class == "TendonCopyTransform2D";
            let new = |bone: &Gd<Bone2D>| Draft::at(class, bone).with(property, bone);
            Ok(NewModifier::of(
                match selection.bone_and_source().filter(|_| copies) {
                    Some((bone, source)) => new(&bone).with("source", &source),
                    None => new(&selection.one_bone()?),
                },
            ))
        }
        MenuBones::Tree(_) => {
            let (root, tips) = body_of(selection)?;
            Ok(NewModifier::full_body(&root, tips))
        }
        MenuBones::Body(property) => {
            let root = match selection.bones.as_slice() {
                [] => None,
                [bone] => Some(bone).filter(|bone| parent_bone(bone).is_some()),
                _ => {
                    return Err(
                        "Select the one bone from which on the body is limp, or the skeleton."
                            .into(),
                    );
                }
            };
            Ok(NewModifier::body(class, property, root, selection))
        }
        MenuBones::Two(_) => {
            let SelectedLimb { upper, lower, tip } = selection.limb()?;
            let draft = Draft::limb(&upper, &lower, tip.as_ref());
            Ok(NewModifier::of(draft))
        }
        MenuBones::Line(_) => {
            let (root, tip) = selection.chain()?;
            Ok(match class == "TendonSpring2D" {
                true => NewModifier::spring(&root, &tip),
                false => NewModifier::of(Draft::line(class, &root, &tip)),
            })
        }
    }
}

/// The selected bone that carries all others, and these.
fn body_of(selection: &Selection) -> Result<(Gd<Bone2D>, Vec<Gd<Bone2D>>), Refusal> {
    let bones = &selection.bones;
    let carries = |root: &&Gd<Bone2D>| {
        let mut others = bones.iter().filter(|bone| bone != root);
        others.all(|bone| root.is_ancestor_of(bone))
    };
    match bones.iter().find(carries) {
        Some(root) if bones.len() > 1 => {
            let tips = bones.iter().filter(|bone| *bone != root);
            Ok((root.clone(), tips.cloned().collect()))
        }
        _ => Err("Select the hips and then, with Shift held, the bones of the hands and feet, which hang on them.".into()),
    }
}

/// Refuses a modifier that would undo the work of another one for the same bones.
fn refuse_second(new: &Draft, selection: &Selection) -> Result<(), Refusal> {
    let Some(rig) = selection.rig() else {
        return Ok(());
    };
    let mut others = all_below::<Node>(&rig.upcast()).into_iter();
    let other = others.find(|other| {
        // What reaches has this property.
        let reaches = !other.get("target_position").is_nil();
        let is_same = new.end().is_some() && new.is_done_by(other);
        reaches && is_same && is_working(other)
    });
    match other {
        None => Ok(()),
        Some(other) => Err(format!(
            "\"{}\" does that already: only one of the two would be seen. Move its target instead. If two are \
             to take turns, set its Influence below 1 first.",
            other.get_name()
        ).into()),
    }
}

/// Returns `true` if a modifier is switched on, with all of its result.
fn is_working(modifier: &Gd<Node>) -> bool {
    let influence = modifier.get("influence").try_to::<f32>();
    modifier.get("active") == true.to_variant() && influence.is_ok_and(|it| it >= 1.0)
}

/// The selected bones that have no joint limit yet.
fn bones_to_limit(selection: &Selection) -> Result<Vec<Gd<Bone2D>>, Refusal> {
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
        false => Ok(bones),
    }
}

/// The pose that was copied, if there are bones to paste it to.
fn pose_to_paste(selection: &Selection) -> Result<NamedPose, Refusal> {
    exchange::bones_with_rest(selection)?;
    let pose = NamedPose::from_text(&read_clipboard());
    pose.ok_or_else(|| "Copy a pose first: Tendon > Pose > Copy Pose.".into())
}

/// The rig of the selected skeleton.
fn rig_of_selection(selection: &Selection) -> Result<Gd<TendonRig2D>, Refusal> {
    let rig = selection.rig();
    rig.ok_or_else(|| "This Skeleton2D has no TendonRig2D.".into())
}

/// The rig, if it is active and has modifiers.
fn rig_to_sort(selection: &Selection) -> Result<Gd<TendonRig2D>, Refusal> {
    let rig = rig_of_selection(selection)?;
    match TendonRig2D::sorted_children(&rig)? {
        Some(_) => Ok(rig),
        None => Err("The modifiers stand in an order that works.".into()),
    }
}

fn sort(rig: &Gd<TendonRig2D>, scene: &Gd<Node>, title: &str) -> Result<(), Refusal> {
    let mut action = Action::begin(title, scene)?;
    action.sort_modifiers(rig);
    action.commit();
    Ok(())
}

fn working_rig(selection: &Selection) -> Result<Gd<TendonRig2D>, Refusal> {
    let rig = rig_of_selection(selection)?;
    if rig.get("active") != true.to_variant() {
        return Err("The rig is not active.".into());
    }
    match rig.get_child_count() {
        0 => Err("The rig has no modifiers.".into()),
        _ => Ok(rig),
    }
}

fn limb_switch(selection: &Selection, to: Kinematics) -> Result<MenuTask, Refusal> {
    let rig = working_rig(selection)?;
    LimbSwitch::of(selection, rig, to).map(MenuTask::SwitchLimb)
}

/// Checks that there is something to bake.
fn any_player(selection: &Selection) -> Result<(), Refusal> {
    match players_in(&selection.scene).is_empty() {
        true => Err("Add an AnimationPlayer with an animation to this scene.".into()),
        false => Ok(()),
    }
}

/// The modification stack, if something in it is not converted yet.
fn stack_to_convert(selection: &Selection) -> Result<Gd<Resource>, Refusal> {
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
