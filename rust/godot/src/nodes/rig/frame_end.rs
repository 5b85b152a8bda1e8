//! Has a rig called at the end of each frame, when everything else has moved.
//!
//! The engine has no such callback that also comes without a window. Tweens are the last that it
//! runs of a frame; what they defer runs when all of them are done and all nodes have heard of
//! changed transforms, just before drawing. So a tween that never ends calls the rig in every
//! frame, and the rig defers its pass.

use godot::classes::Tween;
use godot::prelude::*;

use crate::nodes::rig::TendonRig2D;

/// The tween of a rig, if there is one.
#[derive(Default)]
pub(super) struct FrameEnd {
    tween: Option<Gd<Tween>>,
}

impl FrameEnd {
    /// Makes sure that `rig` is called at the end of this frame and of the next ones. Somebody may
    /// have killed its tween.
    pub(super) fn keep(mut rig: Gd<TendonRig2D>) {
        let tween = rig.bind().frame_end.tween.clone();
        if tween.is_some_and(|tween| tween.is_valid()) {
            return;
        }
        let Some(mut tween) = rig.create_tween() else {
            return;
        };
        let call = Callable::from_object_method(&rig, "_defer_to_frame_end");
        tween.tween_method(&call, &0.0.to_variant(), &FOREVER.to_variant(), FOREVER);
        rig.bind_mut().frame_end.tween = Some(tween);
    }

    /// Ends that.
    pub(super) fn stop(&mut self) {
        if let Some(mut tween) = self.tween.take() {
            tween.kill();
        }
    }
}

/// Seconds; some thirty years.
const FOREVER: f64 = 1e9;
