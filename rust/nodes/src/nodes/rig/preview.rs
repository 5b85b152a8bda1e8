//! Whether rigs may show solved poses in the editor.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

static IS_ALLOWED: AtomicBool = AtomicBool::new(false);

/// Lets rigs be previewed: from now on something restores the base poses before a scene is saved. Nothing does in
/// an editor with the library of games, as on phones. There solved poses would be saved, so no rig shows any.
pub fn allow() {
    IS_ALLOWED.store(true, Relaxed);
}

pub(super) fn is_allowed() -> bool {
    IS_ALLOWED.load(Relaxed)
}
