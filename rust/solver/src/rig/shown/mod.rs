//! What those ask who draw, bake or test one modifier of a solved rig.
//!
//! | file | what is in it |
//! |---|---|
//! | [`body_outline`] | the limbs of a ragdoll |
//! | [`footholds`] | where feet stand without ground |
//! | [`mapped_frames`] | where a mapping may put its bone, and where a chain is before its modifier |
//! | [`scrubbing`] | the time that a slider's animation is to be sampled at |
//! | [`spring_goal`] | where the goal of a spring is, and how fast its tip moves |

use crate::rig::Rig;
use crate::rig::modifier::Modifier;

pub(crate) mod body_outline;
pub(crate) mod footholds;
mod mapped_frames;
mod scrubbing;
mod spring_goal;

/// A modifier of a rig, as the last pass has left it: see [`Rig::shown`].
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    rig: &'a Rig,
    index: usize,
}

impl Rig {
    /// The modifier `index`, to be asked how it stands after the last [`solve`](Self::solve).
    ///
    /// # Panics
    /// When there is no such modifier, as soon as it is asked.
    pub fn shown(&self, index: usize) -> Shown<'_> {
        Shown { rig: self, index }
    }
}

impl<'a> Shown<'a> {
    fn modifier(self) -> &'a Modifier {
        &self.rig.modifiers[self.index]
    }
}
