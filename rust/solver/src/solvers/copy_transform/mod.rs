//! Copy transform: one channel of a source mapped to one channel of a bone.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | the settings, and how a mapping is solved |
//! | [`mapping`] | the data: the source, rest poses, and how both are seen in a space |
//! | `tests` | its tests |
//!
//! A value of the source (an angle, a coordinate or a scale) is mapped from one range to another,
//! `bone_min + (value − source_min) / (source_max − source_min) · (bone_max − bone_min)`, and set
//! or added to the bone. Closed form. What the numbers mean:
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
//! **Whole turns.** An angle that is read from a frame, or written by an animation that loops,
//! begins again after a turn. From pass to pass the source is taken to turn the shorter way, and
//! its turns are counted. So a wheel that is geared to another one turns on, at any ratio. An angle
//! of more than a whole turn has not been wrapped, and counts as it is. With `clamp` and a range of
//! at most one turn, turns are added or taken away so that the angle lies in the range, if that is
//! possible. Such a dial depends on earlier passes only beyond its ends.
//!
//! **Without a source** the bone does not inherit the rotation of its parents: its own rotation
//! counts as if they were at rest (`relative`) or not turned at all.
//!
//! Limits: between no and full influence a rotation is a part of the way, which is counted through
//! whole turns, too. Joint limits hold, and cannot be wound.

use std::f64::consts::{PI, TAU};

use glam::{Affine2, Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::joint::Joint;
use crate::kinematics::limit_enforcement::DirectionArc;
use crate::math::angle::wrapped;
use crate::math::rotation::Rotation;
use crate::math::settings::settings;
use crate::math::trigonometry::unit_vector;
use crate::skeleton::limit::Limit;
use crate::solvers::copy_transform::mapping::{Channel, Local, Mapping, Seen, Source, Space};

pub(crate) mod mapping;
#[cfg(test)]
mod tests;

/// The scales nearest to zero that a `Node2D` holds.
pub(crate) const LEAST_SCALE: f32 = 1e-5;

/// A bone that a limit keeps further than this from its wanted rotation, in radians, is out of
/// reach.
const ALIGNED: f32 = 1e-4;

/// An angle may change by half a turn and this much more, in turns, before that counts as a turn
/// the other way.
const HALF_TURN_ROUNDING: f64 = 1e-4;

settings! {
    /// Settings of a mapping.
    MappingSettings {
        /// The channel of the source that is read.
        source_channel: Channel = Channel::default();
        /// The channel of the bone that is written.
        bone_channel: Channel = Channel::default();
        /// The values of the source that become those in `bone_range`, in the same order.
        source_range: Vec2 = Vec2::new(0.0, 1.0);
        /// The values that the ends of `source_range` become.
        bone_range: Vec2 = Vec2::new(0.0, 1.0);
        /// `true` if values beyond `source_range` count as its ends.
        clamp: bool = false;
        /// The space of both channels.
        space: Space = Space::default();
        /// `true` if values count from the rest poses.
        relative: bool = true;
        /// `true` if the result is added to the pose.
        additive: bool = false;
    }
}

/// The state that a mapping keeps of the pass before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MappingMemory {
    /// The angle of the source as it was read, in radians.
    #[serde(with = "crate::math::number")]
    pub angle: f32,
    /// Whole turns that the source has made besides.
    #[serde(with = "crate::math::number")]
    pub turns: f32,
    /// The angle by which the bone was turned, in radians.
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

impl Driven<'_> {
    /// The bone as it is now, in the space of the mapping.
    fn seen(&self) -> Seen {
        let own = Affine2::from_mat2_translation(self.linear, self.local.position);
        Seen {
            frame: self.into_space * self.mount * own,
            local: self.local,
        }
    }
}

/// The change of a bone at full influence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// It turns by this many radians. If nothing limits it, that is to `rotation`.
    Turn { swing: f64, rotation: Rotation },
    /// It moves to a position in its parent's frame.
    Shift(Vec2),
    /// It gets a scale of its own axes.
    Scale(Vec2),
}

/// The result of a mapping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapped {
    pub(crate) change: Change,
    /// `true` if the change makes the bone what was wanted.
    pub(crate) is_reached: bool,
    pub(crate) followed: MappingMemory,
}

impl MappingSettings {
    /// Returns the change of `bone`, given the source and the state of the pass before. `None` where a number is not
    /// finite or a frame is singular.
    pub(crate) fn solve(
        &self,
        mapping: &Mapping,
        source: Option<&Seen>,
        bone: &Driven,
        before: Option<MappingMemory>,
    ) -> Option<Mapped> {
        let into_space = bone.into_space;
        let seen = bone.seen();
        let mut followed = before.unwrap_or_default();
        let Some(source) = source else {
            return self.turn(bone, self.own_rotation(mapping, bone)?, before, followed);
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
                return self.turn(bone, wanted, before, followed);
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
    pub(crate) fn source_value(
        &self,
        source: &Seen,
        rest: Option<&Seen>,
        before: Option<MappingMemory>,
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

    /// Returns the number of whole turns that the source has made besides its angle: `raw` as it was read, and `value`
    /// from its rest.
    fn count_turns(&self, raw: f64, value: f64, before: Option<MappingMemory>) -> f64 {
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

    /// Returns the turn of `bone` to the wanted rotation, or as near to it as its limit allows.
    fn turn(
        &self,
        bone: &Driven,
        wanted: Wanted,
        before: Option<MappingMemory>,
        followed: MappingMemory,
    ) -> Option<Mapped> {
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
        let bound = bound.and_then(|limit| DirectionArc::new(limit, bone.turn, bone.mount.matrix2));
        if let Some(bound) = &bound {
            joint.hold_back(bound.weight);
            bound.enforce(&mut joint);
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
        swing.is_finite().then_some(Mapped {
            change: Change::Turn {
                swing,
                rotation: joint.rotation,
            },
            is_reached: off.abs() <= ALIGNED,
            followed: MappingMemory {
                swing: swing as f32,
                ..followed
            },
        })
    }

    /// Returns the position of `bone` at which one coordinate is `wanted`.
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
