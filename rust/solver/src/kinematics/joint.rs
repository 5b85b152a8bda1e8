//! One joint in chain space, for the solvers in closed form.
//!
//! The joint turns by `R` about its own origin in a frame `B`. Seen from the joint before it turns,
//! the next joint is at the constant [`offset`](Joint::offset) and has the constant frame
//! [`carry`](Joint::carry). These contain the bone's own skew and scale, and any rigid bones up to
//! the next joint. To point its segment along a direction *d*, whatever `B` is, `R` is the rotation
//! from `offset` to `B⁻¹ d`.

use glam::{Mat2, Vec2};

use crate::math::rotation::Rotation;

/// One joint and the bone that it turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// The rotation of the joint in its parent's frame.
    pub(crate) rotation: Rotation,
    /// The position of the next joint or the tip, seen from this joint before it turns.
    pub(crate) offset: Vec2,
    /// The linear part of the next joint's frame, seen from this joint before it turns.
    pub(crate) carry: Mat2,
    /// The rotation in the base pose.
    pub(crate) base: Rotation,
    /// The linear part accumulated above the joint.
    pub(crate) basis: Mat2,
}

impl Joint {
    /// A joint at the root of a limb.
    pub(crate) fn new(rotation: Rotation, offset: Vec2, carry: Mat2) -> Self {
        Self {
            rotation,
            offset,
            carry,
            base: rotation,
            basis: Mat2::IDENTITY,
        }
    }

    /// Turns the joint so that its bone's X axis, before the bone's own scale, points along a
    /// chain-space direction.
    pub(crate) fn head_along(&mut self, direction: Rotation) {
        self.align(Vec2::X, direction.direction());
    }

    /// Turns the joint so that its segment points along a chain-space direction. Leaves it
    /// as it is when either has no direction.
    pub(crate) fn point_along(&mut self, direction: Vec2) {
        self.align(self.offset, direction);
    }

    /// Turns the joint so that its unturned `lever` points along `direction` in chain space.
    pub(crate) fn align(&mut self, lever: Vec2, direction: Vec2) {
        if let Some(rotation) = Rotation::between(lever, self.in_frame(direction)) {
            self.rotation = rotation;
        }
    }

    /// Turns the joint back to `part` of what it has turned from the base pose.
    pub(crate) fn hold_back(&mut self, part: f32) {
        if part < 1.0 {
            self.rotation = self.base.then(Rotation::from_angle(part * self.turned()));
        }
    }

    /// Returns the angle of the joint from the base pose, in radians.
    pub(crate) fn turned(&self) -> f32 {
        if self.rotation == self.base {
            return 0.0;
        }
        self.base.inverse().then(self.rotation).angle()
    }

    /// The way that a chain-space direction points in the frame above the joint.
    pub(super) fn in_frame(&self, direction: Vec2) -> Vec2 {
        adjugate_times(self.basis, direction)
    }

    /// Returns the direction of the X axis of the joint's bone in chain space, before the bone's own scale.
    pub(super) fn heading(&self) -> Rotation {
        Rotation::towards(self.basis * self.rotation.direction()).unwrap_or(Rotation::NONE)
    }

    /// The segment as a chain-space vector.
    pub(crate) fn segment(&self) -> Vec2 {
        self.basis * self.rotation.apply(self.offset)
    }

    /// The frame of the next joint.
    pub(crate) fn next_basis(&self) -> Mat2 {
        self.basis * self.rotation.apply_to(self.carry)
    }
}

/// `matrix⁻¹ vector`, times `|det matrix|`: its direction without a division.
fn adjugate_times(matrix: Mat2, vector: Vec2) -> Vec2 {
    let (x, y) = (matrix.x_axis, matrix.y_axis);
    let sign = 1.0_f32.copysign(x.perp_dot(y));
    sign * Vec2::new(vector.perp_dot(y), x.perp_dot(vector))
}
