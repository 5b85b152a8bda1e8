//! Why a tool does nothing.

use std::fmt;
use std::ops::Deref;

/// The reason that a tool has done nothing, in words that say what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(String);

/// Its text.
impl Deref for Refusal {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

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
