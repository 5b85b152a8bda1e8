//! Limbs that are let go while they reach into the world, or through it.
//!
//! A hand behind a thin wall must not be pushed out behind it while the elbow is pushed out before it. So what counts is
//! the side of the world on which the hip is: the way along the bones, from there to a limb, leads into a shape by one
//! of its sides, and by that side all comes back that is behind it. See also `ground` for feet, which are seen from the
//! hip for the same reason.

use glam::{DAffine2, DVec2};

use crate::collision::convex::Side;
use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::contact::{Contact, LimbCapsule};
use crate::solvers::ragdoll::kinematics::LinkKinematics;
use crate::solvers::ragdoll::solid::SolidOutline;
use crate::solvers::ragdoll::terrain::Terrain;

/// The side by which the way leads into the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    ground: usize,
    side: Side,
}

/// For each link, the entry on the way to its joint, if that is behind it. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Detours(Vec<Option<Entry>>);

impl Detours {
    /// Finds those of a body that `kinematics` shows in the world `terrain`.
    pub(super) fn find(
        &mut self,
        body: &Body,
        kinematics: &LinkKinematics,
        to_global: DAffine2,
        terrain: &Terrain,
    ) {
        self.0.clear();
        for (index, link) in body.links.iter().enumerate() {
            let place = to_global.transform_point2(kinematics.links[index].joint);
            let entry = match link.parent {
                None => Entry::around(terrain, place),
                Some(parent) => {
                    let above = to_global.transform_point2(kinematics.links[parent].joint);
                    self.0[parent].or_else(|| Entry::between(terrain, above, place))
                }
            };
            self.0
                .push(entry.filter(|entry| entry.side.height(place) < 0.0));
        }
    }

    /// Puts the contacts from `first` on, those of `limb`, right if it is behind an entry.
    pub(super) fn put_right(
        &self,
        (limb, joint): (&LimbCapsule, DVec2),
        terrain: &Terrain,
        reach: f64,
        (found, first): (&mut Vec<Contact>, usize),
    ) {
        let [from, to] = limb.ends;
        let entry = self.0[limb.link]
            .or_else(|| Entry::between(terrain, joint, to))
            .or_else(|| Entry::between(terrain, joint, from));
        let Some(Entry { ground, side }) = entry else {
            return;
        };
        let mut kept = first;
        for index in first..found.len() {
            let Contact {
                ground: other,
                normal,
                gap,
                ..
            } = found[index];
            // What is deep elsewhere is on its way through that, too, and nothing may hold it behind the entry.
            if other != ground && gap > -limb.radius && normal.dot(side.normal) > 0.0 {
                found.swap(kept, index);
                kept += 1;
            }
        }
        found.truncate(kept);
        let thickness = limb.radius + f64::from(terrain.grounds[ground].solid.radius);
        for (end, centre) in limb.ends.into_iter().enumerate() {
            let gap = side.height(centre) - thickness;
            if gap < reach && (end == 1 || limb.shows_start) {
                found.push(Contact {
                    link: limb.link,
                    ground,
                    feature: end as u32,
                    point: centre - limb.radius * side.normal,
                    normal: side.normal,
                    gap,
                });
            }
        }
    }
}

impl Entry {
    /// The first one on a straight way.
    fn between(terrain: &Terrain, from: DVec2, to: DVec2) -> Option<Self> {
        let (middle, half) = (0.5 * (from + to), 0.5 * from.distance(to));
        let mut first: Option<(f64, Self)> = None;
        for (ground, it) in terrain.grounds.iter().enumerate() {
            let is_wall = it.solid.outline != SolidOutline::Plane && it.solid.is_wall();
            if !is_wall || !terrain.is_near(ground, middle, half) {
                continue;
            }
            for &side in terrain.sides(ground) {
                let (before, behind) = (side.height(from), side.height(to));
                if before > 0.0 && behind > 0.0 {
                    break;
                }
                if before <= 0.0 || behind >= 0.0 {
                    continue;
                }
                let part = before / (before - behind);
                let place = from.lerp(to, part);
                let is_on_side = (0.0..=side.length).contains(&side.along(place));
                let is_first = first.is_none_or(|(other, _)| part < other);
                if is_on_side && is_first && terrain.is_open(ground, &side, place) {
                    first = Some((part, Self { ground, side }));
                }
            }
        }
        first.map(|(_, entry)| entry)
    }

    /// That of a body whose hip itself is inside a shape: the shortest way out that is not into another one.
    fn around(terrain: &Terrain, place: DVec2) -> Option<Self> {
        let mut nearest: Option<(f64, Self)> = None;
        for (ground, it) in terrain.grounds.iter().enumerate() {
            let is_wall = it.solid.outline == SolidOutline::Polygon && it.solid.is_wall();
            if !is_wall || !terrain.is_near(ground, place, 0.0) {
                continue;
            }
            let Some((side, height)) = terrain.nearest_side(ground, place) else {
                continue;
            };
            if height < 0.0 && nearest.is_none_or(|(other, _)| height > other) {
                let side = terrain.sides(ground)[side];
                nearest = Some((height, Self { ground, side }));
            }
        }
        nearest.map(|(_, entry)| entry)
    }
}
