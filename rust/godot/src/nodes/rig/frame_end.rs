//! Calls a node at the end of each frame, when everything else has moved.
//!
//! The engine has no such callback that also comes without a window. Tweens are the last that it
//! runs of a frame. What they defer runs when all of them are done and all nodes were notified of
//! changed transforms, just before drawing. So a tween that never ends calls the node in every
//! frame, and the node defers its work.

use godot::classes::Tween;
use godot::prelude::*;

/// The tween of a node, if there is one.
#[derive(Default)]
pub(super) struct FrameEnd {
    tween: Option<Gd<Tween>>,
}

impl FrameEnd {
    /// Calls `method` in every frame through `tween`, which is bound to the node.
    pub(super) fn new(mut tween: Gd<Tween>, method: &Callable) -> Self {
        let (first, last) = (0.0.to_variant(), FOREVER.to_variant());
        tween.tween_method(method, &first, &last, FOREVER);
        Self { tween: Some(tween) }
    }

    /// Whether the node is called. A script may have killed the tween.
    pub(super) fn is_running(&self) -> bool {
        self.tween.as_ref().is_some_and(|tween| tween.is_valid())
    }

    /// Stops the calls.
    pub(super) fn stop(&mut self) {
        if let Some(mut tween) = self.tween.take() {
            tween.kill();
        }
    }
}

/// Seconds; some thirty years.
const FOREVER: f64 = 1e9;
