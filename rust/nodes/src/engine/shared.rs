//! What a node and the plans that know it own together.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A value with several owners. One of them is a node, which may be freed on another thread once it has left
/// the tree: so the owners are counted as threads may do it. The value itself is used where the node is, and by
/// plans on the main thread.
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    #[allow(
        clippy::arc_with_non_send_sync,
        reason = "only the count is used on two threads"
    )]
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Default> Default for Shared<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
