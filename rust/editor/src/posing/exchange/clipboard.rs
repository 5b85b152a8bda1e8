//! The clipboard, which other projects share.

use std::cell::RefCell;

use godot::classes::DisplayServer;
use godot::classes::display_server::Feature;
use godot::prelude::*;

thread_local! {
    /// The text, where the system has no clipboard.
    static KEPT: RefCell<GString> = RefCell::default();
}

pub(crate) fn read() -> String {
    let server = DisplayServer::singleton();
    match server.has_feature(Feature::CLIPBOARD) {
        true => server.clipboard_get().to_string(),
        false => KEPT.with_borrow(GString::to_string),
    }
}

pub(super) fn write(text: &str) {
    let mut server = DisplayServer::singleton();
    match server.has_feature(Feature::CLIPBOARD) {
        true => server.clipboard_set(text),
        false => KEPT.set(text.into()),
    }
}
