//! The step towards the base pose that leaves tips and contacts where they are.

use glam::DVec2;

use crate::descent::step::{Descent, Emphasis, LEAST_DAMPING, SolveSpace};
use crate::kinematics::tree::Tree;
use crate::math::trigonometry::unit_vector;

/// Moves the joints towards the pose that is nearest to the base pose among those that leave tips
/// and contacts where they are. `part` says by how much the joint turns that turns most, in
/// radians, given how far it has to turn. Returns the number of steps, 0 or 1.
///
/// The step of the model is right in length only where the tips' paths are straight. So its length
/// is found by Newton's method along its direction, from the curvature of these paths. A move that
/// follows another is made conjugate to it (E. Polak and G. Ribière, 1969), unless
/// [`forget_moves`] was called in between.
pub(in crate::descent) fn settle(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
    emphasis: Emphasis,
    part: impl Fn(f64) -> f64,
) -> u32 {
    let mut descent = Descent::new(tree, workspace, emphasis);
    descent.measure();
    descent.linearize();
    descent.keep_tips();
    descent.desire_base_pose();
    if descent.solve_step(LEAST_DAMPING).is_none() {
        return 0;
    }
    descent.conjugate();
    let largest = descent.largest_turn();
    let length = descent.newton_length().min(1.0);
    let turn = part(length * largest);
    if turn <= 0.0 {
        return 0;
    }
    descent.take_step(turn / largest);
    descent.measure();
    1
}

/// Makes the next move towards the base pose one that follows no other.
pub(in crate::descent) fn forget_moves(workspace: &mut SolveSpace) {
    workspace.direction.clear();
}

impl Descent<'_> {
    /// Asks the tips to stay where they are.
    fn keep_tips(&mut self) {
        let rows = 2 * self.tree.tips.len();
        self.workspace.residuals[..rows].fill(0.0);
    }

    /// Desires the way to the base pose. The cost of the root's turn is periodic: the root has no
    /// reason to unwind.
    fn desire_base_pose(&mut self) {
        let swings = self.tree.nodes.iter().map(|node| match node.parent {
            None => -unit_vector(node.swing).y,
            Some(_) => -node.way_from_base(),
        });
        self.workspace.desire.clear();
        self.workspace.desire.extend(swings);
    }

    /// Makes the step conjugate to the last one.
    fn conjugate(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        let count = tree.nodes.len();
        let mut share = 0.0;
        if workspace.direction.len() == count {
            let (mut change, mut before) = (0.0, 0.0);
            for (index, node) in tree.nodes.iter().enumerate() {
                if node.compliance > 0.0 {
                    let (now, last) = (workspace.step[index], workspace.model[index]);
                    change += now * (now - last) / node.compliance;
                    before += last * last / node.compliance;
                }
            }
            if before > 0.0 {
                share = (change / before).clamp(0.0, 1.0);
            }
        } else {
            workspace.direction.clear();
            workspace.direction.resize(count, 0.0);
        }
        workspace.model.clone_from(&workspace.step);
        for (step, direction) in workspace.step.iter_mut().zip(&mut workspace.direction) {
            *step += share * *direction;
            *direction = *step;
        }
    }

    /// The length, as a part of the step, at which the function along the step is least: the
    /// distance to the base pose, with what the multipliers make of the tips' curved paths.
    fn newton_length(&self) -> f64 {
        let Self {
            tree, workspace, ..
        } = self;
        let mut gradient = 0.0;
        let mut curvature = 0.0;
        let steps = workspace.step.iter().zip(&workspace.model);
        for (node, (step, model)) in tree.nodes.iter().zip(steps) {
            if node.compliance > 0.0 {
                let square = step * step / node.compliance;
                gradient += model * step / node.compliance;
                curvature += match node.parent {
                    None => square * unit_vector(node.swing).x.max(0.0),
                    Some(_) => square,
                };
            }
        }
        for (index, tip) in tree.tips.iter().enumerate() {
            let root = (self.emphasis.tips * tip.weight).sqrt();
            let force = root * DVec2::from_slice(&workspace.multipliers[2 * index..]);
            // Joints nearer to the root see what those nearer to the tip do to it.
            let (mut velocity, mut acceleration) = (DVec2::ZERO, DVec2::ZERO);
            for joint in tree.path(tip.joint) {
                let node = &tree.nodes[joint];
                let step = workspace.step[joint];
                let own = step * node.velocity(tip.point);
                acceleration += step * (node.spin * (2.0 * velocity + own));
                velocity += own;
            }
            curvature += force.dot(acceleration);
        }
        if curvature > 0.0 {
            gradient / curvature
        } else {
            1.0
        }
    }
}
