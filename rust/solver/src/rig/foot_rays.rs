//! Where to look for the ground below feet: for those who ask the physics server.

use crate::rig::Rig;
use crate::rig::kind::Limb;
use crate::rig::solver::Solver;
use crate::solvers::feet::look::{FootLook, Sight};
use crate::solvers::gait::input::Look;
use crate::solvers::gait::leg::Leg;
use crate::solvers::gait::memory::GaitMemory;

/// Where to look for the ground of the feet of a gait.
#[derive(Clone, Debug, Default)]
pub struct GaitLooks {
    /// For each foot. `None` if it has no limb.
    pub of_feet: Vec<Option<Look>>,
    legs: Vec<Option<Leg>>,
}

impl Rig {
    /// Where to look for the ground of the feet of a placement. Rays go by `search` units above and below
    /// the plane that the animation stands on. `None` for a foot that is not placed. For the pose in
    /// which the placement is about to be [applied](Self::apply), if the ground is looked for `now`, or else for
    /// the next tick.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn foot_looks(
        &self,
        index: usize,
        search: [f32; 2],
        now: bool,
        looks: &mut Vec<Option<FootLook>>,
    ) {
        looks.clear();
        let Solver::FootPlacement(placement) = &self.modifiers[index].solver else {
            return;
        };
        let limb = |limb| self.limb_after(index, limb);
        let level = placement.level(limb, self.to_global);
        let sight = level.map(|level| Sight {
            level,
            to_global: self.to_global,
            search: [level.unit * search[0], -level.unit * search[1]],
            now,
        });
        let from_global = self.to_global.inverse();
        let memories = &placement.memory.before.feet;
        looks.extend(placement.feet.iter().enumerate().map(|(index, foot)| {
            let sole = foot.sole(
                limb(foot.limb?)?,
                &placement.rest,
                level?,
                self.to_global,
                &self.pose,
            )?;
            let local = from_global.transform_point2(sole);
            let memory = memories.get(index).copied().unwrap_or_default();
            let held = placement.found.get(index).and_then(|found| found.held);
            memory.look(local, held, sight?)
        }));
    }

    /// Where to look for the ground of the feet of a gait, in the next tick, if it goes on from `memory`.
    /// `search`: how many units above and below the plane of the feet.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn gait_looks(
        &self,
        index: usize,
        memory: &GaitMemory,
        search: [f32; 2],
        looks: &mut GaitLooks,
    ) {
        looks.of_feet.clear();
        looks.legs.clear();
        let Solver::Gait(gait) = &self.modifiers[index].solver else {
            return;
        };
        let limb = |limb| self.limb_after(index, limb);
        looks.legs.extend(gait.legs(limb, self.to_global));
        let walk = gait.walk(&looks.legs);
        let feet = 0..gait.feet.len();
        let look = |foot| memory.look(foot, walk, self.to_global, search);
        looks.of_feet.extend(feet.map(look));
    }

    /// The modifier `limb`, if it comes after that with `index`, whose limb it is.
    pub(super) fn limb_after(&self, index: usize, limb: usize) -> Option<Limb<'_>> {
        let modifier = self.modifiers.get(limb)?;
        (limb > index).then(|| modifier.limb())
    }
}
