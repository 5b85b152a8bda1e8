//! The state of a rig as bytes. They can be saved, and a rig can go on from them later.
//!
//! A [capture](crate::capture) holds a pass, to be looked at. A snapshot holds only what the next
//! pass cannot find out from bones, targets and settings: what each modifier keeps.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::rig::Rig;
use crate::rig::modifier::Modifier;
use crate::rig::placed::Shift;
use crate::solvers::handover::Passing;

/// The version of the format that this crate reads and writes.
const VERSION: u32 = 2;

/// The state from which a rig goes on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    version: u32,
    /// What the owner of the bones remembers of them.
    pub bones: Vec<u32>,
    modifiers: Vec<ModifierState>,
}

/// What a modifier keeps for the next pass.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModifierState {
    /// The joints of the modifier.
    joints: Vec<usize>,
    /// What its kind keeps, in the words of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Box<RawValue>>,
    /// How far it has gone over to its target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    passing: Option<Passing>,
    /// How far a limb that a foot places is from its animation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    placed: Option<Shift>,
    is_moving: bool,
}

/// Why a rig cannot go on from a snapshot.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It is not a snapshot, or not all of one.
    #[error("the state is damaged, or not one of a rig: {0}")]
    Damaged(#[from] serde_json::Error),
    /// It is of another version of the format.
    #[error("the state is of version {0}, and only version {VERSION} can be restored")]
    Version(u64),
    /// It is that of a rig with other modifiers.
    #[error("the state has {found} modifiers that work, and this rig has {expected}")]
    Modifiers {
        /// In the snapshot.
        found: usize,
        /// In the rig.
        expected: usize,
    },
    /// It is that of a rig whose modifier turns other bones.
    #[error("modifier {0} turned other bones when the state was saved")]
    Joints(usize),
    /// It is that of a rig whose modifiers keep other things.
    #[error("the state has modifiers of other classes than this rig")]
    Kind,
}

/// All that is looked at before the version is known.
#[derive(Deserialize)]
struct Header {
    version: u64,
}

impl Snapshot {
    /// What `rig` goes on from after its last solve. `bones` is what their owner remembers.
    pub fn of(rig: &Rig, bones: Vec<u32>) -> Self {
        let saved = |modifier: &Modifier| ModifierState {
            joints: modifier.parts().joints().to_vec(),
            memory: modifier.solver.kind().save(),
            passing: { modifier.handover.as_ref() }.map(|it| it.memory.after.clone()),
            placed: modifier.placed.as_ref().map(|it| it.memory.last().clone()),
            is_moving: modifier.is_moving,
        };
        Self {
            version: VERSION,
            bones,
            modifiers: rig.modifiers.iter().map(saved).collect(),
        }
    }

    /// The snapshot as bytes. The same snapshot has the same bytes, on every platform.
    ///
    /// # Panics
    /// Never: there is nothing in a snapshot that JSON could not say.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a snapshot can be written")
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written.
    ///
    /// # Errors
    /// What is [wrong](Unfit) with the bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, Unfit> {
        let Header { version } = serde_json::from_slice(bytes)?;
        if version != u64::from(VERSION) {
            return Err(Unfit::Version(version));
        }
        Ok(serde_json::from_slice(bytes)?)
    }

    /// Whether `rig` can go on from it.
    ///
    /// # Errors
    /// Why [not](Unfit).
    pub fn check(&self, rig: &Rig) -> Result<(), Unfit> {
        let (found, expected) = (self.modifiers.len(), rig.modifiers.len());
        if found != expected {
            return Err(Unfit::Modifiers { found, expected });
        }
        let mut pairs = self.modifiers.iter().zip(&rig.modifiers);
        let other = pairs.position(|(saved, modifier)| saved.joints != modifier.parts().joints());
        if let Some(index) = other {
            return Err(Unfit::Joints(index));
        }
        for (saved, modifier) in self.modifiers.iter().zip(&rig.modifiers) {
            match (&saved.memory, modifier.solver.kind().kept_ref()) {
                (Some(memory), Some(kept)) => kept.check(memory)?,
                (None, None) => {}
                _ => return Err(Unfit::Kind),
            }
        }
        Ok(())
    }

    /// Makes `rig`, for which it has been [checked](Self::check), go on from it. Its solvers must
    /// be set to what they are now.
    pub fn restore(self, rig: &mut Rig) {
        for (modifier, saved) in rig.modifiers.iter_mut().zip(self.modifiers) {
            if let Some(memory) = saved.memory {
                modifier.solver.kind_mut().restore(&memory);
            }
            if let Some(handover) = &mut modifier.handover {
                handover.memory.after = saved.passing.unwrap_or_default();
            }
            match (&mut modifier.placed, saved.placed) {
                (Some(placed), shift) => placed.memory.after = shift.unwrap_or_default(),
                (placed, Some(shift)) => placed.get_or_insert_default().memory.after = shift,
                (None, None) => {}
            }
            modifier.is_moving = saved.is_moving;
        }
    }
}
