//! What is shown of the pose that was found: all of it, or a swing over to it.

use crate::descent::follow::Pass;
use crate::descent::step::Workspace;
use crate::descent::swing::{self, take_pose};
use crate::kinematics::tree::Tree;

/// How much farther than its target has leapt a limb may move at once.
const LEAP: f64 = 4.0;

/// A joint nearer than this, in radians, to where it swings to is there.
const THERE: f64 = 1e-6;

impl<Find: FnMut(&mut Tree, &mut Workspace) -> u32> Pass<'_, Find> {
    /// Whether a point of the limb has moved farther than the time and its targets' own motion
    /// allow.
    pub(super) fn leaps(&self, demand: f64) -> bool {
        let allowed = (swing::SPEED * self.delta * self.tree.span).max(LEAP * demand);
        swing::farthest_from(self.tree, &self.workspace.places) > allowed + THERE * self.tree.span
    }

    /// Shows the present pose. Returns whether it is another than before.
    pub(super) fn show(&mut self) -> bool {
        self.memory.stay();
        let mut changed = false;
        for (shown, swing) in self.memory.swings.iter_mut().zip(self.tree.swings()) {
            let swing = swing as f32;
            changed |= shown.to_bits() != swing.to_bits();
            *shown = swing;
        }
        changed
    }

    /// Takes the present pose for the branch. Returns the widest turn of a joint on the way there.
    pub(super) fn aim_at_present_pose(&mut self) -> f64 {
        let memory = &mut *self.memory;
        // In every pass, because memories change places: a swing that needs it allocates nothing.
        let missing = memory.swings.len().saturating_sub(memory.waypoint.len());
        memory.waypoint.reserve(missing);
        let mut widest = 0.0;
        memory.branch.clear();
        for (&shown, node) in memory.swings.iter().zip(&self.tree.nodes) {
            let shown = f64::from(shown);
            let way = swing::way(node, shown, node.swing);
            widest = f64::max(widest, way.abs());
            memory.branch.push((shown + way) as f32);
        }
        widest
    }

    /// Takes the present pose for the branch, and swings the pose that is shown towards it, on a
    /// new route if that `begins`. Returns whether it goes on.
    pub(super) fn swing_over(&mut self, begins: bool) -> bool {
        if self.aim_at_present_pose() <= THERE {
            self.show();
            return true;
        }
        let memory = &mut *self.memory;
        if begins {
            swing::choose(self.tree, self.workspace, memory);
        }
        take_pose(self.tree, &memory.swings);
        let mut left = self.delta;
        if !memory.waypoint.is_empty() {
            let order = memory.order.curling();
            let step = swing::advance(self.tree, self.workspace, &memory.waypoint, order, left);
            left *= 1.0 - step.used;
            if step.is_there {
                take_pose(self.tree, &memory.waypoint);
                memory.order = memory.order.uncurling();
                memory.waypoint.clear();
            }
        }
        if memory.waypoint.is_empty() {
            let step = swing::advance(
                self.tree,
                self.workspace,
                &memory.branch,
                memory.order,
                left,
            );
            if step.is_there {
                memory.swings.clone_from(&memory.branch);
                memory.stay();
                take_pose(self.tree, &memory.swings);
                return true;
            }
        }
        for (shown, swing) in memory.swings.iter_mut().zip(self.tree.swings()) {
            *shown = swing as f32;
        }
        true
    }
}
