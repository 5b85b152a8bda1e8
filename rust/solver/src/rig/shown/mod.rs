//! What those ask who draw, bake or test one modifier of a solved rig.
//!
//! | file | what is in it |
//! |---|---|
//! | [`body_outline`] | the limbs of a ragdoll |
//! | [`footholds`] | the places of feet on level ground |

use glam::Vec2;

use crate::rig::Rig;
use crate::rig::kind::line_of;
use crate::rig::kind_list::Solver;
use crate::rig::modifier::Modifier;

pub(crate) mod body_outline;
pub(crate) mod footholds;

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

    /// The time to sample the animation of a slider at, as the working pose has its source.
    /// `None` if a number is not finite, or the modifier is no slider.
    pub fn slider_time(self) -> Option<f64> {
        match &self.modifier().solver {
            Solver::Slider(slider) => slider.time(&self.rig.pose),
            _ => None,
        }
    }

    /// Returns the velocity of the tip of a spring relative to its goal, in skeleton units per second. Zero for other
    /// modifiers.
    pub fn tip_velocity(self) -> Vec2 {
        let Solver::Spring(spring) = &self.modifier().solver else {
            return Vec2::ZERO;
        };
        let to_global = self.rig.to_global;
        let points = line_of(spring).map(|at| to_global.transform_point2(self.rig.locate(at)));
        let points: Vec<_> = points.collect();
        let pairs = points.windows(2).zip(&spring.memory.after.bones);
        let velocity: Vec2 = pairs
            .map(|(pair, bone)| bone.speed * (pair[1] - pair[0]).perp())
            .sum();
        to_global.inverse().transform_vector2(velocity)
    }
}
