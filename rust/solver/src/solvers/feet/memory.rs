//! What is known of a foot: its settings, how the animation has it, and what is kept of it from pass to pass.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::solvers::ground::{Contact, Ground, Support};
use crate::solvers::pelvis::Level;

/// Corrections that are not made, in pixels: the engine's bodies keep a margin of 0.08 px.
pub(super) const NOTHING: f32 = 0.2;

/// Corrections that are made in full, in pixels.
pub(super) const FULL: f32 = 1.0;

/// The pelvis goes down rather than that a leg is straighter than this part of its reach, which a little
/// more would stretch in a moment.
const STRAIGHT: f32 = 0.97;

/// A foot that the animation lifts or lowers at more than this part of the speed at which it is planted
/// is not planted yet.
pub(super) const STEADY: f32 = 0.25;

/// How fast a residual decays, in Hz.
pub(super) const SETTLING: f64 = 6.0;

/// Whether a planted foot stays where it is.
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

/// Settings of a foot. Lengths are those of the skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootSettings {
    /// From the tip of the limb to the sole.
    #[serde(with = "crate::math::number")]
    pub sole_height: f32,
    /// How far the foot is turned at most, in radians.
    #[serde(with = "crate::math::number")]
    pub max_slope: f32,
    /// Whether a planted foot stays.
    pub lock: Lock,
    /// Slower feet are planted, per second.
    #[serde(with = "crate::math::number")]
    pub plant_speed: f32,
    /// A planted foot that the animation has moved farther is let go.
    #[serde(with = "crate::math::number")]
    pub unplant_distance: f32,
}

impl Default for FootSettings {
    fn default() -> Self {
        Self {
            sole_height: 0.0,
            max_slope: std::f32::consts::FRAC_PI_4,
            lock: Lock::default(),
            plant_speed: 60.0,
            unplant_distance: 20.0,
        }
    }
}

/// Ground ahead of a foot that is higher than if the ground below the foot went on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// A place on it.
    #[serde(with = "crate::math::number")]
    pub top: Vec2,
    /// Where its side is, if it has one.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    pub side: Option<Vec2>,
}

/// Where a foot is planted, in the frame of the body that it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plant {
    /// What stays of it.
    #[serde(default)]
    pub(super) lock: Lock,
    /// Where on that body.
    pub contact: Contact,
    /// Of the foot.
    #[serde(with = "crate::math::number")]
    pub(super) direction: Vec2,
    /// How far above the level the animation had it at the lowest, in pixels.
    #[serde(with = "crate::math::number")]
    pub(super) lift: f32,
}

/// A foot and its hip, as the animation had them: where they were, or how fast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sighting {
    #[serde(with = "crate::math::number")]
    pub(super) sole: Vec2,
    #[serde(with = "crate::math::number")]
    pub(super) hip: Vec2,
}

/// What is kept of a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootMemory {
    /// Where the animation had it in the last pass, in skeleton space.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    pub(super) local: Option<Vec2>,
    /// Where the animation had it and its hip at the last tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seen: Option<Sighting>,
    /// How fast the animation moved it and its hip along the level, against the ground, in the last tick. Per
    /// second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) motion: Option<Sighting>,
    /// How fast it is in the mean of two ticks: an animation may go on in every second one only.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    pub(super) velocity: Option<Vec2>,
    /// Whether it is as good as still.
    pub(super) stands: bool,
    /// How far it is about to go.
    #[serde(with = "crate::math::number")]
    pub(super) way: Vec2,
    /// How far above the level the animation had it in the last pass, in pixels.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    pub(super) lift: Option<f32>,
    /// What was below it then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<Ground>,
    /// The highest step that it is about to come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<Step>,
    /// Where it is planted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plant: Option<Plant>,
    #[serde(with = "crate::math::number")]
    pub(super) residual: Vec2,
    #[serde(with = "crate::math::number")]
    pub(super) rate: Vec2,
    /// How far it is raised, not to be in the ground, in pixels.
    #[serde(with = "crate::math::number")]
    pub(super) raised: f32,
    #[serde(with = "crate::math::number")]
    pub(super) slope: f32,
    #[serde(with = "crate::math::number")]
    pub(super) slope_rate: f32,
    /// Which way it pointed when it was the last time that it kept its direction, in global space.
    #[serde(with = "crate::math::number")]
    pub(super) heading: Vec2,
    /// How far it is turned besides, since it is about to keep its direction, or did so: as
    /// [`held_turn`](Self::held_turn).
    #[serde(with = "crate::math::number")]
    pub(super) twist: f32,
    #[serde(with = "crate::math::number")]
    pub(super) twist_rate: f32,
}

impl FootMemory {
    /// The ground that it is planted on, in a body that is at `held`, or that below it.
    pub fn support(&self, held: Option<Affine2>) -> Option<Support> {
        match (self.plant, held) {
            (Some(plant), Some(frame)) => Some(plant.contact.support(frame)),
            _ => self.ground.map(|ground| ground.support()),
        }
    }
}

/// A foot in a pass, as the animation has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Animated {
    /// The place of its sole that is put on the ground, also in skeleton space.
    pub(crate) sole: Vec2,
    pub(crate) local: Vec2,
    /// The tip of the limb.
    pub(crate) tip: Vec2,
    /// The direction of the foot's bone, if it has one, and its limb no target: or else that is not known
    /// before the limb is solved.
    pub(crate) direction: Option<Vec2>,
    /// The same in the rest pose; zero without such a bone.
    pub(crate) rest: Vec2,
    /// Whether the sole is below the ball of the foot, and not below the tip.
    pub(crate) is_on_ball: bool,
    /// Where the limb begins, and how far it reaches.
    pub(crate) hip: Vec2,
    pub(crate) reach: f32,
}

impl Animated {
    /// How long the leg is at most: no straighter than the animation has it, or else than [`STRAIGHT`].
    pub(super) fn longest(&self) -> f32 {
        (self.tip - self.hip).length().max(STRAIGHT * self.reach)
    }

    /// How far up the hip may be moved along `up`, if the foot is moved by `shift`.
    pub(crate) fn most_pelvis(&self, shift: Vec2, up: Vec2) -> f32 {
        let away = |leg: Vec2| leg.reject_from_normalized(up).length();
        let animated = self.tip - self.hip;
        let (leg, longest) = (animated + shift, self.longest());
        let aside = away(leg).min(away(animated));
        (longest * longest - aside * aside).max(0.0).sqrt() + leg.dot(up)
    }
}

/// A foot on the level: where its sole would be, and how far above it is.
#[derive(Clone, Copy)]
pub(super) struct Flat {
    pub(super) place: Vec2,
    pub(super) lift: f32,
}

impl Level {
    pub(super) fn flat(&self, sole: Vec2) -> Flat {
        let lift = sole.dot(self.up) - self.height;
        Flat {
            place: sole - self.up * lift,
            lift,
        }
    }
}
