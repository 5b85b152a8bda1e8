//! What the row shows of a node: a word, a measure and a note.

use godot::prelude::*;
use tendon_solver::Status;

/// The content of the row.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Content {
    pub(super) word: String,
    /// The name of an editor theme's colour.
    pub(super) colour: &'static str,
    pub(super) measure: String,
    /// The meaning of the measure, as a tooltip.
    pub(super) meaning: &'static str,
    pub(super) note: Note,
}

/// The text below the word and the measure.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Note {
    pub(super) text: String,
    /// `true` if it says what to do about a problem.
    pub(super) is_advice: bool,
}

impl Note {
    pub(super) fn advice(text: String) -> Self {
        let is_advice = true;
        Self { text, is_advice }
    }

    pub(super) fn fact(text: String) -> Self {
        let is_advice = false;
        Self { text, is_advice }
    }

    /// This, or if it is empty, what `other` gives.
    pub(super) fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        match self.text.is_empty() {
            true => other(),
            false => self,
        }
    }
}

/// The meaning of the measure of a modifier and of an effector.
pub(super) const DISTANCE: &str =
    "What is left between the tip and the target, in the skeleton's units";

/// The editor theme's colour for inactive things.
pub(super) const GREY: &str = "font_disabled_color";
/// The editor theme's colour for what is neither good nor bad.
pub(super) const PLAIN: &str = "font_color";

pub(super) fn measure(distance: f32) -> String {
    match distance.is_finite() {
        true => format!("{distance:.2} px"),
        false => String::new(),
    }
}

/// The first of `warnings`.
pub(super) fn first_of(warnings: &PackedStringArray) -> String {
    let first = warnings.as_slice().first();
    first.map_or(String::new(), GString::to_string)
}

/// The word for `status`, and the name of an editor theme's colour for it.
pub(super) fn text_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Idle => ("Idle", GREY),
        Status::Reached => ("Reached", "success_color"),
        Status::OutOfReach => ("Out of reach", "warning_color"),
        Status::Invalid => ("Invalid", "error_color"),
    }
}

/// Returns `true` if `status` is true of the result, but not of the pose, which is only a part of the way
/// there.
pub(super) fn is_partial(status: Status, influence: f32) -> bool {
    status == Status::Reached && influence < 1.0
}

/// In place of the status of a modifier that is applied in part.
pub(super) fn partly(influence: f32) -> String {
    format!("{:.0}% applied", 100.0 * influence)
}
