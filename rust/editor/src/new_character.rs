//! A rig for a whole character: a modifier for each arm and leg, for the head, and for what hangs.
//!
//! | file | what is in it |
//! |---|---|
//! | [`body`] | which bones these are |

mod body;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::stance::leg::is_flipped;

use crate::action::Action;
use crate::modifiers::{MODIFIERS, MenuModifier};
use crate::new_character::body::{BodyBone, Found, Part, find, words};
use crate::new_nodes::{NewModifier, rig_for};
use crate::notice::names;
use crate::selection::{Selection, all_below, end_of, parent_bone};

/// What is to be made.
pub(super) struct NewCharacter {
    parts: Vec<NewPart>,
    /// The first bones of lines that say nothing.
    unknown: Vec<Gd<Bone2D>>,
    /// Those that a modifier turns already.
    known: Vec<Gd<Bone2D>>,
}

/// A modifier to be made.
struct NewPart {
    part: Part,
    /// What the part is called: the side and the kind, as "LeftArm".
    name: String,
    bones: Vec<Gd<Bone2D>>,
}

impl NewCharacter {
    /// For the skeleton of `selection`, whatever of it is selected.
    ///
    /// # Errors
    /// Why nothing can be made, with advice what to do.
    pub(super) fn of(selection: &Selection) -> Result<Self, String> {
        let bones = bones_of(&selection.skeleton);
        let body: Vec<_> = bones.iter().map(|bone| body_bone(bone, &bones)).collect();
        let (found, unknown) = find(&body);
        let driven = driven_bones(selection);
        let is_known = |it: &&Found| it.bones.iter().any(|&bone| driven.contains(&bones[bone]));
        let (known, new): (Vec<_>, Vec<_>) = found.iter().partition(is_known);
        let parts = new.into_iter().map(|it| NewPart {
            part: it.part,
            name: name_of(it, &body),
            bones: it.bones.iter().map(|&bone| bones[bone].clone()).collect(),
        });
        let character = Self {
            parts: parts.collect(),
            unknown: unknown.into_iter().map(|it| bones[it].clone()).collect(),
            known: known.iter().map(|it| bones[it.bones[0]].clone()).collect(),
        };
        match (character.parts.is_empty(), character.known.is_empty()) {
            (false, _) => Ok(character),
            (true, false) => Err("Modifiers turn all limbs of this skeleton already.".into()),
            (true, true) => Err(
                "No limb was recognised. Name bones after what they are, as LeftUpperArm, LeftForearm, Thigh_R, \
                 Head or Tail, or add modifiers one by one."
                    .into(),
            ),
        }
    }

    /// What would be made, and what was not understood, in lines.
    pub(super) fn describe(&self) -> String {
        let made = self.parts.iter().map(|part| {
            let bones = names(part.bones.iter().cloned());
            format!("{}: {bones}", part.modifier_name())
        });
        let mut lines: Vec<_> = made.collect();
        if !self.known.is_empty() {
            let bones = names(self.known.iter().cloned());
            lines.push(format!(
                "\nLeft as they are, as modifiers turn them: {bones}"
            ));
        }
        if !self.unknown.is_empty() {
            let bones = names(self.unknown.iter().cloned());
            lines.push(format!("\nNot understood, so nothing is added: {bones}"));
        }
        lines.join("\n")
    }

    /// Adds everything to the selection's rig, as one undo step.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn add(self, selection: &Selection, title: &str) -> Result<(), String> {
        let mut action = Action::begin(title, &selection.scene)?;
        let rig = rig_for(&selection.skeleton, &mut action);
        let mut added = Vec::new();
        for part in self.parts {
            let modifier = part.modifier().ok_or("The modifier's class is missing.")?;
            added.push(modifier.add_to(&rig, selection, &mut action));
        }
        action.select(&added);
        action.commit();
        Ok(())
    }
}

impl NewPart {
    fn modifier_name(&self) -> String {
        let kind = match self.part {
            Part::Arm | Part::Leg | Part::Limb => "IK",
            Part::Head => "LookAt",
            Part::Hanging => "Spring",
        };
        format!("{}{kind}", self.name)
    }

    fn target_name(&self) -> String {
        match self.part {
            Part::Arm => self.name.replacen("Arm", "Hand", 1) + "Target",
            Part::Leg => self.name.replacen("Leg", "Foot", 1) + "Target",
            _ => format!("{}Target", self.name),
        }
    }

    fn modifier(&self) -> Option<NewModifier> {
        let (first, last) = (self.bones.first()?, self.bones.last()?);
        let modifier = match self.part {
            Part::Head => {
                let look = NewModifier::new(class("TendonLookAt2D")?, last).with("bone", last);
                match self.bones.len() {
                    1 => look,
                    _ => look.with("chain_root", first),
                }
            }
            Part::Hanging => {
                let spring = NewModifier::new(class("TendonSpring2D")?, last);
                let spring = spring.with("root_bone", first).with("tip_bone", last);
                spring.tuned()
            }
            Part::Arm | Part::Leg | Part::Limb => self.two_bone()?,
        };
        Some(modifier.named(self.modifier_name(), self.target_name()))
    }

    /// It bends as the limb does now.
    fn two_bone(&self) -> Option<NewModifier> {
        let [upper, lower, end @ ..] = self.bones.as_slice() else {
            return None;
        };
        let mut new = NewModifier::new(class("TendonTwoBoneIK2D")?, lower);
        new = new.with("bone_one", upper).with("bone_two", lower);
        // A bone at the end that is not the first child has to be named.
        if let Some(end) = end
            .first()
            .filter(|end| end.get_position() != end_of(lower))
        {
            new.tip = end.get_position();
            new = new.with("tip", end);
        }
        let flips = is_flipped(upper, lower, new.tip);
        new.settings
            .push(("flip_bend_direction", flips.to_variant()));
        Some(new)
    }
}

fn class(name: &str) -> Option<&'static MenuModifier> {
    MODIFIERS.iter().find(|modifier| modifier.class == name)
}

fn body_bone(bone: &Gd<Bone2D>, bones: &[Gd<Bone2D>]) -> BodyBone {
    let parent = parent_bone(bone);
    BodyBone {
        name: bone.get_name().to_string(),
        parent: parent.and_then(|parent| bones.iter().position(|other| *other == parent)),
        length: end_of(bone).length(),
    }
}

/// The first and last bones of the modifiers that there are.
fn driven_bones(selection: &Selection) -> Vec<Gd<Bone2D>> {
    let rig = selection.rig();
    let nodes = rig
        .iter()
        .flat_map(|rig| all_below::<Node>(&rig.clone().upcast()));
    let ends = nodes.filter_map(|node| MenuModifier::end_bones(&node));
    ends.flatten().flatten().collect()
}

/// The side and the kind of a part, in the words that names of nodes have. What is no arm, leg or head is called as
/// its first bone.
fn name_of(found: &Found, bones: &[BodyBone]) -> String {
    let name = &bones[found.bones[0]].name;
    let kind = match found.part {
        Part::Arm => "Arm",
        Part::Leg => "Leg",
        Part::Head => return "Head".into(),
        Part::Hanging | Part::Limb => return name.clone(),
    };
    let words = found
        .bones
        .iter()
        .flat_map(|&bone| words(&bones[bone].name));
    let words: Vec<_> = words.collect();
    let mut sides = SIDES.iter();
    let side = sides.find(|(_, names)| words.iter().any(|word| names.contains(&word.as_str())));
    format!("{}{kind}", side.map_or("", |(side, _)| side))
}

const SIDES: [(&str, &[&str]); 6] = [
    (
        "Left",
        &[
            "left",
            "l",
            "links",
            "gauche",
            "izquierda",
            "izquierdo",
            "sinistra",
            "esquerda",
        ],
    ),
    (
        "Right",
        &[
            "right", "r", "rechts", "droite", "droit", "derecha", "derecho", "destra", "direita",
        ],
    ),
    ("Front", &["front", "vorn", "vorne", "avant"]),
    ("Back", &["back", "hinten", "hinter", "arrière"]),
    ("Near", &["near"]),
    ("Far", &["far"]),
];
