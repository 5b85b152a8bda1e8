//! Where the feet of a placement or a gait stand without ground, and how far they may go: for those who draw it.

use glam::Vec2;

use crate::rig::kind::Peer;
use crate::rig::kind_list::Solver;
use crate::rig::shown::Shown;
use crate::skeleton::bone::Point;
use crate::solvers::stance::tilt::Lie;

/// The places of feet on level ground, in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub struct Footholds {
    /// Of each foot, if it has a limb.
    pub feet: Vec<Option<Foothold>>,
    /// The middle of them.
    pub middle: Vec2,
    /// The place of the pelvis.
    pub pelvis: Vec2,
    /// One unit of the skeleton along the ground.
    pub right: Vec2,
    /// One unit away from it.
    pub up: Vec2,
    /// `true` if the feet step by themselves.
    pub steps: bool,
    /// The distance from its foothold at which such a foot steps, in units of the skeleton. `None` if it depends on the
    /// speed of the foot.
    pub distance: Option<f32>,
}

/// The place of a foot, in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foothold {
    /// On level ground.
    pub place: Vec2,
    /// The end of the limb.
    pub tip: Vec2,
    /// From there to the sole, in units of the skeleton.
    pub sole_height: f32,
}

impl<'a> Shown<'a> {
    /// Returns the places of feet on level ground. `None` if the modifier does not stand on ground, or has no foot. The
    /// rig must have taken a pose.
    pub fn footholds(self) -> Option<Footholds> {
        let Solver::Stance(stance) = &self.modifier().solver else {
            return None;
        };
        let limb = |limb| self.limb(limb);
        let up = stance.up_in(self.rig.to_global);
        let mut at_rest = vec![(None, None); stance.feet.len()];
        let legs: Vec<_> = stance.legs(&mut at_rest, limb, up).collect();
        let law = stance.law(&legs, up, stance.memory.last().riding.raised);
        let feet = stance.feet.iter().zip(&legs).map(|(foot, leg)| {
            let (limb, leg) = (limb(foot.limb?)?, leg.as_ref()?);
            let animated = self.rig.locate(limb.animated()?);
            Some(Foothold {
                place: match law.gait {
                    Some(_) => leg.home,
                    None => animated + up * (law.level - animated.dot(up)),
                },
                tip: self.rig.locate(limb.parts.tip()),
                sole_height: foot.settings.sole_height,
            })
        });
        let feet: Vec<_> = feet.collect();
        let count = feet.iter().flatten().count() as f32;
        let sum: Vec2 = feet.iter().flatten().map(|foot| foot.place).sum();
        let pelvis = match law.gait {
            Some(_) => law.pivot + up * Lie::of(&law, 0.0, 0.0).lift,
            None => self.rig.locate(Point::origin_of(Some(stance.pelvis))),
        };
        let set = law.gait.filter(|gait| !gait.is_natural());
        (count > 0.0 && up.is_finite()).then(|| Footholds {
            feet,
            middle: sum / count,
            pelvis,
            right: up.perp(),
            up,
            steps: law.gait.is_some(),
            distance: set.map(|gait| gait.step_distance),
        })
    }

    /// The modifier `limb`, if it comes after this one, whose limb it is.
    fn limb(self, limb: usize) -> Option<Peer<'a>> {
        let modifier = self.rig.modifiers.get(limb)?;
        (limb > self.index).then(|| modifier.limb())
    }
}
