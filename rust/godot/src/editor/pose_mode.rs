//! Whether pose mode is on: [`posing`](super::posing) takes the mouse then, and gizmos are hidden.

use std::cell::Cell;

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn is_on() -> bool {
    IS_ON.get()
}

pub(super) fn switch(is_on: bool) {
    IS_ON.set(is_on);
}
