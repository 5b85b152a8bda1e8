//! What prevents leaps: a pose that would leap is shown by a transition to it.

use std::f64::consts::TAU;

use crate::descent::follow::{Follower, Showing};
use crate::descent::memory::Order;
use crate::descent::reaching;
use crate::descent::step::SolveSpace;
use crate::descent::transition::{self, take_pose, turn_between};
use crate::kinematics::tree::Tree;
use crate::math::angle::{wound_like, wrapped};

/// The distance that rounding may add to the motion that is allowed at once, as a part of the span.
const LEAP_ROUNDING: f64 = 1e-6;

/// A joint has arrived at its destination when it is nearer than this, in radians.
const AT_DESTINATION: f64 = 1e-6;

/// A way that takes longer than this, in seconds, is gone at full speed from the first moment on: targets at rest are reached
/// within half a second. A look goes over sooner.
const LONG: f64 = 0.5;
const LONG_LOOK: f64 = 0.4;

/// A tip that is nearer to its target than this part of the span is carried by it.
const CARRIED_WITHIN: f64 = 1e-3;

impl<Find: FnMut(&mut Tree, &mut SolveSpace) -> u32> Follower<'_, Find> {
    /// Returns `true` if a point of the limb is farther from where it was shown than the time and a `target_motion`
    /// allow.
    pub(super) fn leaps(&self, target_motion: f64) -> bool {
        let speeds = self.workspace.pursuit.speeds;
        let allowed = speeds.at_once(self.delta, target_motion / self.tree.span);
        let moved = transition::farthest_from(self.tree, &self.workspace.points_before);
        moved > (allowed + LEAP_ROUNDING) * self.tree.span
    }

    /// Returns `true` if a point of the limb starts or stops dead in the present pose. So it may where targets carry
    /// all tips, since these would leave them, and among obstacles, where a limb is the longer inside them the slower
    /// it goes through.
    pub(super) fn starts_dead(&mut self) -> bool {
        let is_known = self.delta > 0.0
            && self.memory.rates.len() == self.tree.len()
            && !self.memory.is_partial;
        if !is_known || !self.tree.obstacles.is_empty() || self.is_carried() {
            return false;
        }
        let SolveSpace { pursuit, start, .. } = &mut *self.workspace;
        reaching::remember(self.tree, start);
        pursuit.begin(&self.memory.swings, &self.memory.rates);
        pursuit.aim(self.tree, &self.memory.swings, self.delta);
        let starts_dead = pursuit.starts_dead(self.tree, self.delta);
        self.tree.take_pose(start.iter().copied());
        starts_dead
    }

    /// Returns `true` if all tips were at their targets in the last pass, and are in this one.
    fn is_carried(&self) -> bool {
        let near = CARRIED_WITHIN * self.tree.span;
        let mut misses = self.memory.misses.iter();
        let mut tips = self.tree.tips.iter();
        misses.all(|miss| f64::from(miss.length()) <= near)
            && tips.all(|tip| tip.miss().length() <= near)
    }

    /// Shows the present pose. Returns whether the next pass would move something.
    pub(super) fn show(&mut self, showing: Showing) -> bool {
        if showing == Showing::AtOnce {
            return self.show_at_once();
        }
        let memory = &mut *self.memory;
        let pursuit = &mut self.workspace.pursuit;
        pursuit.begin(&memory.swings, &memory.rates);
        if showing == Showing::NewTransition {
            // Of a pose that has leapt it is not known how fast it turns.
            memory.end_transition();
        } else {
            pursuit.aim(self.tree, memory.aimed(self.tree.len()), self.delta);
        }
        let way = self.set_destination();
        if showing == Showing::NewTransition {
            if way <= AT_DESTINATION {
                self.show_at_once();
                return true;
            }
            let seconds = transition::choose_route(self.tree, self.workspace, self.memory);
            self.begin_leader(seconds);
        }
        self.advance_transition();
        true
    }

    /// Shows the present pose at once. Returns whether it is another than before.
    fn show_at_once(&mut self) -> bool {
        let memory = &mut *self.memory;
        memory.end_transition();
        if self.delta > 0.0 {
            let pairs = self.tree.swings().zip(&memory.swings);
            let ways = pairs.map(|(now, &before)| wrapped(now - f64::from(before)));
            memory.rates.clear();
            let rates = ways.map(|way| (way / self.delta) as f32);
            memory.rates.extend(rates);
        }
        let mut changed = false;
        for (shown, swing) in memory.swings.iter_mut().zip(self.tree.swings()) {
            let swing = swing as f32;
            changed |= shown.to_bits() != swing.to_bits();
            *shown = swing;
        }
        changed
    }

    /// Makes the present pose the destination. Joints without bounds go there by the shorter way
    /// around from the pose that is shown, and by the way that they have begun in a transition: if
    /// they came with another whole turn, settling could unwind it and end at the former pose.
    /// Returns the widest turn of a joint on the way there.
    pub(super) fn set_destination(&mut self) -> f64 {
        let memory = &mut *self.memory;
        // In every pass, because memories change places: a transition that needs it allocates
        // nothing.
        for pose in [&mut memory.waypoint, &mut memory.leader] {
            pose.reserve(memory.swings.len().saturating_sub(pose.len()));
        }
        // A whole turn that is taken out while it is seen may begin a little longer.
        let most = if memory.is_partial { 1.5 * TAU } else { TAU };
        let workspace = &mut *self.workspace;
        let shown = memory.swings.iter().map(|&swing| f64::from(swing));
        let ways = { self.tree.nodes.iter().zip(shown.clone()).enumerate() };
        let ways = ways.map(|(index, (node, shown))| {
            let way = turn_between(node, shown, node.swing);
            match memory.destination.get(index) {
                Some(&end) if node.interval().is_none() => {
                    let begun = wound_like(f64::from(end) - shown, way);
                    if begun.abs() < most { begun } else { way }
                }
                _ => way,
            }
        });
        let (places, turns) = (&workspace.shown_places_in_arcs, &mut workspace.turns);
        let widest = transition::measure_turns(self.tree, ways, places, turns);
        memory.destination.clear();
        let ends = { shown.zip(&*turns) }.map(|(shown, turn)| (shown + turn) as f32);
        memory.destination.extend(ends);
        widest
    }

    /// Moves the pose that is shown on towards the destination, for the time of the pass: after the leader, if there is one.
    fn advance_transition(&mut self) {
        if self.delta <= 0.0 {
            take_pose(self.tree, &self.memory.swings);
            return;
        }
        if !self.memory.leader.is_empty() {
            self.advance_leader();
        }
        let memory = &mut *self.memory;
        let pursuit = &mut self.workspace.pursuit;
        let is_led = !memory.leader.is_empty();
        let goal = if is_led {
            &memory.leader
        } else {
            &memory.destination
        };
        let is_there = match memory.is_hasty {
            true => pursuit.arrive(self.tree, goal),
            false => pursuit.advance(self.tree, goal, is_led, self.delta),
        };
        memory.swings.clear();
        memory
            .swings
            .extend(pursuit.shown.iter().map(|&swing| swing as f32));
        memory.rates.clear();
        memory
            .rates
            .extend(pursuit.rates.iter().map(|&rate| rate as f32));
        if is_there && !is_led {
            memory.end_transition();
        }
    }

    /// Begins a leader, unless all joints go straight to the destination together. It is shown itself among obstacles, where
    /// a limb is the longer inside them the slower it goes, where the way takes so many `seconds` at full speed that the limb
    /// would be late, and where only a part is shown, which a handover smooths and ends in time.
    fn begin_leader(&mut self, seconds: f64) {
        let memory = &mut *self.memory;
        let most = if self.is_closed_form { LONG_LOOK } else { LONG };
        let is_late = memory.is_partial || seconds > most;
        memory.is_hasty = is_late || !self.tree.obstacles.is_empty();
        let is_straight = memory.order == Order::Together && memory.waypoint.is_empty();
        if memory.is_hasty || !is_straight {
            memory.leader.extend_from_slice(&memory.swings);
        }
    }

    /// Moves the leader on by its route, at full speed.
    fn advance_leader(&mut self) {
        let memory = &mut *self.memory;
        take_pose(self.tree, &memory.leader);
        let mut left = self.delta;
        let mut has_arrived = false;
        if !memory.waypoint.is_empty() {
            let (waypoint, order) = (&memory.waypoint, memory.order.curling());
            let step = transition::advance(self.tree, self.workspace, waypoint, order, left, 1.0);
            left *= 1.0 - step.used;
            if step.has_arrived {
                take_pose(self.tree, &memory.waypoint);
                memory.order = memory.order.uncurling();
                memory.waypoint.clear();
            }
        }
        if memory.waypoint.is_empty() {
            let (end, order) = (&memory.destination, memory.order);
            let step = transition::advance(self.tree, self.workspace, end, order, left, 1.0);
            has_arrived = step.has_arrived;
        }
        let pursuit = &mut self.workspace.pursuit;
        pursuit.aim(self.tree, &memory.leader, self.delta);
        memory.leader.clear();
        if !has_arrived {
            memory
                .leader
                .extend(self.tree.swings().map(|swing| swing as f32));
        }
    }
}
