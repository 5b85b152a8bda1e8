//! Forward kinematics: poses of a tree, and where they put its joints and tips.

use glam::{DMat2, DVec2};

use crate::kinematics::AT_TARGET;
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

    /// Has tips that are at their targets in the base pose reach for where they are, to the last bit. Otherwise a straight
    /// chain would turn by the root of what rounding leaves between the two. For a tree that has just been prepared.
    pub(crate) fn keep_tips_at_targets(&mut self) {
        if !self.is_unbounded {
            self.take_base_pose();
        }
        let near = AT_TARGET * self.span;
        for tip in &mut self.tips {
            if tip.point.distance(tip.wanted) <= near {
                (tip.wanted, tip.goal, tip.target) = (tip.point, tip.point, tip.point);
            }
        }
    }

    /// Swings each joint to the angle that `swings` has for it. Missing ones stay.
    pub(crate) fn take_pose(&mut self, swings: impl IntoIterator<Item = f64>) {
        self.swing_to(swings);
        self.place();
    }

    /// The same, but [`place`](Self::place) makes it effective.
    pub(crate) fn swing_to(&mut self, swings: impl IntoIterator<Item = f64>) {
        for (node, swing) in self.nodes.iter_mut().zip(swings) {
            node.swing_to(swing);
        }
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
        let is_rigid = self.is_rigid;
        // Most joints are carried by the one before them: it is still at hand.
        let mut before = (DVec2::ZERO, DMat2::IDENTITY);
        for index in 0..self.nodes.len() {
            let carrier = self.nodes[index].parent.map(|parent| {
                let above = &self.nodes[parent];
                match parent + 1 == index {
                    true => before,
                    false => (above.point, above.frame),
                }
            });
            let node = &mut self.nodes[index];
            node.mount(carrier, is_rigid);
            node.turn();
            before = (node.point, node.frame);
        }
        self.place_tips();
    }

    /// Finds how points move when joints turn in a rigid tree: by a quarter turn to the side that depends on which joints
    /// are mirrored, in every pose.
    pub(super) fn find_rigid_spins(&mut self) {
        for index in 0..self.nodes.len() {
            let node = &self.nodes[index];
            let sense = match node.parent {
                None => 1.0_f64.copysign(node.basis.determinant()),
                Some(parent) => {
                    let above = self.nodes[parent].spin.x_axis.y;
                    above.copysign(above * node.carry.determinant())
                }
            };
            self.nodes[index].spin =
                DMat2::from_cols(DVec2::new(0.0, sense), DVec2::new(-sense, 0.0));
        }
    }

    /// Puts a joint where its parent carries it.
    pub(crate) fn mount_joint(&mut self, index: usize) {
        let parent = self.nodes[index].parent.map(|parent| &self.nodes[parent]);
        let carrier = parent.map(|parent| (parent.point, parent.frame));
        self.nodes[index].mount(carrier, self.is_rigid);
    }

    /// Turns the frame of a joint as its swing says.
    pub(crate) fn turn_joint(&mut self, index: usize) {
        self.nodes[index].turn();
    }

    /// Places the tips when the joints are placed.
    pub(crate) fn place_tips(&mut self) {
        for tip in &mut self.tips {
            let node = &self.nodes[tip.joint];
            tip.point = node.point + node.frame * tip.position;
        }
    }
}

impl Node {
    /// Puts the joint where its parent, whose place and frame are given, carries it.
    #[inline(always)]
    fn mount(&mut self, carrier: Option<(DVec2, DMat2)>, is_rigid: bool) {
        if let Some((point, frame)) = carrier {
            self.point = point + frame * self.offset;
            self.basis = frame * self.carry;
        }
        if !is_rigid {
            let basis = self.basis;
            self.spin = DMat2::from_cols(basis.y_axis, -basis.x_axis) * basis.inverse();
        }
    }

    /// Turns its frame as its swing says.
    #[inline(always)]
    fn turn(&mut self) {
        if self.has_arc() {
            self.enforce_arc();
        }
        let along = self.direction;
        self.frame = self.basis * DMat2::from_cols(along, along.perp());
    }
}
