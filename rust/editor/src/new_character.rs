//! A rig for a whole character: a modifier for each arm and leg, for the head, and for what hangs; feet and limits, if
//! they are chosen.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::rigging::angles::Degrees;
use tendon_nodes::nodes::rigging::character::{Character, CharacterPart, Extras, Mover};
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::refusal::Refusal;
use crate::rest_pose::{PresentRest, REST, advice_for, called, without_rest};
use crate::selection::Selection;

/// The rig of a character that is to be made.
pub(super) struct NewCharacter {
    character: Character,
    choices: Choices,
    /// The bones without a rest pose.
    without_rest: Vec<Gd<Bone2D>>,
}

/// The choices of the user.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) extras: Extras,
    /// `true` if the present pose becomes the rest pose of bones without one.
    pub(super) takes_rest: bool,
    /// The motion of each part, in their order.
    pub(super) motions: Vec<Mover>,
}

impl NewCharacter {
    /// For the skeleton of `selection`, whatever of it is selected.
    ///
    /// # Errors
    /// Why nothing can be made, with advice what to do.
    pub(super) fn of(selection: &Selection) -> Result<Self, Refusal> {
        Ok(Self {
            character: Character::of(&selection.skeleton)?,
            choices: Choices::default(),
            without_rest: without_rest(&selection.skeleton),
        })
    }

    /// The same with what was chosen.
    pub(super) fn with(mut self, choices: Choices) -> Self {
        let parts = self.character.parts.iter_mut();
        for (part, &motion) in parts.zip(&choices.motions) {
            part.motion = motion;
        }
        self.choices = choices;
        self
    }

    /// Returns `true` if there are bones without a rest pose.
    pub(super) fn lacks_rest(&self) -> bool {
        !self.without_rest.is_empty()
    }

    /// The bones whose present pose becomes their rest pose.
    fn rested(&self) -> &[Gd<Bone2D>] {
        match self.choices.takes_rest {
            true => &self.without_rest,
            false => &[],
        }
    }

    /// Returns `true` if there are legs that can get feet.
    pub(super) fn has_legs(&self) -> bool {
        self.legs().next().is_some()
    }

    /// The parts, each of which may be moved in several ways.
    pub(super) fn parts(&self) -> &[CharacterPart] {
        &self.character.parts
    }

    /// Returns `true` if an animation turns a bone of a leg.
    pub(super) fn walks(&self) -> bool {
        self.legs().any(|leg| self.is_animated(leg))
    }

    fn is_animated(&self, part: &CharacterPart) -> bool {
        part.bones
            .iter()
            .any(|bone| self.character.animated.has(bone))
    }

    /// Returns a description of what would be made, and of the bones that were not understood, in lines.
    pub(super) fn describe(&self) -> String {
        let Character {
            parts,
            known,
            unknown,
            hanging,
            ..
        } = &self.character;
        let made = parts.iter().filter(|part| part.motion != Mover::Forward);
        let made = made.map(|part| {
            let bones = names(part.bones.iter().cloned());
            format!("{}: {bones}", part.modifier_name())
        });
        let mut lines: Vec<_> = made.collect();
        lines.extend(self.describe_animated());
        lines.extend(self.describe_feet());
        lines.extend(self.describe_limits());
        lines.extend(self.describe_rest());
        if !known.is_empty() {
            let bones = names(known.iter().cloned());
            lines.push(format!(
                "\nLeft as they are, as modifiers turn them: {bones}"
            ));
        }
        if !hanging.is_empty() {
            let bones = names(hanging.iter().cloned());
            lines.push(format!(
                "\nNothing is added for bones beyond these, which move with them: {bones}"
            ));
        }
        if !unknown.is_empty() {
            let bones = names(unknown.iter().cloned());
            lines.push(format!("\nNot understood, so nothing is added: {bones}"));
        }
        lines.join("\n")
    }

    /// Adds everything to the selection's rig, as one undo step.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn add(&self, selection: &Selection, title: &str) -> Result<(), Refusal> {
        let mut action = Action::begin(title, &selection.scene)?;
        let scene = Some(&selection.scene);
        for bone in self.rested() {
            let [before, after] = [bone.get_rest(), bone.get_transform()].map(|it| it.to_variant());
            action.set(bone, REST, &before, &after);
        }
        let rig = {
            let _rest = PresentRest::of(self.rested());
            self.character.add(self.choices.extras, scene, &mut action)
        };
        // Alone: the gizmos of all modifiers would cover the character.
        action.select(&[rig.upcast()]);
        action.commit();
        Ok(())
    }

    fn legs(&self) -> impl Iterator<Item = &CharacterPart> {
        self.character.parts.iter().filter(|part| part.stands())
    }

    /// The bone that carries the feet, if they are chosen.
    fn pelvis(&self) -> Option<Gd<Bone2D>> {
        self.choices.extras.feet.then(|| self.character.pelvis())?
    }

    /// The limits, if they are chosen.
    fn limits(&self) -> Vec<(Gd<Bone2D>, Degrees)> {
        if !self.choices.extras.limits {
            return Vec::new();
        }
        let _rest = PresentRest::of(self.rested());
        self.character.limits()
    }

    /// That animated limbs follow their targets instead of their animation.
    fn describe_animated(&self) -> Option<String> {
        let has_target = |part: &&CharacterPart| {
            let is_placed = self.choices.extras.feet && part.is_leg();
            part.reaches() && !is_placed && self.is_animated(part)
        };
        let parts = self.character.parts.iter().filter(has_target);
        let parts: Vec<_> = parts.map(|part| part.name().to_string()).collect();
        (!parts.is_empty()).then(|| {
            format!(
                "\nAnimations turn {}, which will follow targets from now on, not these animations. To keep them, choose \
                 FK, or bake the targets afterwards.",
                parts.join(", ")
            )
        })
    }

    fn describe_feet(&self) -> Option<String> {
        let pelvis = self.pelvis()?.get_name();
        let feet: Vec<_> = self.legs().map(CharacterPart::foot_name).collect();
        let feet = feet.join(", ");
        Some(format!(
            "\nFoot placement below \"{pelvis}\": {feet}. The legs have no targets"
        ))
    }

    fn describe_rest(&self) -> Option<String> {
        match self.rested() {
            [] => Some(format!("\n{}", advice_for(&self.without_rest)?)),
            bones => Some(format!(
                "\nThe present pose becomes the rest pose of {}",
                called(bones)
            )),
        }
    }

    fn describe_limits(&self) -> Option<String> {
        let limits = self.limits();
        let bones = limits.iter().map(|(bone, range)| {
            format!("{} {:.0}° to {:.0}°", bone.get_name(), range.min, range.max)
        });
        let bones: Vec<_> = bones.collect();
        let lines: Vec<_> = bones
            .chunks(LIMITS_IN_A_LINE)
            .map(|it| it.join(", "))
            .collect();
        (!limits.is_empty()).then(|| format!("\nJoint limits:\n{}", lines.join("\n")))
    }
}

/// The number of limits that are told in a line.
const LIMITS_IN_A_LINE: usize = 4;
