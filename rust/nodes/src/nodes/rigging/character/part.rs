//! The modifier of a part of a body, and its names.

use godot::classes::Bone2D;
use godot::prelude::*;

use super::body::{BodyBone, FoundPart};
use super::names::{Role, SIDES, is_one_of, part_of, side_words, words};
use crate::engine::bone_lines::{end_of, frame_in, parent_bone};
use crate::engine::skeleton::child_bones;
use crate::nodes::new_names::{first_free, name_after};
use crate::nodes::rigging::draft::Draft;

/// A modifier to be made.
pub struct CharacterPart {
    pub(in crate::nodes::rigging) part: Role,
    /// The name of the part: its side and kind, as "LeftArm".
    name: String,
    /// Root first.
    pub bones: Vec<Gd<Bone2D>>,
    /// The number of these that reach, if it is a limb.
    pub(in crate::nodes::rigging) reaching: usize,
    /// The way in which it is to be moved.
    pub motion: Mover,
}

/// What moves a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mover {
    /// By the modifier that suits the part: limbs reach, a head looks, what hangs swings.
    #[default]
    Usual,
    /// By nothing but its animation: forward kinematics.
    Forward,
    /// It swings.
    Spring,
}

impl CharacterPart {
    pub(super) fn new(found: &FoundPart, name: String, bones: Vec<Gd<Bone2D>>) -> Self {
        Self {
            part: found.part,
            name,
            bones,
            reaching: found.reaching,
            motion: Mover::Usual,
        }
    }

    /// Returns the name of the part.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the motions that the part can have, in the words of the editor.
    pub fn motions(&self) -> &'static [(&'static str, Mover)] {
        match self.part {
            Role::Arm | Role::Leg | Role::Limb => &[
                ("IK", Mover::Usual),
                ("FK", Mover::Forward),
                ("Spring", Mover::Spring),
            ],
            Role::Head => &[
                ("Look-At", Mover::Usual),
                ("FK", Mover::Forward),
                ("Spring", Mover::Spring),
            ],
            Role::Hanging => &[("Spring", Mover::Usual), ("FK", Mover::Forward)],
        }
    }

    /// The name of its modifier.
    pub fn modifier_name(&self) -> String {
        let kind = match (self.part, self.motion) {
            (Role::Hanging, _) | (_, Mover::Spring) => "Spring",
            (Role::Head, _) => "LookAt",
            _ => "IK",
        };
        format!("{}{kind}", self.name)
    }

    /// Returns `true` if the part gets a modifier with a target.
    pub fn reaches(&self) -> bool {
        self.part != Role::Hanging && self.motion == Mover::Usual
    }

    /// Returns `true` for a leg, which can get a foot.
    pub fn is_leg(&self) -> bool {
        self.part == Role::Leg
    }

    /// Returns `true` for a leg that reaches for the ground.
    pub fn stands(&self) -> bool {
        self.is_leg() && self.motion == Mover::Usual
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
            (_, Mover::Forward) => return None,
            (Role::Hanging, _) | (_, Mover::Spring) => Draft::spring(first, last),
            (Role::Head, _) => look(first, last, facing),
            (Role::Arm | Role::Leg | Role::Limb, _) => {
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
            Role::Arm => self.name.replacen("Arm", "Hand", 1) + "Target",
            Role::Leg => self.foot_name() + "Target",
            _ => format!("{}Target", self.name),
        }
    }
}

/// A look of the bones from `first` to `head`. If that points up, it looks along the X axis, to the side `facing`: the
/// target is in front of its face, and the bone keeps its angle to the way there.
fn look(first: &Gd<Bone2D>, head: &Gd<Bone2D>, facing: f32) -> Draft {
    let draft = Draft::look(Some(first), head);
    let frame = frame_in(head, None);
    let [joint, crown] = [frame.origin, frame * end_of(head)];
    let along = crown - joint;
    if along.dot(Vector2::UP) < UPRIGHT * along.length() || along == Vector2::ZERO {
        return draft;
    }
    let target = 0.5 * (joint + crown) + facing * AHEAD * along.length() * Vector2::RIGHT;
    let above = frame_in(first, None) * first.get_transform().affine_inverse();
    let into_chain = above.affine_inverse();
    let [way, along] = [target - joint, along].map(|it| into_chain.basis_xform(it));
    let draft = draft.aimed(frame.affine_inverse() * target);
    draft.set("additional_rotation", way.angle_to(along))
}

/// A head points up if its end is higher than its joint by more than this part of its length.
const UPRIGHT: f32 = 0.5;

/// The distance of the target in front of the face, in lengths of the head.
const AHEAD: f32 = 3.0;

/// The side and the kind of each part, in the words that names of nodes have. Those that would be called alike have what
/// else all their bones are called, as the small arm and the big one, or else a number. What is no arm, leg or head is
/// called as its first bone.
pub(super) fn names_of(found: &[FoundPart], bones: &[BodyBone]) -> Vec<String> {
    let lines = found.iter().map(|it| {
        let line = it.bones.iter();
        line.map(|&bone| bones[bone].name.as_str()).collect()
    });
    let lines: Vec<Vec<_>> = lines.collect();
    let words = side_words(&lines);
    let plain = found.iter().zip(&words).zip(&lines);
    let plain: Vec<_> = plain
        .map(|((it, words), line)| name_of(it, words, line[0]))
        .collect();
    let own = found.iter().zip(&lines);
    let own: Vec<_> = own
        .map(|(it, line)| shared_words(&line[..it.reaching]))
        .collect();
    let mut names: Vec<String> = Vec::new();
    for (index, name) in plain.iter().enumerate() {
        let alike = (0..plain.len()).filter(|&other| plain[other] == *name);
        let alike: Vec<_> = alike.collect();
        let tells = |word: &&String| alike.iter().any(|&other| !own[other].contains(word));
        let name = with_words(name, own[index].iter().filter(tells));
        names.push(first_free(&name, "", |name| !names.contains(name)));
    }
    names
}

/// The words that all of `names` have, but for those of parts of a body.
fn shared_words(names: &[&str]) -> Vec<String> {
    let mut all = names.iter().map(|name| words(name));
    let mut shared = all.next().unwrap_or_default();
    for other in all {
        shared.retain(|word| other.contains(word));
    }
    shared.retain(|word| part_of(word).is_none());
    shared
}

/// `name` after `words`, and before those that are numbers.
fn with_words<'a>(name: &str, words: impl Iterator<Item = &'a String>) -> String {
    let (numbers, words): (Vec<_>, Vec<_>) =
        words.partition(|word| word.chars().all(char::is_numeric));
    let words = words.into_iter().map(|word| name_after(word, ""));
    let numbers = numbers.into_iter().cloned();
    let words = words.chain([name.to_string()]).chain(numbers);
    words.collect()
}

fn name_of(found: &FoundPart, words: &[String], first: &str) -> String {
    let kind = match found.part {
        Role::Arm => "Arm",
        Role::Leg => "Leg",
        Role::Head => return "Head".into(),
        Role::Hanging | Role::Limb => return name_after(first, ""),
    };
    let sides = SIDES.iter().filter_map(|sides| {
        let mut sides = sides.iter();
        sides.find(|(_, names)| is_one_of(words, names))
    });
    let sides: String = sides.map(|(side, _)| *side).collect();
    format!("{sides}{kind}")
}
