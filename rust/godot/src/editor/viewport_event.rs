//! What the mouse and the keyboard do in the 2D viewport, as far as Tendon takes part.

use godot::classes::{InputEvent, InputEventKey, InputEventMouseButton, InputEventMouseMotion};
use godot::global::Key;
use godot::prelude::*;

/// An event that a plugin may take.
pub(super) enum ViewportEvent {
    /// The mouse moves.
    Motion(Gd<InputEventMouseMotion>),
    /// A button of it is pressed or released.
    Button(Gd<InputEventMouseButton>),
    /// The Escape key is pressed.
    Escape,
}

impl ViewportEvent {
    /// `None` if it is another event.
    pub(super) fn of(event: Gd<InputEvent>) -> Option<Self> {
        let event = match event.try_cast() {
            Ok(motion) => return Some(Self::Motion(motion)),
            Err(event) => event,
        };
        let event = match event.try_cast() {
            Ok(button) => return Some(Self::Button(button)),
            Err(event) => event,
        };
        let key = event.try_cast::<InputEventKey>().ok()?;
        (key.is_pressed() && key.get_keycode() == Key::ESCAPE).then_some(Self::Escape)
    }
}
