//! Flags that say whether an object was freed, or is to be taken for that since it has left the tree.
//!
//! A pass asks for each of its nodes whether it still exists. The flags of all nodes lie side by
//! side, one byte each: those of a whole rig share one or two lines of the processor's cache. They
//! are never freed, so the engine may set one at any time, and are used again for other objects.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

/// A flag that is set if an object was freed: by its destructor, or by who lets go of it before.
#[derive(Debug, Default)]
pub(super) struct Freed(AtomicU8);

/// What the flag of an object says of it.
pub(super) const ALIVE: u8 = 0;
pub(super) const FREED: u8 = 1;
const UNKNOWN: u8 = 2;

/// The flag of all objects that nobody watches.
pub(super) static UNWATCHED: Freed = Freed(AtomicU8::new(UNKNOWN));

/// Flags in one piece of memory: a line of the cache.
#[derive(Default)]
#[repr(align(64))]
struct FlagLine([Freed; 32], [Freed; 32]);

/// Flags that nobody uses.
static UNUSED: Mutex<Vec<&'static Freed>> = Mutex::new(Vec::new());

impl Freed {
    /// A flag for an object that is alive.
    pub(super) fn take() -> &'static Self {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        if unused.is_empty() {
            let FlagLine(first, second): &'static FlagLine = Box::leak(Box::default());
            unused.extend(first.iter().chain(second).rev());
        }
        let flag = unused.pop().unwrap_or_else(|| Box::leak(Box::default()));
        flag.0.store(ALIVE, Ordering::Release);
        flag
    }

    /// Makes a flag available for another object. No binding of the engine may hold it any more.
    pub(super) fn recycle(&'static self) {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        unused.push(self);
    }

    pub(super) fn read(&self) -> u8 {
        self.0.load(Ordering::Acquire)
    }

    pub(super) fn is_set(&self) -> bool {
        self.read() == FREED
    }

    pub(super) fn set(&self) {
        self.0.store(FREED, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_lie_side_by_side() {
        let flags: Vec<_> = (0..64).map(|_| Freed::take()).collect();
        let mut lines: Vec<_> = { flags.iter() }
            .map(|&flag| std::ptr::from_ref(flag).addr() / 64)
            .collect();
        lines.dedup();
        assert!(lines.len() <= 2, "{lines:?}");
        flags.into_iter().for_each(Freed::recycle);
    }

    #[test]
    fn a_flag_that_is_used_again_is_not_set() {
        let flag = Freed::take();
        flag.set();
        flag.recycle();
        assert!(!Freed::take().is_set());
    }
}
