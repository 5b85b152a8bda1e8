//! Shows the result of a command: as a short message, or in a window.

use std::cell::RefCell;
use std::iter;

use godot::classes::editor_toaster::Severity;
use godot::classes::{AcceptDialog, Button, Control, EditorInterface, Label};
use godot::prelude::*;
use tendon_nodes::engine::children::find_all;

use crate::refusal::Refusal;

/// The result of a command.
pub(super) enum CommandResult {
    /// The result can be seen in the scene.
    Seen,
    /// A short message.
    Done(String),
    /// Several lines, in a window.
    Report(Vec<String>),
}

/// Shows the result; `dialog` is the window.
pub(super) fn tell(dialog: &Gd<AcceptDialog>, outcome: Result<CommandResult, Refusal>) {
    match outcome {
        Ok(CommandResult::Seen) => {}
        Ok(CommandResult::Done(line)) => toast(&line),
        Ok(CommandResult::Report(lines)) => {
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
/// animation editor. What the engine would cut off is in the tooltip.
pub(super) fn toast(text: &str) {
    if let Some(mut toaster) = EditorInterface::singleton().get_editor_toaster() {
        let text = text.trim();
        let short = shortened(text, |text| has_room(&toaster.clone().upcast(), text));
        let last = LAST.replace(short.clone());
        if last != short {
            close(&toaster.clone().upcast(), &last);
        }
        let message = toaster.push_toast_ex(&short).severity(Severity::INFO);
        message
            .tooltip(if short == text { "" } else { text })
            .done();
    }
}

/// Returns `true` if a message shows all of `text`: the engine gives it half the width of the window, which is 1024
/// pixels wide at least.
fn has_room(toaster: &Gd<Control>, text: &str) -> bool {
    let font = toaster.get_theme_font_ex("font").theme_type("Label").done();
    let size = toaster
        .get_theme_font_size_ex("font_size")
        .theme_type("Label");
    let size = size.done();
    let narrowest = 1024.0 * EditorInterface::singleton().get_editor_scale();
    let window = toaster.get_viewport_rect().size.x.max(narrowest);
    font.is_none_or(|font| {
        let line = font.get_string_size_ex(text).font_size(size).done();
        line.x.ceil() <= window / 2.0
    })
}

/// The first sentences of `text` that fit, or of the first one as many words.
fn shortened(text: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(text) {
        return text.into();
    }
    let cut = |gap: &str, kept: usize, end: &str| {
        let starts = text
            .match_indices(gap)
            .map(|(start, _)| &text[..start + kept]);
        let shorter = starts.map(|start| format!("{start}{end}"));
        shorter.filter(|shorter| fits(shorter)).last()
    };
    let sentences = cut(". ", 1, " …");
    sentences.or_else(|| cut(" ", 0, "…")).unwrap_or("…".into())
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

#[cfg(test)]
mod tests {
    use super::{counted, seconds, shortened};

    #[test]
    fn one_thing_is_no_things_and_times_have_their_digits() {
        assert_eq!(
            [counted(1, "bone"), counted(2, "bone")],
            ["1 bone", "2 bones"]
        );
        let times = [0.625, 1.0, 0.3, 12.5].map(seconds);
        assert_eq!(times, ["0.625 s", "1 s", "0.3 s", "12.5 s"]);
    }

    /// What fits into a window of any width is shown, whole sentences first, and never more.
    #[test]
    fn long_messages_are_cut_at_sentences_then_at_words() {
        let text = "Copied the pose of \"Arm\", at 0.5 s. It has 3 bones. The path is not in it.";
        for room in 0..100 {
            let short = shortened(text, |text| text.chars().count() <= room);
            let expected = match room {
                74.. => text,
                53.. => "Copied the pose of \"Arm\", at 0.5 s. It has 3 bones. …",
                _ => &short,
            };
            assert_eq!(short, expected, "room for {room}");
            assert!(short.chars().count() <= room.max(1), "{room}: {short}");
        }
    }
}
