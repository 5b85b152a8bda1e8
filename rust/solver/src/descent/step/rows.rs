//! The rows of the problem at the present pose: what is left to do, and how it changes when joints turn.

use crate::descent::step::held::Tie;
use crate::descent::step::{Descent, Emphasis};
use crate::kinematics::contact;

/// How near a shape is foreseen, as a part of the span.
const FORESIGHT: f64 = 0.02;

impl Descent<'_> {
    /// Gathers the contacts of the present pose and evaluates the function.
    pub(super) fn measure(&mut self) -> f64 {
        let contacts = &mut self.space.contacts;
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
        self.emphasis.cost(self.tree, &self.space.contacts)
    }

    /// Fills residuals, Jacobian and gradient, and the curvature where it is used.
    pub(super) fn linearize(&mut self) {
        let Self { tree, space, .. } = self;
        let count = tree.nodes.len();
        let rows = 2 * tree.tips.len() + space.contacts.len();
        space.residuals.clear();
        space.jacobian.clear();
        space.jacobian.resize(rows * count, 0.0);
        for (index, tip) in tree.tips.iter().enumerate() {
            let root = (self.emphasis.tips * tip.weight).sqrt();
            let miss = root * tip.miss();
            space.residuals.extend([miss.x, miss.y]);
            for joint in tree.path(tip.joint) {
                let column = root * tree.nodes[joint].velocity(tip.point);
                let start = joint * rows + 2 * index;
                space.jacobian[start] = column.x;
                space.jacobian[start + 1] = column.y;
            }
        }
        let root = self.emphasis.contacts.sqrt();
        for (index, contact) in space.contacts.iter().enumerate() {
            space.residuals.push(root * contact.depth);
            for joint in tree.path(contact.joint) {
                let velocity = tree.nodes[joint].velocity(contact.point);
                let start = joint * rows + 2 * tree.tips.len() + index;
                space.jacobian[start] = -root * contact.way_out.dot(velocity);
            }
        }
        if self.curved {
            self.bend();
        }
        self.tie();
    }

    /// Fills the second derivatives times their residuals. For a point *q* below joint *k*,
    /// itself below joint *j*, the second derivative is `Sⱼ Sₖ (q − pₖ)` with `S = B ⟂ B⁻¹`.
    fn bend(&mut self) {
        let Self { tree, space, .. } = self;
        let count = tree.nodes.len();
        space.curvature.clear();
        space.curvature.resize(count * count, 0.0);
        let Emphasis {
            tips: pull,
            contacts: push,
            ..
        } = self.emphasis;
        let tips = tree.tips.iter();
        let tips = tips.map(|tip| (tip.joint, tip.point, pull * tip.weight * tip.miss()));
        let contacts = space.contacts.iter().map(|contact| {
            let push = -push * contact.depth.max(0.0) * contact.way_out;
            (contact.joint, contact.point, push)
        });
        for (joint, point, force) in tips.chain(contacts) {
            for lower in tree.path(joint) {
                let velocity = tree.nodes[lower].velocity(point);
                for upper in tree.path(lower) {
                    let second = tree.nodes[upper].spin * velocity;
                    space.curvature[lower * count + upper] += force.dot(second);
                }
            }
        }
    }

    /// Lists how the joints that keep to an arc follow the others.
    fn tie(&mut self) {
        let Self { tree, space, .. } = self;
        space.ties.clear();
        if tree.is_unbounded {
            return;
        }
        for (joint, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent.filter(|_| node.has_arc()) {
                space.ties.extend(tree.path(parent).map(|above| Tie {
                    joint,
                    above,
                    rate: node.tie_to(&tree.nodes[above]),
                }));
            }
        }
    }
}
