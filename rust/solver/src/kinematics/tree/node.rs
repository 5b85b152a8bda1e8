//! One joint of a tree: how far it has swung, and where it is.

use glam::{DMat2, DVec2};

use crate::math::angle::wrapped;
use crate::math::rotation::Rotation;
use crate::math::trigonometry::{small_rotation, unit_vector};

/// A joint and its present place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    /// The number of joints that carry this one.
    pub(crate) depth: u32,
    pub(super) offset: DVec2,
    pub(super) carry: DMat2,
    /// Upper bound of the distance from the root to the joint.
    pub(super) far: f64,
    /// Upper bound of the factor by which the joint's frame lengthens anything.
    pub(super) gain: f64,
    /// Length of the line of bones from the root to the joint in the base pose.
    pub(super) length: f64,
    pub(crate) base: Rotation,
    /// `base` at full precision.
    pub(super) from: DVec2,
    /// The bounds of the swing, in the present frame.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// The bounds of the swing that hold in any frame.
    pub(super) room: [f64; 2],
    /// The part of `room` that a joint with a heading may use in this pass.
    pub(super) held: [f64; 2],
    /// The middle of the arc of directions that the X axis keeps to, and half its width in
    /// radians.
    pub(super) arc: Option<(DVec2, f64)>,
    /// 1 − stiffness.
    pub(crate) mobility: f64,
    /// The angle by which the joint turns for a unit of torque: mobility divided by cost.
    pub(crate) compliance: f64,
    /// The summed weights of all effectors that the joint carries.
    pub(crate) weight: f64,
    /// Radians that the joint has turned from the base pose.
    pub(crate) swing: f64,
    /// `from`, rotated by `swing`: the present rotation in the joint's frame as a unit vector.
    pub(crate) direction: DVec2,
    /// The position of the joint, in chain space.
    pub(crate) point: DVec2,
    /// `B`: the frame that the joint turns in.
    pub(crate) basis: DMat2,
    /// `B R`: the frame that turns with the joint.
    pub(crate) frame: DMat2,
    /// `B ⟂ B⁻¹`: makes of a vector from the joint to a point that it carries the velocity of
    /// that point per radian.
    pub(crate) spin: DMat2,
}

impl Node {
    /// Swings the joint to `swing`, clamped to its bounds. `Tree::place` makes it effective.
    pub(crate) fn swing_to(&mut self, swing: f64) {
        let swing = self.clamp_to_bounds(swing);
        if swing != self.swing {
            self.swing = swing;
            self.direction = self.from.rotate(unit_vector(swing));
        }
    }

    /// Swings the joint by `step`, clamped to its bounds. `Tree::place` makes it effective.
    pub(crate) fn swing_by(&mut self, step: f64) {
        let swing = self.clamp_to_bounds(self.swing + step);
        let step = swing - self.swing;
        match small_rotation(step) {
            Some(rotation) => {
                self.swing = swing;
                let turned = self.direction.rotate(rotation);
                self.direction = turned * (1.5 - 0.5 * turned.length_squared());
            }
            None => self.swing_to(swing),
        }
    }

    /// Returns the angle of the joint from the base pose, in radians. A joint that keeps to an arc of directions winds
    /// up as those above it turn, and cannot turn back: whole turns do not count.
    pub(crate) fn way_from_base(&self) -> f64 {
        match self.place_in_arc() {
            Some(_) => wrapped(self.swing),
            None => self.swing,
        }
    }

    /// Returns the velocity of a point that the joint carries when the joint turns, per radian.
    pub(crate) fn velocity(&self, point: DVec2) -> DVec2 {
        self.spin * (point - self.point)
    }
}
