//! Ticks of the physics, in which what stands on ground asks for it.

use crate::rig::Rig;
use crate::rig::kind_list::Solver;
use crate::rig::modifier::Later;
use crate::solvers::stance::world::{Tick, World};

impl Rig {
    /// A tick of the physics for what stands on ground, the modifier `index`: if it is `now` about to be
    /// [applied](Self::apply) to the working pose, or else after the last pass. `floors`: the bodies that the
    /// character stands on. Other modifiers have no ticks.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn stand(
        &mut self,
        index: usize,
        tick: Tick,
        floors: &[u32],
        now: bool,
        world: &mut dyn World,
    ) {
        let (first, later) = self.modifiers.split_at_mut(index + 1);
        if let Solver::Stance(stance) = &mut first[index].solver {
            let later = Later {
                first: index + 1,
                modifiers: later,
            };
            stance.tick(tick, floors, &later, now.then_some(&self.pose), world);
        }
    }
}
