//! Asks how skins are to be made.

use godot::classes::control::SizeFlags;
use godot::classes::{ConfirmationDialog, EditorInterface, GridContainer, Label, SpinBox};
use godot::prelude::*;
use tendon_skin::Density;

use crate::skin::options::SkinOptions;
use crate::skin::replacement;
use crate::skin::selected::Pictures;

/// The window.
pub(crate) struct SkinDialog {
    pub(crate) window: Gd<ConfirmationDialog>,
    subject: Gd<Label>,
    detail: Gd<SpinBox>,
    margin: Gd<SpinBox>,
    reach: Gd<SpinBox>,
    pictures: Option<Pictures>,
}

impl SkinDialog {
    /// Builds the window, which calls `confirmed`.
    pub(crate) fn new(confirmed: &Callable) -> Self {
        let mut window = ConfirmationDialog::new_alloc();
        window.set_title("Skin to Bones");
        window.set_ok_button_text("Skin");
        window.connect("confirmed", confirmed);
        let mut grid = GridContainer::new_alloc();
        grid.set_columns(2);
        window.add_child(&grid);
        let mut heading = Label::new_alloc();
        heading.set_text("Pictures");
        grid.add_child(&heading);
        let subject = Label::new_alloc();
        grid.add_child(&subject);
        let defaults = SkinOptions::default().making;
        let mut number =
            |title: &str, help: &str, range: (f64, f64, f64), value: f64, suffix: &str| {
                let mut label = Label::new_alloc();
                label.set_text(title);
                grid.add_child(&label);
                let mut field = SpinBox::new_alloc();
                field.set_min(range.0);
                field.set_max(range.1);
                field.set_step(range.2);
                field.set_value(value);
                field.set_suffix(suffix);
                field.set_tooltip_text(help);
                field.set_h_size_flags(SizeFlags::EXPAND_FILL);
                grid.add_child(&field);
                field
            };
        let detail = "How far vertices are apart; they are nearer at joints. 0: as far as the picture needs.";
        let margin = "How far the outline stays from the opaque pixels. A linear filter needs 0.5.";
        let reach = "How far weights reach over a joint, in half widths of the limb.";
        Self {
            detail: number("Detail", detail, (0.0, 512.0, 1.0), 0.0, "px"),
            margin: number("Margin", margin, (0.0, 64.0, 0.5), defaults.margin, "px"),
            reach: number(
                "Reach",
                reach,
                (0.1, 8.0, 0.1),
                defaults.reach,
                "half widths",
            ),
            window,
            subject,
            pictures: None,
        }
    }

    /// Asks for these pictures.
    pub(crate) fn ask(&mut self, pictures: Pictures) {
        let count = pictures.sprites.len() + pictures.polygons.len();
        let bones = match pictures.are_bones_chosen {
            true => format!("{} bones", pictures.bones.len()),
            false => "the bones under each".into(),
        };
        self.subject.set_text(&format!("{count}, and {bones}"));
        self.pictures = Some(pictures);
        if self.window.get_parent().is_none()
            && let Some(mut base) = EditorInterface::singleton().get_base_control()
        {
            base.add_child(&self.window);
        }
        self.window.popup_centered();
    }

    /// Makes the skins, and returns what to tell the user.
    ///
    /// # Errors
    /// Why it is not possible.
    pub(crate) fn confirm(&mut self, title: &str) -> Result<String, String> {
        let pictures = self.pictures.take().filter(Pictures::are_there);
        let pictures = pictures.ok_or("What was to be skinned is no longer there.")?;
        let mut options = SkinOptions::default();
        if self.detail.get_value() > 0.0 {
            options.making.density = Density::Detail(self.detail.get_value());
        }
        options.making.margin = self.margin.get_value();
        options.making.reach = self.reach.get_value();
        replacement::skin(&pictures, &options, title)
    }
}
