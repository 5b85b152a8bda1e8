//! Where the feet of a placement or a gait stand without ground, and how far they may go: for those who draw it.

use glam::Vec2;

use crate::rig::Rig;
use crate::rig::kinds::foot::{Foot, unit_of};
use crate::rig::solver::Solver;
use crate::skeleton::bone::Point;

/// Where feet stand on level ground, in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub struct Footholds {
    /// Of each foot, if it has a limb.
    pub feet: Vec<Option<Foothold>>,
    /// The middle of them.
    pub middle: Vec2,
    /// Where the pelvis is.
    pub pelvis: Vec2,
    /// One unit of the skeleton along the ground.
    pub right: Vec2,
    /// One unit away from it.
    pub up: Vec2,
    /// How far a foot of a gait may be from its foothold until it steps, in units of the skeleton.
    pub distance: Option<f32>,
}

/// Where a foot stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foothold {
    /// On level ground.
    pub place: Vec2,
    /// The end of the limb.
    pub tip: Vec2,
    /// From there to the sole, in units of the skeleton.
    pub sole_height: f32,
}

impl Rig {
    /// Where the feet of a placement or a gait stand on level ground. `None` if the modifier is neither, or
    /// if there is no foot. The rig must have taken a pose.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn footholds(&self, index: usize) -> Option<Footholds> {
        let limb = |limb| self.limb_after(index, limb);
        let of_foot = |foot: &Foot| limb(foot.limb?);
        let unit = unit_of(self.to_global);
        let back = self.to_global.inverse();
        let (up, feet, places, distance, pelvis) = match &self.modifiers[index].solver {
            Solver::Gait(gait) => {
                let legs: Vec<_> = gait.legs(limb, self.to_global).collect();
                let walk = gait.walk(&legs);
                let [distance, lift] = walk.extent(self.to_global)?;
                let pelvis = walk.pivot + back.transform_vector2(walk.up * (unit * lift));
                let homes = legs.iter().map(|leg| Some(leg.as_ref()?.home));
                (walk.up, &gait.feet, homes.collect(), Some(distance), pelvis)
            }
            Solver::FootPlacement(placement) => {
                let level = placement.level(limb, self.to_global)?;
                let up = level.up;
                let places = placement.feet.iter().map(|foot| {
                    let tip = self.locate(of_foot(foot)?.animated()?);
                    let tip = self.to_global.transform_point2(tip);
                    Some(back.transform_point2(tip + up * (level.height - tip.dot(up))))
                });
                let pelvis = self.locate(Point::origin_of(Some(placement.pelvis)));
                let places: Vec<_> = places.collect();
                (up, &placement.feet, places, None, pelvis)
            }
            _ => return None,
        };
        let feet = feet.iter().zip(places).map(|(foot, place)| {
            Some(Foothold {
                place: place?,
                tip: self.locate(of_foot(foot)?.parts.tip()),
                sole_height: foot.settings.sole_height,
            })
        });
        let feet: Vec<_> = feet.collect();
        let count = feet.iter().flatten().count() as f32;
        let sum: Vec2 = feet.iter().flatten().map(|foot| foot.place).sum();
        (count > 0.0 && unit > 0.0).then(|| Footholds {
            feet,
            middle: sum / count,
            pelvis,
            right: back.transform_vector2(up.perp() * unit),
            up: back.transform_vector2(up * unit),
            distance,
        })
    }
}
