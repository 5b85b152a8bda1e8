//! Updates the solver's input, and notices what changes.

/// Makes `place` hold `value`. Returns whether that changes it. What is equal stays as it was, to
/// the sign of its zeros, and so as it was solved.
pub(crate) fn set<T: PartialEq>(place: &mut T, value: T) -> bool {
    let changes = *place != value;
    if changes {
        *place = value;
    }
    changes
}

/// The same with the item at `index` of `list`, which ends there or later.
pub(crate) fn set_item<T: PartialEq>(list: &mut Vec<T>, index: usize, item: T) -> bool {
    if let Some(present) = list.get_mut(index) {
        return set(present, item);
    }
    list.push(item);
    true
}
