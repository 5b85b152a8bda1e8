//! What a modifier carries from one pass to the next.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Tree;

/// In which order joints turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// All at once, each by the same part of its way.
    #[default]
    Together,
    /// One after another, as many at a time as the limb's speed allows. The last ones first.
    FromTip,
    /// The same, the first ones first.
    FromRoot,
}

impl Order {
    /// The order in which a limb curls up, if it does so on the way: all joints at once, unless the
    /// last ones are first.
    pub(super) fn curling(self) -> Self {
        match self {
            Self::FromTip => self,
            Self::Together | Self::FromRoot => Self::Together,
        }
    }

    /// The order in which it uncurls: all joints at once, unless the first ones are first.
    pub(super) fn uncurling(self) -> Self {
        match self {
            Self::FromRoot => self,
            Self::Together | Self::FromTip => Self::Together,
        }
    }

    /// Whether this is the usual order.
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// What a modifier remembers from one pass to the next.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Memory {
    /// How far the joints were turned from the base pose, in radians; empty without memory.
    #[serde(with = "crate::math::number")]
    pub swings: Vec<f32>,
    /// The pose that the limb is swinging over to; empty if it is not.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "crate::math::number")]
    pub branch: Vec<f32>,
    /// The pose that it passes on the way there; empty if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "crate::math::number")]
    pub waypoint: Vec<f32>,
    /// In which order the joints turn on the way. See [`Order::curling`] and [`Order::uncurling`]
    /// where there is a waypoint.
    #[serde(skip_serializing_if = "Order::is_usual")]
    pub order: Order,
    /// From each target to its tip, in chain space.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "crate::math::number")]
    pub misses: Vec<Vec2>,
    /// Whether the tips had arrived.
    pub has_arrived: bool,
    /// Which start is tried next for another branch.
    pub attempt: u32,
    /// How many were tried since a target moved.
    pub attempts: u32,
    /// For how many seconds the targets have moved since the branch was reviewed.
    #[serde(with = "crate::math::number")]
    pub unreviewed: f32,
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Without allocating, where there is room already.
    fn clone_from(&mut self, other: &Self) {
        let Self {
            swings,
            branch,
            waypoint,
            order,
            misses,
            has_arrived,
            attempt,
            attempts,
            unreviewed,
        } = other;
        self.swings.clone_from(swings);
        self.branch.clone_from(branch);
        self.waypoint.clone_from(waypoint);
        self.order = *order;
        self.misses.clone_from(misses);
        self.has_arrived = *has_arrived;
        self.attempt = *attempt;
        self.attempts = *attempts;
        self.unreviewed = *unreviewed;
    }
}

impl Memory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.swings.clear();
        self.stay();
        self.misses.clear();
        self.has_arrived = false;
        self.attempt = 0;
        self.attempts = 0;
        self.unreviewed = 0.0;
    }

    /// Makes all turns `factor` times as large.
    pub(crate) fn scale(&mut self, factor: f32) {
        let poses = [&mut self.swings, &mut self.branch, &mut self.waypoint];
        for swing in poses.into_iter().flatten() {
            *swing *= factor;
        }
    }

    /// Forgets where the limb was swinging over to.
    pub(super) fn stay(&mut self) {
        self.branch.clear();
        self.waypoint.clear();
        self.order = Order::default();
    }

    /// Whether the limb is swinging over to another pose.
    pub(crate) fn swings_over(&self) -> bool {
        !self.branch.is_empty()
    }

    /// Whether there is a pose of as many joints to go on from.
    pub(crate) fn holds(&self, joints: usize) -> bool {
        let is_pose =
            |pose: &[f32]| pose.len() == joints && pose.iter().all(|swing| swing.is_finite());
        is_pose(&self.swings) && (self.waypoint.is_empty() || is_pose(&self.waypoint))
    }

    /// Remembers a pose that was found without memory.
    pub(crate) fn begin(&mut self, tree: &Tree, has_arrived: bool) {
        self.clear();
        self.swings.extend(tree.swings().map(|swing| swing as f32));
        self.has_arrived = has_arrived;
        self.remember_misses(tree);
    }

    /// Remembers a pose that something else has shown. The limb swings from there to what it finds
    /// next, however far that is.
    pub(crate) fn begin_from(&mut self, swings: impl Iterator<Item = f32>) {
        self.clear();
        self.swings.extend(swings);
        self.branch.extend_from_slice(&self.swings);
    }

    /// Remembers that the only tip has arrived, with what is left of the way.
    pub(crate) fn arrive(&mut self, miss: Vec2) {
        self.has_arrived = true;
        (self.attempt, self.attempts, self.unreviewed) = (0, 0, 0.0);
        self.misses.clear();
        self.misses.push(miss);
    }

    pub(super) fn remember_misses(&mut self, tree: &Tree) {
        self.misses.clear();
        let misses = tree.tips.iter().map(|tip| tip.miss().as_vec2());
        self.misses.extend(misses);
    }

    /// How far the targets have moved, as the tips of `tree`, which is in the remembered pose, see
    /// them.
    pub(crate) fn demand(&self, tree: &Tree) -> f64 {
        let tips = tree.tips.iter().zip(&self.misses);
        let moved = tips.map(|(tip, before)| tip.miss().distance(before.as_dvec2()));
        moved.fold(0.0, f64::max)
    }
}
