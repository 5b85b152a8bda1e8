//! What prevents leaps: a pose that would leap is shown by a transition to it.

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

    /// Makes the present pose the destination. Returns the widest turn of a joint on the way there.
    pub(super) fn set_destination(&mut self) -> f64 {
        let memory = &mut *self.memory;
        // In every pass, because memories change places: a transition that needs it allocates
        // nothing.
        let missing = memory.swings.len().saturating_sub(memory.waypoint.len());
        memory.waypoint.reserve(missing);
        let mut widest = 0.0;
        memory.destination.clear();
        for (&shown, node) in memory.swings.iter().zip(&self.tree.nodes) {
            let shown = f64::from(shown);
            let turn = transition::turn_between(node, shown, node.swing);
            widest = f64::max(widest, turn.abs());
            memory.destination.push((shown + turn) as f32);
        }
        widest
    }

    /// Moves the pose that is shown on towards the destination, for the time of the pass.
    fn advance_transition(&mut self) {
        let memory = &mut *self.memory;
        take_pose(self.tree, &memory.swings);
        let mut left = self.delta;
        if !memory.waypoint.is_empty() {
            let (waypoint, order) = (&memory.waypoint, memory.order.curling());
            let step = transition::advance(self.tree, self.workspace, waypoint, order, left);
            left *= 1.0 - step.used;
            if step.has_arrived {
                take_pose(self.tree, &memory.waypoint);
                memory.order = memory.order.uncurling();
                memory.waypoint.clear();
            }
        }
        if memory.waypoint.is_empty() {
            let (end, order) = (&memory.destination, memory.order);
            let step = transition::advance(self.tree, self.workspace, end, order, left);
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
