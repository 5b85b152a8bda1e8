//! Whether gizmos are shown at all: pose mode hides them.

use std::cell::Cell;

thread_local! {
    static ARE_HIDDEN: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn are_hidden() -> bool {
    ARE_HIDDEN.get()
}

pub(crate) fn hide(hides: bool) {
    ARE_HIDDEN.set(hides);
}
