//! Shows the result of a command: as a short message, or in a window.

use godot::classes::editor_toaster::Severity;
use godot::classes::{AcceptDialog, EditorInterface};
use godot::prelude::*;

/// The result of a command.
pub(super) enum Outcome {
    /// The result can be seen in the scene.
    Seen,
    /// A short message.
    Done(String),
    /// Several lines, in a window.
    Report(Vec<String>),
}

/// Shows the result; `dialog` is the window.
pub(super) fn tell(dialog: &Gd<AcceptDialog>, outcome: Result<Outcome, String>) {
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

/// Shows a short message at the bottom of the editor's window.
pub(super) fn toast(line: &str) {
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
