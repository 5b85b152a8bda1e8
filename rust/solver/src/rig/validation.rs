//! What can be wrong with a rig's indices, and the check for it.

use crate::rig::Rig;
use crate::rig::effector::Effector;
use crate::rig::kind::Headed;
use crate::rig::modifier::Modifier;
use crate::solvers::heading::Heading;

/// Why a rig's indices make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// A bone names a parent that does not come before it.
    #[error("bone {bone}: its parent must come before it")]
    ParentOrder {
        /// Index of the bone.
        bone: usize,
    },
    /// A bone's limit is not finite, or its least angle is above its greatest.
    #[error("bone {bone}: its limit is not an interval")]
    Limit {
        /// Index of the bone.
        bone: usize,
    },
    /// A modifier names a bone that is not there.
    #[error("modifier {modifier}: there is no bone {bone}")]
    NoSuchBone {
        /// Index of the modifier.
        modifier: usize,
        /// The index that is out of range.
        bone: usize,
    },
    /// A modifier's number of joints does not suit its solver.
    #[error("modifier {modifier}: its solver cannot turn {joints} joints")]
    JointCount {
        /// Index of the modifier.
        modifier: usize,
        /// How many joints it names.
        joints: usize,
    },
    /// A joint or the tip does not hang below the joint before it.
    #[error("modifier {modifier}: its joints and tip are not one line, root first")]
    BrokenLine {
        /// Index of the modifier.
        modifier: usize,
    },
    /// The bone at the tip does not hang on the last joint's bone.
    #[error("modifier {modifier}: its tip bone must hang on its last joint")]
    TipBone {
        /// Index of the modifier.
        modifier: usize,
    },
    /// The bone that has a heading is not the end of the chain.
    #[error("modifier {modifier}: only the end of its chain can be given a heading")]
    Heading {
        /// Index of the modifier.
        modifier: usize,
    },
    /// A joint does not hang below one that comes before it, or a tip below none of them.
    #[error("modifier {modifier}: its joints and tips are not one tree, root first")]
    BrokenTree {
        /// Index of the modifier.
        modifier: usize,
    },
    /// A modifier has further effectors that its solver does not know.
    #[error("modifier {modifier}: its solver takes no further effectors")]
    Effectors {
        /// Index of the modifier.
        modifier: usize,
    },
    /// A modifier has obstacles that its solver does not know.
    #[error("modifier {modifier}: its solver takes no obstacles")]
    Obstacles {
        /// Index of the modifier.
        modifier: usize,
    },
    /// A modifier that lies along a path has none, or another has one.
    #[error("modifier {modifier}: its solver and its path do not fit")]
    Path {
        /// Index of the modifier.
        modifier: usize,
    },
    /// The joints carry the target, the path, the pole, the heading, an obstacle or the source:
    /// reaching for it would move it.
    #[error("modifier {modifier}: its target hangs on its own chain")]
    OwnTarget {
        /// Index of the modifier.
        modifier: usize,
    },
}
impl Modifier {
    /// The bones that carry what the modifier reaches for, stays out of, lies along or copies.
    fn needed_bones(&self) -> impl Iterator<Item = Option<usize>> {
        let source = self.mapping.as_ref();
        let aims = [
            self.target.bone,
            self.pole.and_then(|pole| pole.bone),
            self.heading.and_then(|heading| heading.direction.bone),
            self.path.as_ref().and_then(|path| path.bone),
            source.and_then(|mapping| mapping.source?.carrier()),
        ];
        let effectors = self.effectors.iter();
        let targets = effectors.map(|effector| effector.target.bone);
        let obstacles = self.obstacles.iter().map(|obstacle| obstacle.bone);
        aims.into_iter().chain(targets).chain(obstacles)
    }
}

impl Rig {
    /// Checks every index of the rig. [`solve`](Self::solve) relies on it.
    ///
    /// # Errors
    /// The first [`Defect`] found.
    pub fn validate(&self) -> Result<(), Defect> {
        for (index, bone) in self.bones.iter().enumerate() {
            if bone.parent.is_some_and(|parent| parent >= index) {
                return Err(Defect::ParentOrder { bone: index });
            }
            if bone.limit.is_some_and(|limit| !limit.is_sound()) {
                return Err(Defect::Limit { bone: index });
            }
        }
        (0..self.modifiers.len()).try_for_each(|modifier| self.validate_modifier(modifier))
    }

    fn validate_modifier(&self, index: usize) -> Result<(), Defect> {
        self.validate_bones(index)?;
        let modifier = &self.modifiers[index];
        let joints = modifier.joints.len();
        let inputs = modifier.solver.inputs();
        if joints < inputs.least_joints || joints > inputs.most_joints {
            return Err(Defect::JointCount {
                modifier: index,
                joints,
            });
        }
        self.validate_shape(index)?;
        let heading = modifier.heading;
        let last = self.main_joint(modifier);
        let may_head = |heading: Heading| match inputs.heading {
            None => false,
            Some(Headed::LastJoint) => Some(heading.bone) == last,
            Some(Headed::BelowLastJoint) => {
                Some(heading.bone) != last && self.carries(last, Some(heading.bone))
            }
        };
        if heading.is_some_and(|heading| !may_head(heading)) {
            return Err(Defect::Heading { modifier: index });
        }
        let root = modifier.joints.first().copied();
        let is_own = |aim: Option<usize>| aim.is_some() && self.carries(root, aim);
        if modifier.needed_bones().any(is_own) {
            return Err(Defect::OwnTarget { modifier: index });
        }
        Ok(())
    }

    /// Checks that all bones are there that a modifier names.
    fn validate_bones(&self, index: usize) -> Result<(), Defect> {
        let modifier = &self.modifiers[index];
        let heading = modifier.heading.map(|heading| heading.bone);
        let tips = [modifier.tip.bone, modifier.tip_bone, heading];
        let effectors = modifier.effectors.iter();
        let tips = effectors
            .flat_map(|effector| [effector.tip.bone, effector.tip_bone])
            .chain(tips);
        let own = modifier.joints.iter().copied();
        let own = own.chain(modifier.scripted.iter().map(|set| set.bone));
        let mut named = own.chain(tips.chain(modifier.needed_bones()).flatten());
        match named.find(|&bone| bone >= self.bones.len()) {
            None => Ok(()),
            Some(bone) => Err(Defect::NoSuchBone {
                modifier: index,
                bone,
            }),
        }
    }

    /// Checks how a modifier's joints and tips hang together, and what its solver knows.
    fn validate_shape(&self, index: usize) -> Result<(), Defect> {
        let modifier = &self.modifiers[index];
        let inputs = modifier.solver.inputs();
        if modifier.path.is_some() != inputs.path {
            return Err(Defect::Path { modifier: index });
        }
        if !modifier.obstacles.is_empty() && !inputs.obstacles {
            return Err(Defect::Obstacles { modifier: index });
        }
        if !modifier.effectors.is_empty() {
            return if !inputs.effectors {
                Err(Defect::Effectors { modifier: index })
            } else if !self.is_tree(modifier) {
                Err(Defect::BrokenTree { modifier: index })
            } else {
                Ok(())
            };
        }
        if modifier.joints.is_empty() {
            return Ok(());
        }
        let mut pairs = modifier.joints.windows(2);
        let last = modifier.joints.last().copied();
        let is_line = pairs
            .all(|pair| pair[0] != pair[1] && self.carries(Some(pair[0]), Some(pair[1])))
            && self.carries(last, modifier.tip_point().bone);
        if !is_line {
            return Err(Defect::BrokenLine { modifier: index });
        }
        if (modifier.tip_bone).is_some_and(|bone| self.bones[bone].parent != last) {
            return Err(Defect::TipBone { modifier: index });
        }
        Ok(())
    }

    /// The joint that carries the modifier's own tip.
    fn main_joint(&self, modifier: &Modifier) -> Option<usize> {
        let joints = modifier.joints.iter().copied();
        if modifier.effectors.is_empty() {
            return joints.last();
        }
        let tip = modifier.tip_point().bone;
        let mut carrying = joints.filter(|&joint| self.carries(Some(joint), tip));
        carrying.next_back()
    }

    /// Whether every joint but the first hangs below one before it and below none after it, and
    /// every tip below the first.
    fn is_tree(&self, modifier: &Modifier) -> bool {
        let joints = &modifier.joints;
        let carries = |above: usize, bone: usize| self.carries(Some(above), Some(bone));
        let in_order = joints.iter().enumerate().all(|(index, &joint)| {
            let (before, rest) = joints.split_at(index);
            (index == 0 || before.iter().any(|&above| carries(above, joint)))
                && !rest[1..].iter().any(|&after| carries(after, joint))
        });
        let effectors = modifier.effectors.iter();
        let mut tips = effectors
            .map(Effector::tip_point)
            .chain([modifier.tip_point()]);
        in_order && tips.all(|tip| self.carries(joints.first().copied(), tip.bone))
    }
}
