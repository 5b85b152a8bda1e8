//! The source of a copied transform: a bone of the skeleton, or any other node.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{Local, Rest, Source};

use crate::engine::link::Link;
use crate::engine::skeleton::is_rest;
use crate::engine::space::frame_of;
use crate::plan::bones::Bones;
use crate::plan::change::set;
use crate::plan::locate::{Gather, Input, Stale};
use crate::warnings::problem::Problem;

/// A source of the plan.
pub(super) struct PlannedSource {
    pub(super) input: Input,
    /// Index of the bone that it is, if it is one of the skeleton's. The pose has it.
    bone: Option<usize>,
    /// That bone's rest pose, if the mapping is relative.
    rest: Option<Rest>,
}

impl PlannedSource {
    /// The source that a property is set to, which the bone with the index `root` must not carry.
    /// `None` if it is empty.
    pub(super) fn find(
        bones: &mut Bones,
        link: &Link<Node2D>,
        root: usize,
    ) -> Result<Option<Self>, Problem> {
        if link.id().is_none() {
            return Ok(None);
        }
        let property = "source";
        let (node, input) = bones.find_input((property, link), Some(root))?;
        let bone = node.clone().try_cast::<Bone2D>().ok();
        let bone = bone.and_then(|bone| bones.index(&bone));
        // A bone is carried by the one above it, and is none of its own.
        let is_below = bone.is_some_and(|bone| bones.is_at_or_below(bone, root));
        if is_below {
            let node = node.get_name().to_string();
            return Err(Problem::Carried { property, node });
        }
        let rest = None;
        Ok(Some(Self { input, bone, rest }))
    }

    /// Has the motion of a bone count from its rest pose.
    pub(super) fn count_from_rest(&mut self, bones: &Bones) -> Result<(), Problem> {
        let bone = self.bone.and_then(|bone| bones.node(bone));
        self.rest = bone.map(rest_of).transpose()?;
        Ok(())
    }

    /// The solver's source. A pass completes what is not a bone.
    pub(super) fn for_solver(&self) -> Source {
        match self.bone {
            Some(bone) => Source::Bone {
                bone,
                rest: self.rest,
            },
            None => Source::Node {
                carrier: None,
                frame: Affine2::IDENTITY,
                local: Local {
                    position: Vec2::ZERO,
                    rotation: 0.0,
                    scale: Vec2::ONE,
                },
            },
        }
    }

    /// Reads the source into `into`, unless it is a bone: those are read from the pose. Returns whether
    /// that changes it.
    pub(super) fn gather(
        &self,
        from: &Gather<'_>,
        into: &mut Option<Source>,
    ) -> Result<bool, Stale> {
        if !self.input.is_inside_tree()? {
            return Err(Stale);
        }
        if self.bone.is_some() {
            return Ok(false);
        }
        let place = from.locate(&self.input)?;
        let source = Source::Node {
            carrier: place.bone,
            frame: place.frame,
            local: self.input.local()?,
        };
        Ok(set(into, Some(source)))
    }
}

/// The rest pose of `bone` and of what carries it.
pub(super) fn rest_of(bone: &Gd<Bone2D>) -> Result<Rest, Problem> {
    let own = bone.get_rest();
    let parent = bone.get_parent();
    let parent = parent.and_then(|parent| parent.try_cast::<Bone2D>().ok());
    let mount = parent.map_or(Transform2D::IDENTITY, |parent| parent.get_skeleton_rest());
    if !is_rest(own) || !is_rest(mount) {
        return Err(Problem::CopyWithoutRest {
            bone: bone.get_name().to_string(),
        });
    }
    Ok(Rest {
        mount: frame_of(mount),
        frame: frame_of(own),
    })
}
