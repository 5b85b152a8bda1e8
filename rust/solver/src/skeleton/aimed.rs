//! What a modifier aims at, and what it is to aim at instead in a pass.

use serde::{Deserialize, Serialize};

/// A point that a tip is brought to, or a direction that a bone takes over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Option<T>", into = "Option<T>")]
pub struct Aimed<T: Copy> {
    /// The aim of the modifier itself.
    pub own: Option<T>,
    /// In place of `own`, as long as another modifier or a handover has it so.
    goal: Option<T>,
}

impl<T: Copy> Aimed<T> {
    /// Aimed at nothing.
    pub const NOWHERE: Self = Self {
        own: None,
        goal: None,
    };

    /// Aimed at `own`.
    pub fn at(own: T) -> Self {
        Self::from(Some(own))
    }

    /// Returns the present aim.
    pub fn now(self) -> Option<T> {
        self.goal.or(self.own)
    }

    /// Returns `true` if it aims at nothing of its own.
    pub fn is_nowhere(&self) -> bool {
        self.own.is_none()
    }

    /// Aims at `goal` instead, until it is called again.
    pub(crate) fn set_goal(&mut self, goal: Option<T>) {
        self.goal = goal;
    }
}

impl<T: Copy + PartialEq> Aimed<T> {
    /// Aims at `own` from now on. Returns whether that is a change. What is equal is not written: even
    /// the sign of a zero stays as it was solved.
    pub fn set(&mut self, own: Option<T>) -> bool {
        let changes = self.own != own;
        if changes {
            self.own = own;
        }
        changes
    }
}

impl<T: Copy> From<Option<T>> for Aimed<T> {
    fn from(own: Option<T>) -> Self {
        Self { own, goal: None }
    }
}

impl<T: Copy> From<Aimed<T>> for Option<T> {
    fn from(aimed: Aimed<T>) -> Self {
        aimed.own
    }
}

impl<T: Copy> Default for Aimed<T> {
    fn default() -> Self {
        Self::NOWHERE
    }
}
