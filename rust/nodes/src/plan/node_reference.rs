//! What a modifier refers to besides bones, for those who list, order or draw it.

use godot::prelude::*;

use crate::plan::locate::Input;
use crate::plan::tip::BoneTip;

/// A node that a modifier refers to besides bones.
pub enum NodeReference<'a> {
    /// The end of its chain.
    Tip(&'a BoneTip),
    /// The target of a tip.
    Target(&'a Input),
    /// The pole that a limb bends towards.
    Pole(&'a Input),
    /// The path that a chain lies along.
    Path(&'a Input),
    /// Another node that is read, and has to be in place before.
    Input(&'a Input),
    /// Any other node.
    Node(InstanceId),
}

impl<'a> NodeReference<'a> {
    /// The node, if the modifier reads it and it has to be in place before.
    pub fn input(&self) -> Option<&'a Input> {
        match *self {
            Self::Target(input) | Self::Pole(input) | Self::Path(input) | Self::Input(input) => {
                Some(input)
            }
            Self::Tip(_) | Self::Node(_) => None,
        }
    }
}
