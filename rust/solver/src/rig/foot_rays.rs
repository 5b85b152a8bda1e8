//! Where to look for the ground below feet: for those who ask the physics server.

use glam::Vec2;

use crate::rig::Rig;
use crate::rig::kinds::foot::Foot;
use crate::rig::solver::Solver;
use crate::solvers::gait::input::Look;
use crate::solvers::gait::memory::GaitMemory;

impl Rig {
    /// Where to look for the ground below the feet of a placement: for each foot the ends of a ray, in
    /// skeleton space. They go by `search` units above and below the plane that the animation stands on.
    /// `None` for a foot that is not placed. For the pose in which the placement is about to be
    /// [applied](Self::apply).
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn foot_rays(&self, index: usize, search: [f32; 2], rays: &mut Vec<Option<[Vec2; 2]>>) {
        rays.clear();
        let Solver::FootPlacement(placement) = &self.modifiers[index].solver else {
            return;
        };
        let limb = |foot: &Foot| {
            let limb = foot.limb.filter(|&limb| limb > index)?;
            self.modifiers.get(limb).map(|modifier| modifier.limb())
        };
        let level = placement.level(limb, self.to_global);
        let from_global = self.to_global.inverse();
        rays.extend(placement.feet.iter().map(|foot| {
            let [up, Vec2 { x: unit, y: level }] = level?;
            let tip = self.pose.locate(limb(foot)?.animated()?);
            let tip = self.to_global.transform_point2(tip);
            let place = tip - up * (tip.dot(up) - level);
            let ends = [search[0], -search[1]].map(|way| place + up * (unit * way));
            let ends = ends.map(|end| from_global.transform_point2(end));
            ends.iter().all(|end| end.is_finite()).then_some(ends)
        }));
    }

    /// Where to look for the ground of the feet of a gait, in the next tick, if it goes on from `memory`.
    /// `search`: how many units above and below the plane of the feet. `None` for a foot without a limb.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn gait_looks(
        &self,
        index: usize,
        memory: &GaitMemory,
        search: [f32; 2],
        looks: &mut Vec<Option<Look>>,
    ) {
        looks.clear();
        let Solver::Gait(gait) = &self.modifiers[index].solver else {
            return;
        };
        let limb = |limb: usize| Some(self.modifiers.get(limb)?.limb()).filter(|_| limb > index);
        let legs: Vec<_> = gait.legs(limb, self.to_global).collect();
        let walk = gait.walk(&legs);
        let feet = 0..gait.feet.len();
        looks.extend(feet.map(|foot| memory.look(foot, walk, self.to_global, search)));
    }
}
