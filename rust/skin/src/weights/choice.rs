//! Which bones move which parts of a cut-out.
//!
//! A bone moves a part if its line runs through it, or if the part hangs on it. What merely passes over a part is left out: the
//! arm that hangs in front of a leg, and the upper arm whose joint is drawn in the torso. Of a net or of thin hair, what lies between
//! its threads is in it. Parts that have the names of bones show whose they are.

use std::collections::BTreeMap;

use glam::DVec2;

use super::bone::Bone;

/// The least part of a bone that lies in what it moves.
const LEAST: f64 = 0.25;

/// A bone that ends in a part belongs there with its further half.
const MIDDLE: f64 = 0.5;

/// A part lies over the joint of two bones unless the further one is in it with this many times as much of its length.
const FURTHER_IN: f64 = 2.0;

/// A bone that passes over a part from elsewhere is in it with less of its length than this part of what belongs there.
const PASSING: f64 = 0.5;

/// A joint beside a part is still near at this distance, as a part of its size.
const AROUND: f64 = 0.05;

/// A point that has something of a part at all sides, nearer than this part of its size, is in it.
const BETWEEN: f64 = 0.08;

/// The extent to which bones are in a part of the cut-out.
#[derive(Clone, Debug)]
pub struct Cover {
    /// Of each bone, from 0 to 1.
    cover: Vec<f64>,
    /// The length of that, in pixels.
    lengths: Vec<f64>,
    /// `true` for each bone whose joint can be seen.
    is_joint_seen: Vec<bool>,
    /// `true` for each bone whose joint is within the box around what can be seen.
    is_joint_near: Vec<bool>,
    /// The distance of each bone from what can be seen, in pixels.
    distances: Vec<f64>,
    /// The bone that the part hangs on.
    held: Option<usize>,
    /// The bone that has its name.
    namesake: Option<usize>,
}

/// The bones that move a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movers {
    /// Their indices.
    pub bones: Vec<usize>,
    /// None of them is in the part: it is the nearest one.
    pub are_beside: bool,
}

impl Cover {
    /// A part that can be seen where `is_seen` says, and at all of `places`, of which there is at least one.
    pub fn new(
        bones: &[Bone],
        held: Option<usize>,
        is_seen: impl Fn(DVec2) -> bool,
        places: &[DVec2],
    ) -> Self {
        let low = places.iter().fold(DVec2::INFINITY, |low, &it| low.min(it));
        let high = places
            .iter()
            .fold(-DVec2::INFINITY, |high, &it| high.max(it));
        let around = DVec2::splat(AROUND * (high - low).max_element());
        let is_near = |point: DVec2| point.clamp(low - around, high + around) == point;
        let reach = BETWEEN * (high - low).max_element();
        let is_in = |point| is_seen(point) || is_between(point, places, reach);
        let cover: Vec<f64> = bones.iter().map(|bone| bone.part_in(is_in)).collect();
        let distance = |bone: &Bone| {
            let points = places
                .iter()
                .flat_map(|&it| bone.nearest_points(it).map(move |near| near.distance(it)));
            points.fold(f64::INFINITY, f64::min)
        };
        let lengths = bones.iter().zip(&cover);
        Self {
            lengths: lengths.map(|(bone, part)| bone.length() * part).collect(),
            is_joint_seen: bones.iter().map(|bone| is_seen(bone.joint())).collect(),
            is_joint_near: bones.iter().map(|bone| is_near(bone.joint())).collect(),
            distances: bones.iter().map(distance).collect(),
            cover,
            held,
            namesake: None,
        }
    }

    /// The same part, which has the name of a bone. It hangs on that, if it is there and hangs on no other one.
    pub fn named(mut self, namesake: Option<usize>) -> Self {
        let is_there = |&bone: &usize| self.cover[bone] > 0.0 || self.is_joint_near[bone];
        self.namesake = namesake.filter(is_there);
        self.held = self.held.or(self.namesake);
        self
    }

    /// The bones that move each of `parts`, which are those of the same skeleton. All parts know the same `bones`.
    pub fn movers(parts: &[Self], bones: &[Bone]) -> Vec<Movers> {
        let mut kept: Vec<Vec<bool>> = parts.iter().map(|part| part.within(bones)).collect();
        for (part, kept) in parts.iter().zip(&mut kept) {
            // A chin that lies over the neck is not moved by the head, if that is a part as well.
            let others = parts.iter().filter_map(|other| other.namesake);
            for bone in others.filter(|bone| part.namesake.is_some() && part.held != Some(*bone)) {
                kept[bone] = false;
            }
        }
        for part in 0..parts.len() {
            Self::leave_what_passes(parts, &mut kept, bones, part);
        }
        for part in 0..parts.len() {
            Self::leave_limbs(parts, &mut kept, bones, part);
        }
        let movers = parts.iter().zip(kept).map(|(part, kept)| {
            let inside: Vec<usize> = (0..bones.len()).filter(|&bone| kept[bone]).collect();
            let nearest =
                (0..bones.len()).min_by(|&a, &b| part.distances[a].total_cmp(&part.distances[b]));
            match inside.is_empty() {
                true => Movers {
                    bones: Vec::from_iter(nearest),
                    are_beside: true,
                },
                false => Movers {
                    bones: inside,
                    are_beside: false,
                },
            }
        });
        movers.collect()
    }

    /// Those that are in the part, or that it hangs on.
    fn within(&self, bones: &[Bone]) -> Vec<bool> {
        let cover = self.cover.iter().enumerate();
        let mut kept: Vec<bool> = cover
            .map(|(bone, &part)| part >= LEAST || self.held == Some(bone))
            .collect();
        // The part hangs on what ends in it: a leg at the hip.
        for bone in Bone::from_roots(bones) {
            let is_top = bones[bone].parent.is_none_or(|above| !kept[above]);
            let ends = self.cover[bone] < MIDDLE && !self.is_joint_seen[bone];
            let is_further_in = |it: usize| self.cover[it] >= FURTHER_IN * self.cover[bone];
            let goes_on = (0..bones.len())
                .any(|it| bones[it].parent == Some(bone) && kept[it] && is_further_in(it));
            if is_top && ends && goes_on && self.held != Some(bone) {
                kept[bone] = false;
            }
        }
        kept
    }

    /// Leaves out what merely passes over the part: what is not connected with what belongs there, and is short beside that or is
    /// drawn by another part that has nothing of it.
    fn leave_what_passes(parts: &[Self], kept: &mut [Vec<bool>], bones: &[Bone], index: usize) {
        let (part, count) = (&parts[index], bones.len());
        let group = |bone: usize| part.group(bones, &kept[index], bone).unwrap_or(count);
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for bone in (0..count).filter(|&bone| kept[index][bone]) {
            groups.entry(group(bone)).or_default().push(bone);
        }
        let length = |group: &Vec<usize>| group.iter().map(|&bone| part.lengths[bone]).sum::<f64>();
        let held = part.held.and_then(|held| groups.remove(&group(held)));
        let longest = groups
            .iter()
            .max_by(|a, b| length(a.1).total_cmp(&length(b.1)));
        let longest = longest.map(|(&group, _)| group);
        let main = held.or_else(|| groups.remove(&longest?));
        let Some(main) = main else { return };
        for group in groups.into_values() {
            let is_short = length(&group) < PASSING * length(&main);
            let is_drawn_by = |other: usize| {
                other != index
                    && group.iter().all(|&bone| kept[other][bone])
                    && !main.iter().any(|&bone| kept[other][bone])
            };
            if is_short || (0..parts.len()).any(is_drawn_by) {
                group.iter().for_each(|&bone| kept[index][bone] = false);
            }
        }
    }

    /// Returns the bone that stands for all bones that are connected with `bone` inside of the part, or `None` if that
    /// is the root of all bones. It goes up as long as joints are near.
    fn group(&self, bones: &[Bone], kept: &[bool], bone: usize) -> Option<usize> {
        let mut top = bone;
        while self.is_joint_near[top]
            || kept[top] && bones[top].parent.is_some_and(|above| kept[above])
        {
            match bones[top].parent {
                Some(above) => top = above,
                None => return None,
            }
        }
        Some(top)
    }

    /// Leaves those limbs to other parts that begin in this one: their first bones are in both, as far at least in the other one, and
    /// what they hang on is in this one alone.
    fn leave_limbs(parts: &[Self], kept: &mut [Vec<bool>], bones: &[Bone], part: usize) {
        let mut left: BTreeMap<usize, usize> = BTreeMap::new();
        for bone in Bone::from_roots(bones) {
            let is_held = parts[part].held == Some(bone);
            let above = bones[bone].parent;
            if !kept[part][bone] || is_held {
                continue;
            }
            // What hangs on what was left goes there, or to another part that has it.
            let taken = above.and_then(|above| left.get(&above).copied());
            let taken = taken.and_then(|first| {
                let mut others = std::iter::once(first).chain(0..parts.len());
                others.find(|&other| other != part && kept[other][bone])
            });
            let is_limb_of = |&other: &usize| {
                let is_there = parts[other].namesake == Some(bone)
                    || parts[other].cover[bone] >= parts[part].cover[bone];
                let begins = above.is_some_and(|above| kept[part][above] && !kept[other][above]);
                other != part && kept[other][bone] && is_there && begins
            };
            if let Some(other) = taken.or_else(|| (0..parts.len()).find(is_limb_of)) {
                kept[part][bone] = false;
                left.insert(bone, other);
            }
        }
    }
}

/// Returns `true` if a point has some of `places` at all sides of it, no further away than `reach`.
fn is_between(point: DVec2, places: &[DVec2], reach: f64) -> bool {
    let ways = places.iter().map(|&place| place - point);
    let mut angles: Vec<f64> = ways
        .filter(|way| way.length_squared() <= reach * reach)
        .map(DVec2::to_angle)
        .collect();
    angles.sort_by(f64::total_cmp);
    let (Some(first), Some(last)) = (angles.first(), angles.last()) else {
        return false;
    };
    let around = std::f64::consts::TAU + first - last;
    let gaps = angles.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.fold(around, f64::max) < std::f64::consts::PI
}
