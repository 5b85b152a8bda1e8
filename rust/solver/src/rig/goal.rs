//! What a modifier has another one do in a pass.

use glam::Vec2;

use crate::skeleton::bone::Point;

/// The task of a limb in a pass, which another modifier gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Goal {
    /// The point that it reaches for in place of its own target; `None` if it is left as it is.
    pub(super) point: Option<Point>,
    /// The bone that is turned after that.
    pub(super) foot: Option<usize>,
    /// The speed by which its joints may turn faster than their animation, in radians per second.
    pub(super) fastest: f32,
    /// The length of a tick of the physics, in seconds.
    pub(super) tick: f32,
    /// By how many radians, from where the limb has left it.
    pub(super) turn: f32,
    /// The bone of the toes below that, and by how many radians it is turned.
    pub(super) toes: Option<(usize, f32)>,
    /// The direction of the foot's X axis, in skeleton space, and the part of the way there that the foot is turned.
    pub(super) direction: Option<(Vec2, f32)>,
}

impl Goal {
    pub(super) fn is_finite(&self) -> bool {
        let (direction, part) = self.direction.unwrap_or_default();
        let bend = self.toes.map_or(0.0, |(_, bend)| bend);
        let is_turn_finite = direction.is_finite() && (part + self.turn + bend).is_finite();
        self.point.is_none_or(|point| point.position.is_finite()) && is_turn_finite
    }
}
