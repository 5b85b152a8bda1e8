//! Updates the solver's input, and notices what changes.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Identifies `value`: another one has another number, but for one of 2⁶⁴.
pub(crate) fn digest(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Sets `current` to `value`. Returns whether that changes it. An equal value is not written: even
/// the sign of a zero stays as it was solved.
pub(crate) fn set<T: PartialEq>(current: &mut T, value: T) -> bool {
    let changes = *current != value;
    if changes {
        *current = value;
    }
    changes
}

/// Sets `list` to what there is of `items`. Returns whether that changes it.
pub(crate) fn set_list<T: PartialEq, E>(
    list: &mut Vec<T>,
    items: impl Iterator<Item = Result<Option<T>, E>>,
) -> Result<bool, E> {
    let (mut count, mut changes) = (0, false);
    for item in items.filter_map(Result::transpose) {
        let item = item?;
        match list.get_mut(count) {
            Some(present) => changes |= set(present, item),
            None => {
                list.push(item);
                changes = true;
            }
        }
        count += 1;
    }
    changes |= list.len() > count;
    list.truncate(count);
    Ok(changes)
}
