//! A computation that is given up in the middle of a step: nobody waits for its result any more.
//!
//! It unwinds from wherever it is. What takes long asks [`check`] in its loops, and needs no other way back.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The computation was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

thread_local! {
    /// The flag that gives up the computation on this thread, if it has one.
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Returns the result of `work` on this thread, or [`GivenUp`] if `flag` is set meanwhile.
pub fn unless<T>(flag: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> Result<T, GivenUp> {
    let before = FLAG.replace(Some(flag.clone()));
    let worked = catch_unwind(AssertUnwindSafe(work));
    FLAG.set(before);
    worked.map_err(|reason| match reason.downcast::<GivenUp>() {
        Ok(given_up) => *given_up,
        Err(panic) => resume_unwind(panic),
    })
}

/// Ends the computation of [`unless`] if it is to be given up.
pub(crate) fn check() {
    let is_set =
        FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|it| it.load(Ordering::Relaxed)));
    if is_set {
        // Not a panic: nothing is told of it.
        resume_unwind(Box::new(GivenUp));
    }
}
