//! What can be wrong with a rig's indices, and the check for it.

use crate::rig::Rig;
use crate::rig::fault::{Fault, Skeleton};

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
    /// A bone that was let go of does not exist.
    #[error("there is no bone {bone} that was let go of")]
    LetGo {
        /// Index of the bone.
        bone: usize,
    },
    /// A modifier cannot be applied.
    #[error("modifier {modifier}: {fault}")]
    Modifier {
        /// Index of the modifier.
        modifier: usize,
        /// The fault of the modifier.
        fault: Fault,
    },
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
        if let Some(it) = { self.let_go.iter() }.find(|it| it.bone >= self.bones.len()) {
            return Err(Defect::LetGo { bone: it.bone });
        }
        let skeleton = Skeleton { bones: &self.bones };
        for (index, modifier) in self.modifiers.iter().enumerate() {
            let valid = modifier.solver.kind().validate(&skeleton);
            valid.map_err(|fault| Defect::Modifier {
                modifier: index,
                fault,
            })?;
        }
        Ok(())
    }
}
