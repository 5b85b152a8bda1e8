//! Forward kinematics: poses of a tree, and where they put its joints and tips.

use glam::{DMat2, DVec2};

use crate::kinematics::tree::Tree;
use crate::kinematics::tree::node::Node;
use crate::math::angle::wrapped;

impl Tree {
    /// Puts every joint back to the base pose, or as near to it as its bounds allow.
    pub(crate) fn take_base_pose(&mut self) {
        for node in &mut self.nodes {
            node.swing_to(0.0);
        }
        self.place();
    }

    /// Swings each joint to the angle that `swings` has for it. Missing ones stay.
    pub(crate) fn take_pose(&mut self, swings: impl IntoIterator<Item = f64>) {
        for (node, swing) in self.nodes.iter_mut().zip(swings) {
            node.swing_to(swing);
        }
        self.place();
    }

    /// Takes whole turns out of the swings of joints without bounds that are beyond `most`. The
    /// pose stays the same.
    pub(crate) fn unwind(&mut self, most: f64) {
        for node in &mut self.nodes {
            if node.interval().is_none() && node.swing.abs() > most {
                node.swing = wrapped(node.swing);
            }
        }
    }

    /// Forward kinematics: where the joints' swings put the points.
    pub(crate) fn place(&mut self) {
        for index in 0..self.nodes.len() {
            self.mount_joint(index);
            self.turn_joint(index);
        }
        self.place_tips();
    }

    /// Puts a joint where its parent carries it.
    pub(crate) fn mount_joint(&mut self, index: usize) {
        if let Some(parent) = self.nodes[index].parent {
            let Node { point, frame, .. } = self.nodes[parent];
            let node = &mut self.nodes[index];
            node.point = point + frame * node.offset;
            node.basis = frame * node.carry;
        }
        let node = &mut self.nodes[index];
        let basis = node.basis;
        node.spin = if self.is_rigid {
            let sense = 1.0_f64.copysign(basis.determinant());
            DMat2::from_cols(DVec2::new(0.0, sense), DVec2::new(-sense, 0.0))
        } else {
            DMat2::from_cols(basis.y_axis, -basis.x_axis) * basis.inverse()
        };
    }

    /// Turns the frame of a joint as its swing says.
    pub(crate) fn turn_joint(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        node.enforce_arc();
        let along = node.direction;
        node.frame = node.basis * DMat2::from_cols(along, along.perp());
    }

    /// Places the tips when the joints are placed.
    pub(crate) fn place_tips(&mut self) {
        for tip in &mut self.tips {
            let node = &self.nodes[tip.joint];
            tip.point = node.point + node.frame * tip.position;
        }
    }
}
