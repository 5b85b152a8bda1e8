//! Shows what would be made of a character, and asks what belongs to it.

use godot::classes::{CheckBox, ConfirmationDialog, EditorInterface, Label, VBoxContainer};
use godot::prelude::*;
use tendon_nodes::nodes::rigging::character::Extras;

use crate::new_character::NewCharacter;
use crate::selection::Selection;

/// The window.
pub(super) struct CharacterDialog {
    pub(super) window: Gd<ConfirmationDialog>,
    text: Gd<Label>,
    feet: Gd<CheckBox>,
    limits: Gd<CheckBox>,
}

impl CharacterDialog {
    /// Builds the window, which calls methods of `plugin`.
    pub(super) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let mut window = ConfirmationDialog::new_alloc();
        window.set_title("Rig a Character");
        window.set_ok_button_text("Add");
        window.connect("confirmed", &calls("on_character_confirmed"));
        let mut column = VBoxContainer::new_alloc();
        window.add_child(&column);
        let mut choice = |title: &str, help: &str| {
            let mut choice = CheckBox::new_alloc();
            choice.set_text(title);
            choice.set_tooltip_text(help);
            choice.connect("toggled", &calls("on_character_changed").unbind(1));
            column.add_child(&choice);
            choice
        };
        let feet = choice("Feet on the ground", FEET);
        let limits = choice("Joint limits", LIMITS);
        // Below the choices: these would move from under the mouse as the text grows.
        let text = Label::new_alloc();
        column.add_child(&text);
        Self {
            window,
            text,
            feet,
            limits,
        }
    }

    /// Asks about `character`. Feet are offered where there are legs, and are chosen where an animation moves them.
    pub(super) fn ask(&mut self, character: NewCharacter, selection: &Selection) {
        self.feet.set_visible(character.has_legs());
        let walks = character.walks(&selection.scene);
        self.feet.set_pressed_no_signal(walks);
        self.limits.set_pressed_no_signal(false);
        self.describe(character);
        if self.window.get_parent().is_none()
            && let Some(mut base) = EditorInterface::singleton().get_base_control()
        {
            base.add_child(&self.window);
        }
        self.window.popup_centered();
    }

    /// Says what would be made of `character` as it is chosen now.
    pub(super) fn describe(&mut self, character: NewCharacter) {
        let text = character.with(self.answer()).describe();
        self.text.set_text(&text);
        self.window.reset_size();
    }

    /// What is chosen.
    pub(super) fn answer(&self) -> Extras {
        Extras {
            feet: self.feet.is_visible() && self.feet.is_pressed(),
            limits: self.limits.is_pressed(),
        }
    }
}

const FEET: &str = "Adds a TendonFootPlacement2D, which puts the feet of an animated walk on the ground. The legs then \
    follow their animation, and have no targets.";
const LIMITS: &str = "Gives joints that have none a limit. Elbows and knees bend to the side to which they bend at rest.";
