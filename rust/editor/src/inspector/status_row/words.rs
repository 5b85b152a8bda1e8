//! The words and colours for the status of a modifier, and for one that is applied in part.

use tendon_solver::Status;

use crate::inspector::status_row::content::GREY;

/// How `status` is called, and the name of an editor theme's colour for it.
pub(super) fn text_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Idle => ("Idle", GREY),
        Status::Reached => ("Reached", "success_color"),
        Status::OutOfReach => ("Out of reach", "warning_color"),
        Status::Invalid => ("Invalid", "error_color"),
    }
}

/// Whether `status` is true of the result, but not of the pose, which is only a part of the way
/// there.
pub(super) fn is_partial(status: Status, influence: f32) -> bool {
    status == Status::Reached && influence < 1.0
}

/// In place of the status of a modifier that is applied in part.
pub(super) fn partly(influence: f32) -> String {
    format!("{:.0}% applied", 100.0 * influence)
}
