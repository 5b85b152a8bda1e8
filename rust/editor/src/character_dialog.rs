//! Shows what would be made of a character, and asks what belongs to it.

use godot::classes::{
    CheckBox, ConfirmationDialog, GridContainer, Label, OptionButton, VBoxContainer,
};
use godot::prelude::*;
use tendon_nodes::nodes::rigging::character::{Extras, Mover};

use crate::controls::{self, new_check, new_window};
use crate::new_character::{Choices, NewCharacter};

/// A motion of a part, and its title in the list.
type Choice = (&'static str, Mover);

/// The window.
pub(super) struct CharacterDialog {
    pub(super) window: Gd<ConfirmationDialog>,
    text: Gd<Label>,
    feet: Gd<CheckBox>,
    limits: Gd<CheckBox>,
    rest: Gd<CheckBox>,
    /// The rows of the parts: what each is called, and how it is moved.
    rows: Gd<GridContainer>,
    parts: Vec<(Gd<OptionButton>, &'static [Choice])>,
    changed: Callable,
}

impl CharacterDialog {
    /// Builds the window, which calls methods of `plugin`.
    pub(super) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let mut window = new_window("Rig a Character", "Add", &calls("on_character_confirmed"));
        let mut column = VBoxContainer::new_alloc();
        window.add_child(&column);
        let mut choice = |title: &str, help: &str| {
            let mut choice = new_check(title, help);
            choice.connect("toggled", &calls("on_character_changed").unbind(1));
            column.add_child(&choice);
            choice
        };
        let feet = choice("Feet on the ground", FEET);
        let limits = choice("Joint limits", LIMITS);
        let rest = choice("Take the present pose as rest pose", REST);
        let mut rows = GridContainer::new_alloc();
        rows.set_columns(COLUMNS);
        column.add_child(&rows);
        // Below the choices: these would move from under the mouse as the text grows.
        let text = Label::new_alloc();
        column.add_child(&text);
        Self {
            window,
            text,
            feet,
            limits,
            rest,
            rows,
            parts: Vec::new(),
            changed: calls("on_character_changed").unbind(1),
        }
    }

    /// Asks about `character`. Feet are offered where there are legs, and are chosen where an animation moves them.
    pub(super) fn ask(&mut self, character: NewCharacter) {
        self.feet.set_visible(character.has_legs());
        self.feet.set_pressed_no_signal(character.walks());
        self.offer_motions(&character);
        self.limits.set_pressed_no_signal(false);
        self.rest.set_visible(character.lacks_rest());
        self.rest.set_pressed_no_signal(true);
        self.describe(character);
        controls::open(&self.window);
    }

    /// Says what would be made of `character` as it is chosen now.
    pub(super) fn describe(&mut self, character: NewCharacter) {
        let text = character.with(self.answer()).describe();
        self.text.set_text(&text);
        self.window.reset_size();
    }

    /// Returns the choices of the user.
    pub(super) fn answer(&self) -> Choices {
        let extras = Extras {
            feet: self.feet.is_visible() && self.feet.is_pressed(),
            limits: self.limits.is_pressed(),
        };
        let motions = self.parts.iter().map(|(choice, motions)| {
            let chosen = usize::try_from(choice.get_selected()).ok();
            let motion = chosen.and_then(|chosen| motions.get(chosen));
            motion.map_or(Mover::Usual, |(_, motion)| *motion)
        });
        Choices {
            extras,
            takes_rest: self.rest.is_visible() && self.rest.is_pressed(),
            motions: motions.collect(),
        }
    }

    /// Has a row for each part of `character`.
    fn offer_motions(&mut self, character: &NewCharacter) {
        for row in self.rows.get_children().iter_shared() {
            row.free();
        }
        let (mut rows, changed) = (self.rows.clone(), self.changed.clone());
        let offered = character.parts().iter().map(|part| {
            let mut title = Label::new_alloc();
            title.set_text(part.name());
            rows.add_child(&title);
            let mut choice = OptionButton::new_alloc();
            choice.set_tooltip_text(MOTIONS);
            for (title, _) in part.motions() {
                choice.add_item(*title);
            }
            choice.connect("item_selected", &changed);
            rows.add_child(&choice);
            (choice, part.motions())
        });
        self.parts = offered.collect();
    }
}

/// Three parts in a row.
const COLUMNS: i32 = 6;

const MOTIONS: &str =
    "IK: it follows a target. FK: nothing is added, and animations turn it. Spring: it swings.";
const FEET: &str = "Adds a TendonFootPlacement2D, which puts the feet of an animated walk on the ground. The legs then \
    follow their animation, and have no targets.";
const REST: &str = "Bones of this skeleton have no rest pose. Poses, limits and motions count from it: it should be the pose in \
    which the character is drawn.";
const LIMITS: &str = "Gives joints that have none a limit. Elbows and knees bend to the side to which they bend at rest.";
