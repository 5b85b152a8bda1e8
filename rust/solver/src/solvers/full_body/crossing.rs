//! How a body goes over to other effectors, other targets or other weights, if it has a duration for that.
//!
//! Whatever is exchanged, the body goes over in the space of its joints: the pose that it goes to is solved beside the one
//! that is shown, and the offset from there to where it was decays by the law of [`crate::solvers::handover`]. Instead of
//! the base pose, the body is drawn to the pose on that way. Effectors that are at their targets are held there, and the
//! others do not count before the end. So nothing leaps, and no joint has to turn fast since a hand passes its shoulder.

use glam::DVec2;

use crate::kinematics::tree::Unsolvable;
use crate::math::angle::wrapped;
use crate::math::easing::Clock;
use crate::solvers::full_body::body::{Off, PosedBody};
use crate::solvers::full_body::memory::{Crossing, FullBodyMemory};
use crate::solvers::full_body::step::ARM;
use crate::solvers::full_body::{PATIENCE, STARTS, Time};

/// An effector that is nearer to its target, in sizes and radians, stays there.
const AT_TARGET: f64 = 1e-3;

impl PosedBody<'_> {
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
        self.note(&mut memory.pose, &mut memory.forces);
    }

    /// Finds what the body is drawn to, and which effectors count.
    pub(super) fn cross(
        &mut self,
        memory: &mut FullBodyMemory,
        goes_on: bool,
        time: Time,
        most: u32,
    ) -> Result<(), Unsolvable> {
        self.draw_to_base();
        let clock = time.clock.filter(|clock| goes_on && clock.left > 0.0);
        let crossing = &mut memory.crossing;
        let goes = crossing.fits(self.tree.len() + 2, self.workspace.goals.len());
        let Some(clock) = clock else {
            if goes {
                self.workspace.recall(&crossing.forces);
            }
            crossing.end();
            return Ok(());
        };
        if clock.begins && (clock.is_exchange || goes) {
            self.begin_crossing(memory, time.delta, most)?;
        } else if goes {
            self.follow_goal(crossing, clock, time.delta, most)?;
        } else {
            crossing.end();
            return Ok(());
        }
        self.draw(&memory.crossing, clock);
        self.take_pose(memory.pose.iter().copied());
        self.workspace.recall(&memory.forces);
        Ok(())
    }

    /// The body goes on as it moved, to the pose that it finds from there.
    fn begin_crossing(
        &mut self,
        memory: &mut FullBodyMemory,
        delta: f64,
        most: u32,
    ) -> Result<(), Unsolvable> {
        memory.speed.resize(memory.pose.len(), 0.0);
        let ahead = memory.pose.iter().zip(&memory.speed);
        let ahead: Vec<_> = ahead.map(|(pose, speed)| pose + speed * delta).collect();
        self.take_pose(ahead);
        self.measure();
        let from: Vec<_> = self.pose().collect();
        let crossing = &mut memory.crossing;
        let rows = self.workspace.rows.iter();
        crossing.holds.clear();
        crossing.holds.extend(
            rows.map(|rows| rows.way.length() < AT_TARGET && rows.turn.abs() < ARM * AT_TARGET),
        );
        self.find_goal(crossing, &from, most)?;
        crossing.pose.clear();
        for (index, (from, speed)) in from.into_iter().zip(&memory.speed).enumerate() {
            let off = self.way(index, crossing.goal[index], from);
            crossing.pose.push([off, *speed]);
        }
        crossing.is_new = true;
        Ok(())
    }

    /// Finds the pose that the body goes over to: the nearest to `from`, or if that does not reach, one in which what holds
    /// nothing begins elsewhere.
    fn find_goal(
        &mut self,
        crossing: &mut Crossing,
        from: &[f64],
        most: u32,
    ) -> Result<(), Unsolvable> {
        let bounds = std::mem::replace(&mut self.most, [f64::INFINITY; 2]);
        for start in 0..=STARTS {
            self.workspace.recall(&[]);
            if start > 0 {
                self.take_start(start);
                self.take_joints_that_hold(crossing, from);
            }
            self.descend(PATIENCE * most)?;
            let reaches = self.reaches();
            if reaches || start == 0 {
                self.note(&mut crossing.goal, &mut crossing.forces);
            }
            if reaches {
                break;
            }
        }
        self.most = bounds;
        self.take_pose(crossing.goal.iter().copied());
        self.measure();
        Ok(())
    }

    /// Puts the root, and the joints on the way from there to what is held, to where they are in the pose `from`.
    fn take_joints_that_hold(&mut self, crossing: &Crossing, from: &[f64]) {
        let tree = &mut *self.tree;
        let held = self.workspace.goals.iter().zip(&crossing.holds);
        for (goal, _) in held.filter(|(_, holds)| **holds) {
            let mut next = Some(tree.tips[goal.tip].joint);
            while let Some(joint) = next {
                tree.nodes[joint].swing_to(from[joint + 2]);
                next = tree.nodes[joint].parent;
            }
        }
        self.put_root(DVec2::new(from[0], from[1]) * self.size);
        self.tree.place();
    }

    /// The pose that the body goes over to moves with the targets and the animation.
    fn follow_goal(
        &mut self,
        crossing: &mut Crossing,
        clock: Clock,
        delta: f64,
        most: u32,
    ) -> Result<(), Unsolvable> {
        let before = std::mem::take(&mut crossing.goal);
        self.take_pose(before.iter().copied());
        self.workspace.recall(&crossing.forces);
        self.descend(most)?;
        self.note(&mut crossing.goal, &mut crossing.forces);
        if crossing.is_new && delta > 0.0 {
            let [by_off, by_drift] = clock.most.map(f64::from);
            for (index, [off, drift]) in crossing.pose.iter_mut().enumerate() {
                let speed = self.way(index, before[index], crossing.goal[index]) / delta;
                if speed.abs() <= (by_off * *off).abs().max((by_drift * *drift).abs()) {
                    *drift -= speed;
                }
                *drift += *off * f64::from(clock.slope);
            }
            crossing.is_new = false;
        }
        Ok(())
    }

    /// Returns the way of an unknown, the shorter one around where its joint may turn all round.
    fn way(&self, index: usize, from: f64, to: f64) -> f64 {
        let joint = index.checked_sub(2).map(|joint| &self.tree.nodes[joint]);
        match joint.is_some_and(|node| node.interval().is_none()) {
            true => wrapped(to - from),
            false => to - from,
        }
    }

    /// Draws the body to the base pose and its effectors to their targets.
    fn draw_to_base(&mut self) {
        let workspace = &mut *self.workspace;
        workspace.drawn.clear();
        workspace.drawn.resize(self.tree.len() + 2, 0.0);
        workspace.offs.clear();
        let goals = workspace.goals.len();
        workspace.offs.resize(goals, Some(Off::default()));
    }

    /// Draws the body to the pose on the way. What is held goes from its target to where its tip is at the end, if that is
    /// elsewhere: the body has just been measured there.
    fn draw(&mut self, crossing: &Crossing, clock: Clock) {
        let (left, late) = (f64::from(clock.left), f64::from(clock.late));
        let workspace = &mut *self.workspace;
        let ways = crossing.goal.iter().zip(&crossing.pose);
        let drawn = ways.map(|(goal, [off, drift])| goal + off * left + drift * late);
        workspace.drawn.clear();
        workspace.drawn.extend(drawn);
        let effectors = crossing.holds.iter().zip(&workspace.rows);
        workspace.offs.clear();
        workspace.offs.extend(effectors.map(|(holds, rows)| {
            holds.then(|| Off {
                place: rows.way * (-self.size * (1.0 - left)),
                turn: -rows.turn / ARM * (1.0 - left),
            })
        }));
    }
}
