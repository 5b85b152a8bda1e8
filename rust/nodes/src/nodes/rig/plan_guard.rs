//! What a rig gets back however a pass ends, also if a panic ends it: it is unlocked, and has its plan, and
//! so the base poses. The next pass makes a new plan of it.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};

use super::shared::SharedRig;
use crate::plan::Plan;

/// Keeps passes from beginning until it is dropped.
pub(super) struct PassLock<'a> {
    is_locked: &'a Cell<bool>,
    before: bool,
}

impl<'a> PassLock<'a> {
    pub(super) fn set(is_locked: &'a Cell<bool>) -> Self {
        let before = is_locked.replace(true);
        Self { is_locked, before }
    }
}

impl Drop for PassLock<'_> {
    fn drop(&mut self) {
        self.is_locked.set(self.before);
    }
}

/// Data that a panic may have left half done.
pub(super) trait Interrupted {
    /// Forgets what the next pass would go on from.
    fn forget(&mut self);
}

impl Interrupted for Box<Plan> {
    fn forget(&mut self) {
        self.reset();
    }
}

/// The place that something was taken from.
struct TakenSlot<'a, T> {
    slot: &'a RefCell<Option<T>>,
    /// Set if it comes back half done.
    stale: &'a Cell<bool>,
    /// `true` if it may come back.
    is_open: &'a Cell<bool>,
    is_locked: &'a Cell<bool>,
}

/// Something that was taken out of its place and may be replaced meanwhile. Until it is back, no pass
/// begins: it would find nothing to go on from. Whoever has it says where it goes in the end; only a panic
/// brings it back by itself.
pub(super) struct Guard<'a, T: Interrupted> {
    from: TakenSlot<'a, T>,
    value: Option<T>,
    _lock: PassLock<'a>,
}

/// A plan that was taken out of its rig.
pub(super) type PlanGuard<'a> = Guard<'a, Box<Plan>>;

impl<'a> PlanGuard<'a> {
    pub(super) fn of(rig: &'a SharedRig) -> Self {
        Self::take(TakenSlot {
            slot: &rig.plan,
            stale: &rig.stale,
            is_open: &rig.in_tree,
            is_locked: &rig.is_locked,
        })
    }
}

impl SharedRig {
    /// Takes back a plan that was taken out of it. A rig that has left the tree has none.
    pub(super) fn return_plan(&self, guard: PlanGuard<'_>) {
        if self.in_tree.get() {
            self.plan.replace(guard.keep());
        }
    }
}

impl<'a, T: Interrupted> Guard<'a, T> {
    fn take(from: TakenSlot<'a, T>) -> Self {
        let _lock = PassLock::set(from.is_locked);
        let value = from.slot.take();
        Self { from, value, _lock }
    }

    /// Returns what was taken, or has replaced it, for good.
    pub(super) fn keep(mut self) -> Option<T> {
        self.value.take()
    }
}

impl<T: Interrupted> Deref for Guard<'_, T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.value
    }
}

impl<T: Interrupted> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut Option<T> {
        &mut self.value
    }
}

impl<T: Interrupted> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        if let Some(mut value) = self.value.take()
            && std::thread::panicking()
            && self.from.is_open.get()
        {
            value.forget();
            self.from.stale.set(true);
            self.from.slot.replace(Some(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// The steps of a plan that were done.
    type Steps = Vec<&'static str>;

    impl Interrupted for Steps {
        fn forget(&mut self) {
            self.push("forgotten");
        }
    }

    #[derive(Default)]
    struct Owner {
        plan: RefCell<Option<Steps>>,
        stale: Cell<bool>,
        in_tree: Cell<bool>,
        is_locked: Cell<bool>,
    }

    impl Owner {
        fn new() -> Self {
            let owner = Self::default();
            owner.plan.replace(Some(vec!["planned"]));
            owner.in_tree.set(true);
            owner
        }

        fn guard(&self) -> Guard<'_, Steps> {
            Guard::take(TakenSlot {
                slot: &self.plan,
                stale: &self.stale,
                is_open: &self.in_tree,
                is_locked: &self.is_locked,
            })
        }

        /// A pass that ends in a panic after `act`.
        fn fail(&self, act: impl FnOnce(&mut Guard<'_, Steps>)) {
            let pass = || {
                let mut guard = self.guard();
                assert!(self.is_locked.get());
                act(&mut guard);
                std::panic::resume_unwind(Box::new(()));
            };
            assert!(catch_unwind(AssertUnwindSafe(pass)).is_err());
        }
    }

    #[test]
    fn a_panic_brings_the_plan_back_and_unlocks() {
        let owner = Owner::new();
        owner.fail(|guard| guard.iter_mut().for_each(|plan| plan.push("begun")));
        let plan = owner.plan.take();
        assert_eq!(plan, Some(vec!["planned", "begun", "forgotten"]));
        assert!(owner.stale.get() && !owner.is_locked.get());
    }

    #[test]
    fn what_has_replaced_the_plan_comes_back() {
        let owner = Owner::new();
        owner.fail(|guard| **guard = Some(vec!["another"]));
        assert_eq!(owner.plan.take(), Some(vec!["another", "forgotten"]));
    }

    #[test]
    fn nothing_comes_back_to_a_rig_that_has_left_the_tree() {
        let owner = Owner::new();
        owner.fail(|_| owner.in_tree.set(false));
        assert_eq!(owner.plan.take(), None);
    }

    #[test]
    fn who_keeps_it_has_it() {
        let owner = Owner::new();
        assert_eq!(owner.guard().keep(), Some(vec!["planned"]));
        assert_eq!(owner.plan.take(), None);
        assert!(!owner.stale.get());
    }

    #[test]
    fn a_lock_within_another_leaves_that_one() {
        let is_locked = Cell::new(false);
        let outer = PassLock::set(&is_locked);
        drop(PassLock::set(&is_locked));
        assert!(is_locked.get());
        drop(outer);
        assert!(!is_locked.get());
    }
}
