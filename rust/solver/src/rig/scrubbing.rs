//! The time that a slider's animation is to be sampled at: see [`crate::rig::kinds::slider`].

use crate::rig::Rig;
use crate::rig::solver::Solver;

impl Rig {
    /// The time to sample the animation of the slider `index` at, as the working pose has its source.
    /// `None` if a number is not finite, or the modifier is no slider.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn slider_time(&self, index: usize) -> Option<f64> {
        match &self.modifiers[index].solver {
            Solver::Slider(slider) => slider.time(&self.pose),
            _ => None,
        }
    }
}
