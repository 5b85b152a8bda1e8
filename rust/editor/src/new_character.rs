//! A rig for a whole character: a modifier for each arm and leg, for the head, and for what hangs.

use tendon_nodes::nodes::rigging::character::{Character, CharacterPart};
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::new_nodes::{NewModifier, rig_for};
use crate::selection::Selection;

/// What is to be made.
pub(super) struct NewCharacter(Character);

impl NewCharacter {
    /// For the skeleton of `selection`, whatever of it is selected.
    ///
    /// # Errors
    /// Why nothing can be made, with advice what to do.
    pub(super) fn of(selection: &Selection) -> Result<Self, String> {
        Character::of(&selection.skeleton).map(Self)
    }

    /// What would be made, and what was not understood, in lines.
    pub(super) fn describe(&self) -> String {
        let Character {
            parts,
            known,
            unknown,
            ..
        } = &self.0;
        let made = parts.iter().map(|part| {
            let bones = names(part.bones.iter().cloned());
            format!("{}: {bones}", part.modifier_name())
        });
        let mut lines: Vec<_> = made.collect();
        if !known.is_empty() {
            let bones = names(known.iter().cloned());
            lines.push(format!(
                "\nLeft as they are, as modifiers turn them: {bones}"
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
    pub(super) fn add(self, selection: &Selection, title: &str) -> Result<(), String> {
        let mut action = Action::begin(title, &selection.scene)?;
        let rig = rig_for(&selection.skeleton, &mut action);
        let drafts = self.0.parts.iter().filter_map(CharacterPart::draft);
        let added = drafts.map(|draft| NewModifier::of(draft).add_to(&rig, selection, &mut action));
        let added: Vec<_> = added.collect();
        action.select(&added);
        action.commit();
        Ok(())
    }
}
