//! A rotation in the plane as a unit vector.
//!
//! Solvers turn joints thousands of times a frame. Held as `(cos, sin)`, a turn is
//! applied, undone and composed without trigonometry; angles appear only where a pose
//! is read and where it is written back. Angles between vectors come from
//! `perp_dot` and `dot`, which stay exact near zero, where an arc cosine does not.

use std::f32::consts::TAU;

use glam::{Mat2, Vec2};

use crate::math::trigonometry::{angle_of_ratio, unit_vector_f32};

/// A rotation by some angle, held as `(cos, sin)`. Always of unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation(Vec2);

impl Rotation {
    /// No rotation.
    pub const NONE: Self = Self(Vec2::X);

    /// Half a rotation.
    pub const HALF: Self = Self(Vec2::NEG_X);

    /// The turn by `angle` radians.
    pub fn from_angle(angle: f32) -> Self {
        Self(unit_vector_f32(angle))
    }

    /// The rotation that makes of the X axis `direction`, a unit vector.
    pub(crate) fn from_unit(direction: Vec2) -> Self {
        Self(direction)
    }

    /// The turn that carries the X axis onto the direction of `vector`; `None` when
    /// `vector` has no direction (zero or not finite).
    pub fn towards(vector: Vec2) -> Option<Self> {
        let length = vector.length();
        if length > f32::MIN_POSITIVE && length < f32::INFINITY {
            return Some(Self(vector / length));
        }
        // Squares of very small or very large components leave the range of f32.
        let largest = vector.abs().max_element();
        (largest > 0.0 && vector.is_finite()).then(|| Self((vector / largest).normalize()))
    }

    /// The turn that carries the direction of `from` onto the direction of `to`; `None`
    /// when either has no direction.
    ///
    /// ```
    /// use std::f32::consts::FRAC_PI_2;
    /// use tendon_solver::glam::Vec2;
    /// use tendon_solver::math::rotation::Rotation;
    ///
    /// // Y points down the screen: this is a quarter turn clockwise.
    /// let quarter = Rotation::between(Vec2::X, 3.0 * Vec2::Y).expect("both have a direction");
    /// assert_eq!(quarter.angle(), FRAC_PI_2);
    /// assert_eq!(Rotation::between(Vec2::X, Vec2::ZERO), None);
    /// ```
    pub fn between(from: Vec2, to: Vec2) -> Option<Self> {
        Self::towards(conjugate_times(from, to))
    }

    /// The angle in radians, in `-π..=π`.
    pub fn angle(self) -> f32 {
        angle_of_ratio(self.0)
    }

    /// The unit vector that this turn makes of the X axis.
    pub fn direction(self) -> Vec2 {
        self.0
    }

    /// `vector`, turned.
    pub fn apply(self, vector: Vec2) -> Vec2 {
        self.0.rotate(vector)
    }

    /// `matrix`, turned after it has acted.
    pub fn apply_to(self, matrix: Mat2) -> Mat2 {
        Mat2::from_cols(self.apply(matrix.x_axis), self.apply(matrix.y_axis))
    }

    /// This turn, followed by `other`.
    pub fn then(self, other: Self) -> Self {
        Self(self.0.rotate(other.0))
    }

    /// The same turn the other way round.
    pub fn inverse(self) -> Self {
        Self(Vec2::new(self.0.x, -self.0.y))
    }

    /// Removes the drift in length that many compositions leave.
    pub fn renormalized(self) -> Self {
        Self(self.0 * (1.5 - 0.5 * self.0.length_squared()))
    }

    /// The angle in radians of this rotation, which is the one by `start` and then by `change`.
    /// Far from zero, where `f32` can no longer hold a fine angle, the principal value.
    pub(crate) fn angle_near(self, start: f32, change: f32) -> f32 {
        if start.abs() <= TAU {
            start + change
        } else {
            self.angle()
        }
    }
}

/// The direction of `to` seen from `from`, times both lengths: as complex numbers, the
/// conjugate of `from` times `to`.
pub(crate) fn conjugate_times(from: Vec2, to: Vec2) -> Vec2 {
    Vec2::new(from.dot(to), from.perp_dot(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_between_tiny_and_huge_vectors_is_exact() {
        for (from, to) in [
            (Vec2::X * 1e-30, Vec2::Y * 1e-3),
            (Vec2::X * 1e18, Vec2::Y * 1e18),
        ] {
            let turn = Rotation::between(from, to).expect("both have a direction");
            assert!((turn.direction() - Vec2::Y).length() < 1e-6);
        }
        assert_eq!(Rotation::towards(Vec2::ZERO), None);
        assert_eq!(Rotation::towards(Vec2::new(f32::NAN, 1.0)), None);
        assert_eq!(Rotation::towards(Vec2::new(f32::INFINITY, 1.0)), None);
    }

    #[test]
    fn small_angles_keep_their_digits() {
        let tiny = 1e-6_f32;
        let turn = Rotation::between(Vec2::X, Vec2::from_angle(tiny)).expect("a direction");
        assert!((turn.angle() - tiny).abs() < 1e-12);
    }
}
