//! What prevents leaps: a pose that would leap is shown by a transition to it.

use std::f64::consts::TAU;

use crate::descent::follow::{Follower, Showing};
use crate::descent::step::Workspace;
use crate::descent::transition::{self, take_pose};
use crate::kinematics::tree::Tree;

/// A limb may move at once by this factor times as far as its targets have moved.
const LEAP: f64 = 4.0;

/// What rounding may add to that, as a part of the span.
const LEAP_ROUNDING: f64 = 1e-6;

/// A joint has arrived at its destination when it is nearer than this, in radians.
const AT_DESTINATION: f64 = 1e-6;

impl<Find: FnMut(&mut Tree, &mut Workspace) -> u32> Follower<'_, Find> {
    /// Whether a point of the limb is farther from where it was shown than the time and a
    /// `target_motion` allow.
    pub(super) fn leaps(&self, target_motion: f64) -> bool {
        let allowed = (transition::SPEED * self.delta * self.tree.span).max(LEAP * target_motion);
        let moved = transition::farthest_from(self.tree, &self.workspace.points_before);
        moved > allowed + LEAP_ROUNDING * self.tree.span
    }

    /// Shows the present pose. Returns whether the next pass would move something.
    pub(super) fn show(&mut self, showing: Showing) -> bool {
        if showing == Showing::AtOnce {
            return self.show_at_once();
        }
        self.note_rates(showing);
        if showing == Showing::NewTransition {
            self.memory.end_transition();
        }
        if self.set_destination() <= AT_DESTINATION && showing == Showing::NewTransition {
            self.show_at_once();
            return true;
        }
        if showing == Showing::NewTransition {
            if transition::param(9) == 3.0 && !self.tree.obstacles.is_empty() { self.memory.rates.fill(0.0); }
            transition::choose_route(self.tree, self.workspace, self.memory);
        }
        self.advance_transition(showing);
        true
    }

    /// Shows the present pose at once. Returns whether it is another than before.
    fn show_at_once(&mut self) -> bool {
        let is_free = self.is_free_chain();
        let memory = &mut *self.memory;
        if self.delta > 0.0 && !is_free {
            let pairs = self.tree.nodes.iter().zip(&memory.swings);
            let ways = pairs.map(|(node, &from)| transition::turn_between(node, from.into(), node.swing));
            memory.rates.clear();
            memory.rates.extend(ways.map(|way| (way / self.delta) as f32));
        }
        memory.end_transition();
        let mut changed = false;
        for (shown, swing) in memory.swings.iter_mut().zip(self.tree.swings()) {
            let swing = swing as f32;
            changed |= shown.to_bits() != swing.to_bits();
            *shown = swing;
        }
        changed
    }

    /// Notes how fast the exact pose turns. Of one that has leapt that is not known.
    fn note_rates(&mut self, showing: Showing) {
        let is_known = showing == Showing::OngoingTransition
            && self.delta > 0.0
            && !self.memory.is_given_pose();
        let rates = &mut self.workspace.pursuit.goal_rates;
        rates.clear();
        let pairs = self.tree.nodes.iter().zip(&self.memory.destination);
        rates.extend(pairs.map(|(node, &from)| match is_known {
            true => transition::turn_between(node, from.into(), node.swing) / self.delta,
            false => 0.0,
        }));
    }

    /// Makes the present pose the destination. Joints without bounds go there by the shorter way
    /// around from the pose that is shown, and by the way that they have begun in a transition: if
    /// they came with another whole turn, settling could unwind it and end at the former pose.
    /// Returns the widest turn of a joint on the way there. The turns are in the workspace.
    pub(super) fn set_destination(&mut self) -> f64 {
        let memory = &mut *self.memory;
        // In every pass, because memories change places: a transition that needs it allocates
        // nothing.
        for kept in [&mut memory.waypoint, &mut memory.rates] {
            kept.reserve(memory.swings.len().saturating_sub(kept.len()));
        }
        let workspace = &mut *self.workspace;
        let shown = memory.swings.iter().map(|&swing| f64::from(swing));
        let ways = { self.tree.nodes.iter().zip(shown.clone()).enumerate() };
        let ways = ways.map(|(index, (node, shown))| {
            let way = transition::turn_between(node, shown, node.swing);
            match memory.destination.get(index) {
                Some(&end) if node.interval().is_none() => {
                    let begun = transition::wound_like(f64::from(end) - shown, way);
                    if begun.abs() < TAU { begun } else { way }
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

    /// Moves the pose that is shown on towards the destination, for the time of the pass.
    fn advance_transition(&mut self, showing: Showing) {
        let memory = &mut *self.memory;
        take_pose(self.tree, &memory.swings);
        if self.delta <= 0.0 {
            return;
        }
        if transition::param(9) == 3.0 && !self.tree.obstacles.is_empty() && showing == Showing::NewTransition { memory.rates.fill(0.0); }
        let pursuit = &mut self.workspace.pursuit;
        pursuit.begin(&memory.swings, &memory.rates, memory.is_hasty);
        let mut route = (&memory.waypoint[..], memory.order);
        transition::TRACING.set(true);
        let has_arrived = pursuit.advance_on(self.tree, &mut route, &memory.destination, self.delta);
        transition::TRACING.set(false);
        memory.order = route.1;
        if route.0.is_empty() {
            memory.waypoint.clear();
        }
        memory.rates.clear();
        if has_arrived {
            memory.rates.extend(pursuit.goal_rates.iter().map(|&rate| rate as f32));
            memory.swings.clone_from(&memory.destination);
            memory.end_transition();
            take_pose(self.tree, &memory.swings);
            return;
        }
        memory.rates.extend(pursuit.rates.iter().map(|&rate| rate as f32));
        for (shown, swing) in memory.swings.iter_mut().zip(self.tree.swings()) {
            *shown = swing as f32;
        }
    }
}
