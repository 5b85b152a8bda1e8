//! How a body goes over to other effectors, other targets or other weights, if it has a duration for that.
//!
//! Whatever is exchanged, the pose that was shown is the solution of a problem in which the body is drawn to that pose
//! instead of the base pose, and each effector to where its tip is. From there on these offsets decay, by the law of
//! [`crate::solvers::handover`]. So nothing leaps, and what stays at its target is held there on the way.

use glam::DVec2;

use crate::math::angle::wrapped;
use crate::math::trigonometry::angle_between;
use crate::solvers::full_body::Time;
use crate::solvers::full_body::body::{Body, Goal, Off};
use crate::solvers::full_body::memory::{Crossing, FullBodyMemory, OfEffector, way_between};
use crate::solvers::full_body::step::{ARM, faded};
use crate::solvers::handover::Clock;

/// An effector that is nearer to its target, in sizes and radians, stays there.
const AT_TARGET: f64 = 1e-3;

impl Body<'_> {
    /// Notes what a pass has left.
    pub(super) fn note_pass(&self, memory: &mut FullBodyMemory, time: Time) {
        let is_kept = time.clock.is_some();
        if !is_kept || time.delta > 0.0 {
            let goes_on = is_kept && memory.fits(self.tree);
            memory.speed.clear();
            let ways = self
                .pose()
                .zip(&memory.pose)
                .enumerate()
                .filter(|_| goes_on);
            memory.speed.extend(ways.map(|(index, (now, before))| {
                let way = now - before;
                let way = if index < 2 { way } else { wrapped(way) };
                way / time.delta
            }));
            let goals = &self.workspace.goals;
            let count = if is_kept { 2 * goals.len() } else { 0 };
            let is_known = memory.weights.len() == count;
            memory.weights.resize(count, 0.0);
            for (before, goal) in memory.weights.chunks_exact_mut(2).zip(goals) {
                let rate = (goal.weight - before[0]) / time.delta;
                before.copy_from_slice(&[goal.weight, if is_known { rate } else { 0.0 }]);
            }
        }
        self.note(memory);
    }

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
            let goals = 0..self.workspace.goals.len();
            let targets = goals.map(|index| self.target(index));
            crossing.drift_on(targets, clock, time.delta);
        }
        self.draw(&memory.crossing, clock);
    }

    /// The body goes on as it moved.
    fn begin_crossing(&mut self, memory: &mut FullBodyMemory, delta: f64) {
        self.measure();
        let before: Vec<_> = self.shown().collect();
        memory.speed.resize(memory.pose.len(), 0.0);
        let ahead = memory.pose.iter().zip(&memory.speed);
        let ahead: Vec<_> = ahead.map(|(pose, speed)| pose + speed * delta).collect();
        self.take_pose(ahead);
        self.measure();
        let crossing = &mut memory.crossing;
        crossing.pose.clear();
        let pose = self.pose().zip(memory.speed.iter().copied());
        crossing.pose.extend(pose.map(|(off, drift)| [off, drift]));
        crossing.effectors.clear();
        for (index, (before, now)) in before.into_iter().zip(self.shown()).enumerate() {
            let rows = &self.workspace.rows[index];
            if rows.way.length() < AT_TARGET && rows.turn.abs() < ARM * AT_TARGET {
                crossing.effectors.push(OfEffector::default());
                continue;
            }
            let target = self.target(index);
            let drift = way_between(before, now).map(|it| it / delta);
            let is_known = delta > 0.0 && drift.iter().all(|it| it.is_finite());
            crossing.effectors.push(OfEffector {
                off: way_between(target, now),
                drift: if is_known { drift } else { [0.0; 3] },
                target,
            });
        }
        crossing.is_new = true;
        self.workspace.recall(&[]);
    }

    /// Draws the body and its effectors off the base pose and their targets.
    fn draw(&mut self, crossing: &Crossing, clock: Clock) {
        let (left, late) = (f64::from(clock.left), f64::from(clock.late));
        let decayed = |off: f64, drift: f64| off * left + drift * late;
        let drawn = &mut self.workspace.drawn;
        drawn.clear();
        drawn.extend(
            crossing
                .pose
                .iter()
                .map(|&[off, drift]| decayed(off, drift)),
        );
        drawn.resize(self.tree.len() + 2, 0.0);
        self.workspace.offs.clear();
        for index in 0..self.workspace.goals.len() {
            let going = crossing.effectors.get(index);
            let going = going.filter(|it| it.off != [0.0; 3]);
            let off = going.map_or_else(Off::default, |it| {
                let [x, y, turn] = [0, 1, 2].map(|axis| decayed(it.off[axis], it.drift[axis]));
                Off {
                    place: DVec2::new(x, y),
                    turn,
                }
            });
            self.workspace.offs.push(off);
        }
    }

    /// Returns the places of the tips of the effectors, in chain space, and the angles of their bones, in radians.
    fn shown(&self) -> impl Iterator<Item = [f64; 3]> {
        self.workspace
            .goals
            .iter()
            .enumerate()
            .map(|(index, goal)| {
                let tip = &self.tree.tips[goal.tip];
                let [x, y] = tip.point.to_array();
                let left = self.workspace.rows[index].turn / ARM;
                [x, y, angle_of_target(goal) - left]
            })
    }

    /// Returns the place of the target of an effector, in chain space, and its angle, in radians.
    fn target(&self, index: usize) -> [f64; 3] {
        let [x, y] = self.faded_target(index).to_array();
        [x, y, angle_of_target(&self.workspace.goals[index])]
    }

    fn faded_target(&self, index: usize) -> DVec2 {
        let goal = &self.workspace.goals[index];
        let target = self.tree.tips[goal.tip].target;
        target + (self.workspace.rests[index].place - target) * faded(goal.weight)
    }
}

/// The angle of a heading.
fn angle_of_target(goal: &Goal) -> f64 {
    goal.heading.map_or(0.0, |it| angle_between(DVec2::X, it))
}
