//! Sliders: a channel of a bone or a node says at which time of an animation the bones are posed.
//!
//! The value of the source is mapped to a time, as [`crate::solvers::copy_transform`] maps: through
//! whole turns, clamped to the ends of the range or, if the animation loops, wrapped into it. What the
//! animation has at that time is sampled by its owner (`nodes/slider/tracks.rs`), who does the pass modifier by modifier
//! ([`crate::Rig::begin`], [`crate::Rig::apply`], [`crate::Rig::finish`]), asks for the
//! [time](crate::Shown::slider_time) before this one is applied, and writes the values into
//! [`samples`](Slider::samples). So the source may be a bone that an earlier modifier moves, and a
//! capture is solved again to the last bit without the animation.
//!
//! A value replaces that of the pose. An additive one adds its difference from the rest pose; a scale
//! multiplies. Joint limits hold. If a number is not finite, no bone is changed.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Unsolvable;
use crate::math::angle::shortest_way;
use crate::math::settings::settings;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::influence::Influence;
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts};
use crate::rig::kinds::copy_transform::local;
use crate::rig::kinds::custom::turn_within_limit;
use crate::rig::pose::Pose;
use crate::skeleton::report::{Report, Status};
use crate::solvers::copy_transform::mapping::{Channel, Local, Seen};
use crate::solvers::copy_transform::{LEAST_SCALE, MappingMemory, MappingSettings};

/// Bones that are posed by an animation, at a time that something else says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slider {
    /// Indices of the bones that it poses, parents first.
    joints: Vec<usize>,
    /// The source that the time is read from.
    pub source: SliderSource,
    /// The values of the animation at that time, by the indices of the bones.
    pub samples: Vec<Sample>,
    /// The settings by which a value becomes a time.
    #[serde(default)]
    pub settings: SliderSettings,
    /// The turns that were counted.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Option<MappingMemory>>,
}

/// The bone or node that a slider reads its time from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SliderSource {
    /// A bone of the rig, as the working pose has it.
    Bone(usize),
    /// Another node.
    Node(Local),
}

/// A value of an animation at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Index of the bone.
    pub bone: usize,
    /// The channel that has this value, in the parent's frame.
    pub channel: Channel,
    /// The value.
    #[serde(with = "crate::math::number")]
    pub value: f32,
    /// The value in the rest pose. Only an additive slider reads it.
    #[serde(with = "crate::math::number")]
    pub rest: f32,
}

settings! {
    /// Settings of a slider.
    SliderSettings {
        /// The channel of the source that is read.
        channel: Channel = Channel::default();
        /// The values of the source that become those in `time_range`, in the same order.
        source_range: Vec2 = Vec2::new(0.0, 1.0);
        /// The times that the ends of `source_range` become, in seconds.
        time_range: Vec2 = Vec2::new(0.0, 1.0);
        /// `true` if times beyond `time_range` begin again. Otherwise they count as its ends.
        loops: bool = false;
        /// `true` if differences from the rest pose are added to the pose.
        additive: bool = false;
    }
}

impl SliderSettings {
    fn mapping(&self) -> MappingSettings {
        MappingSettings {
            source_channel: self.channel,
            source_range: self.source_range,
            bone_range: self.time_range,
            clamp: !self.loops,
            relative: false,
            ..MappingSettings::default()
        }
    }

    /// `time`, wrapped into the range if it loops.
    fn looped(&self, time: f64) -> f64 {
        let [a, b] = self.time_range.to_array().map(f64::from);
        let (start, length) = (a.min(b), (b - a).abs());
        match self.loops && length > 0.0 {
            true => start + (time - start).rem_euclid(length),
            false => time,
        }
    }
}

impl Slider {
    /// A slider with the usual settings. `samples` are sorted by their bones.
    pub fn new(source: SliderSource, mut samples: Vec<Sample>) -> Self {
        // Parents first: a limit in skeleton space depends on them.
        samples.sort_by_key(|sample| sample.bone);
        let mut joints: Vec<usize> = samples.iter().map(|sample| sample.bone).collect();
        joints.dedup();
        Self {
            joints,
            source,
            samples,
            settings: SliderSettings::default(),
            memory: Kept::default(),
        }
    }

    /// The time to sample the animation at, by what the pass before left.
    pub(in crate::rig) fn time(&self, pose: &Pose) -> Option<f64> {
        let followed = self.follow(pose, self.memory.before);
        followed.map(|(time, _)| time)
    }

    /// The time to sample the animation at after `before`, and the turns that were counted for it.
    fn follow(&self, pose: &Pose, before: Option<MappingMemory>) -> Option<(f64, MappingMemory)> {
        let source = Seen {
            frame: Affine2::IDENTITY,
            local: match self.source {
                SliderSource::Bone(bone) => local(pose.bone(bone)),
                SliderSource::Node(local) => local,
            },
        };
        let mapping = self.settings.mapping();
        let (value, angle, turns) = mapping.source_value(&source, None, before)?;
        let time = self.settings.looped(mapping.map(value));
        let followed = MappingMemory {
            angle,
            turns,
            ..MappingMemory::default()
        };
        time.is_finite().then_some((time, followed))
    }
}

impl Sample {
    /// Returns the value of the channel at full influence.
    fn wanted(&self, pose: &Pose, additive: bool) -> f32 {
        if !additive {
            return self.value;
        }
        let now = local(pose.bone(self.bone)).channel(self.channel);
        match self.channel {
            Channel::Rotation => now + shortest_way(self.rest, self.value),
            Channel::PositionX | Channel::PositionY => now + (self.value - self.rest),
            Channel::ScaleX | Channel::ScaleY => now * (self.value / self.rest),
        }
    }

    /// Takes it into the pose, as far as the influence says.
    fn take(&self, pose: &mut Pose, influence: Influence, additive: bool) {
        let wanted = self.wanted(pose, additive);
        let (bone, axis) = (self.bone, self.channel.axis());
        match self.channel {
            Channel::Rotation => turn_within_limit(pose, influence, bone, wanted),
            Channel::PositionX | Channel::PositionY => {
                let mut position = pose.bone(bone).position;
                position[axis] = wanted;
                influence.shift(pose, bone, position);
            }
            Channel::ScaleX | Channel::ScaleY => {
                let mut scale = pose.bone(bone).scale();
                scale[axis] = wanted.abs().max(LEAST_SCALE).copysign(wanted);
                influence.resize(pose, bone, scale);
            }
        }
    }
}

impl Parts for Slider {
    fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// Only limits in the skeleton's space do.
    fn depends_on_parent(&self) -> bool {
        false
    }
}

impl Kind for Slider {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        if let SliderSource::Bone(bone) = self.source {
            skeleton.check_bones([bone])?;
        }
        skeleton.check_bones(self.joints.iter().copied())?;
        skeleton.check_bones(self.samples.iter().map(|sample| sample.bone))
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let (pose, additive) = (&mut *context.pose, self.settings.additive);
        let followed = self.follow(pose, self.memory.after);
        let (_, followed) = followed.ok_or(Unsolvable)?;
        let mut samples = self.samples.iter();
        if !samples.all(|sample| sample.wanted(pose, additive).is_finite()) {
            return Err(Unsolvable);
        }
        self.memory.after = Some(followed);
        for sample in &self.samples {
            sample.take(pose, context.influence, additive);
        }
        Ok(Report::without_solve(Status::Reached))
    }
}
