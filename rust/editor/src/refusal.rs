//! Why a tool does nothing.

use std::ops::Deref;

/// The reason that a tool has done nothing, in words that say what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refusal(String);

/// Its text.
impl Deref for Refusal {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}
