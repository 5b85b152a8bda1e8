//! Shows the result of a command: as a short message, or in a window.

use std::cell::RefCell;
use std::iter;

use godot::classes::editor_toaster::Severity;
use godot::classes::{AcceptDialog, Button, EditorInterface, Label};
use godot::prelude::*;

use crate::refusal::Refusal;
use crate::selection::find_all;

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
pub(super) fn tell(dialog: &Gd<AcceptDialog>, outcome: Result<Outcome, Refusal>) {
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

/// A number of things.
pub(super) fn counted(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}

/// A time, with the digits that it has.
pub(super) fn seconds(time: f64) -> String {
    let digits = format!("{time:.4}");
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits} s")
}

thread_local! {
    /// The short message that was shown last.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Shows a short message at the bottom of the editor's window, in place of the last one: several would cover the
/// animation editor.
pub(super) fn toast(line: &str) {
    if let Some(mut toaster) = EditorInterface::singleton().get_editor_toaster() {
        let last = LAST.replace(line.into());
        if last != line {
            close(&toaster.clone().upcast(), &last);
        }
        toaster.push_toast_ex(line).severity(Severity::INFO).done();
    }
}

/// Closes the message `line`, as its own button does.
fn close(toaster: &Gd<Node>, line: &str) {
    let mut labels = find_all::<Label>(toaster, "Label").into_iter();
    let Some(label) = labels.find(|label| label.get_text() == line && label.is_visible_in_tree())
    else {
        return;
    };
    let above = iter::successors(label.get_parent(), |node| node.get_parent());
    let mut above = above.take_while(|node| node != toaster);
    let buttons = above.find_map(|node| find_all::<Button>(&node, "Button").pop());
    if let Some(mut button) = buttons {
        button.emit_signal("pressed", &[]);
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
