//! The bones that a modifier turns: from its properties to joints, and to the end of the last one.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{Chain, End, Point};

use crate::engine::link::Link;
use crate::plan::bones::{BoneProperty, Bones};
use crate::plan::search::Search;
use crate::plan::tip::{BoneTip, flaws_of_end};
use crate::warnings::problem::Problem;

/// The end of a chain before the first pass.
pub(crate) const UNKNOWN: End = End::Point(Point {
    bone: None,
    position: Vec2::ZERO,
});

/// The properties of a modifier or an effector that name a chain of bones.
#[derive(Clone, Copy, Hash)]
pub(crate) struct ChainProperties<'a> {
    pub(crate) joints: Joints<'a>,
    /// The end of the chain; the last bone's own end if it is empty. `None` if there is no such
    /// property.
    pub(crate) tip: Option<&'a Link<Node2D>>,
    /// `true` if a bone at the tip is moved or turned.
    pub(crate) moves_tip_bone: bool,
}

/// The properties that name the bones.
#[derive(Clone, Copy, Hash)]
pub(crate) enum Joints<'a> {
    /// One bone.
    One(BoneProperty<'a>),
    /// These two, root first; bones between them stay rigid.
    Two(BoneProperty<'a>, BoneProperty<'a>),
    /// All bones from the first to the second.
    Line(BoneProperty<'a>, BoneProperty<'a>),
}

/// A chain of the plan.
pub(crate) struct FoundChain {
    /// Index of the first bone.
    pub(crate) root: usize,
    /// Indices of the bones, root first.
    pub(crate) joints: Vec<usize>,
    pub(crate) tip: BoneTip,
    /// Index of the bone at the tip, if it is to be moved or turned.
    pub(crate) tip_bone: Option<usize>,
    /// The problems of its end.
    flaws: Vec<Problem>,
}

impl<'a> Joints<'a> {
    /// The property of the first bone, and that of the last.
    fn ends(self) -> [BoneProperty<'a>; 2] {
        match self {
            Self::One(bone) => [bone, bone],
            Self::Two(root, tip) | Self::Line(root, tip) => [root, tip],
        }
    }

    /// The last bone, its index, and the indices of all joints.
    fn find(self, bones: &mut Bones) -> Result<(Gd<Bone2D>, usize, Vec<usize>), Problem> {
        let [root_property, tip_property] = self.ends();
        let (root, root_index) = bones.bone_in(root_property)?;
        if let Self::One(_) = self {
            return Ok((root, root_index, vec![root_index]));
        }
        let (tip, tip_index) = bones.bone_in(tip_property)?;
        let is_limb = matches!(self, Self::Two(..));
        if is_limb && root_index == tip_index || !bones.is_at_or_below(tip_index, root_index) {
            return Err(Problem::NotOneLine {
                upper: root_property.0,
                lower: tip_property.0,
            });
        }
        if is_limb {
            return Ok((tip, tip_index, vec![root_index, tip_index]));
        }
        let line = bones.with_ancestors(tip_index);
        let mut line: Vec<_> = line.take_while(|&index| index != root_index).collect();
        line.push(root_index);
        line.reverse();
        Ok((tip, tip_index, line))
    }
}

impl<'a> ChainProperties<'a> {
    /// All bones from `root_bone` to `tip_bone`.
    pub(crate) fn line(
        root_bone: &'a Link<Bone2D>,
        tip_bone: &'a Link<Bone2D>,
        tip: &'a Link<Node2D>,
    ) -> Self {
        Self {
            joints: Joints::Line(("root_bone", root_bone), ("tip_bone", tip_bone)),
            tip: Some(tip),
            moves_tip_bone: false,
        }
    }

    /// The index of the first bone, if it is one of the skeleton's.
    pub(crate) fn root(&self, bones: &mut Bones) -> Option<usize> {
        let [(_, root), _] = self.joints.ends();
        bones.index_in(root)
    }

    /// Finds the bones and the tip.
    pub(crate) fn find(&self, bones: &mut Bones) -> Result<FoundChain, Problem> {
        let (bone, last, joints) = self.joints.find(bones)?;
        if let Some(index) = bones.top_level(last) {
            // It does not move with the bones above it.
            let bone = bones.node(index);
            return Err(Problem::TopLevelBone {
                bone: bone.map_or_else(String::new, |bone| bone.get_name().to_string()),
            });
        }
        let tip = BoneTip::find(bones, self.tip, &bone, last)?;
        let tip_bone = tip.bone_at(&bone).filter(|_| self.moves_tip_bone);
        Ok(FoundChain {
            root: joints[0],
            joints,
            tip,
            tip_bone: tip_bone.and_then(|bone| bones.index(&bone)),
            flaws: flaws_of_end(self.tip, &bone),
        })
    }
}

impl FoundChain {
    /// The chain for the solver. Its end is located in each pass.
    pub(crate) fn for_solver(&mut self) -> Chain {
        Chain::new(std::mem::take(&mut self.joints), UNKNOWN)
    }

    /// Adds what is wrong with where it ends to [`Search::flaws`]. Not before it is known that the
    /// modifier can be solved.
    pub(crate) fn report(&mut self, search: &mut Search<'_>) {
        search.flaws.append(&mut self.flaws);
    }
}
