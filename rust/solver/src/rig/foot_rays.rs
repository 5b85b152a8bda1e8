//! Where to look for the ground below feet: for those who ask the physics server.

use glam::Vec2;

use crate::rig::Rig;
use crate::rig::kinds::foot_placement::Foot;
use crate::rig::solver::Solver;

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
}
