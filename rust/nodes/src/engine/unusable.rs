//! What a message says of an argument or a value that cannot be taken, and what to do about it.

/// Of a number: `what` it is for.
pub(crate) fn not_finite(what: &str) -> String {
    format!(
        "{what} is not finite (NaN or infinity). Look at what it is computed from, such as a division by 0, and use \
         is_finite() to leave it out."
    )
}

/// Of a node or a bone: `what` it is for.
pub(crate) fn null(what: &str) -> String {
    format!(
        "{what} is null. Look at the path or the name by which it was found: get_node_or_null() and find_child() \
         return null for what is not there."
    )
}
