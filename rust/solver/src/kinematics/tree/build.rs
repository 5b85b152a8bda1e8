//! Building a tree, joint by joint.

use std::f64::consts::{PI, TAU};

use glam::{DMat2, DVec2};

use crate::kinematics::limit_enforcement::{DirectionArc, Measure};
use crate::kinematics::tree::Tree;
use crate::kinematics::tree::input::{EffectorInput, JointInput};
use crate::kinematics::tree::limit_enforcement::clamp;
use crate::kinematics::tree::node::Node;
use crate::kinematics::tree::tip::Tip;
use crate::math::rotation::Rotation;
use crate::math::trigonometry::{angle_between, unit_vector};

impl Tree {
    /// Removes all joints, effectors and obstacles.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.tips.clear();
        self.obstacles.clear();
    }

    /// Appends a joint. Its parent comes before it.
    pub(crate) fn push(&mut self, joint: JointInput) {
        let unbounded = [f64::NEG_INFINITY, f64::INFINITY];
        let ([lower, upper], arc) = match joint.bound.filter(DirectionArc::has_ends) {
            None => (unbounded, None),
            Some(bound) => match bound.measure {
                Measure::Rotation => (near(bound.room(joint.base)), None),
                Measure::Heading => {
                    let middle = bound.direction_at(0.5).direction().as_dvec2();
                    (unbounded, Some((middle, f64::from(bound.half))))
                }
            },
        };
        let from = joint.base.direction().as_dvec2();
        let from = from / from.length();
        let stiffness = joint.bound.map_or(0.0, |bound| 1.0 - bound.weight);
        let mobility = 1.0 - f64::from(stiffness.clamp(0.0, 1.0));
        let parent = joint.parent;
        self.nodes.push(Node {
            parent,
            depth: parent.map_or(0, |parent| self.nodes[parent].depth + 1),
            offset: joint.offset.as_dvec2(),
            carry: joint.carry.as_dmat2(),
            far: 0.0,
            gain: 1.0,
            length: 0.0,
            base: joint.base,
            from,
            lower,
            upper,
            room: [lower, upper],
            held: [lower, upper],
            arc,
            mobility,
            compliance: mobility / f64::from(joint.cost),
            weight: 0.0,
            swing: 0.0,
            direction: from,
            point: DVec2::ZERO,
            basis: DMat2::IDENTITY,
            frame: DMat2::IDENTITY,
            spin: DMat2::IDENTITY,
        });
    }

    /// Appends an effector on a joint that is there already.
    pub(crate) fn push_effector(&mut self, effector: EffectorInput) {
        let target = effector.target.as_dvec2();
        self.tips.push(Tip {
            joint: effector.joint,
            position: effector.position.as_dvec2(),
            is_elastic: effector.is_elastic,
            wanted: target,
            goal: target,
            target,
            weight: f64::from(effector.weight.max(0.0)),
            point: DVec2::ZERO,
            far: 0.0,
        });
    }

    /// Points the X axis of a joint, before its bone's own scale, along a chain-space direction,
    /// as far as the joint's bounds allow.
    pub(crate) fn head(&mut self, joint: usize, direction: Rotation) {
        let node = &mut self.nodes[joint];
        let mut direction = direction.direction().as_dvec2();
        if let Some((middle, half)) = node.arc {
            let angle = angle_between(middle, direction);
            direction = unit_vector(clamp(angle, [-half, half])).rotate(middle);
        }
        node.arc = Some((direction, 0.0));
    }

    /// Makes every piece that can be lengthened `factor` times as long: those that end at a joint
    /// and those that end at an elastic tip. Call [`prepare`](Self::prepare) afterwards.
    pub(crate) fn lengthen(&mut self, factor: f64) {
        for node in &mut self.nodes {
            node.offset *= factor;
        }
        for tip in self.tips.iter_mut().filter(|tip| tip.is_elastic) {
            tip.position *= factor;
        }
    }
}

/// Bounds in radians, moved by whole rotations so that their middle is nearest to zero.
fn near(bounds: [f32; 2]) -> [f64; 2] {
    let [lower, upper] = bounds.map(f64::from);
    let middle = 0.5 * (lower + upper);
    let rotations = ((middle + PI) / TAU).floor() * TAU;
    [
        lower - rotations,
        (upper - rotations).max(lower - rotations),
    ]
}
