//! What a modifier carries from one pass to the next.

use std::f32::consts::PI;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Tree;
use crate::math::angle::{shortest_way, wound_like, wrapped};
use crate::math::clone_in_place::clone_in_place;
use crate::math::number;

/// In which order joints turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// All at once, each by the same part of its way.
    #[default]
    Together,
    /// One after another, beginning at the tip: as many at a time as the limb's speed allows.
    FromTip,
    /// The same, beginning at the root.
    FromRoot,
}

impl Order {
    /// The order on the way to a waypoint, where a limb curls up: only `FromTip` is kept, and
    /// otherwise all joints turn at once.
    pub(super) fn curling(self) -> Self {
        match self {
            Self::FromTip => self,
            Self::Together | Self::FromRoot => Self::Together,
        }
    }

    /// The order on the way from a waypoint, where a limb uncurls: only `FromRoot` is kept, and
    /// otherwise all joints turn at once.
    pub(super) fn uncurling(self) -> Self {
        match self {
            Self::FromRoot => self,
            Self::Together | Self::FromTip => Self::Together,
        }
    }
}

/// The state that a modifier keeps from one pass to the next.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Memory {
    /// The angles of the joints from the base pose, in radians; empty without memory.
    #[serde(with = "number")]
    pub swings: Vec<f32>,
    /// The pose at the end of the transition that the limb is in; empty if it is in none. Captures
    /// call it `branch`.
    #[serde(
        rename = "branch",
        skip_serializing_if = "Vec::is_empty",
        with = "number"
    )]
    pub destination: Vec<f32>,
    /// The pose that the limb passes on the way there; empty if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "number")]
    pub waypoint: Vec<f32>,
    /// In which order the joints turn on the way. If there is a waypoint, the joints may turn in
    /// another order before it than after it.
    #[serde(skip_serializing_if = "number::is_usual")]
    pub order: Order,
    /// The pose that goes there ahead of the one that is shown, by its route and at full speed; empty if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "number")]
    pub leader: Vec<f32>,
    /// `true` if the leader itself is shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_hasty: bool,
    /// The angular velocities of the joints in the last pass, in radians per second; empty if they are not known.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "number")]
    pub rates: Vec<f32>,
    /// `x0` and `k` of the joints where a handover goes to the pose that is nearest to the base pose, in radians and radians
    /// per second; otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "number")]
    pub offs: Vec<Vec2>,
    /// The angles at which the joints were shown that have both a heading and a limit, in radians; empty if none is kept
    /// from its heading.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "number")]
    pub headed: Vec<f32>,
    /// From each target to its tip, in chain space. Empty if the pose was
    /// given by something else than the modifier, which has measured nothing in it.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "number")]
    pub misses: Vec<Vec2>,
    /// `true` if the tips had arrived at their targets.
    pub has_arrived: bool,
    /// The number of the start that is tried next for another branch. Captures call it `attempt`.
    #[serde(rename = "attempt")]
    pub next_start: u32,
    /// The number of starts that were tried since a target moved. Captures call it `attempts`.
    #[serde(rename = "attempts")]
    pub tried_starts: u32,
    /// For how many seconds the limb has moved since the pose without memory was last compared.
    #[serde(with = "number")]
    pub unreviewed: f32,
    /// `true` if only a part of the swings was shown, so that whole turns of them are seen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
}

/// So far, in radians, a joint of which a part is shown turns beyond half a turn before it goes back by the other way: a
/// target that rests there does not have it turn to and fro.
const BEYOND_HALF: f32 = 0.3;

/// No joint is wound farther than this, in radians: `f32` could not hold a fine angle.
const MOST_SWING: f32 = 1e4;

/// Returns `true` if `pose` has as many `joints`, and could have been shown.
fn is_pose(pose: &[f32], joints: usize) -> bool {
    pose.len() == joints && pose.iter().all(|swing| swing.abs() < MOST_SWING)
}

clone_in_place!(
    Memory: swings, destination, waypoint, leader, rates, offs, headed, misses;
    order, is_hasty, has_arrived, next_start, tried_starts, unreviewed, is_partial
);

impl Memory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.end_transition();
        self.end_search();
        self.swings.clear();
        self.rates.clear();
        self.offs.clear();
        self.headed.clear();
        self.misses.clear();
        (self.has_arrived, self.unreviewed, self.is_partial) = (false, 0.0, false);
    }

    /// Makes all turns `factor` times as large.
    pub(crate) fn scale(&mut self, factor: f32) {
        let poses = [
            &mut self.swings,
            &mut self.destination,
            &mut self.waypoint,
            &mut self.leader,
            &mut self.rates,
        ];
        self.offs.iter_mut().for_each(|off| *off *= factor);
        for swing in poses.into_iter().flatten() {
            *swing *= factor;
        }
    }

    /// The swings so many seconds before the last pass, in radians, as far as it is known how fast they turned.
    pub(crate) fn swings_before(&self, ago: f64) -> impl Iterator<Item = f64> {
        let rates = self.rates.iter().chain(std::iter::repeat(&0.0));
        let pairs = self.swings.iter().zip(rates);
        pairs.map(move |(&swing, &rate)| f64::from(swing) - ago * f64::from(rate))
    }

    /// Turns one joint by `angle` in all poses.
    pub(crate) fn turn(&mut self, joint: usize, angle: f32) {
        let poses = [
            &mut self.swings,
            &mut self.destination,
            &mut self.waypoint,
            &mut self.leader,
        ];
        for swing in poses.into_iter().filter_map(|pose| pose.get_mut(joint)) {
            *swing += angle;
        }
    }

    /// Takes whole turns out of the swings if only a part of them is to be shown, where that would go by the longer way.
    /// Nobody sees that if all of them were shown before; else the limb goes over in a transition. Joints that
    /// `is_bounded` tells keep theirs.
    pub(crate) fn unwind(&mut self, is_partial: bool, is_bounded: impl Fn(usize) -> bool) {
        let was_partial = std::mem::replace(&mut self.is_partial, is_partial);
        if self.is_in_transition() {
            if was_partial && !is_partial {
                self.rewind(is_bounded);
            }
            return;
        }
        let most = if was_partial { PI + BEYOND_HALF } else { PI };
        let mut swings = self.swings.iter().enumerate();
        let is_wound = swings.any(|(index, swing)| swing.abs() > most && !is_bounded(index));
        if !is_partial || !is_wound {
            return;
        }
        let unwound = match was_partial {
            true => {
                self.destination.extend_from_slice(&self.swings);
                &mut self.destination
            }
            false => &mut self.swings,
        };
        for (index, swing) in unwound.iter_mut().enumerate() {
            if !is_bounded(index) {
                *swing = wrapped(f64::from(*swing)) as f32;
            }
        }
    }

    /// Leaves out of a transition what nobody sees once all of the swings are shown: its whole turns.
    fn rewind(&mut self, is_bounded: impl Fn(usize) -> bool) {
        let ends = self.destination.iter_mut().zip(&self.swings).enumerate();
        for (index, (end, &shown)) in ends {
            if !is_bounded(index) {
                *end = wound_like(shown.into(), f64::from(*end)) as f32;
            }
        }
    }

    /// Ends the transition that the limb is in.
    pub(super) fn end_transition(&mut self) {
        self.destination.clear();
        self.waypoint.clear();
        self.leader.clear();
        self.is_hasty = false;
        self.order = Order::default();
    }

    /// Returns `true` if the limb is in transition to another pose.
    pub(crate) fn is_in_transition(&self) -> bool {
        !self.destination.is_empty()
    }

    /// The pose that the limb has, or is in transition to; empty if there is none of as many joints.
    pub(crate) fn aimed(&self, joints: usize) -> &[f32] {
        let pose = match self.is_in_transition() {
            true => &self.destination,
            false => &self.swings,
        };
        if is_pose(pose, joints) { pose } else { &[] }
    }

    /// Returns `true` if there is a pose of as many joints to go on from.
    pub(crate) fn holds(&self, joints: usize) -> bool {
        let others = [&self.waypoint, &self.leader];
        let mut others = others.into_iter().filter(|pose| !pose.is_empty());
        is_pose(&self.swings, joints) && others.all(|pose| is_pose(pose, joints))
    }

    /// Remembers a pose that was found without memory.
    pub(crate) fn begin(&mut self, tree: &Tree, has_arrived: bool) {
        self.clear();
        self.swings.extend(tree.swings().map(|swing| swing as f32));
        self.rates.reserve(self.swings.len());
        self.has_arrived = has_arrived;
        self.remember_misses(tree);
    }

    /// Remembers the next pose of a limb that is in no transition, `delta` seconds later, and where its only tip is seen
    /// from the target.
    pub(crate) fn follow(
        &mut self,
        swings: impl Iterator<Item = f32> + Clone,
        miss: Vec2,
        delta: f64,
    ) {
        if delta > 0.0 {
            let pairs = swings.clone().zip(&self.swings);
            let turns = pairs.map(|(now, before)| shortest_way(*before, now));
            self.rates.clear();
            self.rates.extend(turns.map(|turn| turn / delta as f32));
        }
        self.swings.clear();
        self.swings.extend(swings);
        self.misses.clear();
        self.misses.push(miss);
    }

    /// Remembers a pose that something else than this modifier has shown. The limb is in transition
    /// from there to what it finds next, however far that is.
    pub(crate) fn begin_from_given_pose(&mut self, swings: impl Iterator<Item = f32>) {
        self.clear();
        self.swings.extend(swings);
        self.destination.extend_from_slice(&self.swings);
    }

    /// Returns `true` if the remembered pose was [given](Self::begin_from_given_pose), and no pass has gone on from it
    /// yet.
    pub(super) fn is_given_pose(&self) -> bool {
        self.misses.is_empty()
    }

    /// Ends the search for a pose that arrives.
    pub(super) fn end_search(&mut self) {
        (self.next_start, self.tried_starts) = (0, 0);
    }

    /// Remembers that the only tip has arrived, with what is left of the way.
    pub(crate) fn arrive(&mut self, miss: Vec2) {
        self.has_arrived = true;
        self.end_search();
        self.unreviewed = 0.0;
        self.rates.clear();
        self.misses.clear();
        self.misses.push(miss);
    }

    pub(super) fn remember_misses(&mut self, tree: &Tree) {
        self.misses.clear();
        let misses = tree.tips.iter().map(|tip| tip.miss().as_vec2());
        self.misses.extend(misses);
    }

    /// Returns the largest distance that a target has moved since it was remembered, seen from its tip, in chain units.
    /// `tree` is in the remembered pose.
    pub(crate) fn target_motion(&self, tree: &Tree) -> f64 {
        let tips = tree.tips.iter().zip(&self.misses);
        let moved = tips.map(|(tip, before)| tip.miss().distance(before.as_dvec2()));
        moved.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cleared_is_new() {
        let mut memory = Memory {
            swings: vec![1.0],
            destination: vec![1.0],
            waypoint: vec![1.0],
            order: Order::FromTip,
            leader: vec![1.0],
            is_hasty: true,
            rates: vec![1.0],
            offs: vec![Vec2::ONE],
            headed: vec![1.0],
            misses: vec![Vec2::ONE],
            has_arrived: true,
            next_start: 1,
            tried_starts: 1,
            unreviewed: 1.0,
            is_partial: true,
        };
        memory.clear();
        assert_eq!(memory, Memory::default());
    }
}
