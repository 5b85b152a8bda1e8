//! What can be wrong with a modifier, and the checks that those of all kinds are made of.

use crate::skeleton::bone::Bone;

/// Why a modifier cannot be applied to a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It names a bone that is not there.
    #[error("there is no bone {0}")]
    NoSuchBone(usize),
    /// It turns no bone.
    #[error("it has no joints")]
    NoJoints,
    /// It has neither a target nor effectors.
    #[error("it reaches for nothing")]
    NoTarget,
    /// A joint or the tip does not hang below the joint before it.
    #[error("its joints and tip are not one line, root first")]
    BrokenLine,
    /// The bone at the tip does not hang on the last joint's bone.
    #[error("its tip bone must hang on its last joint")]
    TipBone,
    /// The bone that has a heading does not hang below the last joint's.
    #[error("only a bone below its last joint can be given a heading")]
    Heading,
    /// A joint does not hang below one that comes before it, or a tip below none of them.
    #[error("its joints and tips are not one tree, root first")]
    BrokenTree,
    /// The joints carry the target, the path, the pole, the heading, an obstacle or the source:
    /// reaching for it would move it.
    #[error("its target hangs on its own chain")]
    OwnTarget,
}

/// The bones that modifiers name by their indices.
pub(super) struct Skeleton<'a> {
    pub(super) bones: &'a [Bone],
}

impl Skeleton<'_> {
    /// Returns `true` if `bone` is `above` or hangs below it.
    pub(super) fn carries(&self, above: usize, bone: Option<usize>) -> bool {
        let parent = |&index: &usize| self.bones[index].parent;
        std::iter::successors(bone, parent).any(|index| index == above)
    }

    /// Checks that the bones are there.
    pub(super) fn check_bones(&self, named: impl IntoIterator<Item = usize>) -> Result<(), Fault> {
        let mut named = named.into_iter();
        let missing = named.find(|&bone| bone >= self.bones.len());
        missing.map_or(Ok(()), |bone| Err(Fault::NoSuchBone(bone)))
    }

    /// Checks that `bone`, which has a heading, hangs below the joint `last`.
    pub(super) fn check_heading(&self, bone: usize, last: usize) -> Result<(), Fault> {
        self.check_bones([bone])?;
        let is_below = bone != last && self.carries(last, Some(bone));
        is_below.then_some(()).ok_or(Fault::Heading)
    }

    /// Checks that `root` carries none of the bones that carry what a modifier reaches for, stays
    /// out of, lies along or copies.
    pub(super) fn check_aims(
        &self,
        root: usize,
        carriers: impl IntoIterator<Item = Option<usize>>,
    ) -> Result<(), Fault> {
        for bone in carriers.into_iter().flatten() {
            self.check_bones([bone])?;
            if self.carries(root, Some(bone)) {
                return Err(Fault::OwnTarget);
            }
        }
        Ok(())
    }
}
