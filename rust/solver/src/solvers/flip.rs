//! Chains along paths that flip: shown as a transition of bounded speed.
//!
//! The path alone decides where each joint lies on it ([`crate::solvers::spline`]). While the path
//! changes, a joint may leap: a bone that is longer than a bend is wide ends on one side of the
//! bend in one frame, and on the other side in the next. No place on the path is between them. So
//! the joints leave the path for a few frames, in a transition to the other side, while the chain
//! goes on along the path.
//!
//! The end of a bone **leaps** if it moves by more than [`ALONG`] times what the path moves in the
//! chain's space, or the chain along the path, and by more than a joint turns in that time. Then
//! each joint keeps the rotation that is shown, as a *lag* behind the exact one, which a [pursuit] makes shrink.
//!
//! A path that is put elsewhere moves far itself, so the chain follows in the same pass. Without a
//! leap the pose is the exact one, to the last bit, and does not depend on earlier passes.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::descent::memory::Order;
use crate::descent::transition::{self, Pursuit};
use crate::kinematics::tree::Tree;
use crate::math::angle::wrapped;
use crate::math::clone_in_place::clone_in_place;
use crate::math::matrix::largest_stretch;
use crate::skeleton::extent::{Extent, Keepable, is_of_all};
use crate::skeleton::path::place::Place;
use crate::solvers::spline::Course;

/// A joint may move by this factor times as far as the path. Where the path bends, a joint moves
/// farther than the root.
const ALONG: f64 = 3.0;

/// Every lag is less than this, in radians.
const MOST_LAG: f32 = 7.0;

/// What rounding may add to a motion, as a part of the span.
const PATH_ROUNDING: f64 = 1e-5;

/// What a chain along a path carries on from one pass to the next.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathMemory {
    /// The joints, root first.
    pub joints: Vec<Trace>,
    /// Where the chain began on the path.
    #[serde(with = "crate::math::number")]
    pub progress: f32,
    /// By what factor the bones were lengthened.
    #[serde(with = "crate::math::number")]
    pub factor: f32,
    /// How fast the joints turned in the last pass, in radians per second; empty if that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::math::number")]
    pub rates: Vec<f32>,
    /// How much larger the factor is that is shown.
    #[serde(with = "crate::math::number")]
    pub lag: f32,
}

/// One joint, in chain space, without its lag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The segment of the curve on which its bone should end.
    pub segment: u32,
    /// The parameter of that point on the segment.
    #[serde(with = "crate::math::number")]
    pub at: f32,
    /// How far the point is beyond the end of the curve.
    #[serde(with = "crate::math::number")]
    pub beyond: f32,
    /// The position of the point.
    #[serde(with = "crate::math::number")]
    pub place: Vec2,
    /// The position at which the bone did end.
    #[serde(with = "crate::math::number")]
    pub end: Vec2,
    /// The rotation in the parent's frame, in radians.
    #[serde(with = "crate::math::number")]
    pub rotation: f32,
    /// How far the rotation that is shown is from that.
    #[serde(with = "crate::math::number")]
    pub lag: f32,
}

clone_in_place!(PathMemory: joints, rates);

impl Keepable for PathMemory {
    fn fits(&self, extent: Extent) -> bool {
        is_of_all(&self.joints, extent.joints) && is_of_all(&self.rates, self.joints.len())
    }
}

/// Scratch memory of a transition, which grows to the longest chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// The exact pose.
    swings: Vec<f64>,
    /// By how much the joints of the exact pose have turned in this pass.
    turned: Vec<f64>,
    pursuit: Pursuit,
}

/// Where a chain lies without memory.
pub(crate) struct Exact<'a> {
    pub(crate) course: &'a Course<'a>,
    /// Where the ends of the bones should be.
    pub(crate) places: &'a [Place],
    pub(crate) progress: f32,
    /// By what factor its bones are lengthened, and may be at most.
    pub(crate) factor: f64,
    pub(crate) most: f32,
}

impl PathMemory {
    /// Whether what is shown is on its way to where the chain lies.
    pub(crate) fn is_in_transition(&self) -> bool {
        self.lag != 0.0 || self.joints.iter().any(|joint| joint.lag != 0.0)
    }

    /// Takes over the exact pose that `tree` is in, `delta` seconds later, and brings `tree` into
    /// the pose that is shown. Returns by what factor the bones are lengthened in that pose. Those
    /// of `tree` keep the lengths of the exact one.
    pub(crate) fn follow(
        &mut self,
        tree: &mut Tree,
        exact: &Exact<'_>,
        workspace: &mut Workspace,
        delta: f64,
    ) -> f64 {
        let path_motion = self.path_motion(tree, exact);
        let leaps = path_motion.is_some_and(|motion| self.leaps(tree, exact, motion, delta));
        if path_motion.is_none() {
            self.clone_from(&Self::default());
            self.joints.resize(tree.nodes.len(), Trace::default());
        }
        if leaps {
            self.lag += self.factor - exact.factor as f32;
        }
        let most = f64::from(exact.most).max(1.0);
        let shown = (exact.factor + f64::from(self.lag)).clamp(1.0, most);
        self.lag = (shown - exact.factor) as f32;
        self.take_over(tree, exact, leaps, &mut workspace.turned);
        if leaps || path_motion.is_none() {
            workspace.turned.fill(0.0);
        }
        if self.is_in_transition() {
            self.catch_up(tree, workspace, delta);
        } else if delta > 0.0 {
            let rates = workspace.turned.iter().map(|turned| (turned / delta) as f32);
            self.rates.clear();
            self.rates.extend(rates);
        }
        exact.factor + f64::from(self.lag)
    }

    /// How far the path has moved in the chain's space, or the chain along it. `None` if there is
    /// no earlier pass to go on from.
    fn path_motion(&self, tree: &Tree, exact: &Exact<'_>) -> Option<f64> {
        if self.joints.len() != tree.nodes.len() || !self.joints.iter().all(Trace::is_sound) {
            return None;
        }
        let course = exact.course;
        let mut most = course.curve.way_between(self.progress, exact.progress)
            * largest_stretch(course.into_chain.matrix2);
        for joint in &self.joints {
            let place = Place {
                segment: joint.segment as usize,
                at: joint.at.into(),
                beyond: joint.beyond.into(),
            };
            let now = course.curve.contains(place).then(|| course.point(place))?;
            most = most.max(now.distance(joint.place.as_dvec2()));
        }
        most.is_finite().then_some(most)
    }

    /// Whether a joint has moved farther than the time and the motion of the path allow.
    fn leaps(&self, tree: &Tree, exact: &Exact<'_>, path_motion: f64, delta: f64) -> bool {
        let span = tree.span;
        let slack = ALONG * path_motion + PATH_ROUNDING * span;
        let growth = (exact.factor - f64::from(self.factor)).abs() * span;
        let pairs = self.joints.iter().enumerate();
        let mut pairs = pairs.map(|(index, before)| {
            let [start, end] = tree.ends(&tree.links[index]);
            let turn = transition::TURN_RATE * delta * start.distance(end);
            end.distance(before.end.as_dvec2()) - turn
        });
        growth > slack + transition::SPEED * delta * span || pairs.any(|moved| moved > slack)
    }

    /// Remembers the exact pose. If that `leaps`, the pose that is shown stays as it is.
    fn take_over(&mut self, tree: &Tree, exact: &Exact<'_>, leaps: bool, turned: &mut Vec<f64>) {
        turned.clear();
        self.progress = exact.progress;
        self.factor = exact.factor as f32;
        for (index, joint) in self.joints.iter_mut().enumerate() {
            let node = &tree.nodes[index];
            let base = f64::from(node.base.angle());
            if leaps {
                let way = f64::from(joint.rotation) + f64::from(joint.lag) - base - node.swing;
                let lag = match node.interval() {
                    None => wrapped(way),
                    // Never the way round through what the limit forbids.
                    Some([lower, upper]) => {
                        let middle = 0.5 * (lower + upper);
                        let shown = middle + wrapped(way + node.swing - middle);
                        node.clamp_to_bounds(shown) - node.swing
                    }
                };
                joint.lag = lag as f32;
            }
            let place = exact.places[index];
            joint.segment = place.segment as u32;
            (joint.at, joint.beyond) = (place.at as f32, place.beyond as f32);
            joint.place = exact.course.point(place).as_vec2();
            joint.end = tree.ends(&tree.links[index])[1].as_vec2();
            let rotation = base + node.swing;
            turned.push(wrapped(rotation - f64::from(joint.rotation)));
            joint.rotation = rotation as f32;
        }
    }

    /// Lets the lags shrink for `delta` seconds, and brings `tree` into the pose with what is left
    /// of them.
    fn catch_up(&mut self, tree: &mut Tree, workspace: &mut Workspace, delta: f64) {
        let Workspace { swings, turned, pursuit } = workspace;
        swings.clear();
        swings.extend(tree.swings());
        let lags = self.joints.iter().map(|joint| f64::from(joint.lag));
        if delta > 0.0 {
            let pairs = swings.iter().zip(&*turned).zip(lags.clone());
            pursuit.shown.clear();
            pursuit.shown.extend(pairs.map(|((exact, turned), lag)| exact - turned + lag));
            pursuit.ways.clear();
            let pairs = turned.iter().zip(lags);
            pursuit.ways.extend(pairs.map(|(turned, lag)| turned - lag));
            pursuit.goal_rates.clear();
            pursuit.goal_rates.extend(turned.iter().map(|turned| turned / delta));
            pursuit.rates.clear();
            pursuit.rates.extend(self.rates.iter().map(|&rate| f64::from(rate)));
            pursuit.rates.resize(swings.len(), 0.0);
            let has_arrived = pursuit.advance(tree, Order::Together, true, delta);
            let rates = match has_arrived {
                true => &pursuit.goal_rates,
                false => &pursuit.rates,
            };
            self.rates.clear();
            self.rates.extend(rates.iter().map(|&rate| rate as f32));
            for (index, joint) in self.joints.iter_mut().enumerate() {
                let lag = pursuit.shown[index] - swings[index];
                joint.lag = if has_arrived { 0.0 } else { lag as f32 };
            }
            let seconds = f64::from(self.lag.abs()) / transition::SPEED;
            let part = transition::brake(seconds, 0.07, delta).min(seconds / delta) * delta / seconds;
            self.lag *= if part < 1.0 { (1.0 - part) as f32 } else { 0.0 };
        }
        let lags = self.joints.iter().map(|joint| f64::from(joint.lag));
        tree.take_pose(swings.iter().zip(lags).map(|(swing, lag)| swing + lag));
    }
}

impl Trace {
    /// Whether the next pass can go on from it.
    fn is_sound(&self) -> bool {
        let sum = self.at + self.beyond + self.rotation + self.lag;
        sum.is_finite() && (self.place + self.end).is_finite() && self.lag.abs() < MOST_LAG
    }
}
