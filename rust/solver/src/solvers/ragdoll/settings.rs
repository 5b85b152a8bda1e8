//! How a body behaves, and what is done to it.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::number;
use crate::math::settings::settings;

settings! {
    /// Settings of a ragdoll.
    RagdollSettings {
        /// `true` if the body is simulated. Otherwise it is where the pose has it, or on its way there.
        simulating: bool = false;
        /// The time of the return to the pose, in seconds.
        blend_time: f32 = 0.4;
        /// The frequency with which the joints follow the pose, in Hz; limp at 0.
        frequency: f32 = 0.0;
        /// The damping of that, relative to critical damping.
        damping_ratio: f32 = 0.7;
        /// The frequency with which the root follows the pose, in Hz; not at all at 0.
        root_frequency: f32 = 0.0;
        /// The mass of the whole body.
        mass: f32 = 10.0;
        /// The radius of the limbs, in skeleton units; a fifth of their length at 0.
        radius: f32 = 0.0;
        /// The coefficient of friction.
        friction: f32 = 0.6;
        /// The part of the speed of a hit that it gives back.
        bounce: f32 = 0.0;
        /// The factor of the gravity that acts on it.
        gravity_scale: f32 = 1.0;
        /// The rate at which it loses its speed as a whole, per second, besides what the world takes.
        linear_damp: f32 = 0.0;
        /// The same of the turning of its limbs.
        angular_damp: f32 = 0.0;
        /// The rate at which a limp joint loses its motion, per second, where gravity is the engine's usual one.
        joint_damping: f32 = 3.5;
        /// The greatest force of a grab; without a bound at 0.
        grab_force: f32 = 0.0;
        /// A joint breaks whose limit has to bear a larger torque; none does at 0.
        #[serde(skip_serializing_if = "number::is_usual")]
        break_torque: f32 = 0.0;
        /// `true` if limbs meet that are no neighbours.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        self_collision: bool = false;
    }
}

/// The part of the body on which an impulse acts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// On all of the body alike.
    Whole,
    /// At the centre of mass of the link with this number.
    Link(usize),
    /// At a place in global space: of the link with this number, or of the nearest one.
    Place {
        /// That link.
        link: Option<usize>,
        /// The place, in global space.
        #[serde(with = "number")]
        position: Vec2,
    },
}

impl Hold {
    /// Returns `true` if the body has such a link.
    pub(crate) fn fits(self, links: usize) -> bool {
        match self {
            Self::Link(link)
            | Self::Place {
                link: Some(link), ..
            } => link < links,
            Self::Whole | Self::Place { link: None, .. } => true,
        }
    }
}

/// An impulse, in global space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// The part of the body on which it acts.
    pub hold: Hold,
    /// The impulse: mass times velocity.
    #[serde(with = "number")]
    pub impulse: Vec2,
}

/// A point of the body that is pulled somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grab {
    /// The number of the link.
    pub link: usize,
    /// The point in the frame of its bone.
    #[serde(with = "number")]
    pub point: Vec2,
    /// The place to which it is pulled, in global space.
    #[serde(with = "number")]
    pub target: Vec2,
}

/// The shape of a link, in the frame of its bone: a capsule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimbShape {
    /// The start of its axis.
    #[serde(with = "number")]
    pub from: Vec2,
    /// The end of its axis.
    #[serde(with = "number")]
    pub to: Vec2,
    /// `None` for that of the settings.
    #[serde(with = "number")]
    pub radius: Option<f32>,
    /// Without a radius, and without one in the settings, it is at least that thick: what hangs on it is beside its axis.
    #[serde(default, skip_serializing_if = "number::is_usual", with = "number")]
    pub spread: f32,
    /// `None` for its share, by area, of what the others leave of the mass of the body.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number")]
    pub mass: Option<f32>,
    /// The frequency with which its joint follows the pose, in Hz; `None` for that of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number")]
    pub frequency: Option<f32>,
}

/// A limb without a radius has this part of its length.
const SLENDER: f64 = 0.2;

impl LimbShape {
    /// The radius of one that is so long in skeleton space, where its bone is stretched by a factor. `usual`: that of
    /// limbs without one of their own; 0 if they have none.
    pub(crate) fn radius_in(&self, usual: f64, length: f64, stretch: f64) -> f64 {
        match self.radius {
            Some(radius) => f64::from(radius.abs()) * stretch,
            None if usual > 0.0 => usual,
            None => (SLENDER * length).max(f64::from(self.spread) * stretch),
        }
    }
}
