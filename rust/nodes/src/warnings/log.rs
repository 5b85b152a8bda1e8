//! Prints warnings to the log.

use std::fmt;

use godot::global::push_warning;
use godot::prelude::*;

/// Prints a warning that names the node it is about.
pub(crate) fn warn(node: &Gd<Node>, advice: impl fmt::Display) {
    // Only a node in the tree has a path.
    let name = match node.is_inside_tree() {
        true => node.get_path().to_string(),
        false => node.get_name().to_string(),
    };
    let message = format!("{} \"{name}\": {advice}", node.get_class());
    push_warning(&[message.to_variant()]);
}
