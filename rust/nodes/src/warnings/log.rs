//! Prints warnings to the log.

use std::fmt;

use godot::global::push_warning;
use godot::prelude::*;

/// Prints a warning that names the node it is about.
pub(crate) fn warn(node: &Gd<Node>, advice: impl fmt::Display) {
    push_warning(&[format!("{}: {advice}", title_of(node)).to_variant()]);
}

/// The class of `node`, and where it is, as far as it has a name.
pub(crate) fn title_of(node: &Gd<Node>) -> String {
    // Only a node in the tree has a path.
    let name = match node.is_inside_tree() {
        true => node.get_path().to_string(),
        false => node.get_name().to_string(),
    };
    let class = node.get_class();
    match name.is_empty() {
        true => class.to_string(),
        false => format!("{class} \"{name}\""),
    }
}
