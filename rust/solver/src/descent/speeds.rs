//! How fast limbs move by themselves.

use serde::{Deserialize, Serialize};

/// The speeds at which limbs go over to another pose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct TransitionSpeeds {
    /// The highest speed at which a joint turns, in radians per second.
    pub(crate) turn: f64,
    /// The highest speed at which a point moves, in spans of the limb per second.
    pub(crate) point: f64,
}

/// A limb may move at once by this factor times as far as its targets have moved.
const LEAP: f64 = 4.0;

/// Beyond these speeds, nobody sees a limb move.
const SPEEDS: [f64; 2] = [0.1, 1000.0];

impl Default for TransitionSpeeds {
    fn default() -> Self {
        Self {
            turn: 15.0,
            point: 7.4,
        }
    }
}

impl TransitionSpeeds {
    /// A joint turns by `turn` radians per second, and a point moves by `point` lengths of the limb per second, at most. What
    /// is out of reason counts as the nearest that is not; NaN as the usual speed.
    pub fn new(turn: f64, point: f64) -> Self {
        let sound = |speed: f64, usual| match speed.is_nan() {
            true => usual,
            false => speed.clamp(SPEEDS[0], SPEEDS[1]),
        };
        let usual = Self::default();
        Self {
            turn: sound(turn, usual.turn),
            point: sound(point, usual.point),
        }
    }

    /// Returns the highest speed at which a joint turns, in radians per second.
    pub fn turn(self) -> f64 {
        self.turn
    }

    /// Returns the highest speed at which a point moves, in lengths of the limb per second.
    pub fn point(self) -> f64 {
        self.point
    }

    /// Returns the distance that a point may move at once in `delta` seconds while the targets move by `target_motion`,
    /// in lengths of the limb.
    pub(crate) fn at_once(self, delta: f64, target_motion: f64) -> f64 {
        (self.point * delta).max(LEAP * target_motion)
    }

    /// By what factor transitions take longer than usually; 1 if they take less.
    pub(super) fn slowness(self) -> f64 {
        let usual = Self::default();
        (usual.turn / self.turn)
            .max(usual.point / self.point)
            .max(1.0)
    }
}

impl From<[f64; 2]> for TransitionSpeeds {
    fn from([turn, point]: [f64; 2]) -> Self {
        Self::new(turn, point)
    }
}

impl From<TransitionSpeeds> for [f64; 2] {
    fn from(speeds: TransitionSpeeds) -> Self {
        [speeds.turn, speeds.point]
    }
}
