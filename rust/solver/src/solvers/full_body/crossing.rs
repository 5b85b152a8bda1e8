//! How a body goes over to other effectors, other targets or other weights, if it has a duration for that.
//!
//! Whatever is exchanged, the pose that was shown is the solution of a problem in which the body is drawn to that pose
//! instead of the base pose, and each effector to where its tip is. From there on these offsets decay, by the law of
//! [`crate::solvers::handover`]. So nothing leaps, and what stays at its target is held there on the way.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::math::angle::wrapped;
use crate::math::trigonometry::angle_between;
use crate::solvers::full_body::Time;
use crate::solvers::full_body::body::{Body, FullBodyMemory, Off};
use crate::solvers::full_body::step::ARM;
use crate::solvers::handover::Clock;

/// An effector that is nearer to its target, in sizes and radians, stays there.
const AT_TARGET: f64 = 1e-3;

/// How fast a weight may change, by seconds, so that it counts as keyed in any case.
const WEIGHING: f64 = 12.0;

/// What a body goes over from. Empty if it does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Crossing {
    /// How far each unknown is off the base pose, and how fast it drifts.
    pose: Vec<[f64; 2]>,
    effectors: Vec<OfEffector>,
    /// Whether how fast the targets move is not known yet.
    is_new: bool,
}

/// The same of an effector and its target: two coordinates and an angle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OfEffector {
    off: [f64; 3],
    drift: [f64; 3],
    /// Where the target was at first.
    target: [f64; 3],
}

impl OfEffector {
    /// Its target moves, by the way from where it was at first.
    fn drift_on(&mut self, target: [f64; 3], clock: Clock, delta: f64) {
        let mut way = [0, 1, 2].map(|it| target[it] - self.target[it]);
        way[2] = wrapped(way[2]);
        let speed = way.map(|it| it / delta);
        let length = |of: [f64; 3]| DVec2::new(of[0], of[1]).length();
        let [by_off, by_drift] = clock.most.map(f64::from);
        let most = (by_off * length(self.off)).max(by_drift * length(self.drift));
        for axis in 0..3 {
            if length(speed) <= most {
                self.drift[axis] -= speed[axis];
            }
            self.drift[axis] += self.off[axis] * f64::from(clock.slope);
        }
    }
}

impl Crossing {
    pub(super) fn is_over(&self) -> bool {
        self.pose.is_empty()
    }

    fn end(&mut self) {
        self.pose.clear();
        self.effectors.clear();
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = &f64> {
        let effectors = self.effectors.iter();
        let effectors = effectors.flat_map(|it| [&it.off, &it.drift, &it.target]);
        self.pose.iter().flatten().chain(effectors.flatten())
    }

    /// How fast the targets move is known, now that they are at `targets`.
    fn drift_on(&mut self, targets: impl Iterator<Item = [f64; 3]>, clock: Clock, delta: f64) {
        for [off, drift] in &mut self.pose {
            *drift += *off * f64::from(clock.slope);
        }
        for (effector, target) in self.effectors.iter_mut().zip(targets) {
            if effector.off != [0.0; 3] {
                effector.drift_on(target, clock, delta);
            }
        }
        self.is_new = false;
    }
}

impl FullBodyMemory {
    /// Whether the effectors have other `weights` than in the pass before, `delta` seconds ago, as if they were set.
    pub(crate) fn weighs_otherwise(
        &self,
        weights: impl ExactSizeIterator<Item = f64>,
        delta: f64,
    ) -> bool {
        let is_known = 2 * weights.len() == self.weights.len();
        let mut before = self.weights.chunks_exact(2).zip(weights);
        let is_set = |(before, weight): (&[f64], f64)| {
            (weight - before[0]).abs() > delta * (2.0 * before[1].abs() + WEIGHING)
        };
        is_known && before.any(is_set)
    }

    /// The same for a body with other joints: for each, which of these it is, if it is one, and how far it is turned from
    /// the base pose if it is none.
    pub(crate) fn of_joints(&self, joints: &[(Option<usize>, f32)]) -> Self {
        let of = |numbers: &[f64], part: f64| {
            let number = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
            let has_root = joints.first().is_some_and(|(root, _)| *root == Some(0));
            let root = [0, 1].map(|axis| if has_root { number(axis) } else { 0.0 });
            let swings = joints.iter().map(|&(joint, off)| match joint {
                Some(joint) => number(joint + 2),
                None => part * f64::from(off),
            });
            root.into_iter().chain(swings).collect()
        };
        match self.is_empty() {
            true => Self::default(),
            false => Self {
                pose: of(&self.pose, 1.0),
                speed: of(&self.speed, 0.0),
                ..Self::default()
            },
        }
    }

    /// Notes what a pass has left.
    pub(super) fn note_pass(&mut self, body: &Body<'_>, time: Time) {
        let is_kept = time.clock.is_some();
        if !is_kept || time.delta > 0.0 {
            let goes_on = is_kept && self.fits(body.tree);
            self.speed.clear();
            let ways = body.pose().zip(&self.pose).enumerate().filter(|_| goes_on);
            self.speed.extend(ways.map(|(index, (now, before))| {
                let way = now - before;
                let way = if index < 2 { way } else { wrapped(way) };
                way / time.delta
            }));
            let goals = &body.workspace.goals;
            let count = if is_kept { 2 * goals.len() } else { 0 };
            let is_known = self.weights.len() == count;
            self.weights.resize(count, 0.0);
            for (before, goal) in self.weights.chunks_exact_mut(2).zip(goals) {
                let rate = (goal.weight - before[0]) / time.delta;
                before.copy_from_slice(&[goal.weight, if is_known { rate } else { 0.0 }]);
            }
        }
        self.note(body);
    }
}

impl Body<'_> {
    /// Finds what the pose and the effectors are drawn to.
    pub(super) fn cross(&mut self, memory: &mut FullBodyMemory, goes_on: bool, time: Time) {
        self.draw(&Crossing::default(), Clock::default());
        let clock = time.clock.filter(|clock| goes_on && clock.left > 0.0);
        let Some(clock) = clock else {
            memory.crossing.end();
            return;
        };
        let crossing = &mut memory.crossing;
        if clock.begins && (clock.is_exchange || !crossing.is_over()) {
            self.begin_crossing(memory, time.delta);
        } else if crossing.effectors.len() != self.workspace.goals.len() {
            crossing.end();
        } else if crossing.is_new && time.delta > 0.0 {
            crossing.drift_on(self.targets(), clock, time.delta);
        }
        self.draw(&memory.crossing, clock);
    }

    /// The body goes on as it moved.
    fn begin_crossing(&mut self, memory: &mut FullBodyMemory, delta: f64) {
        self.measure();
        let before: Vec<_> = self.missing().collect();
        memory.speed.resize(memory.pose.len(), 0.0);
        let ahead = memory.pose.iter().zip(&memory.speed);
        let ahead: Vec<_> = ahead.map(|(pose, speed)| pose + speed * delta).collect();
        self.take_pose(ahead);
        self.measure();
        let crossing = &mut memory.crossing;
        crossing.pose.clear();
        let speed = memory.speed.iter().copied();
        crossing
            .pose
            .extend(self.pose().zip(speed).map(|(off, drift)| [off, drift]));
        crossing.effectors.clear();
        let effectors = before.iter().zip(self.missing()).zip(self.targets());
        crossing
            .effectors
            .extend(effectors.map(|((before, now), target)| {
                let [x, y, turn] = now;
                let is_there = x.hypot(y) < AT_TARGET * self.size && turn.abs() < AT_TARGET;
                if is_there {
                    return OfEffector::default();
                }
                let speed = [0, 1, 2].map(|axis| (before[axis] - now[axis]) / delta);
                let is_known = delta > 0.0 && speed.iter().all(|it| it.is_finite());
                OfEffector {
                    off: now.map(|it| -it),
                    drift: if is_known { speed } else { [0.0; 3] },
                    target,
                }
            }));
        crossing.is_new = true;
        self.workspace.recall(&[]);
    }

    /// Draws the body and its effectors off the base pose and their targets.
    fn draw(&mut self, crossing: &Crossing, clock: Clock) {
        let (left, late) = (f64::from(clock.left), f64::from(clock.late));
        let decayed = |off: f64, drift: f64| off * left + drift * late;
        let workspace = &mut *self.workspace;
        let pose = crossing
            .pose
            .iter()
            .map(|&[off, drift]| decayed(off, drift));
        workspace.drawn.clear();
        workspace.drawn.extend(pose);
        workspace.drawn.resize(self.tree.len() + 2, 0.0);
        let effectors = crossing.effectors.iter().map(|it| {
            let [x, y, turn] = [0, 1, 2].map(|axis| decayed(it.off[axis], it.drift[axis]));
            Off {
                place: DVec2::new(x, y),
                turn,
            }
        });
        workspace.offs.clear();
        workspace.offs.extend(effectors);
        workspace.offs.resize(workspace.goals.len(), Off::default());
    }

    /// What is left for each effector: two coordinates, and an angle.
    fn missing(&self) -> impl Iterator<Item = [f64; 3]> {
        self.workspace.rows.iter().map(|rows| {
            let way = rows.way * self.size;
            [way.x, way.y, rows.turn / ARM]
        })
    }

    /// Where the targets are.
    fn targets(&self) -> impl Iterator<Item = [f64; 3]> {
        self.workspace.goals.iter().map(|goal| {
            let target = self.tree.tips[goal.tip].target;
            let angle = goal.heading.map_or(0.0, |it| angle_between(DVec2::X, it));
            [target.x, target.y, angle]
        })
    }
}
