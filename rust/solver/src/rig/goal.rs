//! What a modifier has another one do in a pass.

use glam::Vec2;

use crate::skeleton::bone::Point;

/// What a limb is to do in a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Goal {
    /// What it reaches for in place of its own target; `None` if it is left as it is.
    pub(super) point: Option<Point>,
    /// The bone that is turned after that.
    pub(super) foot: Option<usize>,
    /// How much faster than their animation its joints turn at most, in radians per second.
    pub(super) fastest: f32,
    /// How long a tick of the physics is, in seconds.
    pub(super) tick: f32,
    /// By how many radians, from where the limb has left it.
    pub(super) turn: f32,
    /// The bone of the toes below that, and by how many radians it is turned.
    pub(super) toes: Option<(usize, f32)>,
    /// Which way its X axis points, in skeleton space, and the part of the way there that it is turned.
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
