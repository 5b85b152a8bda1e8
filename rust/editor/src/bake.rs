//! Bakes solved poses into the keys of an animation.
//!
//! The animation is played step by step, the rig solves at each, and every bone that it turns,
//! moves or scales gets tracks of its own, with no more keys than the tolerance needs. Keys are at
//! most half a turn apart, so that the direction from one to the next is unambiguous, and values do
//! not wrap. Before and after the range, a bone that the animation had moved keeps that motion.
//!
//! Where there are springs, time passes from step to step. A loop is played several times before it
//! is recorded, until its end and its beginning fit; any other range begins at rest.
//!
//! What is baked also gets tracks in the animation RESET, with the base pose. The editor goes back
//! to that pose when a scene is saved. Without these tracks, the pose that the animation showed
//! last would be saved.
//!
//! | file | what is in it |
//! |---|---|
//! | [`dialog`] | asks what to bake |
//! | [`form`] | the fields that this dialog shares with that of [`targets`] |
//! | [`subject`] | the animation and the rig that are baked, if they can be |
//! | [`copy`] | writes what is baked into the animation, or into a copy of it |
//! | [`steps`] | the times at which the motion is sampled |
//! | [`playback`] | plays the animation, and restores what it changes |
//! | [`recording`] | records how each bone moves |
//! | [`keys`] | makes tracks of that, with few keys |
//! | [`existing_tracks`] | the tracks of the animation that are replaced |
//! | [`tracks`] | adds and replaces tracks, as parts of an undo step |
//! | [`reset`] | tracks and keys of the animation RESET |
//! | [`targets`] | bakes keys of bones into keys of targets |

mod copy;
pub(super) mod dialog;
mod existing_tracks;
pub(super) mod form;
pub(super) mod keys;
pub(super) mod playback;
mod recording;
pub(super) mod reset;
mod steps;
mod subject;
pub(super) mod targets;
pub(super) mod tracks;

use godot::prelude::*;

use crate::bake::copy::write;
use crate::bake::existing_tracks::tracks_of_bones;
use crate::bake::form::Chosen;
use crate::bake::keys::{Baked, Tolerance, make_tracks};
use crate::bake::recording::record;
use crate::bake::steps::SampleTimes;
use crate::bake::subject::BakeSubject;
use crate::refusal::Refusal;

/// An animation to bake, and the fineness of its tracks.
pub(super) struct Bake {
    pub(super) chosen: Chosen,
    /// Seconds.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) tolerance: Tolerance,
}

/// The message when what is asked about was freed meanwhile.
pub(super) const GONE: &str = "What was to be baked is no longer there.";

impl Bake {
    /// Checks that the animation can be baked.
    ///
    /// # Errors
    /// Why it cannot, with advice what to do.
    fn check(&self, scene: &Gd<Node>) -> Result<(), Refusal> {
        BakeSubject::find(&self.chosen, scene).map(|_| ())
    }

    /// Bakes, as one undo step in the history of the scene whose root is `scene`.
    ///
    /// # Errors
    /// Why nothing was baked.
    pub(super) fn run(&self, scene: &Gd<Node>, title: &str) -> Result<Baked, Refusal> {
        let subject = BakeSubject::find(&self.chosen, scene)?;
        let steps = self.steps(f64::from(subject.animation.get_length()))?;
        let motions = record(&subject, &steps)?;
        let (tracks, mut baked) = make_tracks(&subject, &steps, &motions, self.tolerance);
        let replaced = tracks_of_bones(&subject.animation, &subject.root, &motions)?;
        let ending = self.chosen.into_copy.then_some("_baked");
        baked.animation = write(&subject, &tracks, &replaced, ending, (scene, title))?;
        Ok(baked)
    }

    /// The steps in an animation of `length` seconds.
    fn steps(&self, length: f64) -> Result<SampleTimes, Refusal> {
        let (from, to) = (self.from.max(0.0), self.to.min(length));
        let rate = self.chosen.rate;
        let sound = rate > 0.0 && rate.is_finite() && from < to;
        if !sound || self.tolerance.angle.is_nan() || self.tolerance.length.is_nan() {
            return Err("Choose a range within the animation, and a rate above 0.".into());
        }
        SampleTimes::new(from, to, rate, length)
    }
}
