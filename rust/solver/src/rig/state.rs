//! What modifiers that move by themselves carry from one pass to the next.
//!
//! Modifiers that reach for a target have a [`Memory`](crate::Memory) instead, of how they reached
//! it. Both are kept, forgotten and captured alike.

use serde::{Deserialize, Serialize};

use crate::solvers::copy_transform::MappingMemory;
use crate::solvers::flip::Trail;
use crate::solvers::spring::Motion;

/// The state of a modifier, by the kind of its solver.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// There is no state: the next pass is the first.
    #[default]
    None,
    /// How a chain swings.
    Spring(Box<Motion>),
    /// Of a copied or mapped transform.
    Copied(MappingMemory),
    /// Where a chain lies along a path, and the transition that it is in.
    Trail(Box<Trail>),
}

impl State {
    pub(super) fn is_none(&self) -> bool {
        match self {
            Self::None => true,
            Self::Spring(motion) => motion.bones.is_empty(),
            Self::Copied(_) => false,
            Self::Trail(trail) => trail.joints.is_empty(),
        }
    }

    /// How a chain swings.
    pub(super) fn motion(&self) -> Option<&Motion> {
        match self {
            Self::Spring(motion) => Some(motion),
            Self::None | Self::Copied(_) | Self::Trail(_) => None,
        }
    }

    /// Takes how a chain swings, or how it begins to.
    pub(super) fn take_motion(&mut self) -> Box<Motion> {
        match std::mem::take(self) {
            Self::Spring(motion) => motion,
            Self::None | Self::Copied(_) | Self::Trail(_) => Box::default(),
        }
    }

    /// Takes where a chain lies along its path, or how it begins to.
    pub(super) fn take_trail(&mut self) -> Box<Trail> {
        match std::mem::take(self) {
            Self::Trail(trail) => trail,
            Self::None | Self::Spring(_) | Self::Copied(_) => Box::default(),
        }
    }

    /// Forgets everything, and keeps the memory for it.
    pub(super) fn clear(&mut self) {
        match self {
            Self::None => {}
            Self::Spring(motion) => motion.clear(),
            Self::Copied(_) => *self = Self::None,
            Self::Trail(trail) => trail.clear(),
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Spring(motion) => Self::Spring(motion.clone()),
            Self::Copied(followed) => Self::Copied(*followed),
            Self::Trail(trail) => Self::Trail(trail.clone()),
        }
    }

    /// Without allocating, where there is room already.
    fn clone_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::Spring(own), Self::Spring(other)) => own.clone_from(other),
            (Self::Trail(own), Self::Trail(other)) => own.clone_from(other),
            (own, Self::None) => own.clear(),
            (own, other) => *own = other.clone(),
        }
    }
}
