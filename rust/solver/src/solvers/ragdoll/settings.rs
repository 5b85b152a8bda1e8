//! How a body behaves, and what is done to it.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Settings of a ragdoll.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RagdollSettings {
    /// Whether the body is simulated. Otherwise it is where the pose has it, or on its way there.
    pub simulating: bool,
    /// How long it takes to return to the pose, in seconds.
    #[serde(with = "crate::math::number")]
    pub blend_time: f32,
    /// How stiff the joints follow the pose, in Hz; limp at 0.
    #[serde(with = "crate::math::number")]
    pub frequency: f32,
    /// How that is damped, relative to critical damping.
    #[serde(with = "crate::math::number")]
    pub damping_ratio: f32,
    /// How stiff the root follows the pose, in Hz; not at all at 0.
    #[serde(with = "crate::math::number")]
    pub root_frequency: f32,
    /// The mass of the whole body.
    #[serde(with = "crate::math::number")]
    pub mass: f32,
    /// The radius of the limbs, in skeleton units; a fifth of their length at 0.
    #[serde(with = "crate::math::number")]
    pub radius: f32,
    /// How rough it is.
    #[serde(with = "crate::math::number")]
    pub friction: f32,
    /// How much of the speed of a hit it gives back.
    #[serde(with = "crate::math::number")]
    pub bounce: f32,
    /// How much of gravity acts on it.
    #[serde(with = "crate::math::number")]
    pub gravity_scale: f32,
}

impl Default for RagdollSettings {
    fn default() -> Self {
        Self {
            simulating: false,
            blend_time: 0.4,
            frequency: 0.0,
            damping_ratio: 0.7,
            root_frequency: 0.0,
            mass: 10.0,
            radius: 0.0,
            friction: 0.6,
            bounce: 0.0,
            gravity_scale: 1.0,
        }
    }
}

/// Where an impulse acts.
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
        /// Where.
        #[serde(with = "crate::math::number")]
        position: Vec2,
    },
}

impl Hold {
    /// Whether the body has such a link.
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
    /// Where it acts.
    pub hold: Hold,
    /// The impulse: mass times velocity.
    #[serde(with = "crate::math::number")]
    pub impulse: Vec2,
}

/// A point of the body that is pulled somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grab {
    /// The number of the link.
    pub link: usize,
    /// The point in the frame of its bone.
    #[serde(with = "crate::math::number")]
    pub point: Vec2,
    /// Where it is pulled, in global space.
    #[serde(with = "crate::math::number")]
    pub target: Vec2,
}

/// The shape of a link, in the frame of its bone: a capsule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimbShape {
    /// Where its axis begins.
    #[serde(with = "crate::math::number")]
    pub from: Vec2,
    /// Where it ends.
    #[serde(with = "crate::math::number")]
    pub to: Vec2,
    /// `None` for that of the settings.
    #[serde(with = "crate::math::number")]
    pub radius: Option<f32>,
}
