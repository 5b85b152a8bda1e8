//! Rigs that are made in code, by a script or by the editor.
//!
//! | file | what is in it |
//! |---|---|
//! | [`adding`] | adding of nodes to a scene, and the parents of targets |
//! | [`draft`] | a modifier that is to be made: its class, name, bones and settings |
//! | [`calls`] | the functions of `TendonRig2D` that add modifiers and sort them |
//! | [`skeletons`] | those that make bones, pose a limb, and rig a whole character |
//! | [`character`] | the modifiers for the parts of a body |
//! | [`making`] | adds these to a skeleton, with feet and limits |
//! | [`leg`] | legs and their feet |
//! | [`angles`] | joint limits that are wide enough for the pose |
//! | [`animated`] | the angles that animations give bones |
//! | [`order`] | the children of a rig in an order that works |

pub mod adding;
pub mod angles;
mod animated;
mod calls;
pub mod character;
pub mod draft;
pub mod leg;
mod making;
pub mod order;
mod skeletons;

use godot::prelude::*;

/// The names of `nodes`, quoted and separated by commas.
pub fn names<T: Inherits<Node>>(nodes: impl IntoIterator<Item = Gd<T>>) -> String {
    let nodes = nodes.into_iter().map(Gd::upcast::<Node>);
    let names = nodes.map(|node| format!("\"{}\"", node.get_name()));
    names.collect::<Vec<_>>().join(", ")
}

/// Says why a function of the rig does nothing.
fn refuse(function: &str, reason: &str) {
    godot_error!("TendonRig2D.{function}(): {reason}");
}
