//! Modifiers that copy or map one channel of a transform to another: as a kind of modifier.

use glam::Affine2;
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Unsolvable;
use crate::rig::chain::End;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts};
use crate::rig::pose::{Pose, Posed};
use crate::skeleton::bone::Point;
use crate::skeleton::report::Report;
use crate::solvers::copy_transform::mapping::{Local, Mapping, Seen, Source, Space};
use crate::solvers::copy_transform::{Change, Driven, MappingMemory, MappingSettings};

/// A bone, one channel of which is copied or mapped from something else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyTransform {
    /// Index of the bone.
    pub bone: usize,
    /// The end of the bone, which reports describe.
    pub end: End,
    /// The source, and the rest pose of the bone. The bone must not carry the source.
    #[serde(default)]
    pub mapping: Mapping,
    /// The channels, and the function from one to the other.
    #[serde(default)]
    pub settings: MappingSettings,
    /// The turns that were counted.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Option<MappingMemory>>,
}

impl CopyTransform {
    /// A bone that takes over the rotation of what `mapping` refers to.
    pub fn new(bone: usize, end: End, mapping: Mapping) -> Self {
        Self {
            bone,
            end,
            mapping,
            settings: MappingSettings::default(),
            memory: Kept::default(),
        }
    }
}

impl Parts for CopyTransform {
    fn joints(&self) -> &[usize] {
        std::slice::from_ref(&self.bone)
    }

    fn tip(&self) -> Point {
        self.end.point()
    }

    /// Numbers of the parent's frame do not depend on where that is.
    fn depends_on_parent(&self) -> bool {
        self.settings.space != Space::Parent
    }
}

impl Kind for CopyTransform {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        skeleton.check_line(&[self.bone], self.end)?;
        let source = self.mapping.source.and_then(|source| source.carrier());
        skeleton.check_aims(self.bone, [source])
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let (pose, influence) = (&mut *context.pose, context.influence);
        let into_space = match self.settings.space {
            Space::Global => context.to_global,
            Space::Parent | Space::Skeleton => Affine2::IDENTITY,
        };
        let source = self.mapping.source;
        let source = source.map(|source| seen(&source, pose, into_space));
        let driven = driven(pose, self.bone, into_space);
        let before = self.memory.after;
        let mapped = self
            .settings
            .solve(&self.mapping, source.as_ref(), &driven, before);
        let mapped = mapped.ok_or(Unsolvable)?;
        self.memory.after = Some(mapped.followed);
        match mapped.change {
            Change::Turn { swing, rotation } => {
                influence.turn_unwound(pose, self.bone, swing, rotation);
            }
            Change::Shift(position) => influence.shift(pose, self.bone, position),
            Change::Scale(scale) => influence.resize(pose, self.bone, scale),
        }
        Ok(Report::in_one_step(mapped.is_reached))
    }
}

fn driven(pose: &Pose, bone: usize, into_space: Affine2) -> Driven<'_> {
    let posed = pose.bone(bone);
    Driven {
        into_space,
        mount: pose.frame(posed.parent()),
        local: local(posed),
        linear: posed.linear(),
        turn: posed.turn,
        limit: pose.limit(bone),
    }
}

fn seen(source: &Source, pose: &Pose, into_space: Affine2) -> Seen {
    match *source {
        Source::Bone { bone, .. } => Seen {
            frame: into_space * pose.frame(Some(bone)),
            local: local(pose.bone(bone)),
        },
        Source::Node {
            carrier,
            frame,
            local,
        } => Seen {
            frame: into_space * pose.frame(carrier) * frame,
            local,
        },
    }
}

pub(super) fn local(posed: &Posed) -> Local {
    Local {
        position: posed.position,
        rotation: posed.rotation,
        scale: posed.scale(),
    }
}
