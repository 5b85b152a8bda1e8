//! The modifier of a part of a body, and its names.

use godot::classes::Bone2D;
use godot::prelude::*;

use super::body::{BodyBone, Found};
use super::names::{Part, SIDES, words};
use crate::engine::bone_lines::{end_of, frame_in, parent_bone};
use crate::engine::skeleton::child_bones;
use crate::nodes::new_names::name_after;
use crate::nodes::rigging::draft::Draft;

/// A modifier to be made.
pub struct CharacterPart {
    pub(in crate::nodes::rigging) part: Part,
    /// What the part is called: the side and the kind, as "LeftArm".
    name: String,
    /// Root first.
    pub bones: Vec<Gd<Bone2D>>,
    /// How many of these reach, if it is a limb.
    pub(in crate::nodes::rigging) reaching: usize,
    /// How it is to be moved.
    pub motion: Motion,
}

/// How a part is moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// By what suits it: limbs reach, a head looks, what hangs swings.
    #[default]
    Usual,
    /// By nothing but its animation: forward kinematics.
    Forward,
    /// It swings.
    Spring,
}

impl CharacterPart {
    pub(super) fn new(found: &Found, name: String, bones: Vec<Gd<Bone2D>>) -> Self {
        Self {
            part: found.part,
            name,
            bones,
            reaching: found.reaching,
            motion: Motion::Usual,
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it can be moved, in the words of the editor.
    pub fn motions(&self) -> &'static [(&'static str, Motion)] {
        match self.part {
            Part::Arm | Part::Leg | Part::Limb => &[
                ("IK", Motion::Usual),
                ("FK", Motion::Forward),
                ("Spring", Motion::Spring),
            ],
            Part::Head => &[
                ("Look-At", Motion::Usual),
                ("FK", Motion::Forward),
                ("Spring", Motion::Spring),
            ],
            Part::Hanging => &[("Spring", Motion::Usual), ("FK", Motion::Forward)],
        }
    }

    /// The name of its modifier.
    pub fn modifier_name(&self) -> String {
        let kind = match (self.part, self.motion) {
            (Part::Hanging, _) | (_, Motion::Spring) => "Spring",
            (Part::Head, _) => "LookAt",
            _ => "IK",
        };
        format!("{}{kind}", self.name)
    }

    /// Whether it gets a modifier with a target.
    pub fn reaches(&self) -> bool {
        self.part != Part::Hanging && self.motion == Motion::Usual
    }

    /// Whether it is a leg, which can get a foot.
    pub fn is_leg(&self) -> bool {
        self.part == Part::Leg
    }

    /// Whether it is a leg that reaches for the ground.
    pub fn stands(&self) -> bool {
        self.is_leg() && self.motion == Motion::Usual
    }

    /// The name of its foot.
    pub fn foot_name(&self) -> String {
        self.name.replacen("Leg", "Foot", 1)
    }

    /// Its modifier, if it gets one: a limb bends as it does now, and the head of a character that looks to the side
    /// `facing` looks with its face.
    pub(in crate::nodes::rigging) fn draft(&self, facing: f32) -> Option<Draft> {
        let (first, last) = (self.bones.first()?, self.bones.last()?);
        let draft = match (self.part, self.motion) {
            (_, Motion::Forward) => return None,
            (Part::Hanging, _) | (_, Motion::Spring) => Draft::spring(first, last),
            (Part::Head, _) => look(first, last, facing),
            (Part::Arm | Part::Leg | Part::Limb, _) => {
                let end = self.bones.get(self.reaching);
                let line = &self.bones[..self.reaching];
                // A bone at the end that is not the first child has to be named.
                let named = end.filter(|end| end.get_position() != end_of(&line[line.len() - 1]));
                let draft = Draft::reaching(line, named)?;
                match end.filter(|_| self.is_leg()) {
                    Some(foot) => draft.turning(foot),
                    None => draft,
                }
            }
        };
        Some(draft.named(self.modifier_name(), self.target_name()))
    }

    /// The bone that its target moves with: the chest or the hips, which carries more than this part. Feet stay on the
    /// ground, and so have none.
    pub(in crate::nodes::rigging) fn carrier(&self) -> Option<Gd<Bone2D>> {
        let mut above = parent_bone(self.bones.first().filter(|_| !self.is_leg())?)?;
        while child_bones(&above).nth(1).is_none()
            && let Some(next) = parent_bone(&above)
        {
            above = next;
        }
        Some(above)
    }

    fn target_name(&self) -> String {
        match self.part {
            Part::Arm => self.name.replacen("Arm", "Hand", 1) + "Target",
            Part::Leg => self.foot_name() + "Target",
            _ => format!("{}Target", self.name),
        }
    }
}

/// A look of the bones from `first` to `head`. If that points up, it looks along the X axis, to the side `facing`: the
/// target is in front of its face, and the bone keeps its angle to the way there.
fn look(first: &Gd<Bone2D>, head: &Gd<Bone2D>, facing: f32) -> Draft {
    let draft = Draft::look(Some(first), head);
    let frame = frame_in(&head.clone().upcast(), None);
    let [joint, crown] = [frame.origin, frame * end_of(head)];
    let along = crown - joint;
    if along.dot(Vector2::UP) < UPRIGHT * along.length() || along == Vector2::ZERO {
        return draft;
    }
    let target = 0.5 * (joint + crown) + facing * AHEAD * along.length() * Vector2::RIGHT;
    let above = frame_in(&first.clone().upcast(), None) * first.get_transform().affine_inverse();
    let into_chain = above.affine_inverse();
    let [way, along] = [target - joint, along].map(|it| into_chain.basis_xform(it));
    let draft = draft.aimed(frame.affine_inverse() * target);
    draft.set("additional_rotation", way.angle_to(along))
}

/// A head points up if its end is higher than its joint by more than this part of its length.
const UPRIGHT: f32 = 0.5;

/// How far in front of the face the target is, in lengths of the head.
const AHEAD: f32 = 3.0;

/// The side and the kind of each part, in the words that names of nodes have, and a number where others are called
/// alike. What is no arm, leg or head is called as its first bone.
pub(super) fn names_of(found: &[Found], bones: &[BodyBone]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for it in found {
        let name = name_of(it, bones);
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut choices = std::iter::once(name.clone()).chain(numbered);
        names.extend(choices.find(|name| !names.contains(name)));
    }
    names
}

fn name_of(found: &Found, bones: &[BodyBone]) -> String {
    let name = &bones[found.bones[0]].name;
    let kind = match found.part {
        Part::Arm => "Arm",
        Part::Leg => "Leg",
        Part::Head => "Head",
        Part::Hanging | Part::Limb => return name_after(name, ""),
    };
    if found.part == Part::Head {
        return kind.into();
    }
    let words = found
        .bones
        .iter()
        .flat_map(|&bone| words(&bones[bone].name));
    let words: Vec<_> = words.collect();
    // "Fore" of a forearm is no side.
    let has = |side: &str| {
        let at = words.iter().position(|word| word == side);
        at.is_some_and(|at| side != "fore" || words.get(at + 1).is_none_or(|next| next != "arm"))
    };
    let sides = SIDES.iter().filter_map(|sides| {
        let mut sides = sides.iter();
        sides.find(|(_, names)| names.iter().any(|name| has(name)))
    });
    let sides: String = sides.map(|(side, _)| *side).collect();
    format!("{sides}{kind}")
}
