//! The help of classes in the editor.

use std::ffi::c_char;

use crate::engine::gdext_private::sys;

/// Loads the help of a class as XML, in place of what is known of it. Call it on the main thread, when
/// the editor's classes are initialised.
pub fn load(page: &str) {
    let size = i64::try_from(page.len()).unwrap_or_default();
    // SAFETY: the text is valid UTF-8 of this length, and the engine copies it.
    unsafe {
        sys::interface_fn!(editor_help_load_xml_from_utf8_chars_and_len)(
            page.as_ptr().cast::<c_char>(),
            size,
        );
    }
}
