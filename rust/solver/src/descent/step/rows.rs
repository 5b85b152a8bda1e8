//! The rows of the problem at the present pose: the residuals and their Jacobian.

use crate::descent::step::held::Tie;
use crate::descent::step::{Descent, Emphasis};

impl Descent<'_> {
    /// Fills residuals and Jacobian, and the Hessian where it is used.
    pub(super) fn linearize(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        let count = tree.nodes.len();
        let rows = 2 * tree.tips.len() + workspace.contacts.len();
        workspace.residuals.clear();
        workspace.jacobian.clear();
        workspace.jacobian.resize(rows * count, 0.0);
        for (index, tip) in tree.tips.iter().enumerate() {
            let root = (self.emphasis.tips * tip.weight).sqrt();
            let miss = root * tip.miss();
            workspace.residuals.extend([miss.x, miss.y]);
            for joint in tree.path(tip.joint) {
                let column = root * tree.nodes[joint].velocity(tip.point);
                let start = joint * rows + 2 * index;
                workspace.jacobian[start] = column.x;
                workspace.jacobian[start + 1] = column.y;
            }
        }
        self.linearize_contacts();
        if self.uses_hessian {
            self.fill_hessian();
        }
        self.list_ties();
    }

    /// Fills the residuals' part of the Hessian: second derivatives times residuals. For a point
    /// *q* below joint *k*, itself below joint *j*, the second derivative is `Sⱼ Sₖ (q − pₖ)` with
    /// `S = B ⟂ B⁻¹`.
    fn fill_hessian(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        let count = tree.nodes.len();
        workspace.hessian.clear();
        workspace.hessian.resize(count * count, 0.0);
        let Emphasis {
            tips: pull,
            contacts: push,
            ..
        } = self.emphasis;
        let tips = tree.tips.iter();
        let tips = tips.map(|tip| (tip.joint, tip.point, pull * tip.weight * tip.miss()));
        let contacts = workspace.contacts.iter().map(|contact| {
            let push = -push * contact.depth.max(0.0) * contact.way_out;
            (contact.joint, contact.point, push)
        });
        for (joint, point, force) in tips.chain(contacts) {
            for lower in tree.path(joint) {
                let velocity = tree.nodes[lower].velocity(point);
                for upper in tree.path(lower) {
                    let second = tree.nodes[upper].spin * velocity;
                    workspace.hessian[lower * count + upper] += force.dot(second);
                }
            }
        }
    }

    /// Lists how the joints that keep to an arc follow the others.
    fn list_ties(&mut self) {
        let Self {
            tree, workspace, ..
        } = self;
        workspace.ties.clear();
        if tree.is_unbounded {
            return;
        }
        for (joint, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent.filter(|_| node.has_arc()) {
                workspace.ties.extend(tree.path(parent).map(|above| Tie {
                    joint,
                    above,
                    rate: node.tie_to(&tree.nodes[above]),
                }));
            }
        }
    }
}
