//! Copy transform: one channel of a source mapped to one channel of a bone.
//!
//! A value of the source (an angle, a coordinate or a scale) is mapped from one range to another,
//! `bone_min + (value − source_min) / (source_max − source_min) · (bone_max − bone_min)`, and set or
//! added to the bone. Closed form. What the numbers mean:
//!
//! | | rotation | position | scale |
//! |---|---|---|---|
//! | value | radians | units | factor |
//! | `relative` | radians from the rest pose | units from the rest pose | factor of the rest pose |
//! | `additive` | added to the pose | added to the pose | multiplies the pose |
//!
//! A range whose ends are equal is a switch: `bone_min` below it, `bone_max` from there on.
//!
//! **Spaces.** In the parent's space the channels are the numbers of the local transform. In the
//! skeleton's and in global space they are read from the frame: the origin, the direction of the X
//! axis before the own scale, and the lengths of the axes with the signs of the own scale. A bone
//! gets the local transform that has the wanted channel there, whatever mirrors, stretches or skews
//! the frames above it.
//!
//! **Whole turns.** An angle read from a frame, or written by an animation that loops, comes back
//! after a turn. From pass to pass the source takes the shorter way, and turns are counted, so that
//! wheels of any ratio turn on. A number beyond a whole turn was not wrapped by anybody and counts
//! as it is. With `clamp` and a range of at most one turn the angle counts that lies in the range,
//! if there is one: such a dial never depends on what it did before, except beyond its ends.
//!
//! **Without a source** the bone does not inherit the rotation of its parents: its own rotation
//! counts as if they were at rest (`relative`) or not turned at all.
//!
//! Limits: between no and full influence a rotation is a part of the way, which is counted through
//! whole turns, too. Joint limits hold, and cannot be wound.

use std::f64::consts::{PI, TAU};

use glam::{Affine2, Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::bound::Bound;
use crate::kinematics::joint::Joint;
use crate::math::angle::wrapped;
use crate::math::rotation::Rotation;
use crate::math::trigonometry::unit_vector;
use crate::skeleton::limit::Limit;

/// The scales nearest to zero that a `Node2D` holds.
const LEAST_SCALE: f32 = 1e-5;

/// A bone that a limit keeps further than this from its wanted rotation, in radians, is out of
/// reach.
const ALIGNED: f32 = 1e-4;

/// By how much more than half a turn an angle changes before that counts as the longer way, in
/// turns.
const HALF_TURN_ROUNDING: f64 = 1e-4;

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
    fn is_scale(self) -> bool {
        matches!(self, Self::ScaleX | Self::ScaleY)
    }

    /// 0 for X, 1 for Y.
    fn axis(self) -> usize {
        usize::from(matches!(self, Self::PositionY | Self::ScaleY))
    }
}

/// Where channels are read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// The parent of each of the two.
    #[default]
    Parent,
    /// The skeleton.
    Skeleton,
    /// What the skeleton itself hangs in.
    Global,
}

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

/// What a bone copies.
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

/// What a mapping refers to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mapping {
    /// What is copied. `None`: the bone does not inherit the rotation of its parents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The bone's rest pose, for a relative mapping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Rest>,
}

/// Settings of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CopyTransform {
    /// What is read.
    pub source_channel: Channel,
    /// What is written.
    pub bone_channel: Channel,
    /// The values of the source that become those in `bone_range`, in the same order.
    #[serde(with = "crate::math::number")]
    pub source_range: Vec2,
    /// What the ends of `source_range` become.
    #[serde(with = "crate::math::number")]
    pub bone_range: Vec2,
    /// Whether values beyond `source_range` count as its ends.
    pub clamp: bool,
    /// Where both channels are.
    pub space: Space,
    /// Whether values count from the rest poses.
    pub relative: bool,
    /// Whether the result is added to the pose.
    pub additive: bool,
}

impl Default for CopyTransform {
    fn default() -> Self {
        Self {
            source_channel: Channel::default(),
            bone_channel: Channel::default(),
            source_range: Vec2::new(0.0, 1.0),
            bone_range: Vec2::new(0.0, 1.0),
            clamp: false,
            space: Space::default(),
            relative: true,
            additive: false,
        }
    }
}

/// A bone or a node as a mapping reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Its frame in the space of the mapping.
    pub(crate) frame: Affine2,
    pub(crate) local: Local,
}

impl Seen {
    fn channel(&self, channel: Channel, space: Space) -> Option<f64> {
        let Self { frame, local } = self;
        let axis = channel.axis();
        let value = match channel {
            Channel::Rotation if space == Space::Parent => local.rotation,
            Channel::Rotation => heading(frame.matrix2.x_axis, local.scale.x)?.angle(),
            Channel::PositionX | Channel::PositionY if space == Space::Parent => {
                local.position[axis]
            }
            Channel::PositionX | Channel::PositionY => frame.translation[axis],
            _ if space == Space::Parent => local.scale[axis],
            _ => frame.matrix2.col(axis).length().copysign(local.scale[axis]),
        };
        value.is_finite().then_some(f64::from(value))
    }
}

/// The direction of an X axis before the own scale `scale`.
fn heading(x_axis: Vec2, scale: f32) -> Option<Rotation> {
    Rotation::towards(x_axis * 1.0_f32.copysign(scale))
}

impl Rest {
    /// The rest pose of a bone whose scale is `scale` now.
    ///
    /// The matrix does not tell a bone that mirrors its X axis from one that mirrors its Y axis and
    /// is turned by half a turn. As long as it mirrors at all as the bone does, it is taken for the
    /// same.
    fn seen(&self, scale: Vec2, to_space: Affine2) -> Seen {
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

/// What a mapping remembers of the pass before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Followed {
    /// The angle of the source as it was read, in radians.
    #[serde(with = "crate::math::number")]
    pub angle: f32,
    /// Whole turns that the source has made besides.
    #[serde(with = "crate::math::number")]
    pub turns: f32,
    /// How far the bone was turned, in radians.
    #[serde(with = "crate::math::number")]
    pub swing: f32,
}

/// The bone that a mapping moves, as the working pose has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driven<'a> {
    /// The skeleton's frame in the space of the mapping: only in global space not the identity.
    pub(crate) into_space: Affine2,
    /// The frame above the bone in skeleton space.
    pub(crate) mount: Affine2,
    pub(crate) local: Local,
    /// Its transform in that frame, which has its skew.
    pub(crate) linear: Mat2,
    /// The turn of its rotation.
    pub(crate) turn: Rotation,
    pub(crate) limit: Option<&'a Limit>,
}

/// What a bone becomes at full influence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// It turns by this many radians. If nothing limits it, that is to `rotation`.
    Turn { swing: f64, rotation: Rotation },
    /// It moves to a position in its parent's frame.
    Shift(Vec2),
    /// It gets a scale of its own axes.
    Scale(Vec2),
}

/// What a mapping comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapped {
    pub(crate) change: Change,
    /// Whether the bone becomes what was wanted.
    pub(crate) is_reached: bool,
    pub(crate) followed: Followed,
}

impl CopyTransform {
    /// What becomes of `bone`, given the source and what is remembered of the pass before. `None`
    /// where a number is not finite or a frame is singular.
    pub(crate) fn solve(
        &self,
        mapping: &Mapping,
        source: Option<&Seen>,
        bone: &Driven,
        before: Option<Followed>,
    ) -> Option<Mapped> {
        let into_space = bone.into_space;
        let seen = Seen {
            frame: into_space
                * bone.mount
                * Affine2::from_mat2_translation(bone.linear, bone.local.position),
            local: bone.local,
        };
        let mut followed = before.unwrap_or_default();
        let Some(source) = source else {
            let turned = self.turn(bone, self.own_rotation(mapping, bone)?, before)?;
            return Some(turned.into_mapped(followed));
        };
        // A scale that is not a number has no sign to mirror by.
        let is_sound = source.local.scale.is_finite() && bone.local.scale.is_finite();
        is_sound.then_some(())?;
        let rest = match mapping.source {
            Some(Source::Bone { rest, .. }) => rest.filter(|_| self.relative),
            _ => None,
        };
        let rest = rest.map(|rest| rest.seen(source.local.scale, into_space));
        let (value, angle, turns) = self.source_value(source, rest.as_ref(), before)?;
        (followed.angle, followed.turns) = (angle, turns);
        let mapped = self.map(value);
        let channel = self.bone_channel;
        let now = seen.channel(channel, self.space)?;
        let rest = mapping.rest.filter(|_| self.relative);
        let rest = rest.map(|rest| rest.seen(bone.local.scale, into_space));
        let rest = match rest {
            Some(rest) => Some(rest.channel(channel, self.space)?),
            None => None,
        };
        let wanted = self.wanted(mapped, now, rest);
        let change = match channel {
            Channel::Rotation => {
                let wanted = match self.space {
                    Space::Parent => Wanted::Rotation(wanted),
                    Space::Skeleton | Space::Global => Wanted::Heading(unit(wanted)),
                };
                let turned = self.turn(bone, wanted, before)?;
                return Some(turned.into_mapped(followed));
            }
            Channel::PositionX | Channel::PositionY => self.shift(bone, wanted)?,
            Channel::ScaleX | Channel::ScaleY => self.scale(&seen, wanted)?,
        };
        Some(Mapped {
            change,
            is_reached: true,
            followed,
        })
    }

    /// The value of the source, with the angle that it was read as and the turns that were added.
    fn source_value(
        &self,
        source: &Seen,
        rest: Option<&Seen>,
        before: Option<Followed>,
    ) -> Option<(f64, f32, f32)> {
        let channel = self.source_channel;
        let raw = source.channel(channel, self.space)?;
        let rest = match rest {
            Some(rest) => Some(rest.channel(channel, self.space)?),
            None => None,
        };
        let value = match rest {
            Some(rest) if channel.is_scale() => raw / rest,
            Some(rest) => raw - rest,
            None => raw,
        };
        if channel != Channel::Rotation {
            return value.is_finite().then_some((value, 0.0, 0.0));
        }
        let turns = self.count_turns(raw, value, before);
        Some((value + turns * TAU, raw as f32, turns as f32))
    }

    /// How many whole turns the source has made, beyond what its angle says: `raw` as it was read,
    /// and `value` from its rest.
    fn count_turns(&self, raw: f64, value: f64, before: Option<Followed>) -> f64 {
        let turns = match before {
            // Nobody wraps a number beyond a turn.
            Some(before) if raw.abs() > TAU + 1e-3 => f64::from(before.turns),
            Some(before) => f64::from(before.turns) - turns_in(raw - f64::from(before.angle)),
            None if raw.abs() <= PI + 1e-6 => -turns_in(value),
            None => 0.0,
        };
        let [least, greatest] = sorted(self.source_range);
        if !self.clamp || greatest - least > TAU {
            return turns;
        }
        let is_inside = |turns: f64| (least..=greatest).contains(&(value + turns * TAU));
        let inside = ((least - value) / TAU).ceil();
        if is_inside(turns) {
            turns
        } else if is_inside(inside) {
            inside
        } else if before.is_none() {
            (((least + greatest) / 2.0 - value) / TAU).round()
        } else {
            turns
        }
    }

    /// Carries a value of the source to the range of the bone.
    pub fn map(&self, value: f64) -> f64 {
        let [from, to] = self.source_range.to_array().map(f64::from);
        let [start, end] = self.bone_range.to_array().map(f64::from);
        let part = if from == to {
            f64::from(u8::from(value >= from))
        } else {
            (value - from) / (to - from)
        };
        let part = match self.clamp {
            true => part.clamp(0.0, 1.0),
            false => part,
        };
        start + part * (end - start)
    }

    /// The new value of the channel, where it is `now` and was `rest` in the rest pose.
    fn wanted(&self, mapped: f64, now: f64, rest: Option<f64>) -> f64 {
        let from = if self.additive { Some(now) } else { rest };
        match from {
            Some(from) if self.bone_channel.is_scale() => from * mapped,
            Some(from) => from + mapped,
            None => mapped,
        }
    }

    /// The rotation of a bone that does not inherit those of its parents.
    fn own_rotation(&self, mapping: &Mapping, bone: &Driven) -> Option<Wanted> {
        if self.space == Space::Parent {
            return Some(Wanted::Rotation(f64::from(bone.local.rotation)));
        }
        let heading = match mapping.rest.filter(|_| self.relative) {
            Some(rest) => Rotation::towards(rest.mount.matrix2 * bone.turn.direction())?,
            None => bone.turn,
        };
        Some(Wanted::Heading(heading))
    }

    /// How `bone` turns to the wanted rotation, or as nearly as its limit allows.
    fn turn(&self, bone: &Driven, wanted: Wanted, before: Option<Followed>) -> Option<Turned> {
        let mut joint = Joint::new(bone.turn, Vec2::X, Mat2::IDENTITY);
        joint.basis = bone.mount.matrix2;
        match wanted {
            Wanted::Rotation(rotation) => joint.rotation = unit(rotation),
            Wanted::Heading(heading) => {
                joint.basis = bone.into_space.matrix2 * bone.mount.matrix2;
                joint.head_along(heading);
                joint.basis = bone.mount.matrix2;
            }
        }
        let free = joint.rotation;
        let bound = bone.limit;
        let bound = bound.and_then(|limit| Bound::new(limit, bone.turn, bone.mount.matrix2));
        if let Some(bound) = &bound {
            joint.hold_back(bound.weight);
            bound.keep(&mut joint);
        }
        let off = free.inverse().then(joint.rotation).angle();
        let way = f64::from(joint.turned());
        let swing = match (wanted, before) {
            (Wanted::Rotation(rotation), _) if bound.is_none() => {
                rotation - f64::from(bone.local.rotation)
            }
            // On through whole turns, as before.
            (_, Some(before)) => way - TAU * turns_in(way - f64::from(before.swing)),
            (_, None) => way,
        };
        swing.is_finite().then_some(Turned {
            swing,
            rotation: joint.rotation,
            is_reached: off.abs() <= ALIGNED,
        })
    }

    /// Where `bone` is so that one coordinate is `wanted`.
    fn shift(&self, bone: &Driven, wanted: f64) -> Option<Change> {
        let axis = self.bone_channel.axis();
        let mut position = bone.local.position;
        if self.space == Space::Parent {
            position[axis] = wanted as f32;
        } else {
            let mount = bone.into_space * bone.mount;
            let mut seen = mount.transform_point2(position);
            seen[axis] = wanted as f32;
            position = mount.inverse().transform_point2(seen);
        }
        position.is_finite().then_some(Change::Shift(position))
    }

    /// The scale of `bone` that makes one of its axes as long as `wanted`.
    fn scale(&self, bone: &Seen, wanted: f64) -> Option<Change> {
        let axis = self.bone_channel.axis();
        let mut scale = bone.local.scale;
        let stretch = match self.space {
            Space::Parent => 1.0,
            _ => f64::from(bone.frame.matrix2.col(axis).length() / scale[axis].abs()),
        };
        let own = (wanted / stretch) as f32;
        scale[axis] = own.abs().max(LEAST_SCALE).copysign(own);
        (own.is_finite() && scale.is_finite()).then_some(Change::Scale(scale))
    }
}

/// The new rotation of a bone.
#[derive(Clone, Copy)]
enum Wanted {
    /// In its parent's frame, radians.
    Rotation(f64),
    /// The direction of its X axis before its own scale, in the space of the mapping.
    Heading(Rotation),
}

/// How a bone turns.
struct Turned {
    swing: f64,
    rotation: Rotation,
    is_reached: bool,
}

impl Turned {
    fn into_mapped(self, followed: Followed) -> Mapped {
        Mapped {
            change: Change::Turn {
                swing: self.swing,
                rotation: self.rotation,
            },
            is_reached: self.is_reached,
            followed: Followed {
                swing: self.swing as f32,
                ..followed
            },
        }
    }
}

/// `angle` in radians as the number of whole turns nearest to it; none up to half a turn.
fn turns_in(angle: f64) -> f64 {
    let turns = (angle.abs() / TAU - HALF_TURN_ROUNDING).round();
    turns.copysign(angle)
}

fn sorted(range: Vec2) -> [f64; 2] {
    let [a, b] = range.to_array().map(f64::from);
    [a.min(b), a.max(b)]
}

fn unit(angle: f64) -> Rotation {
    let direction = unit_vector(wrapped(angle)).as_vec2();
    Rotation::from_unit(direction.normalize_or(direction))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CHANNELS: [Channel; 5] = [
        Channel::Rotation,
        Channel::PositionX,
        Channel::PositionY,
        Channel::ScaleX,
        Channel::ScaleY,
    ];

    /// A local transform with its skew.
    #[derive(Clone, Copy, Debug)]
    struct Node {
        local: Local,
        skew: f32,
    }

    impl Node {
        fn turned(rotation: f32) -> Self {
            let local = Local {
                position: Vec2::new(30.0, -5.0),
                rotation,
                scale: Vec2::ONE,
            };
            Self { local, skew: 0.0 }
        }

        fn frame(self) -> Affine2 {
            let Local {
                position,
                rotation,
                scale,
            } = self.local;
            let lean = Vec2::from_angle(self.skew).perp() * scale.y;
            let shape = Mat2::from_cols(Vec2::X * scale.x, lean);
            Affine2::from_mat2_translation(Mat2::from_angle(rotation) * shape, position)
        }

        fn seen(self, above: Affine2) -> Seen {
            Seen {
                frame: above * self.frame(),
                local: self.local,
            }
        }

        fn driven(self, mount: Affine2) -> Driven<'static> {
            Driven {
                into_space: Affine2::IDENTITY,
                mount,
                local: self.local,
                linear: self.frame().matrix2,
                turn: Rotation::from_angle(self.local.rotation),
                limit: None,
            }
        }

        fn changed(mut self, change: Change) -> Self {
            match change {
                Change::Turn { swing, .. } => self.local.rotation += swing as f32,
                Change::Shift(position) => self.local.position = position,
                Change::Scale(scale) => self.local.scale = scale,
            }
            self
        }
    }

    fn absolute(source_channel: Channel, bone_channel: Channel, space: Space) -> CopyTransform {
        CopyTransform {
            source_channel,
            bone_channel,
            space,
            relative: false,
            ..CopyTransform::default()
        }
    }

    /// A mapping between bones with these rest poses.
    fn from_rest(source: Option<Rest>, bone: Option<Rest>) -> Mapping {
        let source = Source::Bone {
            bone: 0,
            rest: source,
        };
        Mapping {
            source: Some(source),
            rest: bone,
        }
    }

    /// The angle of a wheel after each of `angles`, through `read`, which may wrap it.
    fn roll(
        mapping: &CopyTransform,
        angles: impl Iterator<Item = f64>,
        read: impl Fn(f64) -> Seen,
    ) -> Vec<f64> {
        let mut before = None;
        let wheel = Node::turned(0.0);
        let rolled = angles.map(|angle| {
            let bone = wheel.driven(Affine2::IDENTITY);
            let mapped = mapping.solve(&Mapping::default(), Some(&read(angle)), &bone, before);
            let mapped = mapped.expect("all numbers are finite");
            before = Some(mapped.followed);
            match mapped.change {
                Change::Turn { swing, .. } => swing,
                other => panic!("{other:?}"),
            }
        });
        rolled.collect()
    }

    #[test]
    fn the_default_range_is_one_to_one() {
        let mapping = CopyTransform::default();
        for value in [0.0, 0.1, -3.75, 1e6] {
            assert_eq!(mapping.map(value), value);
        }
    }

    #[test]
    fn ranges_may_be_reversed_and_clamped() {
        let dial = CopyTransform {
            source_range: Vec2::new(2.0, -2.0),
            bone_range: Vec2::new(0.5, -0.5),
            ..CopyTransform::default()
        };
        assert_eq!(dial.map(2.0), 0.5);
        assert_eq!(dial.map(-2.0), -0.5);
        assert_eq!(dial.map(6.0), 1.5);
        let clamped = CopyTransform {
            clamp: true,
            ..dial
        };
        assert_eq!(clamped.map(6.0), 0.5);
        assert_eq!(clamped.map(-6.0), -0.5);
    }

    #[test]
    fn a_range_without_extent_is_a_switch() {
        for clamp in [false, true] {
            let switch = CopyTransform {
                source_range: Vec2::splat(3.0),
                bone_range: Vec2::new(-1.0, 1.0),
                clamp,
                ..CopyTransform::default()
            };
            assert_eq!(switch.map(2.999), -1.0);
            assert_eq!(switch.map(3.0), 1.0);
            assert_eq!(switch.map(1e9), 1.0);
        }
    }

    #[test]
    fn in_the_parents_space_numbers_are_copied_to_the_last_bit() {
        let source = Node {
            local: Local {
                position: Vec2::new(0.1, -0.7),
                rotation: 2.3,
                scale: Vec2::new(1.7, -0.3),
            },
            skew: 0.2,
        };
        let value = |node: Node, channel: Channel| match channel {
            Channel::Rotation => node.local.rotation,
            _ if channel.is_scale() => node.local.scale[channel.axis()],
            _ => node.local.position[channel.axis()],
        };
        for from in CHANNELS {
            for to in CHANNELS {
                let mapping = absolute(from, to, Space::Parent);
                let bone = Node::turned(0.0);
                let seen = source.seen(Affine2::from_angle(1.0));
                let mapped = mapping.solve(
                    &Mapping::default(),
                    Some(&seen),
                    &bone.driven(Affine2::IDENTITY),
                    None,
                );
                let after = bone.changed(mapped.expect("finite").change);
                assert_eq!(value(after, to), value(source, from), "{from:?} to {to:?}");
            }
        }
    }

    #[test]
    fn wheels_turn_on_through_whole_turns() {
        let gear = CopyTransform {
            bone_range: Vec2::new(0.0, -2.5),
            relative: false,
            ..CopyTransform::default()
        };
        let angles = || (0..=400).map(|step| f64::from(step) * 0.15 - 3.0);
        let expected: Vec<_> = angles().map(|angle| -2.5 * angle).collect();
        let readings: [fn(f64) -> f64; 3] = [|angle| angle, wrapped, |angle| angle.rem_euclid(TAU)];
        let check = |rolled: Vec<f64>, about: &str| {
            let offset = expected[0] - rolled[0];
            for (is, wanted) in rolled.iter().zip(&expected) {
                assert!(
                    (is + offset - wanted).abs() < 1e-4,
                    "{about}: {is}, {wanted}"
                );
            }
        };
        for (index, reading) in readings.into_iter().enumerate() {
            let read = |angle| Node::turned(reading(angle) as f32).seen(Affine2::IDENTITY);
            check(roll(&gear, angles(), read), &format!("reading {index}"));
        }
        let in_skeleton = CopyTransform {
            space: Space::Skeleton,
            ..gear
        };
        let turning =
            |angle: f64| Node::turned(0.0).seen(Affine2::from_angle(wrapped(angle) as f32));
        let rolled = roll(&in_skeleton, angles(), turning);
        for (is, wanted) in rolled.iter().zip(&expected) {
            let turns = (is - wanted) / TAU;
            assert!((turns - turns.round()).abs() < 1e-4, "{is}, {wanted}");
        }
        for pair in rolled.windows(2) {
            assert!((pair[1] - pair[0]).abs() < 0.5, "half influence would leap");
        }
    }

    #[test]
    fn a_looping_animation_does_not_turn_a_gear_back() {
        let gear = CopyTransform {
            bone_range: Vec2::new(0.0, 0.5),
            relative: false,
            ..CopyTransform::default()
        };
        let angles = [5.9, 6.2, 0.1, 0.4].into_iter();
        let rolled = roll(&gear, angles, |angle| {
            Node::turned(angle as f32).seen(Affine2::IDENTITY)
        });
        assert!((rolled[3] - 0.5 * (0.4 + TAU)).abs() < 1e-6);
    }

    #[test]
    fn the_first_number_counts_as_it_is() {
        let gear = CopyTransform {
            relative: false,
            ..CopyTransform::default()
        };
        for angle in [4.0 * PI, -3.5, 3.0] {
            let read = |angle| Node::turned(angle as f32).seen(Affine2::IDENTITY);
            let rolled = roll(&gear, [angle].into_iter(), read);
            assert!((rolled[0] - angle).abs() < 1e-5);
        }
    }

    #[test]
    fn a_clamped_dial_counts_where_it_points() {
        let jaw = CopyTransform {
            source_range: Vec2::new(-2.0, 2.0),
            bone_range: Vec2::new(0.0, 1.0),
            clamp: true,
            relative: false,
            ..CopyTransform::default()
        };
        let read = |angle| Node::turned(angle as f32).seen(Affine2::IDENTITY);
        // More than half a turn at once, beyond an end, and back into the range.
        let angles = [-2.0, 2.0, 2.5, 0.0, 6.0, 1.0];
        let opened = roll(&jaw, angles.into_iter(), read);
        for (is, wanted) in opened.iter().zip([0.0, 1.0, 1.0, 0.5, 0.5 - 0.0708, 0.75]) {
            assert!((is - wanted).abs() < 1e-3, "{opened:?}");
        }
        for (angle, nearer_end) in [(3.0, 1.0), (3.3, 0.0), (-3.0, 0.0)] {
            let fresh = roll(&jaw, [angle].into_iter(), read);
            assert!((fresh[0] - nearer_end).abs() < 1e-6, "{fresh:?}");
        }
    }

    #[test]
    fn a_long_clamped_range_counts_turns() {
        let winch = CopyTransform {
            source_range: Vec2::new(0.0, 20.0),
            clamp: true,
            relative: false,
            ..CopyTransform::default()
        };
        let angles = (0..200).map(|step| f64::from(step) * 0.1);
        let read = |angle| Node::turned(wrapped(angle) as f32).seen(Affine2::IDENTITY);
        let wound = roll(&winch, angles, read);
        assert!((wound[199] - 19.9 / 20.0).abs() < 1e-5);
    }

    #[test]
    fn relative_values_count_from_the_rest_poses() {
        let rest = |node: Node| {
            Some(Rest {
                mount: Affine2::IDENTITY,
                frame: node.frame(),
            })
        };
        let source_rest = Node::turned(3.0);
        let bone_rest = Node::turned(0.5);
        let rests = from_rest(rest(source_rest), rest(bone_rest));
        let mapping = CopyTransform::default();
        // Across the seam from the rest pose.
        let source = Node::turned(-3.0).seen(Affine2::IDENTITY);
        let bone = Node::turned(0.1).driven(Affine2::IDENTITY);
        let turned = |mapping: &CopyTransform| {
            let mapped = mapping
                .solve(&rests, Some(&source), &bone, None)
                .expect("finite");
            match mapped.change {
                Change::Turn { swing, .. } => 0.1 + swing,
                other => panic!("{other:?}"),
            }
        };
        let way = TAU - 6.0;
        assert!((turned(&mapping) - (0.5 + way)).abs() < 1e-6);
        let additive = CopyTransform {
            additive: true,
            ..mapping
        };
        assert!((turned(&additive) - (0.1 + way)).abs() < 1e-6);
    }

    #[test]
    fn relative_scales_are_factors() {
        let rest = |scale: Vec2| {
            Some(Rest {
                mount: Affine2::IDENTITY,
                frame: Affine2::from_scale(scale),
            })
        };
        let scaled = |scale| Node {
            local: Local {
                scale,
                ..Node::turned(0.0).local
            },
            skew: 0.0,
        };
        let rests = from_rest(rest(Vec2::new(2.0, 1.0)), rest(Vec2::new(1.0, 0.5)));
        let mapping = CopyTransform {
            source_channel: Channel::ScaleX,
            bone_channel: Channel::ScaleY,
            ..CopyTransform::default()
        };
        let source = scaled(Vec2::new(3.0, 1.0)).seen(Affine2::IDENTITY);
        let bone = scaled(Vec2::new(1.0, 0.8)).driven(Affine2::IDENTITY);
        let scale = |mapping: &CopyTransform| {
            let mapped = mapping
                .solve(&rests, Some(&source), &bone, None)
                .expect("finite");
            match mapped.change {
                Change::Scale(scale) => scale.y,
                other => panic!("{other:?}"),
            }
        };
        assert!((scale(&mapping) - 0.75).abs() < 1e-6);
        let additive = CopyTransform {
            additive: true,
            ..mapping
        };
        assert!((scale(&additive) - 1.2).abs() < 1e-6);
        let none = CopyTransform {
            bone_range: Vec2::ZERO,
            ..mapping
        };
        assert_eq!(scale(&none), LEAST_SCALE, "no node holds a scale of zero");
    }

    #[test]
    fn an_own_mirror_is_no_turn() {
        let mirrored = Node {
            local: Local {
                scale: Vec2::new(-1.0, 1.0),
                ..Node::turned(0.4).local
            },
            skew: 0.0,
        };
        let rest = Rest {
            mount: Affine2::IDENTITY,
            frame: mirrored.frame(),
        };
        let seen = rest.seen(mirrored.local.scale, Affine2::IDENTITY);
        assert!((seen.local.rotation - 0.4).abs() < 1e-6);
        assert!(seen.local.scale.abs_diff_eq(mirrored.local.scale, 1e-6));
        // A bone that was mirrored after its rest pose was set.
        let plain = Rest {
            frame: Node::turned(0.4).frame(),
            ..rest
        };
        let seen = plain.seen(mirrored.local.scale, Affine2::IDENTITY);
        assert!((seen.local.rotation - 0.4).abs() < 1e-6);
        assert!(seen.local.scale.abs_diff_eq(Vec2::ONE, 1e-6));
    }

    #[test]
    fn a_limit_holds_and_is_told() {
        let limit = Limit::around(0.0, -0.5, 0.5);
        let mapping = CopyTransform {
            relative: false,
            ..CopyTransform::default()
        };
        for (angle, wanted) in [(0.3, 0.3), (1.0, 0.5), (-1.0, -0.5)] {
            let source = Node::turned(angle).seen(Affine2::IDENTITY);
            let bone = Driven {
                limit: Some(&limit),
                ..Node::turned(0.0).driven(Affine2::IDENTITY)
            };
            let mapped = mapping
                .solve(&Mapping::default(), Some(&source), &bone, None)
                .expect("finite");
            let Change::Turn { swing, .. } = mapped.change else {
                panic!("{mapped:?}");
            };
            assert!((swing - wanted).abs() < 1e-6);
            assert_eq!(mapped.is_reached, angle == 0.3);
        }
    }

    #[test]
    fn without_a_source_a_bone_does_not_inherit_rotation() {
        let rest_mount = Affine2::from_angle(0.7);
        for (relative, wanted) in [(true, 0.7 + 0.2), (false, 0.2)] {
            let cabin = CopyTransform {
                space: Space::Skeleton,
                relative,
                ..CopyTransform::default()
            };
            let rest = Rest {
                mount: rest_mount,
                frame: Affine2::IDENTITY,
            };
            let mapping = Mapping {
                source: None,
                rest: Some(rest),
            };
            let mut before = None;
            let mut last = 0.0;
            for step in 0..300_u16 {
                let above = 0.7 + 0.1 * f32::from(step);
                let node = Node::turned(0.2);
                let mount = Affine2::from_angle(above);
                let mapped = cabin
                    .solve(&mapping, None, &node.driven(mount), before)
                    .expect("finite");
                let seen = node.changed(mapped.change).seen(mount);
                let heading = seen.channel(Channel::Rotation, Space::Skeleton);
                let heading = heading.expect("a direction");
                assert!((wrapped(heading - wanted)).abs() < 1e-5);
                let Change::Turn { swing, .. } = mapped.change else {
                    panic!("{mapped:?}");
                };
                assert!(
                    step == 0 || (swing - last).abs() < 0.11,
                    "no leap at any influence"
                );
                (before, last) = (Some(mapped.followed), swing);
            }
        }
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        let bad = [f32::NAN, f32::INFINITY];
        let bone = Node::turned(0.0).driven(Affine2::IDENTITY);
        for value in bad {
            for to in CHANNELS {
                let source = Node::turned(value).seen(Affine2::IDENTITY);
                let mapping = absolute(Channel::Rotation, to, Space::Parent);
                assert_eq!(
                    mapping.solve(&Mapping::default(), Some(&source), &bone, None),
                    None
                );
                let mapping = CopyTransform {
                    bone_range: Vec2::new(0.0, value),
                    ..mapping
                };
                let source = Node::turned(1.0).seen(Affine2::IDENTITY);
                assert_eq!(
                    mapping.solve(&Mapping::default(), Some(&source), &bone, None),
                    None,
                    "{to:?}"
                );
            }
        }
        let flat = Node::turned(0.0).driven(Affine2::from_scale(Vec2::new(0.0, 1.0)));
        let source = Node::turned(1.0).seen(Affine2::IDENTITY);
        for to in [Channel::PositionX, Channel::ScaleX] {
            let mapping = absolute(Channel::Rotation, to, Space::Skeleton);
            assert_eq!(
                mapping.solve(&Mapping::default(), Some(&source), &flat, None),
                None,
                "{to:?}"
            );
        }
    }

    prop_compose! {
        fn local()(
            x in -100.0_f32..100.0,
            y in -100.0_f32..100.0,
            rotation in -3.1_f32..3.1,
            (scale_x, scale_y) in (0.3_f32..3.0, 0.3_f32..3.0),
            (mirror_x, mirror_y) in any::<(bool, bool)>(),
            skew in -0.8_f32..0.8,
        ) -> Node {
            let sign = |mirror| if mirror { -1.0 } else { 1.0 };
            let local = Local {
                position: Vec2::new(x, y),
                rotation,
                scale: Vec2::new(sign(mirror_x) * scale_x, sign(mirror_y) * scale_y),
            };
            Node { local, skew }
        }
    }

    fn channel() -> impl Strategy<Value = Channel> {
        prop::sample::select(CHANNELS.to_vec())
    }

    fn space() -> impl Strategy<Value = Space> {
        prop::sample::select(vec![Space::Parent, Space::Skeleton, Space::Global])
    }

    proptest! {
        /// Below any frames the bone has in the space of the mapping what was wanted there.
        #[test]
        fn the_wanted_channel_is_what_the_bone_has(
            (above, under, skeleton) in (local(), local(), local()),
            (source, bone) in (local(), local()),
            (from, to, space) in (channel(), channel(), space()),
            range in (-2.0_f32..2.0, -2.0_f32..2.0),
            additive in any::<bool>(),
        ) {
            let mapping = CopyTransform {
                bone_range: range.into(),
                additive,
                ..absolute(from, to, space)
            };
            let into = match space {
                Space::Global => skeleton.frame(),
                Space::Parent | Space::Skeleton => Affine2::IDENTITY,
            };
            let mount = above.frame() * under.frame();
            let source = source.seen(into * above.frame());
            let now = bone.seen(into * mount).channel(to, space).expect("finite");
            let driven = Driven {
                into_space: into,
                ..bone.driven(mount)
            };
            let mapped = mapping.solve(&Mapping::default(), Some(&source), &driven, None).expect("finite");
            let value = mapping.map(source.channel(from, space).expect("finite"));
            let wanted = mapping.wanted(value, now, None);
            let after = bone.changed(mapped.change).seen(into * mount);
            let is = after.channel(to, space).expect("finite");
            let off = match to {
                Channel::Rotation => wrapped(is - wanted),
                _ => is - wanted,
            };
            // A scale of zero is none, and a narrow frame magnifies rounding.
            prop_assume!(!to.is_scale() || wanted.abs() > 1e-3);
            let size = 1.0 + wanted.abs() + after.frame.translation.length() as f64;
            prop_assert!(off.abs() < 2e-3 * size, "{is} for {wanted}");
        }

        /// Another axis keeps its place and its length, as the space of the mapping sees it.
        #[test]
        fn one_channel_leaves_the_others(
            (above, bone, source) in (local(), local(), local()),
            space in space(),
        ) {
            let mount = above.frame();
            let source = source.seen(Affine2::IDENTITY);
            let change = |to| {
                let mapping = absolute(Channel::Rotation, to, space);
                let mapped = mapping.solve(&Mapping::default(), Some(&source), &bone.driven(mount), None);
                bone.changed(mapped.expect("finite").change).seen(mount)
            };
            let before = bone.seen(mount);
            let moved = change(Channel::PositionX);
            let [is, was] = [moved, before].map(|seen| match space {
                Space::Parent => seen.local.position.y,
                _ => seen.frame.translation.y,
            });
            prop_assert!((is - was).abs() < 1e-2);
            let scaled = change(Channel::ScaleY);
            prop_assert_eq!(scaled.local.scale.x, before.local.scale.x);
            prop_assert_eq!(scaled.local.rotation, before.local.rotation);
        }

        /// The same motion in any number of frames is the same motion.
        #[test]
        fn turns_do_not_depend_on_the_frame_rate(
            (speed, ratio) in (-40.0_f64..40.0, -5.0_f32..5.0),
            frames in prop::sample::select(vec![30_u32, 60, 144]),
        ) {
            let gear = CopyTransform {
                bone_range: Vec2::new(0.0, ratio),
                relative: false,
                ..CopyTransform::default()
            };
            let angles = (0..=frames).map(|frame| speed * f64::from(frame) / f64::from(frames));
            let read = |angle| Node::turned(wrapped(angle) as f32).seen(Affine2::IDENTITY);
            let rolled = roll(&gear, angles, read);
            let end = rolled.last().expect("a frame");
            prop_assert!((end - f64::from(ratio) * speed).abs() < 1e-3);
        }
    }
}
