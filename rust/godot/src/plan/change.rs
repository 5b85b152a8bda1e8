//! Updates the solver's input, and notices what changes.

/// Sets `current` to `value`. Returns whether that changes it. An equal value is not written: even
/// the sign of a zero stays as it was solved.
pub(crate) fn set<T: PartialEq>(current: &mut T, value: T) -> bool {
    let changes = *current != value;
    if changes {
        *current = value;
    }
    changes
}

/// Sets the item at `index` of `list`, which has at least `index` items. Returns whether that
/// changes the list.
pub(crate) fn set_item<T: PartialEq>(list: &mut Vec<T>, index: usize, item: T) -> bool {
    if let Some(present) = list.get_mut(index) {
        return set(present, item);
    }
    list.push(item);
    true
}
