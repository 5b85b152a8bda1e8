//! What a modifier keeps from one pass to the next.
//!
//! A pass reads what the pass before left, and leaves something for the next one. Both are there at
//! the same time, so that a pass can be captured with what it began from, and so that a pass that
//! fails leaves nothing.

use std::any::Any;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

/// State that is kept from pass to pass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept<T> {
    /// The state that the pass before left: the same, with the same pose and time, gives the same result.
    pub before: T,
    /// The state that the last solve left.
    #[serde(skip)]
    pub(super) after: T,
}

impl<T: Default + PartialEq> Kept<T> {
    /// Returns the state that the last solve left.
    pub fn last(&self) -> &T {
        &self.after
    }

    /// Returns `true` if nothing is kept yet.
    pub(super) fn is_new(&self) -> bool {
        self.before == T::default()
    }
}

/// The functions of [`Kind`](crate::rig::kind::Kind) for what is kept, for a kind that keeps its `memory`.
macro_rules! keeps_memory {
    () => {
        fn kept(&mut self) -> Option<&mut dyn $crate::rig::kept::Keeps> {
            Some(&mut self.memory)
        }

        fn kept_ref(&self) -> Option<&dyn $crate::rig::kept::Keeps> {
            Some(&self.memory)
        }
    };
}
pub(super) use keeps_memory;

/// State of any type that is kept from pass to pass.
pub(crate) trait Keeps: Any {
    /// A solve begins: it goes on from what the pass before left.
    fn begin(&mut self);
    /// A solve begins with nothing. Returns whether the pass before left anything.
    fn begin_anew(&mut self) -> bool;
    /// Makes the last solve the one that the next goes on from.
    fn go_on(&mut self);
    /// Forgets the last solve.
    fn forget(&mut self);
    /// Takes over what `other` keeps, which must be of the same kind. Otherwise nothing is taken.
    fn take_over(&mut self, other: &mut dyn Keeps);
    /// Returns the state that the last solve left, as text.
    fn save(&self) -> Box<RawValue>;
    /// Makes what was saved the last solve's. What cannot be read changes nothing.
    fn restore(&mut self, saved: &RawValue);
    /// The same, by its own type.
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T> Keeps for Kept<T>
where
    T: Default + Clone + PartialEq + Serialize + DeserializeOwned + 'static,
{
    fn begin(&mut self) {
        self.after.clone_from(&self.before);
    }

    fn begin_anew(&mut self) -> bool {
        self.forget();
        !self.is_new()
    }

    fn go_on(&mut self) {
        std::mem::swap(&mut self.before, &mut self.after);
    }

    fn forget(&mut self) {
        // Its memory is not given back.
        self.after.clone_from(&T::default());
    }

    fn take_over(&mut self, other: &mut dyn Keeps) {
        if let Some(other) = other.as_any().downcast_mut::<Self>() {
            std::mem::swap(self, other);
        }
    }

    fn save(&self) -> Box<RawValue> {
        to_raw_value(&self.after).expect("it has nothing that JSON could not say")
    }

    fn restore(&mut self, saved: &RawValue) {
        if let Ok(saved) = serde_json::from_str(saved.get()) {
            self.after = saved;
        }
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}
