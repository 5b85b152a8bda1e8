//! Legs and their feet: what is set, and what the rest pose says of them.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::interval::clamp;
use crate::math::settings::{plain_settings, settings};

/// The lock of a planted foot on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lock {
    /// It goes with the animation.
    None,
    /// Its place stays.
    #[default]
    Position,
    /// Its place and its direction stay.
    PositionAndRotation,
}

plain_settings!(Lock);

settings! {
    /// Settings of a foot. Lengths are those of the skeleton.
    FootSettings {
        /// The part of the result that is applied, 0 to 1.
        influence: f32 = 1.0;
        /// From the tip of the limb to the sole.
        sole_height: f32 = 0.0;
        /// The greatest turn of the foot to the slope, in radians.
        max_slope: f32 = std::f32::consts::FRAC_PI_4;
        /// The lock of a planted foot.
        lock: Lock = Lock::default();
        /// Slower feet are planted, per second.
        plant_speed: f32 = 60.0;
        /// A planted foot that the animation has moved farther is let go.
        unplant_distance: f32 = 20.0;
    }
}

/// A leg in the rest pose, in skeleton space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    /// The place of its sole.
    pub(crate) home: Vec2,
    /// The start of its first bone.
    pub(crate) hip: Vec2,
    /// From the sole to the tip of the limb.
    pub(crate) above: Vec2,
    /// The length of the leg when it is straight, and when its bones lie on each other.
    pub(crate) reach: f32,
    pub(crate) least: f32,
    /// The way by which its hip was carried from there before feet are placed, as by a trail: the home came along.
    pub(crate) carried: Vec2,
    /// Its knee, if it has one and is bent there.
    pub(crate) knee: Option<Knee>,
    /// Its foot, if that has a length.
    pub(crate) sole: Option<Sole>,
    /// The start and the end of its toes, if it has some: along the ground, as those of the sole.
    pub(crate) toes: Option<[f32; 2]>,
    pub(crate) settings: FootSettings,
}

/// A foot with a bone: seen from its place that is put on the ground, along that and to the right of `up`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sole {
    /// The place of its other end: the heel of a foot on its ball, the ball or the toe of another.
    pub(crate) other: f32,
    /// Its extent, with its heel and its toes.
    pub(crate) span: [f32; 2],
    /// `true` if it lies flat in the pose, as it does on level ground.
    pub(crate) is_flat: bool,
}

/// The knee of a leg of two bones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knee {
    /// The lengths of the bones above and below it.
    thigh: f32,
    shin: f32,
    /// Its height over the tip of the limb in the rest pose, as a part of the height of the hip.
    height: f32,
    /// The side to which it bends: the sign of a way along the ground, turned clockwise from `up`.
    pub(super) side: f32,
}

/// A foot is planted if the animation lifts it by less than this part of its leg.
pub(super) const LOW: f32 = 0.02;

/// A hip that is carried by less than this part of its leg is where the rest pose has it; and up or down, it bobs by this
/// part of it.
const STILL: f32 = 1e-3;
const BOB: f32 = 0.25;

/// A knee stays this part of its leg above the ground, or half as high as in the rest pose.
const KNEE: f32 = 0.2;

/// A foot is at least so far below its hip, as a part of the hip's height in the rest pose.
const SHALLOW: f32 = 0.35;

impl Knee {
    /// The knee between the hip, the knee and the tip of a limb in the rest pose.
    pub(crate) fn of([hip, knee, tip]: [Vec2; 3], up: Vec2) -> Option<Self> {
        let bend = (knee - hip).perp_dot(tip - hip);
        (bend != 0.0).then(|| Self {
            thigh: hip.distance(knee),
            shin: knee.distance(tip),
            height: (knee - tip).dot(up) / (hip - tip).dot(up),
            side: 1.0_f32.copysign(bend),
        })
    }

    /// Returns the greatest offset of the tip of the limb from below its hip, which is at this `height` above it, to
    /// the side that the knee does not bend to, until the knee comes near the ground. `None`: as far as the leg
    /// reaches.
    pub(super) fn room(&self, height: f32, reach: f32) -> Option<f32> {
        let low = (KNEE * reach).min(0.5 * self.height * height);
        let drop = height - low;
        let is_free = self.thigh <= drop || self.shin <= low;
        let aside = |length: f32, height: f32| (length * length - height * height).max(0.0).sqrt();
        (!is_free).then(|| aside(self.shin, low) - aside(self.thigh, drop))
    }
}

impl Leg {
    /// The pose has its hip there: its home goes along, but for what an animation bobs.
    pub(crate) fn carry(&mut self, hip: Vec2, up: Vec2) {
        let way = hip - self.hip;
        let bob = BOB * self.reach;
        let carried = way - up * clamp(way.dot(up), -bob, bob);
        if carried.length() > STILL * self.reach {
            self.carried = carried;
            self.home += carried;
            self.hip += carried;
        }
    }

    /// Returns the height of the hip over the foot.
    pub(super) fn height(&self, up: Vec2) -> f32 {
        (self.hip - self.home).dot(up)
    }

    /// Returns the least depth of a foot below its hip.
    pub(super) fn shallowest(&self, up: Vec2) -> f32 {
        SHALLOW * self.height(up)
    }

    /// Returns the least length of the leg: it is not folded further.
    pub(super) fn most_folded(&self, up: Vec2) -> f32 {
        self.shallowest(up).max(self.least + 1.0)
    }

    /// Returns the height, zero or less, at which a foot is drawn that the animation has at the height `lift` over its
    /// ground: a little deep is meant so, and far below it the animation means other ground.
    pub(super) fn sunk(&self, lift: f32) -> f32 {
        lift.max(-2.0 * LOW * self.reach - lift).min(0.0)
    }

    pub(crate) fn is_finite(&self) -> bool {
        let lengths = self.reach.is_finite() && self.least.is_finite() && self.reach > 0.0;
        self.home.is_finite() && self.hip.is_finite() && lengths
    }
}
