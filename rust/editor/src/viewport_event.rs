//! What the mouse and the keyboard do in the 2D viewport, as far as Tendon takes part.

use godot::classes::{InputEvent, InputEventKey, InputEventMouseButton, InputEventMouseMotion};
use godot::global::{Key, MouseButton};
use godot::prelude::*;

/// The distance that the mouse moves before a click becomes a drag, in pixels of the editor's design.
pub(super) const CLICK: f32 = 3.0;

/// An event that a plugin may take.
pub(super) enum ViewportEvent {
    /// The mouse moves.
    Motion(Gd<InputEventMouseMotion>),
    /// Its left button is pressed.
    Press(Gd<InputEventMouseButton>),
    /// Its left button is released.
    Release,
    /// The right button or the Escape key is pressed.
    Cancel,
}

impl ViewportEvent {
    /// `None` if it is another event.
    pub(super) fn of(event: Gd<InputEvent>) -> Option<Self> {
        let event = match event.try_cast() {
            Ok(motion) => return Some(Self::Motion(motion)),
            Err(event) => event,
        };
        let event = match event.try_cast::<InputEventMouseButton>() {
            Ok(button) => {
                return match (button.get_button_index(), button.is_pressed()) {
                    (MouseButton::LEFT, true) => Some(Self::Press(button)),
                    (MouseButton::LEFT, false) => Some(Self::Release),
                    (MouseButton::RIGHT, true) => Some(Self::Cancel),
                    _ => None,
                };
            }
            Err(event) => event,
        };
        let key = event.try_cast::<InputEventKey>().ok()?;
        (key.is_pressed() && key.get_keycode() == Key::ESCAPE).then_some(Self::Cancel)
    }
}
