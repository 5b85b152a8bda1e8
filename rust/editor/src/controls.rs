//! The controls of windows and panels, as they are built everywhere.

use godot::classes::control::SizeFlags;
use godot::classes::text_server::AutowrapMode;
use godot::classes::{
    Button, CheckBox, ConfirmationDialog, Control, EditorInterface, GridContainer, Label,
    OptionButton, SpinBox,
};
use godot::prelude::*;

/// A window that asks, and calls `confirmed`.
pub(crate) fn new_window(title: &str, ok: &str, confirmed: &Callable) -> Gd<ConfirmationDialog> {
    let mut window = ConfirmationDialog::new_alloc();
    window.set_title(title);
    window.set_ok_button_text(ok);
    window.connect("confirmed", confirmed);
    window
}

/// Opens `window` over the editor's own.
pub(crate) fn open(window: &Gd<ConfirmationDialog>) {
    let mut window = window.clone();
    if window.get_parent().is_none()
        && let Some(mut base) = EditorInterface::singleton().get_base_control()
    {
        base.add_child(&window);
    }
    window.reset_size();
    window.popup_centered();
}

/// A text in lines of at least this width. Where nothing else has a width, the engine would make lines of single letters.
pub(crate) fn new_text(width: f32) -> Gd<Label> {
    let mut text = Label::new_alloc();
    text.set_autowrap_mode(AutowrapMode::WORD_SMART);
    text.set_custom_minimum_size(Vector2::new(width, 0.0));
    text
}

pub(crate) fn new_button(text: &str, help: &str, pressed: &Callable) -> Gd<Button> {
    let mut button = Button::new_alloc();
    button.set_text(text);
    button.set_tooltip_text(help);
    button.connect("pressed", pressed);
    button
}

pub(crate) fn new_check(text: &str, help: &str) -> Gd<CheckBox> {
    let mut check = CheckBox::new_alloc();
    check.set_text(text);
    check.set_tooltip_text(help);
    check
}

/// A field for a number from the first to the second of a range, in steps of the third.
pub(crate) fn new_number(range: (f64, f64, f64), value: f64, unit: &str) -> Gd<SpinBox> {
    let mut field = SpinBox::new_alloc();
    field.set_min(range.0);
    field.set_max(range.1);
    field.set_step(range.2);
    field.set_value(value);
    field.set_suffix(unit);
    field
}

/// Fields below each other, each beside its title.
pub(crate) struct Fields(Gd<GridContainer>);

impl Fields {
    /// Below what `parent` has.
    pub(crate) fn below<T: Inherits<Node>>(parent: &Gd<T>) -> Self {
        let mut grid = GridContainer::new_alloc();
        grid.set_columns(2);
        parent.clone().upcast::<Node>().add_child(&grid);
        Self(grid)
    }

    /// Adds a field, and returns it.
    pub(crate) fn add<T: Inherits<Control>>(
        &mut self,
        title: &str,
        help: &str,
        field: &Gd<T>,
    ) -> Gd<T> {
        let mut label = Label::new_alloc();
        label.set_text(title);
        self.0.add_child(&label);
        let mut control = field.clone().upcast::<Control>();
        control.set_tooltip_text(help);
        control.set_h_size_flags(SizeFlags::EXPAND_FILL);
        self.0.add_child(&control);
        field.clone()
    }

    /// Adds a field in which one of `texts` is chosen.
    pub(crate) fn add_choice(
        &mut self,
        title: &str,
        help: &str,
        texts: &[&str],
        chosen: &Callable,
    ) -> Gd<OptionButton> {
        let mut field = OptionButton::new_alloc();
        for text in texts {
            field.add_item(*text);
        }
        field.connect("item_selected", &chosen.unbind(1));
        self.add(title, help, &field)
    }
}
