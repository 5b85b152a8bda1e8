//! Tells the user how it went: in passing, or in a window that waits to be read.

use godot::classes::editor_toaster::Severity;
use godot::classes::{AcceptDialog, EditorInterface};
use godot::prelude::*;

/// What there is to say of a command that was carried out.
pub(super) enum Outcome {
    /// What has happened is plain to see.
    Seen,
    /// A line in passing.
    Done(String),
    /// Several lines, to be read.
    Report(Vec<String>),
}

/// Says it. The window is `dialog`.
pub(in crate::editor) fn tell(dialog: &Gd<AcceptDialog>, outcome: Result<Outcome, String>) {
    match outcome {
        Ok(Outcome::Seen) => {}
        Ok(Outcome::Done(line)) => toast(&line),
        Ok(Outcome::Report(lines)) => {
            godot_print!("{}", lines.join("\n"));
            show(dialog, &lines.join("\n\n"));
        }
        Err(reason) => show(dialog, &reason),
    }
}

fn toast(line: &str) {
    if let Some(mut toaster) = EditorInterface::singleton().get_editor_toaster() {
        toaster.push_toast_ex(line).severity(Severity::INFO).done();
    }
}

fn show(dialog: &Gd<AcceptDialog>, text: &str) {
    let mut dialog = dialog.clone();
    dialog.set_text(text);
    dialog.popup_centered();
}

/// A window for notices, below the editor's own.
pub(super) fn new_dialog() -> Option<Gd<AcceptDialog>> {
    let mut dialog = AcceptDialog::new_alloc();
    dialog.set_title("Tendon");
    dialog.set_autowrap(true);
    let scale = EditorInterface::singleton().get_editor_scale();
    dialog.set_min_size(Vector2i::new((480.0 * scale) as i32, 0));
    EditorInterface::singleton()
        .get_base_control()?
        .add_child(&dialog);
    Some(dialog)
}
