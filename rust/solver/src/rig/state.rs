//! What modifiers that move by themselves carry from one pass to the next.
//!
//! Modifiers that reach for a target have a [`Memory`](crate::Memory) instead, of how they reached
//! it. Both are kept, forgotten and captured alike.

use serde::{Deserialize, Serialize};

/// The state of a modifier, by the kind of its solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing was carried on: the next pass is the first.
    #[default]
    None,
}

impl State {
    pub(super) fn is_none(&self) -> bool {
        *self == Self::None
    }
}
