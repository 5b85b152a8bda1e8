//! The time that a slider's animation is to be sampled at: see [`crate::rig::kinds::slider`].

use crate::rig::kind_list::Solver;
use crate::rig::shown::Shown;

impl Shown<'_> {
    /// The time to sample the animation of a slider at, as the working pose has its source.
    /// `None` if a number is not finite, or the modifier is no slider.
    pub fn slider_time(self) -> Option<f64> {
        match &self.modifier().solver {
            Solver::Slider(slider) => slider.time(&self.rig.pose),
            _ => None,
        }
    }
}
