//! What prevents leaps: a pose that would leap is shown by a transition to it.

use std::f64::consts::TAU;

use crate::descent::follow::{Follower, Showing};
use crate::descent::step::Workspace;
use crate::descent::transition::{self, take_pose};
use crate::kinematics::tree::Tree;
use crate::math::angle::wound_like;

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
        if showing == Showing::NewTransition {
            self.memory.end_transition();
        }
        if self.set_destination() <= AT_DESTINATION {
            self.show_at_once();
            return true;
        }
        if showing == Showing::NewTransition {
            transition::choose_route(self.tree, self.workspace, self.memory);
        }
        self.advance_transition();
        true
    }

    /// Shows the present pose at once. Returns whether it is another than before.
    fn show_at_once(&mut self) -> bool {
        self.memory.end_transition();
        let mut changed = false;
        for (shown, swing) in self.memory.swings.iter_mut().zip(self.tree.swings()) {
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
        let missing = memory.swings.len().saturating_sub(memory.waypoint.len());
        memory.waypoint.reserve(missing);
        // A whole turn that is taken out while it is seen may begin a little longer.
        let most = if memory.is_partial { 1.5 * TAU } else { TAU };
        let workspace = &mut *self.workspace;
        let shown = memory.swings.iter().map(|&swing| f64::from(swing));
        let ways = { self.tree.nodes.iter().zip(shown.clone()).enumerate() };
        let ways = ways.map(|(index, (node, shown))| {
            let way = transition::turn_between(node, shown, node.swing);
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

    /// Moves the pose that is shown on towards the destination, for the time of the pass.
    fn advance_transition(&mut self) {
        let memory = &mut *self.memory;
        take_pose(self.tree, &memory.swings);
        let mut left = self.delta;
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
            if step.has_arrived {
                memory.swings.clone_from(&memory.destination);
                memory.end_transition();
                take_pose(self.tree, &memory.swings);
                return;
            }
        }
        for (shown, swing) in memory.swings.iter_mut().zip(self.tree.swings()) {
            *shown = swing as f32;
        }
    }
}
