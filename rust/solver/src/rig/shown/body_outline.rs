//! The limbs of a body in the pose, for those who draw them.

use glam::Vec2;

use crate::rig::kind_list::Solver;
use crate::rig::shown::Shown;
use crate::skeleton::bone::Point;
use crate::solvers::ragdoll::body::Shares;

/// A limb in skeleton space: all that is within the radius of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbOutline {
    /// The start of the line.
    pub from: Vec2,
    /// The end of the line.
    pub to: Vec2,
    /// The radius around the line, in skeleton units.
    pub radius: f32,
    /// The mass of the limb: its own, or a share of that of the body.
    pub mass: f32,
}

impl LimbOutline {
    /// Returns the length of the line, in skeleton units.
    pub fn length(&self) -> f32 {
        self.from.distance(self.to)
    }

    fn area(&self) -> f32 {
        self.radius * (2.0 * self.length() + std::f32::consts::PI * self.radius)
    }
}

impl Shown<'_> {
    /// The limbs of a ragdoll. `None` if the modifier is none.
    pub fn limbs_of_body(self) -> Option<Vec<LimbOutline>> {
        let Solver::Ragdoll(ragdoll) = &self.modifier().solver else {
            return None;
        };
        let limbs = ragdoll.joints.iter().zip(&ragdoll.shapes);
        let limbs = limbs.map(|(&bone, shape)| {
            let place = |position| {
                let bone = Some(bone);
                self.rig.locate(Point { bone, position })
            };
            let [origin, x, y] = [Vec2::ZERO, Vec2::X, Vec2::Y].map(place);
            let stretch = (x - origin).perp_dot(y - origin).abs().sqrt();
            let (from, to) = (place(shape.from), place(shape.to));
            let length = from.distance(to).into();
            let radius = shape.radius_in(ragdoll.settings.radius.into(), length, stretch.into());
            LimbOutline {
                from,
                to,
                radius: radius as f32,
                mass: 0.0,
            }
        });
        let mut limbs: Vec<_> = limbs.collect();
        let given = ragdoll.shapes.iter().map(|it| it.mass.map(f64::from));
        let areas = limbs.iter().map(|limb| f64::from(limb.area()));
        let shares = Shares::new(ragdoll.settings.mass.into(), areas.zip(given.clone()));
        for (limb, given) in limbs.iter_mut().zip(given) {
            limb.mass = shares.of(limb.area().into(), given) as f32;
        }
        Some(limbs)
    }
}
