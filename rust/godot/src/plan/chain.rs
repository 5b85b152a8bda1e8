//! Finds the nodes that a modifier refers to: the bones that it turns, its tip, target, pole and
//! path.

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::engine::link::Link;
use crate::engine::live::Live;
use crate::engine::prefetch::{LENGTH, Region, TRANSFORM};
use crate::plan::bones::Bones;
use crate::plan::input_node::InputNode;
use crate::plan::path::PlannedPath;
use crate::plan::references::{BoneProperty, Joints, References};
use crate::warnings::problem::Problem;

/// Where a chain's tip is read from.
pub(crate) enum TipSource {
    /// A node below the chain's last bone.
    Node(Live<Node2D>),
    /// A child bone of the chain's last bone that is part of the plan, and may be moved.
    Bone {
        index: usize,
        /// The last bone, if it ends there only as long as its length is automatic.
        above: Option<Live<Bone2D>>,
    },
    /// The first child of the chain's last bone, whose length is automatic.
    Child {
        child: Live<Bone2D>,
        above: Live<Bone2D>,
    },
    /// The skeleton's origin, for modifiers that have no chain.
    Skeleton,
    /// The end given by the last bone's own length and angle.
    Axis {
        bone: Live<Bone2D>,
        /// Whether it would end at a child bone if its length were automatic.
        has_child: bool,
    },
}

/// A tip and what it is brought to.
pub(crate) struct TipAndTarget {
    pub(crate) tip: TipSource,
    /// Index of the joint's bone that carries the tip.
    pub(crate) last: usize,
    /// `None` for a tip that is free to follow others.
    pub(crate) target: Option<InputNode>,
}

impl TipAndTarget {
    /// Index of the bone that the tip is, if it moves along when the last bone stretches.
    pub(crate) fn tip_bone(&self) -> Option<usize> {
        match self.tip {
            TipSource::Bone { index, .. } => Some(index),
            _ => None,
        }
    }

    /// What reading the tip touches, for hints to the processor.
    pub(super) fn regions_of_tip(&self) -> Vec<Region> {
        match &self.tip {
            TipSource::Node(node) => vec![node.region(TRANSFORM)],
            TipSource::Bone { above, .. } => {
                let above = above.iter().map(|bone| bone.region(LENGTH));
                above.collect()
            }
            TipSource::Child { child, above } => {
                vec![child.region(TRANSFORM), above.region(LENGTH)]
            }
            TipSource::Skeleton => Vec::new(),
            TipSource::Axis { bone, .. } => vec![bone.region(LENGTH)],
        }
    }

    /// Reads a tip that is a bone of the plan from the plan: its node may hold what the rig wrote.
    pub(super) fn prefer_planned_bone(&mut self, bones: &Bones) {
        let (id, above) = match &self.tip {
            TipSource::Node(node) => (node.id(), None),
            TipSource::Child { child, above } => (child.id(), Some(above.gd())),
            TipSource::Bone { .. } | TipSource::Axis { .. } | TipSource::Skeleton => return,
        };
        if let Some(index) = bones.known_index(id)
            && bones.rig.bones[index].parent == Some(self.last)
        {
            let above = above.cloned().map(Live::new);
            self.tip = TipSource::Bone { index, above };
        }
    }
}

/// A modifier or effector whose nodes were found.
pub(super) struct Chain {
    pub(super) ends: TipAndTarget,
    pub(super) pole: Option<InputNode>,
    pub(super) path: Option<PlannedPath>,
    /// The bone that takes over the target's rotation.
    pub(super) aligned: Option<usize>,
    pub(super) joints: Vec<usize>,
    /// What is wrong with a modifier that works all the same.
    pub(super) flaws: Vec<Problem>,
}

impl Chain {
    /// The chain of a script, which turns any bones and has neither tip nor target.
    fn of_script() -> Self {
        Self {
            ends: TipAndTarget {
                tip: TipSource::Skeleton,
                last: 0,
                target: None,
            },
            pole: None,
            aligned: None,
            path: None,
            joints: Vec::new(),
            flaws: Vec::new(),
        }
    }

    /// Finds the nodes in `references`. `root` is the index of the modifier's uppermost bone. With
    /// `has_effectors`, it works without a target.
    pub(super) fn find(
        bones: &mut Bones,
        references: &References<'_>,
        root: Option<usize>,
        has_effectors: bool,
    ) -> Result<Self, Problem> {
        let Some(properties) = references.joints.properties() else {
            return Ok(Self::of_script());
        };
        let (bone, joints) = find_joints(bones, references.joints, properties)?;
        refuse_top_level(bones, joints.last().copied())?;
        let last = joints.last().copied().unwrap_or_default();
        let tip = find_tip(bones, references.tip, &bone, last)?;
        let tip_bone = bone_at(&tip, &bone)
            .filter(|_| references.needs_tip_bone())
            .and_then(|bone| bones.index(&bone));
        let aligned = match references.joints {
            _ if !references.matches_rotation => None,
            Joints::Two(..) => tip_bone,
            Joints::One(_) | Joints::Line(..) | Joints::OfScript => Some(last),
        };
        let lacks_bone = references.matches_rotation && aligned.is_none();
        let flaws = lacks_bone.then_some(Problem::NoBoneAtTip).into_iter();
        let flaws = flaws.chain(end_beside_child(references, &bone));
        let mut flaws: Vec<_> = flaws.chain(unknown_end(references, &bone)).collect();
        let target = match references.target {
            Some(target) if has_effectors => find_spare_target(bones, target, root, &mut flaws)?,
            Some(target) => Some(find_target(bones, target, root)?),
            None => None,
        };
        let path = references.path;
        let path = path.map(|path| PlannedPath::find(bones, path, root));
        let path = path.transpose()?;
        flaws.extend(path.as_ref().and_then(PlannedPath::flaw));
        let pole = find_pole(bones, references, root)?;
        Ok(Self {
            aligned: aligned.filter(|_| target.is_some()),
            ends: TipAndTarget { tip, last, target },
            pole,
            path,
            joints,
            flaws,
        })
    }
}

/// Refuses a chain with a top-level bone in it or above it: that one does not move with the bones
/// above it.
fn refuse_top_level(bones: &Bones, last: Option<usize>) -> Result<(), Problem> {
    let mut line = last.into_iter().flat_map(|last| bones.with_ancestors(last));
    match line.find(|&index| bones.tracked.get(index).is_top_level()) {
        Some(index) => Err(Problem::TopLevelBone {
            bone: bones
                .tracked
                .get(index)
                .node()
                .map_or_else(String::new, |bone| bone.get_name().to_string()),
        }),
        None => Ok(()),
    }
}

/// The pole, if there is one, and the bones below `root` do not carry it.
fn find_pole(
    bones: &mut Bones,
    references: &References<'_>,
    root: Option<usize>,
) -> Result<Option<InputNode>, Problem> {
    let Some(node) = references.pole.and_then(Link::get) else {
        return Ok(None);
    };
    if bones.is_carried(&node, root) {
        let pole = node.get_name().to_string();
        return Err(Problem::PoleOnChain { pole });
    }
    Ok(Some(InputNode::new(node, &bones.skeleton)))
}

/// The target, if it is somewhere that the bones below `root` can reach for.
fn find_target(
    bones: &mut Bones,
    target: &Link<Node2D>,
    root: Option<usize>,
) -> Result<InputNode, Problem> {
    let node = target.get().ok_or(Problem::NoTarget)?;
    let target = node.get_name().to_string();
    if !node.is_inside_tree() {
        Err(Problem::TargetOutside { target })
    } else if bones.is_carried(&node, root) {
        Err(Problem::TargetOnChain { target })
    } else {
        Ok(InputNode::new(node, &bones.skeleton))
    }
}

/// The target of a chain that works without one, since it has effectors. A target outside the tree
/// is a flaw.
fn find_spare_target(
    bones: &mut Bones,
    target: &Link<Node2D>,
    root: Option<usize>,
    flaws: &mut Vec<Problem>,
) -> Result<Option<InputNode>, Problem> {
    match find_target(bones, target, root) {
        Ok(target) => Ok(Some(target)),
        Err(Problem::NoTarget) => Ok(None),
        Err(problem @ Problem::TargetOutside { .. }) => {
            flaws.push(problem);
            Ok(None)
        }
        Err(problem) => Err(problem),
    }
}

/// The last joint's bone and all joints' indices.
fn find_joints(
    bones: &mut Bones,
    joints: Joints<'_>,
    (root_property, tip_property): (BoneProperty<'_>, Option<BoneProperty<'_>>),
) -> Result<(Gd<Bone2D>, Vec<usize>), Problem> {
    let (root, root_index) = bones.bone_in(root_property)?;
    let Some(tip_property) = tip_property else {
        return Ok((root, vec![root_index]));
    };
    let (tip, tip_index) = bones.bone_in(tip_property)?;
    let are_different = root_index != tip_index || matches!(joints, Joints::Line(..));
    if !are_different || !bones.is_at_or_below(tip_index, root_index) {
        return Err(Problem::NotOneLine {
            upper: root_property.0,
            lower: tip_property.0,
        });
    }
    let indices = match joints {
        Joints::Line(..) => {
            let line = bones.with_ancestors(tip_index);
            let mut line: Vec<_> = line.take_while(|&index| index != root_index).collect();
            line.push(root_index);
            line.reverse();
            line
        }
        Joints::One(_) | Joints::Two(..) | Joints::OfScript => vec![root_index, tip_index],
    };
    Ok((tip, indices))
}

/// The tip of a chain whose last bone is `bone`, with the index `last`.
fn find_tip(
    bones: &mut Bones,
    link: Option<&Link<Node2D>>,
    bone: &Gd<Bone2D>,
    last: usize,
) -> Result<TipSource, Problem> {
    let Some(node) = link.and_then(Link::get) else {
        if child_bones(bone).nth(1).is_some() {
            bones.with_ordered_children.push(bone.clone().upcast());
        }
        return Ok(end_of(bone));
    };
    let carrier = bones.carrier(&node);
    if carrier.is_some_and(|carrier| bones.is_at_or_below(carrier, last)) {
        Ok(TipSource::Node(Live::new(node)))
    } else {
        Err(Problem::TipElsewhere {
            tip: node.get_name().to_string(),
        })
    }
}

/// The children of `bone` that are bones.
fn child_bones(bone: &Gd<Bone2D>) -> impl Iterator<Item = Gd<Bone2D>> + use<> {
    let children = bone.get_children();
    let nodes = (0..children.len()).filter_map(move |index| children.get(index));
    nodes.filter_map(|child| child.try_cast::<Bone2D>().ok())
}

/// The end of `bone` itself.
fn end_of(bone: &Gd<Bone2D>) -> TipSource {
    let child = child_bones(bone).next();
    let has_child = child.is_some();
    let bone = Live::new(bone.clone());
    match child {
        Some(child) if bone.gd().get_autocalculate_length_and_angle() => TipSource::Child {
            child: Live::new(child),
            above: bone,
        },
        _ => TipSource::Axis { bone, has_child },
    }
}

/// What is wrong with a chain that would end at the length and angle of its last bone, `last`, and
/// not at that bone's child.
fn end_beside_child(references: &References<'_>, last: &Gd<Bone2D>) -> Option<Problem> {
    if references.tip?.get().is_some() {
        return None;
    }
    let child = child_bones(last).next()?;
    ends_beside(last, &child).then(|| Problem::EndBesideChild {
        bone: last.get_name().to_string(),
        child: child.get_name().to_string(),
    })
}

/// What is wrong with a chain that ends at its last bone, `last`, if nothing says where that is.
fn unknown_end(references: &References<'_>, last: &Gd<Bone2D>) -> Option<Problem> {
    let has_tip = references.tip.is_some_and(|tip| tip.get().is_some());
    (!has_tip && has_unknown_end(last)).then(|| Problem::UnknownEnd {
        bone: last.get_name().to_string(),
        takes_tip: references.tip.is_some(),
    })
}

/// Whether the length and angle of `bone` are automatic, and it has no child bone that they could
/// follow from: the engine then leaves a length and an angle that mean nothing.
pub(crate) fn has_unknown_end(bone: &Gd<Bone2D>) -> bool {
    matches!(
        end_of(bone),
        TipSource::Axis {
            has_child: false,
            ..
        }
    ) && bone.get_autocalculate_length_and_angle()
}

/// Whether `bone` ends elsewhere than at its first `child`, by a length and an angle that were set
/// by hand.
pub(crate) fn ends_beside(bone: &Gd<Bone2D>, child: &Gd<Bone2D>) -> bool {
    let end = Vector2::from_angle(bone.get_bone_angle()) * bone.get_length();
    let gap = end.distance_to(child.get_position());
    !bone.get_autocalculate_length_and_angle() && gap > BESIDE * child.get_position().length()
}

/// The part of a bone's length by which it may end beside its child bone without a warning.
const BESIDE: f32 = 0.02;

/// The bone that begins where a chain ends, as a child of the chain's bone `last`.
fn bone_at(tip: &TipSource, last: &Gd<Bone2D>) -> Option<Gd<Bone2D>> {
    let bone = match tip {
        TipSource::Node(node) => node.gd().clone().try_cast::<Bone2D>().ok()?,
        TipSource::Child { child, .. } => child.gd().clone(),
        TipSource::Bone { .. } | TipSource::Axis { .. } | TipSource::Skeleton => return None,
    };
    let parent = bone.get_parent()?;
    (parent.instance_id() == last.instance_id()).then_some(bone)
}
