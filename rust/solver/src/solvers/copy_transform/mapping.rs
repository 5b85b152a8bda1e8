//! What a bone copies, and how both it and its source are seen in a space.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::rotation::Rotation;
use crate::math::settings::plain_settings;

/// A part of a transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The rotation, in radians.
    #[default]
    Rotation,
    /// The first coordinate of the position.
    PositionX,
    /// The second coordinate of the position.
    PositionY,
    /// The scale of the X axis.
    ScaleX,
    /// The scale of the Y axis.
    ScaleY,
}

impl Channel {
    pub(super) fn is_scale(self) -> bool {
        matches!(self, Self::ScaleX | Self::ScaleY)
    }

    /// 0 for X, 1 for Y.
    pub(crate) fn axis(self) -> usize {
        usize::from(matches!(self, Self::PositionY | Self::ScaleY))
    }
}

/// The space in which channels are read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// The parent of each of the two.
    #[default]
    Parent,
    /// The skeleton.
    Skeleton,
    /// Global space, in which the skeleton itself hangs.
    Global,
}

plain_settings!(Channel, Space);

/// A transform as a `Node2D` holds it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Local {
    /// Position in the parent's frame.
    #[serde(with = "crate::math::number")]
    pub position: Vec2,
    /// Radians.
    #[serde(with = "crate::math::number")]
    pub rotation: f32,
    /// Scale of the own axes.
    #[serde(with = "crate::math::number")]
    pub scale: Vec2,
}

impl Local {
    /// One channel of it.
    pub(crate) fn channel(&self, channel: Channel) -> f32 {
        match channel {
            Channel::Rotation => self.rotation,
            Channel::PositionX | Channel::PositionY => self.position[channel.axis()],
            Channel::ScaleX | Channel::ScaleY => self.scale[channel.axis()],
        }
    }
}

/// The rest pose of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// The rest frame of the parent, in skeleton space.
    #[serde(with = "crate::math::number")]
    pub mount: Affine2,
    /// The rest transform in that frame.
    #[serde(with = "crate::math::number")]
    pub frame: Affine2,
}

/// The source that a bone copies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// A bone of the rig, as the working pose has it.
    Bone {
        /// Its index.
        bone: usize,
        /// Its rest pose, for a relative mapping.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<Rest>,
    },
    /// Another node.
    Node {
        /// Index of the bone that carries it; `None` for one that is not on a bone.
        #[serde(default)]
        carrier: Option<usize>,
        /// Its frame in that of the bone, or in skeleton space.
        #[serde(with = "crate::math::number")]
        frame: Affine2,
        /// Its own transform.
        local: Local,
    },
}

impl Source {
    /// The bone that it moves with, or is.
    pub fn carrier(&self) -> Option<usize> {
        match *self {
            Self::Bone { bone, .. } => Some(bone),
            Self::Node { carrier, .. } => carrier,
        }
    }
}

/// The source of a mapping, and the rest pose of its bone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mapping {
    /// The source that is copied. `None`: the bone does not inherit the rotation of its parents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The bone's rest pose, for a relative mapping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Rest>,
}

/// A bone or a node as a mapping reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Its frame in the space of the mapping.
    pub(crate) frame: Affine2,
    pub(crate) local: Local,
}

impl Seen {
    pub(super) fn channel(&self, channel: Channel, space: Space) -> Option<f64> {
        let Self { frame, local } = self;
        let axis = channel.axis();
        let value = match channel {
            _ if space == Space::Parent => local.channel(channel),
            Channel::Rotation => heading(frame.matrix2.x_axis, local.scale.x)?.angle(),
            Channel::PositionX | Channel::PositionY => frame.translation[axis],
            Channel::ScaleX | Channel::ScaleY => {
                frame.matrix2.col(axis).length().copysign(local.scale[axis])
            }
        };
        value.is_finite().then_some(f64::from(value))
    }
}

/// The direction of an X axis before the own scale `scale`.
fn heading(x_axis: Vec2, scale: f32) -> Option<Rotation> {
    Rotation::towards(x_axis * 1.0_f32.copysign(scale))
}

impl Rest {
    /// The value of a channel in the parent's frame, of a bone whose scale is `scale` now.
    pub fn value(&self, channel: Channel, scale: Vec2) -> f32 {
        let Seen { local, .. } = self.seen(scale, Affine2::IDENTITY);
        local.channel(channel)
    }

    /// The rest pose of a bone whose scale is `scale` now.
    ///
    /// From the matrix alone, a bone that mirrors its X axis looks the same as one that mirrors its
    /// Y axis and is turned by half a turn. If both the rest pose and the bone are mirrored, or
    /// neither is, the axis is taken to be that of the bone.
    pub(super) fn seen(&self, scale: Vec2, to_space: Affine2) -> Seen {
        let (x, y) = (self.frame.matrix2.x_axis, self.frame.matrix2.y_axis);
        let mirror = 1.0_f32.copysign(x.perp_dot(y));
        let sign_x = match mirror == 1.0_f32.copysign(scale.x * scale.y) {
            true => 1.0_f32.copysign(scale.x),
            false => 1.0,
        };
        let rotation = heading(x, sign_x).unwrap_or(Rotation::NONE);
        Seen {
            frame: to_space * self.mount * self.frame,
            local: Local {
                position: self.frame.translation,
                rotation: rotation.angle(),
                scale: Vec2::new(sign_x * x.length(), sign_x * mirror * y.length()),
            },
        }
    }
}
