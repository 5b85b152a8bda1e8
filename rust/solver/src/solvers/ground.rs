//! The ground below feet, as queries of the physics find it, and places on it. All of it in global space.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::trigonometry::angle_of_f32;

/// Ground that is steeper than 50 degrees holds no foot: the least cosine.
pub(super) const STEEPEST: f32 = 0.643;

/// What a query has found below a foot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Where.
    #[serde(with = "crate::math::number")]
    pub position: Vec2,
    /// The direction away from it, of length 1.
    #[serde(with = "crate::math::number")]
    pub normal: Vec2,
    /// Which body it is of.
    pub body: u32,
    /// The frame of that body.
    #[serde(with = "crate::math::number")]
    pub frame: Affine2,
}

/// A place on the ground, in the frame of the body that it is of: it goes along with that body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// That body.
    pub body: u32,
    #[serde(with = "crate::math::number")]
    place: Vec2,
    #[serde(with = "crate::math::number")]
    normal: Vec2,
}

/// The ground of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Where it is.
    pub position: Vec2,
    /// The direction away from it.
    pub normal: Vec2,
    /// Which body it is of.
    pub body: u32,
    /// Whether the foot is planted there. Otherwise it is below the foot, or where that is about to land.
    pub is_planted: bool,
}

impl Ground {
    /// As the ground of a foot that is not planted.
    pub(super) fn support(&self) -> Support {
        Support {
            position: self.position,
            normal: self.normal,
            body: self.body,
            is_planted: false,
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.normal.is_finite() && self.frame.is_finite()
    }

    /// The ground, moved as its body was to `frame`.
    pub fn carried_to(self, frame: Affine2) -> Self {
        if self.frame == frame {
            return self;
        }
        let motion = frame * self.frame.inverse();
        Self {
            position: motion.transform_point2(self.position),
            normal: motion
                .transform_vector2(self.normal)
                .normalize_or(self.normal),
            frame,
            ..self
        }
    }

    /// The place on the ground above or below `place`. The side of a cliff does not go on: above or below
    /// another place it would be anywhere.
    pub(super) fn below(&self, place: Vec2, up: Vec2) -> Vec2 {
        let cosine = up.dot(self.normal);
        let height = match cosine >= STEEPEST {
            true => (self.position - place).dot(self.normal) / cosine,
            false => (self.position - place).dot(up),
        };
        place + up * height
    }

    /// How much higher `top` is, if the ground here goes on. If that goes down, it may end before: then it is the
    /// ground here that counts.
    pub(super) fn rise_to(&self, top: Vec2, up: Vec2) -> f32 {
        let goes_on = self.below(top, up);
        (top - goes_on).dot(up).min((top - self.position).dot(up))
    }

    /// `place`, which is on it, in the frame of its body.
    pub(super) fn contact(&self, place: Vec2) -> Contact {
        let inverse = self.frame.inverse();
        Contact {
            body: self.body,
            place: inverse.transform_point2(place),
            normal: inverse.transform_vector2(self.normal),
        }
    }
}

impl Contact {
    /// As the ground of a foot that is planted on it, when the body is at `frame`.
    pub(super) fn support(&self, frame: Affine2) -> Support {
        Support {
            position: self.place(frame),
            normal: self.normal(frame),
            body: self.body,
            is_planted: true,
        }
    }

    /// Where it is when the body is at `frame`.
    pub(super) fn place(&self, frame: Affine2) -> Vec2 {
        frame.transform_point2(self.place)
    }

    /// The direction away from the ground then.
    pub(super) fn normal(&self, frame: Affine2) -> Vec2 {
        frame.transform_vector2(self.normal).normalize_or_zero()
    }
}

/// How far a foot is turned on ground with this normal, at most by `most` radians.
pub(super) fn slope_of(normal: Vec2, most: f32, up: Vec2) -> f32 {
    let angle = angle_of_f32(Vec2::new(up.dot(normal), up.perp_dot(normal)));
    let most = most.max(0.0);
    angle.clamp(-most, most)
}
