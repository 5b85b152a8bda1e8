//! Modifiers that copy or map one channel of a transform to another: as a kind of modifier.

use glam::{Affine2, Vec2};

use crate::kinematics::tree::Unsolvable;
use crate::rig::Rig;
use crate::rig::kind::{Context, Inputs, Kind};
use crate::rig::modifier::{Modifier, Workspace};
use crate::rig::pose::{Pose, Posed};
use crate::rig::solver::Solver;
use crate::rig::state::State;
use crate::skeleton::report::{Outcome, Report, Status};
use crate::solvers::copy_transform::mapping::{Local, Mapping, Seen, Source, Space};
use crate::solvers::copy_transform::{Change, CopyTransform, Driven};

impl Rig {
    /// The frame of the bone of a mapping, in skeleton space, for each value that its source may be
    /// mapped to, as the modifiers above leave the pose in the last pass. Nothing for other
    /// modifiers, and for values that cannot be.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn mapped_frames(&self, modifier: usize, values: &[f32]) -> Vec<Affine2> {
        let Solver::CopyTransform(settings) = self.modifiers[modifier].solver else {
            return Vec::new();
        };
        let bone = self.modifiers[modifier].joints.first().copied();
        let mut rig = self.clone();
        let mut workspace = Workspace::default();
        rig.begin();
        for above in 0..modifier {
            rig.apply(above, &mut workspace);
        }
        let pose = rig.pose.clone();
        rig.modifiers[modifier].influence = 1.0;
        rig.modifiers[modifier].state = State::None;
        let frame = |&value: &f32| {
            rig.pose.clone_from(&pose);
            rig.modifiers[modifier].solver = Solver::CopyTransform(CopyTransform {
                bone_range: Vec2::splat(value),
                clamp: false,
                ..settings
            });
            rig.apply(modifier, &mut workspace);
            rig.pose.frame(bone)
        };
        values
            .iter()
            .map(frame)
            .filter(Affine2::is_finite)
            .collect()
    }
}

impl Kind for CopyTransform {
    fn name(&self) -> &'static str {
        "copy"
    }

    fn inputs(&self) -> &'static Inputs {
        &Inputs {
            least_joints: 1,
            most_joints: 1,
            ..Inputs::NONE
        }
    }

    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable> {
        modifier.solve_copy_transform(self, context.pose, context.to_global)
    }

    /// Numbers of the parent's frame do not depend on where that is.
    fn depends_on_parent(&self) -> bool {
        self.space != Space::Parent
    }
}

impl Modifier {
    /// Maps the source to the bone of the modifier. Returns the result.
    fn solve_copy_transform(
        &mut self,
        settings: &CopyTransform,
        pose: &mut Pose,
        to_global: Affine2,
    ) -> Result<Report, Unsolvable> {
        let &bone = self.joints.first().ok_or(Unsolvable)?;
        let into_space = match settings.space {
            Space::Global => to_global,
            Space::Parent | Space::Skeleton => Affine2::IDENTITY,
        };
        let unset = Mapping::default();
        let mapping = self.mapping.as_deref().unwrap_or(&unset);
        let source = mapping.source.map(|source| seen(&source, pose, into_space));
        let driven = driven(pose, bone, into_space);
        let before = match &self.state {
            State::Copied(followed) => Some(*followed),
            _ => None,
        };
        let mapped = settings.solve(mapping, source.as_ref(), &driven, before);
        let mapped = mapped.ok_or(Unsolvable)?;
        self.next_state = State::Copied(mapped.followed);
        match mapped.change {
            Change::Turn { swing, rotation } => {
                self.blend_unwound_rotation(pose, bone, swing, rotation);
            }
            Change::Shift(position) => self.blend_position(pose, bone, position),
            Change::Scale(scale) => self.blend_scale(pose, bone, scale),
        }
        let status = match mapped.is_reached {
            true => Status::Reached,
            false => Status::OutOfReach,
        };
        Ok(Outcome {
            status,
            iterations: 1,
        }
        .into())
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

fn local(posed: &Posed) -> Local {
    Local {
        position: posed.position,
        rotation: posed.rotation,
        scale: posed.scale(),
    }
}
