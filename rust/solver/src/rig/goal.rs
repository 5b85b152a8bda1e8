//! What a modifier has another one do in a pass.

use glam::Vec2;

use crate::skeleton::bone::Point;

/// What a limb is to do in a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Goal {
    /// Its target.
    pub(super) point: Point,
    /// The bone that is turned after that.
    pub(super) foot: Option<usize>,
    /// Which way its X axis points, in skeleton space. `None`: as the limb has left it, and by `turn`
    /// radians more.
    pub(super) direction: Option<Vec2>,
    pub(super) turn: f32,
}

impl Goal {
    pub(super) fn is_finite(&self) -> bool {
        let direction = self.direction.unwrap_or_default();
        self.point.position.is_finite() && direction.is_finite() && self.turn.is_finite()
    }
}
