//! What a tick is about: what stays the same, and where everything is.

use glam::{Affine2, Vec2};

use crate::math::interval::clamp;
use crate::math::oscillator::Oscillator;
use crate::math::trigonometry::angle_of_f32;
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::settings::{GaitSettings, PelvisSettings};
use crate::solvers::stance::world::{PosedFoot, World};

/// The greatest descent of the pelvis, as a part of the shortest leg.
const ROOM: f32 = 0.35;

/// The settings and the rest pose, which stay the same from tick to tick. All in skeleton space.
#[derive(Clone, Copy)]
pub(crate) struct Law<'a> {
    /// Away from the ground, of length 1.
    pub(crate) up: Vec2,
    /// The height of the plane that the animation stands on, along `up`.
    pub(crate) level: f32,
    /// The rise of the skeleton against the body, whose plane that is.
    pub(crate) raised: f32,
    /// The greatest heights above and below that plane at which ground counts.
    pub(crate) search: [f32; 2],
    pub(crate) pelvis: PelvisSettings,
    /// The place of the pelvis in the rest pose.
    pub(crate) pivot: Vec2,
    /// The mean way by which the hips were carried, where legs step.
    pub(crate) carried: Vec2,
    /// The part of the slope of its feet that the body takes, 0 to 1.
    pub(crate) body_tilt: f32,
    /// Settings of feet that step; `None` for feet under an animation.
    pub(crate) gait: Option<GaitSettings>,
    pub(crate) legs: &'a [Option<Leg>],
}

impl Law<'_> {
    /// The length of the shortest leg.
    pub(super) fn reach(&self) -> f32 {
        let legs = self.legs.iter().flatten();
        legs.map(|leg| leg.reach).fold(f32::INFINITY, f32::min)
    }

    /// Returns the greatest descent of the pelvis.
    pub(super) fn room(&self) -> f32 {
        self.pelvis
            .max_pelvis_drop
            .min(ROOM * self.reach())
            .max(0.0)
    }

    /// Returns the height of a place over the plane.
    pub(super) fn rise(&self, place: Vec2) -> f32 {
        place.dot(self.up) - self.level
    }

    /// Returns `true` if ground at `place` counts.
    pub(super) fn is_within_search(&self, place: Vec2) -> bool {
        let [above, below] = self.search;
        (-below..=above).contains(&self.rise(place))
    }
}

/// A tick, while the law goes through it.
pub(super) struct Stage<'a> {
    pub(super) law: &'a Law<'a>,
    /// The feet as the animation has them.
    pub(super) posed: &'a [Option<PosedFoot>],
    pub(super) world: &'a mut dyn World,
    /// In seconds.
    pub(super) delta: f32,
    /// See [`springs`](crate::solvers::stance::turn::springs).
    pub(super) springs: [Oscillator; 2],
    /// From skeleton space to where things are drawn, and back.
    pub(super) frame: Affine2,
    pub(super) inverse: Affine2,
    pub(super) up: Vec2,
    /// The bodies that the character stands on.
    pub(super) floors: &'a [u32],
    /// The transform from the server's place of what carries the character to the drawn one.
    pub(super) back: Affine2,
    /// The way that the body was moved up or down at once, as over a stair.
    pub(super) sudden: f32,
    pub(super) is_falling: bool,
    pub(super) is_airborne: bool,
}

/// 0 up to `from`, 1 from `to` on, and smooth between.
pub(super) fn smoothstep(from: f32, to: f32, value: f32) -> f32 {
    let part = ((value - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// The part of a vector across `up`.
pub(super) fn along_ground(way: Vec2, up: Vec2) -> Vec2 {
    way - up * way.dot(up)
}

/// Returns the turn of a foot on ground with this normal, in radians, at most `most`.
pub(super) fn slope_of(normal: Vec2, most: f32, up: Vec2) -> f32 {
    let angle = angle_of_f32(Vec2::new(up.dot(normal), up.perp_dot(normal)));
    let most = most.max(0.0);
    clamp(angle, -most, most)
}
