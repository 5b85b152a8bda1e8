//! What a plan is put together from: its bones, and what else is found on the way.

use std::collections::HashMap;

use godot::classes::{Bone2D, Curve, Skeleton2D};
use godot::prelude::*;
use tendon_solver::{Bone, Rig};

use crate::base_pose::tracked_bones::TrackedBones;
use crate::plan::attachment::Attachment;
use crate::plan::limit::PlannedLimit;
use crate::plan::references::BoneProperty;
use crate::warnings::problem::Problem;

/// The bones of a plan while it is made: those that modifiers turn, and all above them. Also what
/// else is found while modifiers are planned.
pub(crate) struct Bones {
    pub(super) skeleton: Gd<Skeleton2D>,
    pub(super) tracked: TrackedBones,
    pub(super) limits: Vec<PlannedLimit>,
    /// Bones with children whose order counts: of several limits, or of several bones at the end of
    /// a chain, the first counts.
    pub(super) with_ordered_children: Vec<Gd<Node>>,
    /// Whether a rest pose was read.
    pub(super) reads_rest: bool,
    pub(super) rig: Rig,
    /// The curves of modifiers, which may change.
    pub(super) curves: Vec<Gd<Curve>>,
    /// The custom modifiers. Their scripts may be exchanged.
    pub(super) scripted: Vec<Gd<Node>>,
    indices: HashMap<InstanceId, usize>,
}

impl Bones {
    pub(super) fn new(skeleton: Gd<Skeleton2D>) -> Self {
        Self {
            skeleton,
            tracked: TrackedBones::default(),
            limits: Vec::new(),
            with_ordered_children: Vec::new(),
            reads_rest: false,
            rig: Rig::default(),
            curves: Vec::new(),
            scripted: Vec::new(),
            indices: HashMap::new(),
        }
    }

    /// The bone that a property is set to, and its index.
    pub(super) fn bone_in(
        &mut self,
        (property, link): BoneProperty<'_>,
    ) -> Result<(Gd<Bone2D>, usize), Problem> {
        let bone = link.get().ok_or(Problem::NoBone { property })?;
        match self.index(&bone) {
            Some(index) => Ok((bone, index)),
            None => Err(Problem::ForeignBone {
                property,
                bone: bone.get_name().to_string(),
            }),
        }
    }

    /// The index of `bone`, which becomes part of the plan with all bones above it; `None` if
    /// it is not a bone of the skeleton.
    pub(super) fn index(&mut self, bone: &Gd<Bone2D>) -> Option<usize> {
        let id = bone.instance_id();
        if let Some(index) = self.known_index(id) {
            return Some(index);
        }
        let parent = bone.get_parent()?;
        let parent = if parent.instance_id() == self.skeleton.instance_id() {
            None
        } else {
            Some(self.index(&parent.try_cast::<Bone2D>().ok()?)?)
        };
        let index = self.tracked.push(bone.clone());
        self.indices.insert(id, index);
        self.rig.bones.push(Bone::below(parent));
        if let Some(limit) = PlannedLimit::find(bone, index) {
            if limit.has_others() {
                self.with_ordered_children.push(bone.clone().upcast());
            }
            self.reads_rest = true;
            self.limits.push(limit);
        }
        Some(index)
    }

    /// Adds all bones of the skeleton. Returns their indices.
    pub(super) fn add_all(&mut self) -> HashMap<InstanceId, usize> {
        let mut parents: Vec<Gd<Node>> = vec![self.skeleton.clone().upcast()];
        while let Some(parent) = parents.pop() {
            for child in parent.get_children().iter_shared() {
                if let Ok(bone) = child.try_cast::<Bone2D>() {
                    self.index(&bone);
                    parents.push(bone.upcast());
                }
            }
        }
        self.indices.clone()
    }

    /// The index of a bone that is part of the plan already.
    pub(super) fn known_index(&self, bone: InstanceId) -> Option<usize> {
        self.indices.get(&bone).copied()
    }

    /// The index of the bone that `node` is attached to, unless that bone or one above it is
    /// top-level and so does not move with the skeleton.
    pub(super) fn carrier(&mut self, node: &Gd<Node2D>) -> Option<usize> {
        let attachment = Attachment::find(node, &self.skeleton);
        let bone = attachment.bone.and_then(|bone| self.index(&bone))?;
        let mut line = self.with_ancestors(bone);
        let is_below_top_level = line.any(|index| self.tracked.get(index).is_top_level());
        (!is_below_top_level).then_some(bone)
    }

    /// Whether `node` moves with the bone `root`.
    pub(super) fn is_carried(&mut self, node: &Gd<Node2D>, root: Option<usize>) -> bool {
        let carrier = self.carrier(node).zip(root);
        carrier.is_some_and(|(carrier, root)| self.is_at_or_below(carrier, root))
    }

    /// `index` and the bones above it, upwards.
    pub(super) fn with_ancestors(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |&index| self.rig.bones[index].parent)
    }

    /// Whether `bone` is `above` or a descendant of it.
    pub(super) fn is_at_or_below(&self, bone: usize, above: usize) -> bool {
        self.with_ancestors(bone).any(|index| index == above)
    }
}
