//! The modifier of a part of a body, and its names.

use godot::classes::Bone2D;
use godot::prelude::*;

use super::body::{BodyBone, Found, Part, words};
use crate::engine::bone_lines::end_of;
use crate::nodes::new_names::name_after;
use crate::nodes::rigging::draft::Draft;

/// A modifier to be made.
pub struct CharacterPart {
    pub(in crate::nodes::rigging) part: Part,
    /// What the part is called: the side and the kind, as "LeftArm".
    name: String,
    /// Root first.
    pub bones: Vec<Gd<Bone2D>>,
}

impl CharacterPart {
    pub(super) fn new(part: Part, name: String, bones: Vec<Gd<Bone2D>>) -> Self {
        Self { part, name, bones }
    }

    /// The name of its modifier.
    pub fn modifier_name(&self) -> String {
        let kind = match self.part {
            Part::Arm | Part::Leg | Part::Limb => "IK",
            Part::Head => "LookAt",
            Part::Hanging => "Spring",
        };
        format!("{}{kind}", self.name)
    }

    /// Whether it is a leg, which can get a foot.
    pub fn is_leg(&self) -> bool {
        self.part == Part::Leg
    }

    /// The name of its foot.
    pub fn foot_name(&self) -> String {
        self.name.replacen("Leg", "Foot", 1)
    }

    /// Its modifier; a limb bends as it does now.
    pub fn draft(&self) -> Option<Draft> {
        let (first, last) = (self.bones.first()?, self.bones.last()?);
        let draft = match self.part {
            Part::Head => Draft::look(Some(first), last),
            Part::Hanging => Draft::spring(first, last),
            Part::Arm | Part::Leg | Part::Limb => {
                let lower = self.bones.get(1)?;
                // A bone at the end that is not the first child has to be named.
                let end = self.bones.get(2);
                let end = end.filter(|end| end.get_position() != end_of(lower));
                Draft::limb(first, lower, end)
            }
        };
        Some(draft.named(self.modifier_name(), self.target_name()))
    }

    fn target_name(&self) -> String {
        match self.part {
            Part::Arm => self.name.replacen("Arm", "Hand", 1) + "Target",
            Part::Leg => self.foot_name() + "Target",
            _ => format!("{}Target", self.name),
        }
    }
}

/// The side and the kind of a part, in the words that names of nodes have. What is no arm, leg or head is called as
/// its first bone.
pub(super) fn name_of(found: &Found, bones: &[BodyBone]) -> String {
    let name = &bones[found.bones[0]].name;
    let kind = match found.part {
        Part::Arm => "Arm",
        Part::Leg => "Leg",
        Part::Head => return "Head".into(),
        Part::Hanging | Part::Limb => return name_after(name, ""),
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
