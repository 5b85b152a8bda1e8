//! Emits the signals `target_reached` and `target_lost` after a pass.

use godot::prelude::*;

use crate::plan::result::Change;

/// Emits the signals of the modifiers whose status has changed.
pub(super) fn emit_changes(changes: Vec<(Gd<Node>, Change)>) {
    for (mut modifier, change) in changes {
        if modifier.is_instance_valid() {
            modifier.emit_signal(change.signal(), &[]);
        }
    }
}
