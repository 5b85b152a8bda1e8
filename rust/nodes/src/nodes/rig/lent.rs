//! What a rig gets back however a pass ends, also if a panic ends it: it is unlocked, and has its plan, and
//! so the base poses. The next pass makes a new plan of it.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};

use super::shared::SharedRig;
use crate::plan::Plan;

/// Keeps passes from beginning until it is dropped.
pub(super) struct Lock<'a> {
    is_locked: &'a Cell<bool>,
    before: bool,
}

impl<'a> Lock<'a> {
    pub(super) fn set(is_locked: &'a Cell<bool>) -> Self {
        let before = is_locked.replace(true);
        Self { is_locked, before }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        self.is_locked.set(self.before);
    }
}

/// What a panic may have left half done.
pub(super) trait Interrupted {
    /// Forgets what the next pass would go on from.
    fn forget(&mut self);
}

impl Interrupted for Box<Plan> {
    fn forget(&mut self) {
        self.reset();
    }
}

/// Where something was taken from.
struct Lender<'a, T> {
    slot: &'a RefCell<Option<T>>,
    /// Set if it comes back half done.
    stale: &'a Cell<bool>,
    /// Whether it may come back.
    is_open: &'a Cell<bool>,
    is_locked: &'a Cell<bool>,
}

/// Something that was taken out of its place and may be replaced meanwhile. Until it is back, no pass
/// begins: it would find nothing to go on from. Whoever has it says where it goes in the end; only a panic
/// brings it back by itself.
pub(super) struct Lent<'a, T: Interrupted> {
    from: Lender<'a, T>,
    value: Option<T>,
    _lock: Lock<'a>,
}

/// A plan that was taken out of its rig.
pub(super) type LentPlan<'a> = Lent<'a, Box<Plan>>;

impl<'a> LentPlan<'a> {
    pub(super) fn of(rig: &'a SharedRig) -> Self {
        Self::take(Lender {
            slot: &rig.plan,
            stale: &rig.stale,
            is_open: &rig.in_tree,
            is_locked: &rig.is_locked,
        })
    }
}

impl SharedRig {
    /// Takes back a plan that was taken out of it. A rig that has left the tree has none.
    pub(super) fn return_plan(&self, lent: LentPlan<'_>) {
        if self.in_tree.get() {
            self.plan.replace(lent.keep());
        }
    }
}

impl<'a, T: Interrupted> Lent<'a, T> {
    fn take(from: Lender<'a, T>) -> Self {
        let _lock = Lock::set(from.is_locked);
        let value = from.slot.take();
        Self { from, value, _lock }
    }

    /// What was lent, or has replaced it, for good.
    pub(super) fn keep(mut self) -> Option<T> {
        self.value.take()
    }
}

impl<T: Interrupted> Deref for Lent<'_, T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.value
    }
}

impl<T: Interrupted> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut Option<T> {
        &mut self.value
    }
}

impl<T: Interrupted> Drop for Lent<'_, T> {
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

        fn lend(&self) -> Lent<'_, Steps> {
            Lent::take(Lender {
                slot: &self.plan,
                stale: &self.stale,
                is_open: &self.in_tree,
                is_locked: &self.is_locked,
            })
        }

        /// A pass that ends in a panic after `act`.
        fn fail(&self, act: impl FnOnce(&mut Lent<'_, Steps>)) {
            let pass = || {
                let mut lent = self.lend();
                assert!(self.is_locked.get());
                act(&mut lent);
                std::panic::resume_unwind(Box::new(()));
            };
            assert!(catch_unwind(AssertUnwindSafe(pass)).is_err());
        }
    }

    #[test]
    fn a_panic_brings_the_plan_back_and_unlocks() {
        let owner = Owner::new();
        owner.fail(|lent| lent.iter_mut().for_each(|plan| plan.push("begun")));
        let plan = owner.plan.take();
        assert_eq!(plan, Some(vec!["planned", "begun", "forgotten"]));
        assert!(owner.stale.get() && !owner.is_locked.get());
    }

    #[test]
    fn what_has_replaced_the_plan_comes_back() {
        let owner = Owner::new();
        owner.fail(|lent| **lent = Some(vec!["another"]));
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
        assert_eq!(owner.lend().keep(), Some(vec!["planned"]));
        assert_eq!(owner.plan.take(), None);
        assert!(!owner.stale.get());
    }

    #[test]
    fn a_lock_within_another_leaves_that_one() {
        let is_locked = Cell::new(false);
        let outer = Lock::set(&is_locked);
        drop(Lock::set(&is_locked));
        assert!(is_locked.get());
        drop(outer);
        assert!(!is_locked.get());
    }
}
