//! How shapes push a chain: several shapes and several bones at once.
//!
//! Each bone within a shape, or near one, is a contact. All of them are rows of the same problem, so a joint
//! that two shapes push gives way to both. Contacts push and never pull: which of them count is found together
//! with which joints are held at a bound, in rounds.

use crate::descent::step::Descent;
use crate::descent::step::active_set::PATIENT_ROUNDS;
use crate::kinematics::contact;

/// The distance within which shapes are foreseen, as a part of the span.
const FORESIGHT: f64 = 0.02;

impl Descent<'_> {
    /// Gathers the contacts of the present pose and evaluates the function.
    pub(super) fn measure(&mut self) -> f64 {
        let contacts = &mut self.workspace.contacts;
        if self.emphasis.contacts > 0.0 {
            let foresight = if self.emphasis.guarded {
                FORESIGHT * self.tree.span
            } else {
                0.0
            };
            contact::gather(self.tree, foresight, contacts);
        } else {
            contacts.clear();
        }
        self.emphasis.cost(self.tree, &self.workspace.contacts)
    }

    /// Fills the rows of the contacts, after those of the tips.
    pub(super) fn linearize_contacts(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        let first = 2 * tree.tips.len();
        let rows = first + workspace.contacts.len();
        let root = self.emphasis.contacts.sqrt();
        for (index, contact) in workspace.contacts.iter().enumerate() {
            workspace.residuals.push(root * contact.depth);
            for joint in tree.path(contact.joint) {
                let velocity = tree.nodes[joint].velocity(contact.point);
                let start = joint * rows + first + index;
                workspace.jacobian[start] = -root * contact.way_out.dot(velocity);
            }
        }
    }

    /// Lets the contacts count that are violated before the step. Tips always do.
    pub(super) fn count_violated(&mut self) {
        let workspace = &mut self.workspace;
        let tips = 2 * self.tree.tips.len();
        workspace.counts.clear();
        workspace.counts.resize(tips, true);
        let contacts = workspace.residuals[tips..].iter();
        workspace.counts.extend(contacts.map(|&depth| depth > 0.0));
    }

    /// Lets contacts count that the step would violate, and no longer those that would pull.
    pub(super) fn revise_contacts(&mut self, round: usize) -> bool {
        let Self {
            tree, workspace, ..
        } = self;
        let rows = workspace.residuals.len();
        let tips = 2 * tree.tips.len();
        let mut changed = false;
        for row in tips..rows {
            if workspace.counts[row] {
                let pulls = !self.uses_hessian && workspace.multipliers[row] < 0.0;
                if pulls && round < PATIENT_ROUNDS {
                    workspace.counts[row] = false;
                    changed = true;
                }
                continue;
            }
            let steps = workspace.step.iter().enumerate();
            let motion: f64 = steps
                .map(|(joint, step)| workspace.jacobian[joint * rows + row] * step)
                .sum();
            if workspace.residuals[row] + motion > 0.0 {
                workspace.counts[row] = true;
                changed = true;
            }
        }
        changed
    }
}
